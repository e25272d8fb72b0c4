import FoundationEssentials
import SyncStore

extension HubFolder {
    /// Copies the keys, the passwords and the configuration, at one moment, into a folder for this user only.
    ///
    /// Readings are not copied: they come again. Put in the place of the hub's own files while no hub runs, the copy is
    /// the hub's past; the hub notices it at its next start and begins a new epoch.
    ///
    /// - Parameter path: The folder, absolute; it is created if only that is missing, and must hold no backup yet.
    /// - Returns: What was done, or why not.
    /// - Throws: `FolderError` and `StoreError`.
    func backUp(to path: String) throws -> HubAnswer {
        let target = try StateFolder(path: path)
        let file = target.path(of: "hub.sqlite")
        guard !FileManager.default.fileExists(atPath: file) else {
            return .refused("\(path) holds a hub's state already: give a folder that does not")
        }
        for name in [Self.keyName, Passwords.secretName] {
            if let bytes = try folder.readSecret(name) { try target.writeSecret(name, bytes) }
        }
        // Last: where this file is, the backup is complete.
        try store.backUp(to: file)
        return .done("copied the hub's keys, passwords and configuration, without readings, to \(path)")
    }
}
