import SyncCore

/// What goes wrong between the watches and the hub of a run, drawn for each message by its number.
///
/// What is not held up keeps its order, as on TCP.
struct NetworkFaults {
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

    private var cuts: [Cut]
    private let streams: SplitMix64
    /// By watch and direction, the number of messages so far: the name of the newest.
    private var messageCounts: [Int]

    init(watchCount: Int, streams: SplitMix64) {
        cuts = Array(repeating: Cut(), count: watchCount)
        messageCounts = Array(repeating: 0, count: 2 * watchCount)
        self.streams = streams
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
    private func draws(_ message: SimulatedNetwork.Message, of watch: Int) -> SplitMix64 {
        let way = UInt64(2 * watch + (message.isToHub ? 0 : 1))
        return streams.stream(way << 48 | UInt64(message.number))
    }

    /// Decides what becomes of a message that is sent now, and numbers it.
    mutating func send(
        _ message: inout SimulatedNetwork.Message, on network: inout SimulatedNetwork, now: Instant,
        options: SimulationOptions, lots: inout OccurrenceFilter
    ) -> Fate {
        let watch = network[message.connection].watch
        let isToHub = message.isToHub
        messageCounts[2 * watch + (isToHub ? 0 : 1)] += 1
        message.number = messageCounts[2 * watch + (isToHub ? 0 : 1)]
        var draws = draws(message, of: watch)
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
        fate.arrival = fate.isHeldUp ? arrival : network.inOrder(arrival, of: message)
        if copies && lots.pass(isToHub ? .copyToHub : .copyToWatch, watch: watch, number: message.number) {
            fate.copyArrival = fate.arrival?.advanced(by: gap)
        }
        return fate
    }

    /// When a message still arrives whose connection is gone, from now; nil if never.
    func lateness(
        of message: SimulatedNetwork.Message, from watch: Int, options: SimulationOptions,
        lots: inout OccurrenceFilter
    ) -> Duration? {
        // What somebody made up has no number, and so no name in a schedule.
        guard message.number > 0 else { return nil }
        var draws = draws(message, of: watch).stream(1)
        guard draws.chance(options.lateMessageChance),
            lots.pass(message.isToHub ? .lateToHub : .lateToWatch, watch: watch, number: message.number)
        else { return nil }
        return draws.duration(upTo: .seconds(1))
    }
}
