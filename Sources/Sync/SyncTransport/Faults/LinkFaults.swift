public import SyncCore

/// The deliberate faults of a link, which test that the engine recovers from them.
///
/// A link is encrypted from end to end, so a proxy between the ends would see neither messages nor their boundaries.
/// So faults are applied inside an end, to whole messages, between the socket and the engine. A message that is
/// changed there has passed the transport's own checks; the engine has to detect the change.
///
/// The same seed makes the same decisions for the same sequence of messages, separately for each direction.
public struct LinkFaults: Hashable, Sendable {
    /// The seed of all decisions.
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

    /// Creates faults of which a seed decides the kinds and their probabilities.
    ///
    /// Runs with few kinds of faults find errors that a mixture of all kinds hides. Source: Groce and others, "Swarm
    /// Testing" (ISSTA 2012).
    public static func swarm(seed: UInt64) -> LinkFaults {
        var generator = SplitMix64(seed: seed).stream(1)
        return LinkFaults(
            seed: seed, incoming: .swarm(using: &generator), outgoing: .swarm(using: &generator))
    }
}

/// The faults of the messages of one direction; each chance is that of one message, 0…1.
public struct MessageFaults: Hashable, Sendable {
    /// The chance that a message is lost.
    public var drop = 0.0
    /// The chance that a message arrives twice.
    public var duplicate = 0.0
    /// The chance that a message is late, together with those after it.
    public var delay = 0.0
    /// The chance that a message is late and those after it overtake it.
    public var reorder = 0.0
    /// The chance that one byte of a message changes.
    public var corrupt = 0.0
    /// The chance that the connection breaks at a message, which is lost.
    public var reset = 0.0
    /// The chance that the direction is interrupted at a message: this one and all after it are lost for a while.
    public var cut = 0.0
    /// The longest delay of a message; each delay is between zero and this.
    public var longestDelay = Duration.milliseconds(200)
    /// The longest interruption by ``cut``.
    public var longestCut = Duration.seconds(2)
    /// The end of an initial interruption; nil for none.
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
