import Foundation
package import PINPairing
import Platform
package import TarsModel

/// What the phone keeps of a home.
package struct HomeDocument: Hashable, Codable, Sendable {
    /// A motor device and its pairing.
    package struct Device: Hashable, Codable, Sendable {
        /// What it is at home.
        package var appliance: Appliance
        /// Its whole serial number.
        package var serial: Serial
        /// What the pairing gave.
        package var key: PairingKey
    }

    /// The motor devices.
    package var devices: [Device] = []
    /// What other makers' programs speak for.
    package var foreign: [ForeignAppliance] = []
    /// What one key or one link runs, in the order of the keys.
    package var shortcuts: [Shortcut] = []
    /// The scenes.
    package var scenes: [Scene] = []

    /// An empty home.
    package init() {}

    /// Every thing, in the order in which it came.
    package var appliances: [Appliance] { devices.map(\.appliance) + foreign.map(\.appliance) }

    /// Changes an appliance; false if there is none of that id.
    package mutating func change(_ id: Appliance.ID, _ body: (inout Appliance) -> Void) -> Bool {
        if let index = devices.firstIndex(where: { $0.appliance.id == id }) {
            body(&devices[index].appliance)
        } else if let index = foreign.firstIndex(where: { $0.appliance.id == id }) {
            body(&foreign[index].appliance)
        } else {
            return false
        }
        return true
    }

    /// Checks how many of everything there are.
    ///
    /// - Throws: ``ModelProblem``, such as `the number of shortcuts is 65: give 0 to 64`.
    package func check() throws(ModelProblem) {
        try Limit.appliances.check(devices.count + foreign.count)
        try Limit.shortcuts.check(shortcuts.count)
        try Limit.scenes.check(scenes.count)
    }
}

/// The file of a home.
package struct HomeFile: Sendable {
    private let path: String

    /// Names the file, `home.json` in a folder.
    package init(folder: String) { path = "\(folder)/home.json" }

    /// Reads the home; an empty one if there is no file.
    ///
    /// - Throws: ``HomeProblem`` if the file is damaged, which leaves it as it is.
    package func read() throws -> HomeDocument {
        guard let bytes = FileManager.default.contents(atPath: path) else { return HomeDocument() }
        do {
            return try CanonicalJSON.decode(HomeDocument.self, from: Array(bytes))
        } catch {
            throw HomeProblem(
                "\(path) is damaged (\(error)): restore a copy of it, or remove it and add everything again")
        }
    }

    /// Writes the home; when this returns, it survives a power cut.
    ///
    /// Only this user may read the file, because it holds keys.
    func write(_ home: HomeDocument) throws { try NewFile.write(try CanonicalJSON.encode(home), to: path) }
}

/// Why something about the home cannot be done, in a sentence with the way out.
package struct HomeProblem: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    package init(_ description: String) { self.description = description }
}
