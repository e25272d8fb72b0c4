#if Processes
    import Foundation
    import SyncCore

    /// The phone's directory for one watch.
    struct WatchDirectory: Sendable {
        /// The path of the directory, whether it exists or not.
        let path: String

        /// Whether the directory exists.
        var exists: Bool {
            var isFolder: ObjCBool = false
            // The pointer is used only during the call.
            return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }

        /// Creates an empty directory, if none exists.
        func create() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }

        /// Removes the directory and its contents.
        ///
        /// It is renamed first, so that after a crash a new directory does not start with old contents.
        func remove() throws {
            let old = path + ".old"
            if exists {
                if FileManager.default.fileExists(atPath: old) { try FileManager.default.removeItem(atPath: old) }
                try FileManager.default.moveItem(atPath: path, toPath: old)
            }
            if FileManager.default.fileExists(atPath: old) { try FileManager.default.removeItem(atPath: old) }
        }
    }
#endif
