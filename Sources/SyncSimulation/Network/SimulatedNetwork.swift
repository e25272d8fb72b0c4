import SyncCore

/// The connections between watches and the hub, and what goes wrong on them.
///
/// A connection is ordered as TCP is, except where the run's options hold single messages up. Its two ends notice its
/// end at different times: a message of an old connection may arrive after the greeting on the new one.
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
        var parts: [[UInt8]]
        var kind: FrameKind
        var sent: Instant
        /// When the newest message of the other side was sent that the sender had received when it sent this one.
        var proof: Instant
        /// Whether the watch had given up the connection when the message was still under way.
        var isLate = false
    }

    /// Which directions between a watch and the hub are cut.
    struct Cut {
        var toHub = false
        var toWatch = false
        var until = Instant(nanoseconds: 0)
    }

    /// What becomes of a message: when each of its copies arrives, none if it is lost.
    struct Fate {
        var arrivals: [Instant] = []
        var isDropped = false
        var isCut = false
        var isDuplicated = false
        var isHeldUp = false
    }

    private(set) var connections: [Connection] = []
    private var cuts: [Cut]
    private var drops: SplitMix64
    private var duplicates: SplitMix64
    private var delays: SplitMix64

    init(watchCount: Int, streams: SplitMix64) {
        cuts = Array(repeating: Cut(), count: watchCount)
        drops = streams.stream(1)
        duplicates = streams.stream(2)
        delays = streams.stream(3)
    }

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

    /// Cuts the ways between a watch and the hub until a time.
    mutating func cut(_ watch: Int, toHub: Bool, toWatch: Bool, until: Instant) {
        cuts[watch] = Cut(toHub: toHub, toWatch: toWatch, until: until)
    }

    /// The directions that are cut now.
    func cut(_ watch: Int, now: Instant) -> Cut {
        now < cuts[watch].until ? cuts[watch] : Cut()
    }

    /// Decides what becomes of a message that is sent now.
    mutating func send(_ message: Message, now: Instant, options: SimulationOptions) -> Fate {
        var fate = Fate()
        let cut = cut(connections[message.connection].watch, now: now)
        fate.isDropped = drops.chance(options.dropChance)
        fate.isDuplicated = duplicates.chance(options.duplicateChance)
        fate.isCut = message.isToHub ? cut.toHub : cut.toWatch
        let arrival = arrival(of: message, now: now, options: options, isHeldUp: &fate.isHeldUp)
        guard !fate.isDropped, !fate.isCut else {
            fate.isHeldUp = false
            fate.isDuplicated = false
            return fate
        }
        fate.arrivals = [arrival]
        if fate.isDuplicated {
            let gap = delays.duration(upTo: options.reorderLongest)
            fate.arrivals.append(arrival.advanced(by: gap))
        }
        return fate
    }

    private mutating func arrival(
        of message: Message, now: Instant, options: SimulationOptions, isHeldUp: inout Bool
    ) -> Instant {
        isHeldUp = delays.chance(options.reorderChance)
        let delay = delays.duration(upTo: isHeldUp ? options.reorderLongest : options.delayLongest)
        let arrival = now.advanced(by: delay + .microseconds(50))
        // What is held up lets others pass; all else keeps its order.
        guard !isHeldUp else { return arrival }
        let path: WritableKeyPath<Connection, Instant> =
            message.isToHub ? \.lastArrivalAtHub : \.lastArrivalAtWatch
        let inOrder = max(arrival, connections[message.connection][keyPath: path].advanced(by: .microseconds(1)))
        connections[message.connection][keyPath: path] = inOrder
        return inOrder
    }
}
