#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Writes files at any path that only this user can read, such as an exported secret.
public enum PrivateFile {
    /// Writes a file, or replaces the existing one atomically: readers see either the old contents or the new ones.
    ///
    /// The file has the mode 0600 from its creation. When this returns, the contents are durable.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - path: The file, in a folder that exists.
    /// - Throws: ``FolderError``; an existing file is unchanged in that case.
    public static func write(_ bytes: [UInt8], to path: String) throws(FolderError) {
        let newPath = path + ".new"
        // A crash can have left a file that another process has open, so it is not reused.
        _ = unsafe unlink(newPath)
        do throws(FolderError) {
            let file = try OpenFile.create(newPath)
            try file.write(bytes)
            try file.sync()
            try perform("rename", on: path) { unsafe rename(newPath, path) }
        } catch {
            _ = unsafe unlink(newPath)
            throw error
        }
        try StateFolder.settle(nameOf: path)
    }
}
