#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What a power cut may take back until it is waited for: the bytes of files, and the names in folders.
extension StateFolder {
    /// Makes a folder, and those above it that are missing, for this user only; when it returns, they survive a power cut.
    ///
    /// - Parameter path: The folder.
    /// - Throws: ``FolderError``.
    public static func prepare(_ path: String) throws(FolderError) {
        let above = folder(above: path)
        if unsafe access(path, F_OK) != 0, above != path { try prepare(above) }
        try create(path)
        _ = try open(path)
    }

    /// Waits until what has become of a name is on the disk: that something has it now, or nothing any more.
    ///
    /// - Parameter path: What has the name, or had it.
    /// - Throws: ``FolderError``.
    public static func settle(nameOf path: String) throws(FolderError) {
        let above = folder(above: path)
        do throws(FolderError) {
            try OpenFile(path: above, flags: O_RDONLY | O_DIRECTORY).sync()
        } catch {
            // Who may write into a folder but not look into it cannot wait for it; the name is there all the same.
            guard case .notWritable = error else { throw error }
        }
    }

    /// Waits until the bytes of a file are on the disk.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``FolderError``.
    public static func settle(contentsOf path: String) throws(FolderError) {
        try OpenFile(path: path, flags: O_RDONLY).sync()
    }

    /// The folder that a name lies in.
    static func folder(above path: String) -> String {
        let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        let name = end.map { path[...$0] } ?? "/"
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }
}
