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
        let above = folder(above: path)
        if unsafe access(path, F_OK) != 0, above != path { try prepare(above) }
        try create(path)
        _ = try open(path)
    }

    /// Waits until the creation, the replacement or the removal of a name is on the disk.
    ///
    /// - Parameter path: The path that was created, replaced or removed.
    /// - Throws: ``FolderError``.
    package static func settle(nameOf path: String) throws(FolderError) {
        let above = folder(above: path)
        do throws(FolderError) {
            try OpenFile(path: above, flags: O_RDONLY | O_DIRECTORY).sync()
        } catch {
            // A user who may write into a folder but not read it cannot sync it; the name exists nevertheless.
            guard case .notWritable = error else { throw error }
        }
    }

    /// Waits until the bytes of a file are on the disk.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``FolderError``.
    package static func settle(contentsOf path: String) throws(FolderError) {
        try OpenFile(path: path, flags: O_RDONLY).sync()
    }

    /// The parent folder of a path.
    static func folder(above path: String) -> String {
        let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        let name = end.map { path[...$0] } ?? "/"
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }
}
