import SyncStore

/// A folder that this process keeps to itself, while the object lives; it is free after any end of the process.
package final class FolderHold: Sendable {
    private let folder: StateFolder

    /// Takes a folder, and creates it if its parent folder exists.
    ///
    /// - Throws: `FolderError` if another process has it, with that process's number, or it cannot be used.
    package init(path: String) throws { folder = try StateFolder(path: path) }
}
