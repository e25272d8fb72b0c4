internal import Platform
internal import SyncCore
internal import SyncStore

/// A watch's store that can be closed before its last user is gone.
///
/// The transport's disk thread may run a moment longer than the transport, but the folder is to be free at once.
final class ClosableWatchStore: WatchStorage {
    private let store: Lock<WatchStore?>

    init(_ store: WatchStore) {
        self.store = Lock(store)
    }

    func write(_ record: WatchEngine.Record) throws {
        let store = store.withLock(\.self)
        guard let store else { preconditionFailure("a record came after the transport had ended") }
        try store.write(record)
    }

    /// Closes the store, and with it the folder.
    func close() {
        store.withLock { $0 = nil }
    }
}
