internal import Crypto
internal import FoundationEssentials
internal import Platform
public import SyncCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension FileStore {
    /// What the beginning of a file found.
    public enum Beginning: Hashable, Sendable {
        /// The part is open and has so many bytes.
        case open(at: UInt64)
        /// The file was finished before, and is there.
        case finished
    }

    /// Opens the part of a file, or creates it; what it has beyond the durable bytes is cut off.
    ///
    /// The bytes that it has are digested again, which takes about a second a gigabyte.
    ///
    /// - Throws: ``FileStoreError``, also if the rest of the file would not leave the reserved room free.
    public func begin(_ offer: FileOffer, durable: UInt64) throws(FileStoreError) -> Beginning {
        guard FileOffer.isFit(name: offer.name) else { throw .badName(offer.name) }
        if isReceived(offer) { return .finished }
        do throws(FileStoreError) {
            return .open(at: try openPart(offer, durable: durable))
        } catch {
            removePart(offer.id)
            throw error
        }
    }

    private func openPart(_ offer: FileOffer, durable: UInt64) throws(FileStoreError) -> UInt64 {
        let name = offer.id.hexadecimal
        let file = try filing { () throws(FolderError) in
            try OpenFile(name: name, in: parts, flags: O_RDWR | O_CREAT)
        }
        let byteCount = try filing { () throws(FolderError) in
            try file.setPermissions(0o600)
            let byteCount = min(UInt64(try file.facts().byteCount), durable, offer.byteCount)
            try file.truncate(to: byteCount)
            return byteCount
        }
        try checkRoom(for: offer.byteCount - byteCount, path: parts.path(of: name))
        let digest = try filing { () throws(FolderError) in
            var digest = SHA256()
            var digested: UInt64 = 0
            while digested < byteCount {
                let bytes = try file.read(
                    at: digested, byteCount: Int(min(UInt64(Self.blockByteCount), byteCount - digested)))
                guard !bytes.isEmpty else { break }
                digest.update(data: bytes)
                digested += UInt64(bytes.count)
            }
            return digest
        }
        replacePart(FilePart(id: offer.id, file: file, byteCount: byteCount, digest: digest))
        return byteCount
    }

    /// Writes the chunk that comes next in a part.
    ///
    /// - Throws: ``FileStoreError``; after a failed write every later one fails, until the file is begun anew.
    public func write(_ bytes: [UInt8], to id: RandomID, at offset: UInt64) throws(FileStoreError) {
        let isNext = try withPart(id) { (part) throws(FolderError) in
            // Behind a write that failed others may be on their way.
            guard offset == part.byteCount else { return false }
            try part.file.write(bytes, at: offset)
            part.digest.update(data: bytes)
            part.byteCount += UInt64(bytes.count)
            return true
        }
        if !isNext { throw .damaged(path: parts.path(of: id.hexadecimal)) }
    }

    /// Waits until a part is on the disk, and gives the bytes that it has.
    ///
    /// - Throws: ``FileStoreError``.
    public func sync(_ id: RandomID) throws(FileStoreError) -> UInt64 {
        try withPart(id) { (part) throws(FolderError) in
            try part.file.sync()
            // The name of the part must be there after a crash, too.
            try parts.sync()
            return part.byteCount
        }
    }

    /// Verifies a whole part, and gives it its name once it is on the disk.
    ///
    /// When it returns, the file survives a crash of the machine under ``path(ofReceived:)``.
    ///
    /// - Throws: ``FileStoreError/damaged(path:)`` if its size or digest is another one; then nothing has the name.
    public func finish(_ offer: FileOffer) throws(FileStoreError) {
        let name = offer.id.hexadecimal
        let isWhole = try withPart(offer.id) { (part) throws(FolderError) in
            guard part.byteCount == offer.byteCount, FileDigest(part.digest) == offer.digest else { return false }
            try part.file.sync()
            return true
        }
        guard isWhole else { throw .damaged(path: parts.path(of: name)) }
        try filing { () throws(FolderError) in
            let folder = try received.subfolder(name)
            try parts.rename(name, to: offer.name, in: folder)
            try folder.sync()
            try received.sync()
            try parts.sync()
        }
        replacePart(nil)
    }

    /// Removes what there is of a file that will not be received; what cannot be removed goes at the next start.
    public func discard(_ id: RandomID) {
        removePart(id)
        removeReceived(id.hexadecimal)
    }

    /// Where a received file is; the application may move it away before it says that it consumed it.
    public func path(ofReceived offer: FileOffer) -> String {
        received.path(of: offer.id.hexadecimal) + "/" + offer.name
    }

    /// Removes what the application left of a file that it consumed.
    public func remove(_ offer: FileOffer) {
        removeReceived(offer.id.hexadecimal)
    }

    /// Removes every copy, part and received file that a state does not know: for the start, before anything else.
    ///
    /// - Parameters:
    ///   - state: What the exchange remembers.
    ///   - isWanted: Whether an application still wants a copy of this name that the exchange was not told of yet.
    /// - Throws: ``FileStoreError``, if a folder cannot be listed.
    public func removeAbandoned(
        keeping state: FileExchange.State, orCopies isWanted: (String) -> Bool = { _ in false }
    ) throws(FileStoreError) {
        let files = Set(state.queue.map(\.file))
        for name in try names(in: outgoing.path) where !files.contains(name) && !isWanted(name) { release(name) }
        let incoming = state.incoming?.offer.id.hexadecimal
        for name in try names(in: parts.path) where name != incoming {
            // Nothing depends on it: the next start tries again.
            try? parts.removeFile(name)
        }
        let whole = Set(state.received.map(\.id.hexadecimal))
        for name in try names(in: received.path) where name != incoming && !whole.contains(name) {
            removeReceived(name)
        }
    }

    // MARK: - Parts

    private func isReceived(_ offer: FileOffer) -> Bool {
        unsafe access(path(ofReceived: offer), F_OK) == 0
    }

    private func replacePart(_ new: consuming FilePart?) {
        // The closure may run once only, which the compiler cannot see: what it takes is taken out of an optional.
        var new = consume new
        part.withLock { $0 = new.take() }
    }

    private func withPart<Result: Sendable>(
        _ id: RandomID, _ body: (inout FilePart) throws(FolderError) -> Result
    ) throws(FileStoreError) -> Result {
        let result: Result?
        do throws(FolderError) {
            result = try part.withLock { (slot) throws(FolderError) in
                guard var part = slot.take() else { return nil }
                guard part.id == id else {
                    slot = consume part
                    return nil
                }
                do throws(FolderError) {
                    let result = try body(&part)
                    slot = consume part
                    return result
                } catch {
                    slot = consume part
                    throw error
                }
            }
        } catch {
            throw .folder(error)
        }
        guard let result else { throw .missing(path: parts.path(of: id.hexadecimal)) }
        return result
    }

    private func removePart(_ id: RandomID) {
        part.withLock { (slot) in
            guard let part = slot.take() else { return }
            if part.id != id { slot = consume part }
        }
        // Nothing depends on it: ``removeAbandoned(keeping:)`` tries again.
        try? parts.removeFile(id.hexadecimal)
    }

    private func removeReceived(_ name: String) {
        // Nothing depends on it: ``removeAbandoned(keeping:)`` tries again.
        try? FileManager.default.removeItem(atPath: received.path(of: name))
    }

    private func names(in path: String) throws(FileStoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .folder(.failed(function: "readdir", path: path, number: EIO))
        }
    }
}
