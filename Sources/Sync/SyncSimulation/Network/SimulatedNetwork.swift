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
        /// Which message of its watch and direction it is, from 1.
        var number = 0
        var parts: [[UInt8]]
        var kind: FrameKind
        var sent: Instant
        /// When the newest message of the other side was sent that the sender had received when it sent this one.
        var proof: Instant
        /// Whether the network has damaged it.
        var isDamaged = false
        /// Whether the watch had given up the connection when the message was still under way.
        var isLate = false
        /// Whether it was made up to cost the hub time.
        var isFlood = false
    }

    /// Which directions between a watch and the hub are cut.
    struct Cut {
        var toHub = false
        var toWatch = false
        var until = Instant(nanoseconds: 0)
    }

    /// What becomes of a message: when it and its copy arrive, nil if they never do.
    struct Fate {
        var arrival: Instant?
        var copyArrival: Instant?
        var isDropped = false
        var isCut = false
        var isHeldUp = false
        var isDamaged = false
    }

    private(set) var connections: [Connection] = []
    private var cuts: [Cut]
    private let streams: SplitMix64
    /// By watch and direction, the number of messages so far: the name of the newest.
    private var messageCounts: [Int]

    init(watchCount: Int, streams: SplitMix64) {
        cuts = Array(repeating: Cut(), count: watchCount)
        messageCounts = Array(repeating: 0, count: 2 * watchCount)
        self.streams = streams
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

    /// The draws about one message.
    private func draws(_ message: Message) -> SplitMix64 {
        let way = UInt64(2 * connections[message.connection].watch + (message.isToHub ? 0 : 1))
        return streams.stream(way << 48 | UInt64(message.number))
    }

    /// Decides what becomes of a message that is sent now, and numbers it.
    mutating func send(
        _ message: inout Message, now: Instant, options: SimulationOptions, lots: inout OccurrenceFilter
    ) -> Fate {
        let watch = connections[message.connection].watch
        let isToHub = message.isToHub
        messageCounts[2 * watch + (isToHub ? 0 : 1)] += 1
        message.number = messageCounts[2 * watch + (isToHub ? 0 : 1)]
        var draws = draws(message)
        var fate = Fate()
        let cut = cut(watch, now: now)
        fate.isCut = isToHub ? cut.toHub : cut.toWatch
        let drops = draws.chance(options.dropChance)
        let copies = draws.chance(options.duplicateChance)
        let holdsUp = draws.chance(options.reorderChance)
        let delay = draws.unit()
        let gap = draws.duration(upTo: options.reorderLongest)
        let damages = draws.chance(options.damageChance)
        let place = draws.next()
        guard !fate.isCut else { return fate }
        fate.isDropped = drops && lots.pass(isToHub ? .lossToHub : .lossToWatch, watch: watch, number: message.number)
        guard !fate.isDropped else { return fate }
        fate.isDamaged =
            damages && lots.pass(isToHub ? .damageToHub : .damageToWatch, watch: watch, number: message.number)
        if fate.isDamaged { message.damage(place) }
        fate.isHeldUp =
            holdsUp && lots.pass(isToHub ? .delayToHub : .delayToWatch, watch: watch, number: message.number)
        let longest = fate.isHeldUp ? options.reorderLongest : options.delayLongest
        let arrival = now.advanced(
            by: .nanoseconds(50_000 + Int64(delay * Double(longest.wholeNanoseconds))))
        fate.arrival = fate.isHeldUp ? arrival : inOrder(arrival, of: message)
        if copies && lots.pass(isToHub ? .copyToHub : .copyToWatch, watch: watch, number: message.number) {
            fate.copyArrival = fate.arrival?.advanced(by: gap)
        }
        return fate
    }

    /// What is held up lets others pass; all else keeps its order.
    private mutating func inOrder(_ arrival: Instant, of message: Message) -> Instant {
        let path: WritableKeyPath<Connection, Instant> =
            message.isToHub ? \.lastArrivalAtHub : \.lastArrivalAtWatch
        let inOrder = max(arrival, connections[message.connection][keyPath: path].advanced(by: .microseconds(1)))
        connections[message.connection][keyPath: path] = inOrder
        return inOrder
    }

    /// When a message still arrives whose connection is gone, from now; nil if never.
    func lateness(of message: Message, options: SimulationOptions, lots: inout OccurrenceFilter) -> Duration? {
        // What somebody made up has no number, and so no name in a schedule.
        guard message.number > 0 else { return nil }
        var draws = draws(message).stream(1)
        let watch = connections[message.connection].watch
        guard draws.chance(options.lateMessageChance),
            lots.pass(message.isToHub ? .lateToHub : .lateToWatch, watch: watch, number: message.number)
        else { return nil }
        return draws.duration(upTo: .seconds(1))
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
