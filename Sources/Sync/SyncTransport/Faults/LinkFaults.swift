package import SyncCore

/// The deliberate faults of a link, which test that the engine recovers from them.
///
/// A link is encrypted from end to end, so a proxy between the ends would see neither messages nor their boundaries.
/// So faults are applied inside an end, to whole messages, between the socket and the engine. A message that is
/// changed there has passed the transport's own checks; the engine has to detect the change.
///
/// The same seed makes the same decisions for the same sequence of messages, separately for each direction.
package struct LinkFaults: Hashable, Sendable {
    /// The seed of all decisions.
    package var seed: UInt64
    /// What happens to messages that come to this end.
    package var incoming: MessageFaults
    /// What happens to messages that this end sends.
    package var outgoing: MessageFaults

    /// Creates faults; by default none.
    package init(seed: UInt64, incoming: MessageFaults = MessageFaults(), outgoing: MessageFaults = MessageFaults()) {
        self.seed = seed
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// Creates faults of which a seed decides the kinds and their probabilities.
    ///
    /// Runs with few kinds of faults find errors that a mixture of all kinds hides. Source: Groce and others, "Swarm
    /// Testing" (ISSTA 2012).
    package static func swarm(seed: UInt64) -> LinkFaults {
        var generator = SplitMix64(seed: seed).stream(1)
        return LinkFaults(
            seed: seed, incoming: .swarm(using: &generator), outgoing: .swarm(using: &generator))
    }
}

/// The faults of the messages of one direction; each chance is that of one message, 0…1.
package struct MessageFaults: Hashable, Sendable {
    /// The chance that a message is lost.
    package var drop = 0.0
    /// The chance that a message arrives twice.
    package var duplicate = 0.0
    /// The chance that a message is late, together with those after it.
    package var delay = 0.0
    /// The chance that a message is late and those after it overtake it.
    package var reorder = 0.0
    /// The chance that one byte of a message changes.
    package var corrupt = 0.0
    /// The chance that the connection breaks at a message, which is lost.
    package var reset = 0.0
    /// The chance that the direction is interrupted at a message: this one and all after it are lost for a while.
    package var cut = 0.0
    /// The longest delay of a message; each delay is between zero and this.
    package var longestDelay = Duration.milliseconds(200)
    /// The longest interruption by ``cut``.
    package var longestCut = Duration.seconds(2)
    /// The end of an initial interruption; nil for none.
    package var cutUntil: Instant?

    /// Creates faults with all chances at zero.
    package init() {}

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
