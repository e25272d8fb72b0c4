import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncStore

/// The recently shared files, in a file of the hub's folder.
///
/// The engine's queue contains the waiting files; this store adds when a file was shared, its name, and the result.
final class SharedFileStore: Sendable {
    /// The name of the file.
    static let name = "shares"
    /// The maximum number of ended transfers that are kept.
    static let endedMax = 32

    private struct State {
        var files: [SharedFile]
        var sent: [SharedFileID: UInt64] = [:]
    }

    private let folder: StateFolder
    /// Held during writes to the disk; the link's thread never waits for it.
    private let writing = Lock<Void>(())
    private let state: Lock<State>

    /// Opens the store of a folder, and updates it by the engine's queues; an unreadable file is replaced.
    ///
    /// - Throws: `FolderError`.
    init(in folder: StateFolder, queues: [PeerKey: TransferState]) throws {
        self.folder = folder
        let bytes = try folder.readSecret(Self.name)
        // The queue is stored elsewhere, so an unreadable file only loses the results of earlier transfers.
        var files = bytes.flatMap { try? CanonicalJSON.decode([SharedFile].self, from: $0) } ?? []
        let known = Set(files.map(\.id))
        var alive: Set<SharedFileID> = []
        for (watch, transfers) in queues {
            alive.formUnion(transfers.files.results.map { SharedFileID($0.id) })
            for queued in transfers.files.queue {
                let id = SharedFileID(queued.offer.id)
                alive.insert(id)
                // The hub was killed before the file was recorded here.
                if !known.contains(id) { files.append(SharedFile(queued, for: watch)) }
            }
        }
        // A file that neither waits nor has a result belongs to a state that was replaced by a restore.
        files.removeAll { $0.outcome == nil && !alive.contains($0.id) }
        state = Lock(State(files: files))
    }

    /// Adds a queued file; called on the link's thread, returns at once.
    func add(_ file: SharedFile) {
        state.withLock { $0.files.append(file) }
    }

    /// Makes the added files durable.
    func write() throws {
        try change { _ in }
    }

    /// Notes the progress of a file; it is not stored.
    func note(sent byteCount: UInt64, of id: RandomID) {
        state.withLock { $0.sent[SharedFileID(id)] = byteCount }
    }

    /// Records the end of a transfer durably.
    ///
    /// - Parameters:
    ///   - id: The file.
    ///   - outcome: The result.
    ///   - moment: The time.
    ///   - watch: The watch's current name; nil to keep the recorded one.
    /// - Returns: The file; nil if it is unknown or its end is already recorded.
    /// - Throws: `FolderError`; then the end is not recorded.
    func end(
        _ id: RandomID, _ outcome: SharedFile.Outcome, at moment: Timestamp, watch: String?
    ) throws -> SharedFile? {
        let id = SharedFileID(id)
        guard var file = state.withLock({ $0.files.first { $0.id == id } }), file.outcome == nil else { return nil }
        file.outcome = outcome
        file.endedAt = moment
        file.watch = watch ?? file.watch
        let ended = file
        try change { files in
            files.removeAll { $0.id == id }
            files.append(ended)
        }
        state.withLock { _ = $0.sent.removeValue(forKey: id) }
        return ended
    }

    /// Removes a file that was cancelled.
    func remove(_ id: RandomID) throws {
        let id = SharedFileID(id)
        try change { files in files.removeAll { $0.id == id } }
        state.withLock { _ = $0.sent.removeValue(forKey: id) }
    }

    /// Removes the files of a watch that is no longer paired.
    func removeAll(of watch: PeerKey) throws {
        try change { files in files.removeAll { $0.watchID == WatchID(bytes: watch.bytes) } }
    }

    /// All files: first those whose transfer ended, then the waiting ones in the order of sending.
    ///
    /// - Parameters:
    ///   - queues: The engine's transfers with each watch.
    ///   - watches: The paired watches.
    /// - Returns: The files.
    func files(_ queues: [PeerKey: TransferState], _ watches: [PairedWatch]) -> [SharedFile] {
        let (known, sent) = state.withLock { ($0.files, $0.sent) }
        let byID = Dictionary(known.map { ($0.id, $0) }) { $1 }
        let waiting = watches.flatMap { watch in
            (queues[watch.key]?.files.queue ?? []).map { queued in
                let id = SharedFileID(queued.offer.id)
                var file = byID[id] ?? SharedFile(queued, for: watch.key)
                file.watch = watch.name
                file.sentByteCount = sent[id]
                return file
            }
        }
        return known.filter { $0.outcome != nil } + waiting
    }

    /// Changes the files, on the disk first.
    private func change(_ change: (inout [SharedFile]) -> Void) throws {
        try writing.withLock { _ in
            var files = state.withLock(\.files)
            change(&files)
            Self.trim(&files)
            var bytes = try CanonicalJSON.encode(files)
            if bytes.count > StateFolder.secretByteCountMax {
                try Self.fit(&files)
                bytes = try CanonicalJSON.encode(files)
            }
            try folder.writeSecret(Self.name, bytes)
            // Other files may have been added in the meantime.
            state.withLock { state in
                change(&state.files)
                Self.trim(&state.files)
            }
        }
    }

    /// Drops the oldest files until the others fit into the file; the waiting ones are also in the engine's queue.
    private static func fit(_ files: inout [SharedFile]) throws {
        // The brackets; each file has at most one comma.
        var byteCount = 2
        var keptCount = 0
        for file in files.reversed() {
            byteCount += try CanonicalJSON.encode(file).count + 1
            guard byteCount <= StateFolder.secretByteCountMax else { break }
            keptCount += 1
        }
        files.removeFirst(files.count - keptCount)
    }

    private static func trim(_ files: inout [SharedFile]) {
        let excess = files.count { $0.outcome != nil } - endedMax
        guard excess > 0 else { return }
        let oldest = Set(files.filter { $0.outcome != nil }.prefix(excess).map(\.id))
        files.removeAll { oldest.contains($0.id) }
    }
}

extension SharedFile {
    /// A file that is only in the engine's queue.
    fileprivate init(_ queued: OutgoingFile, for watch: PeerKey) {
        self.init(
            id: SharedFileID(queued.offer.id), watch: WatchID(bytes: watch.bytes).short,
            watchID: WatchID(bytes: watch.bytes), name: queued.offer.name, byteCount: queued.offer.byteCount,
            sharedAt: Timestamp(milliseconds: 0))
    }
}
