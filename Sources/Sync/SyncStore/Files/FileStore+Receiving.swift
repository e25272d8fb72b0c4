internal import Crypto
internal import Platform
public import SyncCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension FileStore {
    /// The state of a file when its transfer begins.
    package enum Beginning: Hashable, Sendable {
        /// The partial file is open and has this many bytes.
        case open(at: UInt64)
        /// The file was already received completely.
        case finished
    }

    /// Opens or creates the partial file of a transfer.
    ///
    /// Bytes after the durable ones are cut off.
    ///
    /// The digest of the existing bytes is computed again, which takes about one second per gigabyte.
    ///
    /// - Throws: ``FileStoreError``, also if the rest of the file would not leave the reserved room free.
    package func begin(_ offer: FileOffer, durable: UInt64) throws(FileStoreError) -> Beginning {
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

    /// Writes the next chunk of a partial file.
    ///
    /// - Throws: ``FileStoreError``. After a failed write all later ones fail until ``begin(_:durable:)`` is called
    ///   again.
    package func write(_ bytes: [UInt8], to id: RandomID, at offset: UInt64) throws(FileStoreError) {
        let isNext = try withPart(id) { (part) throws(FolderError) in
            // Later chunks can arrive after a write that failed.
            guard offset == part.byteCount else { return false }
            try part.file.write(bytes, at: offset)
            part.digest.update(data: bytes)
            part.byteCount += UInt64(bytes.count)
            return true
        }
        if !isNext { throw .damaged(path: parts.path(of: id.hexadecimal)) }
    }

    /// Waits until a partial file is on the disk.
    ///
    /// Returns its number of bytes.
    ///
    /// - Throws: ``FileStoreError``.
    package func sync(_ id: RandomID) throws(FileStoreError) -> UInt64 {
        try withPart(id) { (part) throws(FolderError) in
            try part.file.sync()
            // The name of the partial file must also survive a crash.
            try parts.sync()
            return part.byteCount
        }
    }

    /// Verifies a complete file and, once it is on the disk, renames it.
    ///
    /// When this returns, the file is durable under ``path(ofReceived:)``.
    ///
    /// - Throws: ``FileStoreError/damaged(path:)`` if its size or digest is wrong; the file is not renamed in that
    ///   case.
    package func finish(_ offer: FileOffer) throws(FileStoreError) {
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

    /// Removes the data of a file that will not be received.
    ///
    /// Files that cannot be removed are removed at the next start.
    package func discard(_ id: RandomID) {
        removePart(id)
        removeReceived(id.hexadecimal)
    }

    /// The path of a received file.
    ///
    /// The application can move the file away before it reports it as consumed.
    public func path(ofReceived offer: FileOffer) -> String {
        received.path(of: offer.id.hexadecimal) + "/" + offer.name
    }

    /// Removes the data of a consumed file, unless the application moved it away.
    public func remove(_ offer: FileOffer) {
        removeReceived(offer.id.hexadecimal)
    }

    /// Removes all copies, partial files and received files that are unknown to a state.
    ///
    /// Call it at the start, before any other method.
    ///
    /// - Parameters:
    ///   - state: The state of the exchange.
    ///   - isWanted: Whether the application still needs a copy of this name that is not yet in the state.
    /// - Throws: ``FileStoreError``, if a folder cannot be listed.
    public func removeAbandoned(
        keeping state: FileExchange.State, orCopies isWanted: (String) -> Bool = { _ in false }
    ) throws(FileStoreError) {
        let files = Set(state.queue.map(\.file))
        for name in try names(in: outgoing) where !files.contains(name) && !isWanted(name) { release(name) }
        let incoming = state.incoming?.offer.id.hexadecimal
        for name in try names(in: parts) where name != incoming {
            // A failure is harmless: the next start tries again.
            try? parts.removeFile(name)
        }
        let whole = Set(state.received.map(\.id.hexadecimal))
        for name in try names(in: received) where name != incoming && !whole.contains(name) {
            removeReceived(name)
        }
    }

    // MARK: - Parts

    private func isReceived(_ offer: FileOffer) -> Bool {
        FileSystem.isThere(path(ofReceived: offer))
    }

    private func replacePart(_ new: consuming FilePart?) {
        // The compiler cannot see that the closure runs only once, so the value is taken out of an optional.
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
        // A failure is harmless: ``removeAbandoned(keeping:)`` tries again.
        try? parts.removeFile(id.hexadecimal)
    }

    private func removeReceived(_ name: String) {
        // A failure is harmless: ``removeAbandoned(keeping:)`` tries again.
        try? FileManager.default.removeItem(atPath: received.path(of: name))
    }

    private func names(in folder: borrowing OpenFile) throws(FileStoreError) -> [String] {
        do throws(FolderError) {
            return try folder.names()
        } catch {
            throw .folder(error)
        }
    }
}
