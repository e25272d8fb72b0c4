package import Appliances
import Foundation
package import PINPairing
import Peripherals
import Platform
import SyncStore
package import TarsModel
import Text
import Vault

/// What the phone alone keeps of a home: its things, and how they are reached.
package struct HomeDocument: Hashable, Codable, Sendable {
    /// A motor device and its pairing.
    package struct Device: Hashable, Codable, Sendable {
        /// What it is at home.
        package var appliance: Appliance
        /// Its whole serial number.
        package var serial: Serial
    }

    private enum CodingKeys: CodingKey { case devices, foreign, hub }

    /// The motor devices.
    package var devices: [Device] = []
    /// What other makers' programs speak for.
    package var foreign: [ForeignAppliance] = []
    /// What the phone calls itself at devices that send answers to their asker; hexadecimal digits.
    package var hub = SecretText.make(byteCount: 4)
    /// What the pairings gave; they are not in the file, but sealed beside it.
    package var keys: [Serial: PairingKey] = [:]

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
    /// - Throws: ``ModelProblem``, such as `the number of appliances is 513: give 0 to 512`.
    package func check() throws(ModelProblem) {
        try Limit.appliances.check(devices.count + foreign.count)
    }
}

/// The file of a home, and the sealed file of its keys, whose key is in another folder.
package struct HomeFile: Sendable {
    private let path: String
    private let secrets: SealedSecrets

    /// Opens the folder; the key of the keys is in a folder beside it, so that a copy of this one reveals none.
    ///
    /// - Throws: `FolderError`, also if another phone has the folder.
    package init(folder: String) throws {
        path = "\(folder)/home.json"
        secrets = SealedSecrets(
            try StateFolder(path: "\(folder)/secrets"), keys: try StateFolder(path: "\(folder).keys"),
            purpose: "tars devices 1", replacement: "pair the devices again with `tars add`")
    }

    /// Reads the home; an empty one if there is no file.
    ///
    /// - Throws: ``HomeProblem`` if the file is damaged, which leaves it as it is, and `SecretsError`.
    package func read() throws -> HomeDocument {
        guard let bytes = FileManager.default.contents(atPath: path) else { return HomeDocument() }
        var document: HomeDocument
        do {
            document = try CanonicalJSON.decode(HomeDocument.self, from: Array(bytes))
        } catch {
            throw HomeProblem(
                "\(path) is damaged (\(error)): restore a copy of it, or remove it and add everything again")
        }
        let texts = try secrets.all()
        for serial in document.devices.map(\.serial) {
            document.keys[serial] = try texts[serial.text].map {
                try CanonicalJSON.decode(PairingKey.self, from: Array($0.utf8))
            }
        }
        return document
    }

    /// Writes the home; when this returns, it survives a power cut.
    ///
    /// A key is there before its device, and goes after it.
    func write(_ home: HomeDocument) throws {
        var texts: [String: String?] = try secrets.all().mapValues { _ in nil }
        for (serial, key) in home.keys {
            texts[serial.text] = String(decoding: try CanonicalJSON.encode(key), as: UTF8.self)
        }
        try secrets.keep(texts.filter { $0.value != nil })
        try NewFile.write(try CanonicalJSON.encode(home), to: path)
        try secrets.keep(texts.filter { $0.value == nil })
    }
}

/// Why something about the home cannot be done, in a sentence with the way out.
package struct HomeProblem: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    package init(_ description: String) { self.description = description }
}
