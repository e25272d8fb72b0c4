import PoolControl
import PoolStore
import SyncStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HubFolder {
    /// Copies the hub's keys, its sealed passwords, the history and the configuration into a folder for this user only.
    ///
    /// The history and the configuration are each of one moment, the configuration's a little later, so that it has all
    /// devices of which there are readings. The key of the passwords is not copied: it is what makes a backup tell none.
    /// It may block for as long as copying the history takes, and others read and write meanwhile.
    ///
    /// - Parameter path: The folder, absolute; it is created if only that is missing, and must hold no backup yet.
    /// - Returns: What was done, or why not.
    /// - Throws: `FolderError` and `StoreError`.
    func backUp(to path: String) throws -> HubReply {
        let target = try StateFolder(path: path)
        let file = target.path(of: "hub.sqlite")
        guard !FileManager.default.fileExists(atPath: file) else {
            return .refused("\(path) holds a hub's state already: give a folder that does not")
        }
        var kept: [String: [UInt8]] = [:]
        for name in [Self.keyName, Secrets.sealedName] {
            guard let bytes = try folder.readSecret(name) else { continue }
            try target.writeSecret(name, bytes)
            kept[name] = bytes
        }
        try target.writeSecret(BackupSums.name, BackupSums(of: kept).bytes)
        // An earlier attempt that did not come to its end may have left one.
        let readings = try history.backUp(to: target.path(of: Self.historyName), replaces: true)
        // Last: where this file is, the backup is complete.
        try store.backUp(to: file)
        return .done(
            "copied the hub's keys, sealed passwords, configuration and \(readings.readingCount) readings to \(path); "
                + "the key of the passwords stays in \(keyFolder.path)")
    }
}
