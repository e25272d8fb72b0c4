import Foundation
import SyncCore

/// The phone's directory for one watch (rules R26, R31 and R32).
struct WatchDirectory: Sendable {
    /// Where it is, while there is one.
    let path: String

    /// Whether there is one.
    var exists: Bool {
        var isFolder: ObjCBool = false
        // The pointer is used during the call only.
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Creates it, if there is none; it is empty then.
    func create() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Removes it with what is in it.
    ///
    /// It gets another name first, so that after a crash a new one does not begin with the contents of the old one.
    func remove() throws {
        let old = path + ".old"
        if exists {
            if FileManager.default.fileExists(atPath: old) { try FileManager.default.removeItem(atPath: old) }
            try FileManager.default.moveItem(atPath: path, toPath: old)
        }
        if FileManager.default.fileExists(atPath: old) { try FileManager.default.removeItem(atPath: old) }
    }
}
