internal import PoolModel
internal import SyncCore
internal import SyncStore
internal import Synchronization

/// The files of a watch: the place where they are received, and the shelf on which it keeps them.
///
/// It can be given back before everything that knows it is gone: the driver's file thread may outlive the driver's work by
/// a moment, and the folder is to be free at once.
final class WatchFiles: FileStorage {
    /// The folder was let go, so nothing can be taken over any more.
    struct GivenBack: Error, CustomStringConvertible {
        var description: String { "the folder of the watch is being closed" }
    }

    private let store: Mutex<FileStore?>
    private let shelf: Mutex<ReceivedFileStore?>

    /// Opens the files of a folder, and removes what nobody waits for any more.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - state: What the exchange remembers.
    ///   - limits: How much is kept.
    /// - Throws: `FileStoreError`.
    init(in folder: StateFolder, keeping state: FileExchange.State, limits: ReceivedFileStore.Limits = .init()) throws {
        let store = try FileStore(in: folder)
        try store.removeAbandoned(keeping: state)
        let shelf = try ReceivedFileStore(in: folder, limits: limits)
        // What was received and not taken yet had room when it came.
        for offer in state.received { _ = shelf.reserve(offer) }
        self.store = Mutex(store)
        self.shelf = Mutex(shelf)
    }

    /// Does what the exchange wants; a file that would find no room on the shelf is declined before its first byte.
    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        let shelf = shelf.withLock(\.self)
        // Held while the disk works: when it is given back, nobody uses it any more.
        return store.withLock { store in
            guard let store else { return nil }
            switch output {
            case .begin(let offer, _):
                if let failure = shelf?.reserve(offer) { return .storeFailed(offer.id, failure) }
            case .discard(let id): shelf?.release(id)
            case .send, .persist, .read, .release, .write, .sync, .finish, .remove, .answer, .event: break
            }
            return store.carryOut(output)
        }
    }

    /// Takes a received file over, durably.
    ///
    /// - Returns: The file; nil if it was taken over before.
    /// - Throws: `FileStoreError`, ``GivenBack``; it stays where it was received then.
    func take(_ offer: FileOffer, at moment: Timestamp) throws -> ReceivedFileStore.Entry? {
        guard let shelf = shelf.withLock(\.self), let store = store.withLock(\.self) else { throw GivenBack() }
        return try shelf.take(offer, from: store, atMilliseconds: moment.milliseconds)
    }

    /// The files that are kept, in the order in which they came; none after they were given back.
    var kept: [ReceivedFileStore.Entry] { shelf.withLock(\.self)?.entries ?? [] }

    /// Why something on the shelf cannot be listed.
    var troubles: [FileStoreError] { shelf.withLock(\.self)?.troubles ?? [] }

    /// Removes a file from the shelf.
    ///
    /// - Throws: `FileStoreError`.
    func remove(_ entry: ReceivedFileStore.Entry) throws {
        try shelf.withLock(\.self)?.remove(entry)
    }

    /// Lets the folder go.
    func giveBack() {
        store.withLock { $0 = nil }
        shelf.withLock { $0 = nil }
    }

    // MARK: - What a face tells

    /// How long a file is told, in milliseconds.
    private static let toldMilliseconds: Int64 = 600_000

    /// The file that came last, if that was not long ago.
    func notice(at now: Timestamp) -> ReceivedFileSummary? {
        guard let last = kept.last else { return nil }
        let age = now.milliseconds(since: Timestamp(milliseconds: last.tookAtMilliseconds))
        guard (0..<Self.toldMilliseconds).contains(age) else { return nil }
        return ReceivedFileSummary(name: last.name, byteCount: last.byteCount, path: last.path)
    }
}
