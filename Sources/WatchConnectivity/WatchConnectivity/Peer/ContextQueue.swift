import SyncCore

/// The application contexts of a pairing: the own one with what of it is still to be sent, and the received one.
///
/// While the devices are linked each update is sent, one after the other; after a break only the newest (rules R72, R73).
/// The receiver keeps one, and a short line of those that came while its app runs.
struct ContextQueue: Sendable {
    enum Key {
        static let incarnation = "context.incarnation"
        static let own = "context.own"
        static let acknowledged = "context.acknowledged"
        static let received = "context.received"
        static let given = "context.given"
    }

    /// A context with its name.
    struct Versioned: Hashable, Sendable {
        var version: ContextVersion
        var payload: [UInt8]

        init(version: ContextVersion, payload: [UInt8]) {
            self.version = version
            self.payload = payload
        }

        init?(_ bytes: [UInt8]?) {
            guard let bytes else { return nil }
            var unpacker = ByteReader(bytes)
            guard let incarnation = unpacker.id(), let number = unpacker.counter() else { return nil }
            version = ContextVersion(incarnation: incarnation, number: number)
            payload = unpacker.all()
        }

        var packed: [UInt8] {
            var packer = ByteWriter(byteCount: payload.count + 24)
            packer.put(version.incarnation)
            packer.put(version.number)
            packer.putRest(payload)
            return packer.bytes
        }
    }

    /// A context that waits for the app.
    struct Pending: Sendable {
        var ticket: UInt64
        var context: Versioned
        /// Whether it was delivered before (rule R86).
        var isReplay = false

        init?(ticket: UInt64, arrival: Versioned?) {
            guard let arrival else { return nil }
            self.ticket = ticket
            context = arrival
        }
    }

    /// The updates that wait for the link at most; then the oldest go, since only the newest is promised (rule R72).
    static let unsentCountMax = 256
    /// The contexts that wait for the app at most; then the oldest goes, for the same reason.
    ///
    /// A context is confirmed as soon as it is stored, so its sender may be faster than the app's delegate for any time.
    static let inboxCountMax = 16

    /// The random name of this store, under which the contexts are numbered.
    var incarnation: RandomID?
    var own: Versioned?
    /// The number of the last update, durable or not yet.
    var lastNumber: UInt64
    /// What the app last set, durable or not yet.
    var lastSet: [UInt8]?
    /// The number up to which the counterpart has confirmed.
    var acknowledged: UInt64
    /// What is still to be sent, oldest first.
    var unsent = Line<Versioned>()
    /// The number of the one that is under way.
    var underWay: UInt64?
    var retryAt: Instant?
    var pause = DeviceSide.pauseMin

    var received: Versioned?
    /// Which of the received ones the app has had.
    var givenVersion: ContextVersion?
    /// What waits for the app, oldest first, behind the one that it is being called with; the last is the received one.
    var inbox = Line<Pending>()
    /// What the app sees as received.
    var shown: [UInt8]?

    /// Starts with what a store holds.
    init(_ stored: [String: [UInt8]]) {
        own = Versioned(stored[Key.own])
        lastNumber = own?.version.number ?? 0
        lastSet = own?.payload
        incarnation = stored[Key.incarnation].flatMap { bytes in
            var unpacker = ByteReader(bytes)
            return unpacker.id()
        }
        acknowledged =
            stored[Key.acknowledged].flatMap { bytes in
                var unpacker = ByteReader(bytes)
                return unpacker.counter()
            } ?? 0
        received = Versioned(stored[Key.received])
        givenVersion = Versioned(stored[Key.given])?.version
    }
}
