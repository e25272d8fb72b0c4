internal import GRDB
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension DatabaseFile {
    /// Writes a copy of the database at one point in time to a new file.
    ///
    /// The file gets its name when it is complete and checked.
    ///
    /// Writes to the database continue during the copy, because the copy is read through its own connection.
    ///
    /// - Parameters:
    ///   - path: The file to create.
    ///   - check: Reads the whole copy and throws an error if something is wrong with it.
    /// - Throws: ``StoreError``; no file was created in that case.
    func backUp(to path: String, check: (Database) throws -> Void) throws(StoreError) {
        do {
            guard !FileSystem.isThere(path) else { throw StoreError.exists(path: path) }
            let newPath = path + ".new"
            defer {
                for suffix in Self.sidecarSuffixes { _ = unsafe unlink(newPath + suffix) }
            }
            do {
                // An interrupted backup can have left an incomplete file.
                _ = unsafe unlink(newPath)
                // Created here because SQLite would apply the process's umask.
                _ = try OpenFile.create(newPath)
                try copy(to: newPath, check: check)
                try OpenFile(path: newPath, flags: O_RDWR).sync()
                try FolderError.perform("rename", on: newPath) { unsafe rename(newPath, path) }
            } catch {
                _ = unsafe unlink(newPath)
                throw error
            }
            try StateFolder.settle(nameOf: path)
        } catch {
            throw StoreError(error, path: path).reported
        }
    }

    private func copy(to newPath: String, check: (Database) throws -> Void) throws {
        var configuration = Self.configuration
        configuration.readonly = true
        let source = try DatabaseQueue(path: self.path, configuration: configuration)
        let copy = try DatabaseQueue(path: newPath, configuration: Self.configuration)
        try source.backup(to: copy)
        try source.close()
        try copy.read(check)
        try copy.close()
    }
}
