internal import Crypto
internal import Platform
public import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The files that one device sends and receives, in a state folder.
///
///     files/outgoing/⟨random⟩       a copy of each file that waits to be sent
///     files/parts/⟨transfer⟩        the bytes of a file that have arrived so far
///     files/received/⟨transfer⟩/⟨name⟩   a complete, verified file, until the application consumes it
///
/// A file to be sent is copied when the transfer is requested, not linked. So the application can change or remove the
/// original at once, and the transfer continues after a restart. Files have the mode 0600, folders 0700.
///
/// A device with several peers uses one store for each, under different folder names.
///
/// The methods can be called on any thread; each of them waits for the disk.
public final class FileStore: Sendable {
    /// The number of bytes to leave free on the disk for other purposes; 16 MiB by default.
    public let reservedByteCount: UInt64
    let state: StateFolder
    let outgoing: OpenFile
    let parts: OpenFile
    let received: OpenFile
    let part = Lock<FilePart?>(nil)

    /// The partial file that is being written, with the digest of its bytes so far.
    struct FilePart: ~Copyable {
        var id: RandomID
        var file: OpenFile
        var byteCount: UInt64
        var digest: SHA256
    }

    /// Opens the files of a folder.
    ///
    /// Missing folders are created.
    ///
    /// - Parameters:
    ///   - folder: The state folder. The store keeps it locked.
    ///   - peer: The name of the peer's folder: letters, digits and `-`; `files` by default.
    ///   - reservedByteCount: The number of bytes to leave free on the disk.
    /// - Throws: ``FileStoreError``.
    public init(
        in folder: StateFolder, peer: String = "files", reservedByteCount: UInt64 = 16 * 1_048_576
    ) throws(FileStoreError) {
        precondition(StateFolder.isPlain(peer, "-"), "no name of a folder for files: \(peer)")
        state = folder
        self.reservedByteCount = reservedByteCount
        do throws(FolderError) {
            let files = try folder.folder.subfolder(peer)
            outgoing = try files.subfolder("outgoing")
            parts = try files.subfolder("parts")
            received = try files.subfolder("received")
            try files.sync()
            try folder.folder.sync()
        } catch {
            throw .folder(error)
        }
    }

    // MARK: - Sending

    /// A copy of a file that waits to be sent.
    public struct KeptFile: Hashable, Sendable {
        /// The name of the copy in this store.
        public var file: String
        /// The last component of the original path.
        public var name: String
        /// The size of the file in bytes.
        public var byteCount: UInt64
        /// The digest of the file.
        public var digest: FileDigest
    }

    /// A file that is open for copying.
    ///
    /// It can be copied completely even if it is renamed or removed meanwhile.
    package final class Original: Sendable {
        let file: OpenFile
        let name: String

        init(_ file: consuming OpenFile, name: String) {
            self.file = file
            self.name = name
        }
    }

    /// Opens a file for copying.
    ///
    /// - Parameter path: A plain file, or a symbolic link to one.
    /// - Returns: The open file.
    /// - Throws: ``FileStoreError``.
    package static func original(_ path: String) throws(FileStoreError) -> Original {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard FileOffer.isFit(name: name) else { throw .badName(name) }
        return Original(try plainFile(path), name: name)
    }

    /// Opens a plain file for reading.
    ///
    /// It follows symbolic links, and does not block on a file that is not plain.
    static func plainFile(_ path: String) throws(FileStoreError) -> OpenFile {
        let file = try existing(path)
        let facts = try filing { () throws(FolderError) in try file.facts() }
        guard facts.isPlainFile else { throw .notAPlainFile(path: path) }
        return file
    }

    private static func existing(_ path: String) throws(FileStoreError) -> OpenFile {
        do throws(FolderError) {
            return try OpenFile(path: path, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            if case .failed(_, _, ENOENT) = error { throw .missing(path: path) }
            throw .folder(error)
        }
    }

    /// Copies a file for a transfer and computes its digest.
    ///
    /// The copy is durable when this returns.
    ///
    /// - Parameters:
    ///   - path: A plain file, or a symbolic link to one.
    ///   - byteCountMax: The largest allowed size in bytes.
    /// - Returns: The description of the copy, for a request to send it.
    /// - Throws: ``FileStoreError``; the partial copy is removed in that case.
    public func keep(_ path: String, byteCountMax: UInt64 = 1_073_741_824) throws(FileStoreError) -> KeptFile {
        try keep(try Self.original(path), byteCountMax: byteCountMax)
    }

    /// Copies an open file for a transfer, even if it was renamed or removed after it was opened.
    ///
    /// - Parameters:
    ///   - original: The file.
    ///   - byteCountMax: The largest allowed size in bytes.
    /// - Returns: The description of the copy, for a request to send it.
    /// - Throws: ``FileStoreError``; the partial copy is removed in that case.
    package func keep(
        _ original: Original, byteCountMax: UInt64 = 1_073_741_824
    ) throws(FileStoreError) -> KeptFile {
        var generator = SystemRandomNumberGenerator()
        let file = RandomID(using: &generator).hexadecimal
        do throws(FileStoreError) {
            return try copy(original.file, name: original.name, to: file, byteCountMax: byteCountMax)
        } catch {
            release(file)
            throw error
        }
    }

    private func copy(
        _ original: borrowing OpenFile, name: String, to file: String, byteCountMax: UInt64
    ) throws(FileStoreError) -> KeptFile {
        let expected = UInt64(try filing { () throws(FolderError) in try original.facts().byteCount })
        try check(expected, of: original.path, byteCountMax: byteCountMax)
        let copy = try filing { () throws(FolderError) in
            try OpenFile(name: file, in: outgoing, flags: O_WRONLY | O_CREAT | O_EXCL)
        }
        var digest = SHA256()
        var byteCount: UInt64 = 0
        while true {
            let bytes = try filing { () throws(FolderError) in
                let bytes = try original.read(at: byteCount, byteCount: Self.blockByteCount)
                try copy.write(bytes, at: byteCount)
                return bytes
            }
            if bytes.isEmpty { break }
            digest.update(data: bytes)
            byteCount += UInt64(bytes.count)
            // A file that grows while it is read must not fill the disk.
            if byteCount > expected { try check(byteCount, of: original.path, byteCountMax: byteCountMax) }
        }
        try filing { () throws(FolderError) in
            try copy.setPermissions(0o600)
            try copy.sync()
            try outgoing.sync()
        }
        return KeptFile(file: file, name: name, byteCount: byteCount, digest: FileDigest(digest))
    }

    private func check(_ byteCount: UInt64, of path: String, byteCountMax: UInt64) throws(FileStoreError) {
        guard byteCount <= byteCountMax else {
            throw .tooLarge(path: path, byteCount: byteCount, byteCountMax: byteCountMax)
        }
        try checkRoom(for: byteCount, path: path)
    }

    func checkRoom(for byteCount: UInt64, path: String) throws(FileStoreError) {
        let free = try filing { () throws(FolderError) in try parts.freeByteCount() }
        let usable = free - min(free, reservedByteCount)
        guard byteCount <= usable else { throw .noRoom(path: path, byteCount: byteCount, freeByteCount: usable) }
    }

    /// Reads a chunk of a copy; the last one can be shorter.
    ///
    /// - Throws: ``FileStoreError``.
    package func read(_ file: String, at offset: UInt64, byteCount: Int) throws(FileStoreError) -> [UInt8] {
        do throws(FolderError) {
            let copy = try OpenFile(name: file, in: outgoing, flags: O_RDONLY)
            return try copy.read(at: offset, byteCount: byteCount)
        } catch {
            if case .failed(_, _, ENOENT) = error { throw .missing(path: outgoing.path(of: file)) }
            throw .folder(error)
        }
    }

    /// Removes a copy that is no longer needed.
    ///
    /// If that fails, it is removed at the next start.
    public func release(_ file: String) {
        // A failure is harmless: ``removeAbandoned(keeping:)`` tries again.
        try? outgoing.removeFile(file)
    }

    /// The block size in bytes for reading, writing and digests.
    static let blockByteCount = 262_144
}

extension FileDigest {
    /// The digest of the bytes that were fed to a hash function.
    init(_ digest: SHA256) {
        guard let result = FileDigest(bytes: Array(digest.finalize())) else {
            preconditionFailure("SHA-256 gives 32 bytes")
        }
        self = result
    }
}
