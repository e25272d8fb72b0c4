import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncStore

/// The files that were shared lately, in a file of the hub's folder: their names are known when they come to an end.
///
/// The engine's queue says what waits; the book only adds when a file was shared, and what became of it.
final class SharedFileStore: Sendable {
    /// The name of the file.
    static let name = "shares"
    /// The most files that came to an end and are remembered.
    static let endedMax = 32

    private struct Pages {
        var files: [SharedFile]
        var sent: [SharedFileID: UInt64] = [:]
    }

    private let folder: StateFolder
    /// Held while the disk is waited for; the link's thread never waits for it.
    private let writing = Lock<Void>(())
    private let pages: Lock<Pages>

    /// Opens the book of a folder, and brings it in line with the engine's queues; one that cannot be read is begun anew.
    ///
    /// - Throws: `FolderError`.
    init(in folder: StateFolder, queues: [PeerKey: TransferState]) throws {
        self.folder = folder
        let bytes = try folder.readSecret(Self.name)
        // The queue itself is elsewhere: a book that cannot be read only loses what became of earlier files.
        var files = bytes.flatMap { try? CanonicalJSON.decode([SharedFile].self, from: $0) } ?? []
        let known = Set(files.map(\.id))
        var alive: Set<SharedFileID> = []
        for (watch, state) in queues {
            alive.formUnion(state.files.results.map { SharedFileID($0.id) })
            for queued in state.files.queue {
                let id = SharedFileID(queued.offer.id)
                alive.insert(id)
                // The hub was killed between queueing it and writing it down.
                if !known.contains(id) { files.append(SharedFile(queued, for: watch)) }
            }
        }
        // What neither waits nor has a result is of a state that was put back.
        files.removeAll { $0.outcome == nil && !alive.contains($0.id) }
        pages = Lock(Pages(files: files))
    }

    /// Learns that a file was queued; on the link's thread, and returns at once.
    func learn(_ file: SharedFile) {
        pages.withLock { $0.files.append(file) }
    }

    /// Makes durable what was learned.
    func write() throws {
        try change { _ in }
    }

    /// Remembers for this life how far a file has come.
    func note(sent byteCount: UInt64, of id: RandomID) {
        pages.withLock { $0.sent[SharedFileID(id)] = byteCount }
    }

    /// Writes down the end of a file, durably.
    ///
    /// - Parameters:
    ///   - id: The file.
    ///   - outcome: What became of it.
    ///   - moment: When.
    ///   - watch: The watch's name now; nil to leave what was written down.
    /// - Returns: The file; nil if nobody wrote down that it was shared, or its end was known already.
    /// - Throws: `FolderError`; the end is not known then.
    func end(
        _ id: RandomID, _ outcome: SharedFile.Outcome, at moment: Timestamp, watch: String?
    ) throws -> SharedFile? {
        let id = SharedFileID(id)
        guard var file = pages.withLock({ $0.files.first { $0.id == id } }), file.outcome == nil else { return nil }
        file.outcome = outcome
        file.endedAt = moment
        file.watch = watch ?? file.watch
        let ended = file
        try change { files in
            files.removeAll { $0.id == id }
            files.append(ended)
        }
        pages.withLock { _ = $0.sent.removeValue(forKey: id) }
        return ended
    }

    /// Forgets a file that was given up.
    func forget(_ id: RandomID) throws {
        let id = SharedFileID(id)
        try change { files in files.removeAll { $0.id == id } }
        pages.withLock { _ = $0.sent.removeValue(forKey: id) }
    }

    /// Forgets the files of a watch that is not paired any more.
    func forget(watch: PeerKey) throws {
        try change { files in files.removeAll { $0.watchID == WatchID(bytes: watch.bytes) } }
    }

    /// All files: those that came to an end, then those that wait, in the order in which they go.
    ///
    /// - Parameters:
    ///   - queues: What the engine has for each watch.
    ///   - watches: The paired watches.
    /// - Returns: The files.
    func files(_ queues: [PeerKey: TransferState], _ watches: [PairedWatch]) -> [SharedFile] {
        let (known, sent) = pages.withLock { ($0.files, $0.sent) }
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

    /// Changes the pages, on the disk first.
    private func change(_ change: (inout [SharedFile]) -> Void) throws {
        try writing.withLock { _ in
            var files = pages.withLock(\.files)
            change(&files)
            Self.trim(&files)
            var bytes = try CanonicalJSON.encode(files)
            if bytes.count > StateFolder.secretByteCountMax {
                try Self.fit(&files)
                bytes = try CanonicalJSON.encode(files)
            }
            try folder.writeSecret(Self.name, bytes)
            // Not the same as what was written: more may have been learned meanwhile.
            pages.withLock { pages in
                change(&pages.files)
                Self.trim(&pages.files)
            }
        }
    }

    /// Drops the oldest files until the book has room for the others; what waits is known to the queue as well.
    private static func fit(_ files: inout [SharedFile]) throws {
        // The brackets; each file has a comma at most.
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
        let superfluous = files.count { $0.outcome != nil } - endedMax
        guard superfluous > 0 else { return }
        let oldest = Set(files.filter { $0.outcome != nil }.prefix(superfluous).map(\.id))
        files.removeAll { oldest.contains($0.id) }
    }
}

extension SharedFile {
    /// A file of which only the queue knows.
    fileprivate init(_ queued: OutgoingFile, for watch: PeerKey) {
        self.init(
            id: SharedFileID(queued.offer.id), watch: WatchID(bytes: watch.bytes).short,
            watchID: WatchID(bytes: watch.bytes), name: queued.offer.name, byteCount: queued.offer.byteCount, sharedAt: Timestamp(milliseconds: 0))
    }
}
