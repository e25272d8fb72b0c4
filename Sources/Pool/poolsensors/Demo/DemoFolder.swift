import CommandSupport
import Foundation
import PoolControl

/// The folder of a demo: a temporary one that is removed at the end, or one that the user named and keeps.
struct DemoFolder: Sendable {
    /// The folder; an absolute path.
    let path: String
    /// Whether it is kept when the demo has ended.
    let isKept: Bool

    /// Makes the folder.
    ///
    /// - Parameters:
    ///   - named: The folder that the user named; nil for a temporary one.
    ///   - environment: The variables; they may name the folder for temporary files.
    ///   - isKept: Whether to keep a temporary folder.
    /// - Throws: ``CommandFailure`` if it cannot be made, or is not empty.
    init(named: String?, environment: Environment, isKept: Bool) throws {
        if let named {
            path = StateFolders(path: named, environment: environment).root
            self.isKept = true
            try Self.makeEmpty(path)
        } else {
            path = try ScratchFolder.make(prefix: "poolsensors-demo", environment: environment)
            self.isKept = isKept
        }
    }

    /// Removes the folder unless it is kept.
    ///
    /// - Returns: A sentence with its path, if it is kept.
    @discardableResult
    func remove() -> String? {
        if isKept { return "state and logs are in \(path)" }
        ScratchFolder.remove(path, program: "poolsensors")
        return nil
    }

    private static func makeEmpty(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else {
                throw CommandFailure("\(path) is not empty: name a new folder for the demo with --state")
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("cannot use \(path): \(SystemErrorText.of(error)); name another folder with --state")
        }
    }
}
