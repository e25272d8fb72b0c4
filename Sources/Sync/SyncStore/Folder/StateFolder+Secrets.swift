internal import Platform

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension StateFolder {
    /// Writes a secret that only this user can read, or replaces it.
    ///
    /// When this returns, the secret is durable; after an earlier crash, either the old or the new one is there. The
    /// file has the mode 0600 from its creation.
    ///
    /// - Parameters:
    ///   - name: The name of the secret: 1…100 bytes of letters, digits, `-`, `_` and `.`; any other name traps.
    ///   - bytes: At most ``secretByteCountMax`` bytes.
    /// - Throws: ``FolderError``; an existing secret is unchanged in that case.
    public func writeSecret(_ name: String, _ bytes: [UInt8]) throws(FolderError) {
        let fileName = Self.fileName(ofSecret: name)
        let newName = ".\(fileName).new"
        guard bytes.count <= Self.secretByteCountMax else { throw .secretUnfit(path: path(of: fileName)) }
        try writing.withLock { (_) throws(FolderError) in
            do throws(FolderError) {
                // A crash can have left a file that another process has open, so it is not reused.
                try folder.removeFile(newName)
                let file = try OpenFile(name: newName, in: folder, flags: O_WRONLY | O_CREAT | O_EXCL)
                try file.setPermissions(0o600)
                try file.write(bytes)
                try file.sync()
                try folder.rename(newName, to: fileName, in: folder)
            } catch {
                // The first error is the one to report; the next write removes the file.
                try? folder.removeFile(newName)
                throw error
            }
            try folder.sync()
        }
    }

    /// Reads a secret.
    ///
    /// - Parameter name: The name of the secret, as for ``writeSecret(_:_:)``.
    /// - Returns: Its bytes; nil if it does not exist.
    /// - Throws: ``FolderError``, also if other users can read the file or another user owns it.
    public func readSecret(_ name: String) throws(FolderError) -> [UInt8]? {
        try Self.readSecret(name, in: folder)
    }

    /// Reads a secret of a folder that another process may hold.
    ///
    /// - Parameters:
    ///   - name: The name of the secret, as for ``writeSecret(_:_:)``.
    ///   - path: The folder.
    /// - Returns: Its bytes; nil if it does not exist.
    /// - Throws: ``FolderError``, also if there is no such folder.
    package static func readSecret(_ name: String, ofFolder path: String) throws(FolderError) -> [UInt8]? {
        try readSecret(name, in: open(path))
    }

    private static func readSecret(
        _ name: String, in folder: borrowing OpenFile
    ) throws(FolderError) -> [UInt8]? {
        let fileName = fileName(ofSecret: name)
        let path = folder.path(of: fileName)
        let file: OpenFile
        do throws(FolderError) {
            file = try OpenFile(name: fileName, in: folder, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            guard case .failed(_, _, let number) = error else { throw error }
            switch number {
            case ENOENT: return nil
            case ELOOP, ENXIO: throw .secretUnfit(path: path)
            default: throw error
            }
        }
        let facts = try file.facts()
        guard facts.isPlainFile, facts.byteCount <= secretByteCountMax else { throw .secretUnfit(path: path) }
        guard facts.userID == geteuid() else { throw .foreignOwner(path: path, userID: facts.userID) }
        guard facts.permissions & 0o077 == 0 else { throw .secretExposed(path: path, mode: facts.permissions) }
        return try file.read(at: 0, byteCount: facts.byteCount)
    }

    /// Removes a secret; does nothing if it does not exist.
    ///
    /// - Parameter name: The name of the secret, as for ``writeSecret(_:_:)``.
    /// - Throws: ``FolderError``.
    public func removeSecret(_ name: String) throws(FolderError) {
        let fileName = Self.fileName(ofSecret: name)
        try writing.withLock { (_) throws(FolderError) in
            try folder.removeFile(fileName)
            try folder.sync()
        }
    }

    /// The name of the file for a secret.
    private static func fileName(ofSecret name: String) -> String {
        precondition(isPlain(name, "-_."), "no name of a secret: \(name)")
        return name + ".secret"
    }

    /// Whether a name consists of 1…100 letters, digits and these other characters.
    static func isPlain(_ name: String, _ others: String) -> Bool {
        (1...100).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9": true
                default: others.unicodeScalars.contains(scalar)
                }
            }
    }
}
