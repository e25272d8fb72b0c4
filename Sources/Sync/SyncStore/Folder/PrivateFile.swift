#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A file anywhere that is for this user only, such as a secret that a person hands on.
public enum PrivateFile {
    /// Writes a file in place of the one before: anybody who reads finds one or the other, whole.
    ///
    /// The file has the mode 0600 from its first moment. When this returns, it survives a power cut.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - path: The file, in a folder that exists.
    /// - Throws: ``FolderError``; the file before is intact then.
    public static func write(_ bytes: [UInt8], to path: String) throws(FolderError) {
        let newPath = path + ".new"
        // What a crash left is not ours to write into: somebody may have it open. Most often there is nothing.
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
