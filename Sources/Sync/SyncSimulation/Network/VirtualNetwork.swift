import SyncCore

/// The connections between the watches and the hub of a virtual world, and the messages on them.
///
/// The two ends of a connection notice its end at different times: a message of an old connection may arrive after the
/// greeting on the new one. The network draws nothing itself: the sender of a message determines its outcome.
package struct VirtualNetwork {
    /// One connection from a watch to a hub.
    struct Connection {
        let watch: Int
        let watchRun: Int
        let hubRun: Int
        /// The key that the watch proved; of the watch itself or of an invitation.
        let peer: PeerKey
        /// Whether the watch still uses it.
        fileprivate(set) var isOpenAtWatch = true
        /// Whether the hub can still send on it.
        fileprivate(set) var isOpenAtHub = true
        fileprivate var lastArrivalAtHub = Instant(nanoseconds: 0)
        fileprivate(set) var lastArrivalAtWatch = Instant(nanoseconds: 0)
    }

    /// The outcome of a message that arrives.
    package struct Passage {
        /// How long it is on its way, if no message before it takes longer.
        var delay: Duration
        /// Whether others may pass it.
        var isHeldUp = false
        /// The place of the bit that is flipped, nil if none is.
        var damage: UInt64?
        /// When it arrives once more, after the first time; nil if it does not.
        var copyGap: Duration?
    }

    /// A message on its way.
    package struct Message {
        var connection: Int
        package internal(set) var isToHub: Bool
        /// The number of the message, from 1, for its watch and direction.
        var number = 0
        package internal(set) var parts: [[UInt8]]
        var kind: FrameKind
        var sent: Instant
        /// When the peer sent the newest message that the sender had received when it sent this one.
        var proof = Instant(nanoseconds: .min)
        /// Whether the network has damaged it.
        var isDamaged = false
        /// Whether the watch had given up the connection while the message was still on its way.
        var isLate = false
        /// Whether it was forged to cost the hub time.
        var isFlood = false
    }

    /// The time between two messages that keep their order, at least.
    private let spacing: Duration
    private var connections: [Connection] = []

    init(spacing: Duration = .zero) {
        self.spacing = spacing
    }

    subscript(connection: Int) -> Connection { connections[connection] }

    /// The hub's name of a connection.
    static func name(_ connection: Int) -> ConnectionID {
        ConnectionID(bytes: (0..<4).map { UInt8(truncatingIfNeeded: connection >> (24 - 8 * $0)) })
    }

    /// The connection of a name.
    static func connection(_ name: ConnectionID) -> Int {
        name.bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether there has ever been a connection of this number.
    func knows(_ connection: Int) -> Bool { connections.indices.contains(connection) }

    // MARK: - Ends

    /// Opens a connection; gives its number.
    mutating func open(watch: Int, watchRun: Int, hubRun: Int, peer: PeerKey) -> Int {
        connections.append(Connection(watch: watch, watchRun: watchRun, hubRun: hubRun, peer: peer))
        return connections.count - 1
    }

    /// A watch no longer uses a connection.
    mutating func leave(_ connection: Int) { connections[connection].isOpenAtWatch = false }

    /// The hub can no longer send on a connection.
    mutating func close(_ connection: Int) { connections[connection].isOpenAtHub = false }

    /// The hub's process ends; returns the connections whose watches do not know that.
    mutating func endHub(run: Int) -> [Int] {
        for number in connections.indices where connections[number].hubRun == run { close(number) }
        return connections.indices.filter { connections[$0].hubRun == run && connections[$0].isOpenAtWatch }
    }

    // MARK: - Messages

    /// Sends a message, which may be damaged on its way; returns when it arrives, and when once more.
    mutating func send(_ message: inout Message, _ passage: Passage, now: Instant) -> (arrival: Instant, copy: Instant?)
    {
        if let damage = passage.damage { message.damage(damage) }
        let arrival = now.advanced(by: passage.delay)
        let time = passage.isHeldUp ? arrival : inOrder(arrival, of: message)
        return (time, passage.copyGap.map { time.advanced(by: $0) })
    }

    /// Messages that are held up let others pass; all others keep their order.
    private mutating func inOrder(_ arrival: Instant, of message: Message) -> Instant {
        let path: WritableKeyPath<Connection, Instant> =
            message.isToHub ? \.lastArrivalAtHub : \.lastArrivalAtWatch
        let inOrder = max(arrival, connections[message.connection][keyPath: path].advanced(by: spacing))
        connections[message.connection][keyPath: path] = inOrder
        return inOrder
    }
}

extension VirtualNetwork.Message {
    /// Flips one bit of it.
    fileprivate mutating func damage(_ place: UInt64) {
        guard let count = parts.first?.count, count > 0 else { return }
        parts[0][Int(place >> 3) % count] ^= 1 << UInt8(place & 7)
        isDamaged = true
    }
}
