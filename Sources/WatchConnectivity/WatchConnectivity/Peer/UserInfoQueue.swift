import SyncCore

/// The user info of a pairing: what the app queued, from the call to the return of `didFinish`, and what arrived.
///
///     storing ──stored──▶ waiting ──its turn──▶ handing ──accepted──▶ held ──its end──▶ finished ──told──▶ gone
///                          ▲  ▲                 │ │                    ▲
///                          │  │                 │ │                    │ the engine has it
///                          │  └─────no room─────┘ └─its driver ended─▶ unknown
///                          │                                           │
///                          └────────────the engine does not have it────┘
///
/// A store knows `held`, `cancelled` and `finished`; at a start the others lead on as `unknown` does. In each stage up to
/// `held` user info may fail, and is `finished` then.
///
/// So long the app may cancel it, too. Before the engine was asked, it is gone at once; later it becomes `cancelled`, and is
/// gone when the engine turns out not to have it, or has let it go, or when the other device has confirmed that it drops it.
struct UserInfoQueue: Sendable {
    enum Key {
        static let current = "info.current"
        private static let payload = "info."
        private static let mark = "infomark."

        static func payload(_ number: UInt64) -> String { payload + Hexadecimal16.text(number) }
        static func mark(_ number: UInt64) -> String { mark + Hexadecimal16.text(number) }
        static func number(ofMark key: String) -> UInt64? { Hexadecimal16.number(key, after: mark) }
        static func number(ofPayload key: String) -> UInt64? { Hexadecimal16.number(key, after: payload) }
    }

    /// How far user info is.
    enum Stage: Hashable, Sendable {
        /// It is being made durable.
        case storing
        /// It is durable and waits for room in the engine.
        case waiting
        /// The engine was asked to take it, and did not answer yet.
        case handing
        /// The engine was asked, and its driver ended: it may have it or not.
        case unknown
        /// The engine has it durably.
        case held
        /// It was received, or failed: the app is to be told.
        case finished(WCError.Code?)
        /// The app cancelled it after the engine was asked to take it.
        case cancelled
    }

    struct Entry: Sendable {
        var id: RandomID
        var payload: [UInt8]
        /// Whether it goes before ordinary user info (rule R110).
        var isUrgent: Bool
        var stage: Stage

        /// Whether the app sees it as not yet received, failed or cancelled (rule R91).
        var isOutstanding: Bool {
            switch stage {
            case .finished, .cancelled: false
            case .storing, .waiting, .handing, .unknown, .held: true
            }
        }
    }

    /// User info that arrived and waits for the app.
    struct Arrived: Sendable {
        var ticket: UInt64
        var item: ReceivedItem
    }

    /// What the engine holds of ordinary user info at a time at most; its own limits are four times as large, so that it
    /// never declines and the order stays (rules R89, R99).
    static let heldCountMax = 256
    static let heldByteCountMax = 1_048_576
    /// With urgent user info.
    static let urgentHeldCountMax = 768
    static let urgentHeldByteCountMax = 3_145_728

    var entries = SortedMap<UInt64, Entry>()
    var numbers: [RandomID: UInt64] = [:]
    var lastNumber: UInt64 = 0
    /// The number of the newest complication user info (rule R111).
    var current: UInt64?
    /// The numbers of those that wait, in their order; some may be gone.
    var waiting = Line<UInt64>()
    var urgentWaiting = Line<UInt64>()
    /// The bytes of what the engine has, or may have.
    var held: [RandomID: Int] = [:]
    var heldByteCount = 0
    /// When to try again after the engine had no room.
    var retryAt: Instant?
    /// What arrived, in the order of its delivery.
    var inbox = Line<Arrived>()
    /// What the app has had: a driver that ended before it heard so may tell of it again.
    var given = RecentIDs()

    /// Marks whose user info is not in the store: it could not be stored, and the app was told.
    var strayMarks: [UInt64] = []

    /// Starts with what a store holds; where each stands is found out with the engine's holdings.
    init(_ stored: [String: [UInt8]]) {
        if let bytes = stored[Key.current] {
            var unpacker = ByteReader(bytes)
            current = unpacker.counter()
            lastNumber = max(lastNumber, current ?? 0)
        }
        for (key, bytes) in stored {
            if let number = Key.number(ofMark: key), stored[Key.payload(number)] == nil {
                strayMarks.append(number)
                lastNumber = max(lastNumber, number)
            }
            guard let number = Key.number(ofPayload: key) else { continue }
            var unpacker = ByteReader(bytes)
            guard let id = unpacker.id(), let isUrgent = unpacker.byte() else { continue }
            let stage = stored[Key.mark(number)].flatMap(Stage.init) ?? .waiting
            entries[number] = Entry(
                id: id, payload: unpacker.all(), isUrgent: isUrgent == 1 && number == current, stage: stage)
            numbers[id] = number
            lastNumber = max(lastNumber, number)
        }
    }

    /// User info as a value of the store.
    static func change(_ number: UInt64, _ entry: Entry) -> PeerState.StoredChange {
        var packer = ByteWriter(byteCount: entry.payload.count + 17)
        packer.put(entry.id)
        packer.put(UInt8(entry.isUrgent ? 1 : 0))
        packer.putRest(entry.payload)
        return PeerState.StoredChange(key: Key.payload(number), value: packer.bytes)
    }

    /// Where user info stands, as a value of the store.
    static func change(_ number: UInt64, _ stage: Stage) -> PeerState.StoredChange {
        PeerState.StoredChange(key: Key.mark(number), value: stage.packed)
    }

    /// What removes user info from the store.
    static func removal(_ number: UInt64) -> [PeerState.StoredChange] {
        [Key.payload(number), Key.mark(number)].map { PeerState.StoredChange(key: $0, value: nil) }
    }

    mutating func hold(_ id: RandomID, byteCount: Int) {
        guard held.updateValue(byteCount, forKey: id) == nil else { return }
        heldByteCount += byteCount
    }

    mutating func letGo(_ id: RandomID) {
        heldByteCount -= held.removeValue(forKey: id) ?? 0
    }

    mutating func remove(_ number: UInt64) {
        guard let entry = entries[number] else { return }
        numbers[entry.id] = nil
        entries[number] = nil
    }
}

extension UserInfoQueue.Stage {
    /// The stages that outlive the process; the others follow from the engine's holdings.
    var packed: [UInt8]? {
        switch self {
        case .storing, .waiting, .handing, .unknown: return nil
        case .held: return [1]
        case .cancelled: return [2]
        case .finished(let code):
            var packer = ByteWriter()
            packer.put(UInt8(3))
            packer.put(UInt64(code?.rawValue ?? 0))
            return packer.bytes
        }
    }

    init?(_ bytes: [UInt8]) {
        var unpacker = ByteReader(bytes)
        switch unpacker.byte() {
        case 1: self = .held
        case 2: self = .cancelled
        case 3: self = .finished(unpacker.number().flatMap { WCError.Code(rawValue: Int(truncatingIfNeeded: $0)) })
        default: return nil
        }
    }
}
