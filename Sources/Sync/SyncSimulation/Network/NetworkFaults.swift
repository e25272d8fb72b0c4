import SyncCore

/// The faults between the watches and the hub of a run, drawn for each message by its number.
///
/// Messages that are not held up keep their order, as on TCP.
struct NetworkFaults {
    private let streams: SplitMix64
    /// By watch and direction, the number of messages so far: the name of the newest.
    private var messageCounts: [Int]

    init(watchCount: Int, streams: SplitMix64) {
        messageCounts = Array(repeating: 0, count: 2 * watchCount)
        self.streams = streams
    }

    /// The draws about one message.
    private func draws(_ message: VirtualNetwork.Message, of watch: Int) -> SplitMix64 {
        let way = UInt64(2 * watch + (message.isToHub ? 0 : 1))
        return streams.stream(way << 48 | UInt64(message.number))
    }

    /// Numbers a message that is sent now, and decides its outcome; nil if it is lost.
    mutating func passage(
        of message: inout VirtualNetwork.Message, from watch: Int, options: SimulationOptions, isCut: Bool,
        lots: inout OccurrenceFilter
    ) -> VirtualNetwork.Passage? {
        let isToHub = message.isToHub
        messageCounts[2 * watch + (isToHub ? 0 : 1)] += 1
        message.number = messageCounts[2 * watch + (isToHub ? 0 : 1)]
        guard !isCut else { return nil }
        var draws = draws(message, of: watch)
        let drops = draws.chance(options.dropChance)
        let copies = draws.chance(options.duplicateChance)
        let holdsUp = draws.chance(options.reorderChance)
        let delay = draws.unit()
        let gap = draws.duration(upTo: options.reorderLongest)
        let damages = draws.chance(options.damageChance)
        let place = draws.next()
        func passes(_ toHub: Occurrence.Kind, _ toWatch: Occurrence.Kind) -> Bool {
            lots.pass(isToHub ? toHub : toWatch, watch: watch, number: message.number)
        }
        if drops, passes(.lossToHub, .lossToWatch) { return nil }
        let damage = damages && passes(.damageToHub, .damageToWatch) ? place : nil
        let isHeldUp = holdsUp && passes(.delayToHub, .delayToWatch)
        let longest = isHeldUp ? options.reorderLongest : options.delayLongest
        return VirtualNetwork.Passage(
            delay: .nanoseconds(50_000 + Int64(delay * Double(longest.wholeNanoseconds))), isHeldUp: isHeldUp,
            damage: damage, copyGap: copies && passes(.copyToHub, .copyToWatch) ? gap : nil)
    }

    /// When a message still arrives whose connection is gone, from now; nil if never.
    func lateness(
        of message: VirtualNetwork.Message, from watch: Int, options: SimulationOptions,
        lots: inout OccurrenceFilter
    ) -> Duration? {
        // A forged message has no number, and so no name in a schedule.
        guard message.number > 0 else { return nil }
        var draws = draws(message, of: watch).stream(1)
        guard draws.chance(options.lateMessageChance),
            lots.pass(message.isToHub ? .lateToHub : .lateToWatch, watch: watch, number: message.number)
        else { return nil }
        return draws.duration(upTo: .seconds(1))
    }
}
