public import SyncCore

/// What shall go wrong on a link on purpose, to see that the engine repairs it.
///
/// A link is encrypted from end to end: what stands between its ends sees neither messages nor their borders. So faults
/// happen inside an end, to whole messages, between the socket and the engine. What arrives changed here has passed the
/// transport's own checks, and is the engine's to find out.
///
/// The same seed makes the same decisions for the same sequence of messages, separately for each direction.
public struct LinkFaults: Hashable, Sendable {
    /// The number that all decisions follow from.
    public var seed: UInt64
    /// What happens to messages that come to this end.
    public var incoming: MessageFaults
    /// What happens to messages that this end sends.
    public var outgoing: MessageFaults

    /// Creates faults; by default none.
    public init(seed: UInt64, incoming: MessageFaults = MessageFaults(), outgoing: MessageFaults = MessageFaults()) {
        self.seed = seed
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// Creates faults in which a seed decides which kinds are on, and how strong each is.
    ///
    /// Runs with few kinds of faults find what a mixture of all hides.
    /// Source: Groce and others, "Swarm Testing" (ISSTA 2012).
    public static func swarm(seed: UInt64) -> LinkFaults {
        var generator = SplitMix64(seed: seed).stream(1)
        return LinkFaults(
            seed: seed, incoming: .swarm(using: &generator), outgoing: .swarm(using: &generator))
    }
}

/// What shall go wrong with the messages of one direction; each chance is that of one message, 0…1.
public struct MessageFaults: Hashable, Sendable {
    /// The chance that a message is lost.
    public var drop = 0.0
    /// The chance that a message arrives twice.
    public var duplicate = 0.0
    /// The chance that a message is late; those behind it wait for it.
    public var delay = 0.0
    /// The chance that a message is late and those behind it overtake it.
    public var reorder = 0.0
    /// The chance that one byte of a message changes.
    public var corrupt = 0.0
    /// The chance that the connection breaks at a message, which is lost with it.
    public var reset = 0.0
    /// The chance that the direction is cut at a message: it and all behind it are lost for a while.
    public var cut = 0.0
    /// The longest delay of a message; each is between none and this.
    public var longestDelay = Duration.milliseconds(200)
    /// The longest time of a cut that ``cut`` began.
    public var longestCut = Duration.seconds(2)
    /// When the direction is open again; nil leaves it to ``cut``.
    public var cutUntil: Instant?

    /// Creates faults with all chances at zero.
    public init() {}

    fileprivate static func swarm(using generator: inout SplitMix64) -> MessageFaults {
        var faults = MessageFaults()
        let kinds: [(WritableKeyPath<MessageFaults, Double>, highest: Double)] = [
            (\.drop, 0.3), (\.duplicate, 0.3), (\.delay, 0.5), (\.reorder, 0.3), (\.corrupt, 0.2), (\.reset, 0.01),
            (\.cut, 0.01),
        ]
        for (kind, highest) in kinds {
            let (isOn, strength) = (generator.next() & 1 == 1, generator.unit())
            if isOn { faults[keyPath: kind] = highest * strength }
        }
        return faults
    }
}
