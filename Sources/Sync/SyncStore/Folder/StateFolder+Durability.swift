internal import Platform

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Waits for the disk: a power cut can undo changes to files and folders that were not synced.
extension StateFolder {
    /// Creates a folder and its missing parents, for this user only.
    ///
    /// When this returns, they are durable.
    ///
    /// - Parameter path: The folder.
    /// - Throws: ``FolderError``.
    package static func prepare(_ path: String) throws(FolderError) {
        let above = FileSystem.folder(above: path)
        if !FileSystem.isThere(path), above != path { try prepare(above) }
        try create(path)
        _ = try open(path)
    }

    /// Waits until the creation, the replacement or the removal of a name is on the disk.
    ///
    /// - Parameter path: The path that was created, replaced or removed.
    /// - Throws: ``FolderError``.
    package static func settle(nameOf path: String) throws(FolderError) {
        try OpenFile.settle(nameOf: path)
    }

    /// Waits until the bytes of a file are on the disk.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``FolderError``.
    package static func settle(contentsOf path: String) throws(FolderError) {
        try OpenFile(path: path, flags: O_RDONLY).sync()
    }
}
