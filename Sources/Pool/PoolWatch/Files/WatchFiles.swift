internal import Platform
internal import PoolModel
internal import SyncCore
internal import SyncStore

/// The files of a watch: the folder where they are received, and the store in which it keeps them.
///
/// It can be closed before its last user is gone: the transport's file thread may run a moment longer than the transport,
/// but the folder is to be free at once.
final class WatchFiles: FileStorage {
    /// The folder was released, so no file can be moved to the store any more.
    struct Closed: Error, CustomStringConvertible {
        var description: String { "the folder of the watch is being closed" }
    }

    private let store: Lock<FileStore?>
    private let receivedFiles: Lock<ReceivedFileStore?>

    /// Opens the files in a folder, and removes abandoned ones.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - state: The saved state of the exchange.
    ///   - limits: The limits of the store.
    /// - Throws: `FileStoreError`.
    init(in folder: StateFolder, keeping state: FileExchange.State, limits: ReceivedFileStore.Limits = .init()) throws {
        let store = try FileStore(in: folder)
        try store.removeAbandoned(keeping: state)
        let receivedFiles = try ReceivedFileStore(in: folder, limits: limits)
        // Files that were received and not yet moved to the store had room when they arrived.
        for offer in state.received { _ = receivedFiles.reserve(offer) }
        self.store = Lock(store)
        self.receivedFiles = Lock(receivedFiles)
    }

    /// Carries out an output of the exchange; a file for which the store has no room is declined before its first
    /// byte.
    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        let receivedFiles = receivedFiles.withLock(\.self)
        // Locked during the disk access: once the folder is released, nobody uses it any more.
        return store.withLock { store in
            guard let store else { return nil }
            switch output {
            case .begin(let offer, _):
                if let failure = receivedFiles?.reserve(offer) { return .storeFailed(offer.id, failure) }
            case .discard(let id): receivedFiles?.release(id)
            case .send, .persist, .read, .release, .write, .sync, .finish, .remove, .answer, .event: break
            }
            return store.carryOut(output)
        }
    }

    /// Moves a received file to the store, durably.
    ///
    /// - Returns: The file; nil if it was moved before.
    /// - Throws: `FileStoreError`, ``Closed``; then it stays where it was received.
    func take(_ offer: FileOffer, at moment: Timestamp) throws -> ReceivedFileStore.Entry? {
        guard let receivedFiles = receivedFiles.withLock(\.self), let store = store.withLock(\.self) else {
            throw Closed()
        }
        return try receivedFiles.take(offer, from: store, atMilliseconds: moment.milliseconds)
    }

    /// The files in the store, in the order of arrival; none after the folder was released.
    var kept: [ReceivedFileStore.Entry] { receivedFiles.withLock(\.self)?.entries ?? [] }

    /// Why some files in the store cannot be listed.
    var troubles: [FileStoreError] { receivedFiles.withLock(\.self)?.troubles ?? [] }

    /// The files in the store as a person sees them, in the order of arrival.
    var received: [ReceivedFile] { kept.map { ReceivedFile($0) } }

    /// Removes a file from the store.
    ///
    /// - Parameter id: The identifier of its transfer.
    /// - Returns: The file.
    /// - Throws: `FileStoreError`, ``ReceivedFile/MatchError``.
    func remove(_ id: String) throws -> ReceivedFile {
        guard let entry = kept.first(where: { $0.id.hexadecimal == id }) else {
            throw ReceivedFile.MatchError.missing(id)
        }
        try receivedFiles.withLock(\.self)?.remove(entry)
        return ReceivedFile(entry)
    }

    /// Releases the folder.
    func close() {
        store.withLock { $0 = nil }
        receivedFiles.withLock { $0 = nil }
    }

    // MARK: - Notices for a face

    /// How long a face mentions a file, in milliseconds.
    private static let mentionMilliseconds: Int64 = 600_000

    /// The file that arrived last, unless that was long ago.
    func notice(at now: Timestamp) -> ReceivedFileSummary? {
        guard let last = kept.last else { return nil }
        let age = now.milliseconds(since: Timestamp(milliseconds: last.tookAtMilliseconds))
        guard (0..<Self.mentionMilliseconds).contains(age) else { return nil }
        return ReceivedFileSummary(name: last.name, byteCount: last.byteCount, path: last.path)
    }
}
