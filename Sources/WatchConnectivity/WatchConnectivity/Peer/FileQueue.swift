import SyncCore

/// The files of a pairing: what the app queued, from the call to the return of `didFinish`, and what arrived.
///
///        ┌────the call brought a copy────┐
///        │                               ▼
///     storing ──stored──▶ copying ──▶ copied ──its turn──▶ handing ──accepted──▶ held ──its end──▶ finished ──told──▶ gone
///                          ▲           ▲                    │ │                    ▲
///                          │           │                    │ │                    │ the engine has it
///                          └──no room──┼────────────────────┘ └─its driver ended─▶ unknown
///                                      │                                           │
///                                      └────────────the engine does not have it────┘
///
/// Of the stages before `held` a store knows only whether there is a copy. So at a start `copied` leads on as `unknown`
/// does, and `storing` goes on with the copy. In each stage up to `held` a file may fail, and is `finished` then.
///
/// So long the app may cancel it, too. Before the engine was asked, it is gone at once. In `handing`, `unknown` and
/// `held` it becomes `cancelled`, and is gone when the engine turns out not to have it, or when the engine has let it
/// go and the other device has confirmed that it drops it.
///
/// Copies may be ready in any order, but they are handed over in that of the calls (rule R126), one at a time: so after
/// a crash at most one file can be one that the engine has under a name that was not stored here yet.
struct FileQueue: Sendable {
    enum Key {
        private static let file = "file."
        private static let mark = "filemark."
        private static let taken = "filetaken."

        static func file(_ number: UInt64) -> String { file + Hexadecimal16.text(number) }
        static func mark(_ number: UInt64) -> String { mark + Hexadecimal16.text(number) }
        static func taken(_ slot: UInt64) -> String { taken + Hexadecimal16.text(slot) }
        static func number(ofFile key: String) -> UInt64? { Hexadecimal16.number(key, after: file) }
        static func slot(ofTaken key: String) -> UInt64? { Hexadecimal16.number(key, after: taken) }
    }

    /// How far a file is.
    enum Stage: Hashable, Sendable {
        /// The call is being made durable.
        case storing
        /// It is being copied.
        case copying
        /// The copy is durable, and waits for its turn.
        case copied
        /// The engine was asked to take it, and did not answer yet.
        case handing
        /// The engine was asked, and its driver ended: it may have it or not.
        case unknown
        /// The engine has it, under this id.
        case held(RandomID)
        /// It was received, or failed: the app is to be told. The id is the engine's, if it had one.
        case finished(WCError.Code?, RandomID?)
        /// The app cancelled it after the engine was asked to take it.
        case cancelled(RandomID?)
    }

    struct Entry: Sendable {
        var id: RandomID
        var path: String
        var metadata: [UInt8]?
        var copy: PeerState.CopiedFile?
        /// Whether the device may hold the app's own file until it is copied.
        var isSourceHeld = true
        var sentByteCount: UInt64 = 0
        var stage: Stage

        /// Whether the app sees it as not yet received, failed or cancelled (rule R91).
        var isOutstanding: Bool {
            switch stage {
            case .finished, .cancelled: false
            case .storing, .copying, .copied, .handing, .unknown, .held: true
            }
        }

        var outstanding: PeerState.OutstandingFile {
            PeerState.OutstandingFile(
                id: id, path: path, metadata: metadata, sentByteCount: sentByteCount, byteCount: copy?.byteCount)
        }

        /// The engine's id, if it told one.
        var engineID: RandomID? {
            switch stage {
            case .held(let id): id
            case .finished(_, let id), .cancelled(let id): id
            case .storing, .copying, .copied, .handing, .unknown: nil
            }
        }
    }

    /// A file that arrived and waits for the app.
    struct Arrived: Sendable {
        var ticket: UInt64
        var offer: FileOffer
    }

    /// The files that the engine has at a time at most; its own limit is far above, so that it never declines.
    static let heldCountMax = 16
    /// The taken results that are remembered: as many as the engine may have, so that one that it tells again is known.
    static let takenCountMax: UInt64 = 256

    var entries = SortedMap<UInt64, Entry>()
    var numbers: [RandomID: UInt64] = [:]
    /// The numbers by the engine's ids.
    var engineNumbers: [RandomID: UInt64] = [:]
    var lastNumber: UInt64 = 0
    /// The engine's ids of what it has.
    var held: Set<RandomID> = []
    /// The numbers of those that the engine was not asked to take yet, in their order; some may be gone.
    var waiting = Line<UInt64>()
    var isHanding = false
    var retryAt: Instant?
    /// The engine's ids of results that it was told to forget, by slot.
    var taken: [UInt64: RandomID] = [:]
    var nextTakenSlot: UInt64 = 0
    /// What arrived, in the order of its delivery.
    var inbox = Line<Arrived>()
    /// What the app has had: a driver that ended before it heard so may tell of it again.
    var given = RecentIDs()
    /// The newest progress of each file that the app was not told yet, in the order of the first.
    var progress: [RandomID] = []

    /// Starts with what a store holds; where each stands is found out with the engine's holdings.
    init(_ stored: [String: [UInt8]]) {
        for (key, bytes) in stored {
            if let number = Key.number(ofFile: key), var entry = Entry(bytes) {
                if let mark = stored[Key.mark(number)] { entry.take(mark) }
                entries[number] = entry
                numbers[entry.id] = number
                lastNumber = max(lastNumber, number)
            } else if let slot = Key.slot(ofTaken: key) {
                var unpacker = ByteReader(bytes)
                guard let id = unpacker.id(), let order = unpacker.counter() else { continue }
                taken[slot] = id
                nextTakenSlot = max(nextTakenSlot, order + 1)
            }
        }
        for (number, entry) in entries.pairs { if let id = entry.engineID { engineNumbers[id] = number } }
    }

    /// Remembers a result that the engine may tell again, and gives the change.
    mutating func take(_ id: RandomID) -> PeerState.StoredChange {
        let slot = nextTakenSlot % Self.takenCountMax
        taken[slot] = id
        var packer = ByteWriter()
        packer.put(id)
        packer.put(nextTakenSlot)
        nextTakenSlot += 1
        return PeerState.StoredChange(key: Key.taken(slot), value: packer.bytes)
    }

    /// What removes a file from the store.
    static func removal(_ number: UInt64) -> [PeerState.StoredChange] {
        [Key.file(number), Key.mark(number)].map { PeerState.StoredChange(key: $0, value: nil) }
    }
}

extension FileQueue.Entry {
    init?(_ bytes: [UInt8]) {
        var unpacker = ByteReader(bytes)
        guard let id = unpacker.id(), let path = unpacker.text(), let hasMetadata = unpacker.byte() else { return nil }
        self.init(id: id, path: path, metadata: hasMetadata == 1 ? unpacker.all() : nil, stage: .storing)
    }

    var packed: [UInt8] {
        var packer = ByteWriter(byteCount: path.utf8.count + (metadata?.count ?? 0) + 25)
        packer.put(id)
        packer.put(path)
        packer.put(UInt8(metadata == nil ? 0 : 1))
        packer.putRest(metadata ?? [])
        return packer.bytes
    }

    /// What of the copy and the stage outlives the process.
    var packedMark: [UInt8] {
        var packer = ByteWriter()
        if let copy {
            packer.put(UInt8(1))
            packer.put(copy.file)
            packer.put(copy.name)
            packer.put(copy.byteCount)
            packer.put(copy.digest.bytes)
        } else {
            packer.put(UInt8(0))
        }
        var code: WCError.Code?
        var kind = UInt8(0)
        switch stage {
        case .storing, .copying, .copied, .handing, .unknown: break
        case .held: kind = 1
        case .cancelled: kind = 2
        case .finished(let failure, _): (kind, code) = (3, failure)
        }
        packer.put(kind)
        packer.put(UInt64(code?.rawValue ?? 0))
        if let engineID { packer.put(engineID) }
        return packer.bytes
    }

    /// Takes over what ``packedMark`` wrote.
    mutating func take(_ mark: [UInt8]) {
        var unpacker = ByteReader(mark)
        if unpacker.byte() == 1 {
            guard let file = unpacker.text(), let name = unpacker.text(), let byteCount = unpacker.number(),
                let digest = unpacker.counted().flatMap({ FileDigest(bytes: $0) })
            else { return }
            copy = PeerState.CopiedFile(file: file, name: name, byteCount: byteCount, digest: digest)
            isSourceHeld = false
            stage = .copied
        }
        guard let kind = unpacker.byte(), let code = unpacker.number() else { return }
        let engineID = unpacker.id()
        switch (kind, engineID) {
        case (1, let id?): stage = .held(id)
        case (2, _): stage = .cancelled(engineID)
        case (3, _): stage = .finished(WCError.Code(rawValue: Int(truncatingIfNeeded: code)), engineID)
        default: break
        }
    }
}
