import SyncCore

/// The connections between watches and the hub.
///
/// The two ends of a connection notice its end at different times: a message of an old connection may arrive after the
/// greeting on the new one.
struct SimulatedNetwork {
    /// One connection from a watch to a hub.
    struct Connection {
        let watch: Int
        let watchLife: Int
        let hubLife: Int
        /// The key that the watch proved; of the watch itself or of an invitation.
        let peer: PeerKey
        /// Whether the watch still uses it.
        var isOpenAtWatch = true
        /// Whether the hub can still send on it.
        var isOpenAtHub = true
        /// What the hub has sent on it, to count what it sends again.
        var lastRevision: UInt64?
        var sentOrders: Set<UInt64> = []
        var lastArrivalAtHub = Instant(nanoseconds: 0)
        var lastArrivalAtWatch = Instant(nanoseconds: 0)
    }

    /// A message on its way.
    struct Message {
        var connection: Int
        var isToHub: Bool
        /// Which message of its watch and direction it is, from 1.
        var number = 0
        var parts: [[UInt8]]
        var kind: FrameKind
        var sent: Instant
        /// When the newest message of the other side was sent that the sender had received when it sent this one.
        var proof = Instant(nanoseconds: .min)
        /// Whether the network has damaged it.
        var isDamaged = false
        /// Whether the watch had given up the connection when the message was still under way.
        var isLate = false
        /// Whether it was made up to cost the hub time.
        var isFlood = false
    }

    private(set) var connections: [Connection] = []

    subscript(connection: Int) -> Connection {
        get { connections[connection] }
        set { connections[connection] = newValue }
    }

    /// The hub's name of a connection.
    static func name(_ connection: Int) -> ConnectionID {
        ConnectionID(bytes: (0..<4).map { UInt8(truncatingIfNeeded: connection >> (24 - 8 * $0)) })
    }

    /// The connection of a name.
    static func connection(_ name: ConnectionID) -> Int {
        name.bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func open(_ connection: Connection) -> Int {
        connections.append(connection)
        return connections.count - 1
    }

    /// What is held up lets others pass; all else keeps its order.
    mutating func inOrder(_ arrival: Instant, of message: Message) -> Instant {
        let path: WritableKeyPath<Connection, Instant> =
            message.isToHub ? \.lastArrivalAtHub : \.lastArrivalAtWatch
        let inOrder = max(arrival, connections[message.connection][keyPath: path].advanced(by: .microseconds(1)))
        connections[message.connection][keyPath: path] = inOrder
        return inOrder
    }
}

extension SimulatedNetwork.Message {
    /// Turns one bit of it over.
    mutating func damage(_ place: UInt64) {
        guard let count = parts.first?.count, count > 0 else { return }
        parts[0][Int(place >> 3) % count] ^= 1 << UInt8(place & 7)
        isDamaged = true
    }
}
