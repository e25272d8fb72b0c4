import PoolControl
import PoolStore
import SyncStore
import Vault

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HubFolder {
    /// Copies the hub's keys, its encrypted passwords, the history and the configuration to a folder for this user only.
    ///
    /// The history and the configuration are each copied as of one moment, the configuration a little later, so that it
    /// contains all devices that have readings. The key of the passwords is not copied, so that a backup reveals none.
    /// The call blocks while the history is copied; others read and write in the meantime.
    ///
    /// - Parameter path: The absolute path of the folder; it is created if its parent exists, and must not contain a
    ///   backup.
    /// - Returns: What was done, or why it was not.
    /// - Throws: `FolderError` and `StoreError`.
    func backUp(to path: String) throws -> HubReply {
        let target = try StateFolder(path: path)
        let file = target.path(of: "hub.sqlite")
        guard !FileManager.default.fileExists(atPath: file) else {
            return .refused("\(path) holds a hub's state already: give a folder that does not")
        }
        var kept: [String: [UInt8]] = [:]
        for name in [Self.keyName, SealedSecrets.sealedName] {
            guard let bytes = try folder.readSecret(name) else { continue }
            try target.writeSecret(name, bytes)
            kept[name] = bytes
        }
        try target.writeSecret(BackupSums.name, BackupSums(of: kept).bytes)
        // An earlier attempt that failed may have left one.
        let readings = try history.backUp(to: target.path(of: Self.historyName), replaces: true)
        // This file is written last: it marks a complete backup.
        try store.backUp(to: file)
        return .done(
            "copied the hub's keys, sealed passwords, configuration and \(readings.readingCount) readings to \(path); "
                + "the key of the passwords stays in \(keyFolder.path)")
    }
}
