import PoolModel

/// A change of the faults on a watch's link; fields that are nil stay.
package struct LinkPatch: Codable, Hashable, Sendable {
    /// The probability that a message is lost; 0…1.
    package var drop: Double?
    /// The probability that a message arrives twice; 0…1.
    package var duplicate: Double?
    /// The probability that a message is overtaken; 0…1.
    package var reorder: Double?
    /// The probability that a byte changes; 0…1.
    package var corrupt: Double?
    /// The probability that the connection breaks; 0…1.
    package var reset: Double?
    /// The maximum delay in milliseconds; 0…60,000.
    package var delayMilliseconds: Int?
    /// Lose all messages for this many seconds, 1…604,800; 0 ends the interruption.
    package var cutSeconds: Int?
    /// The direction of the affected messages.
    package var direction: LinkDisturbance.Direction?
    /// The seed of the random generator.
    package var seed: UInt64?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// A command about the links to the watches.
///
/// The hub must be running.
package enum LinkRequest: Codable, Hashable, Sendable {
    /// Return the injected faults and how often they occurred.
    case show
    /// Change the faults on the link of a watch; on the links of all paired watches if it is nil.
    case set(watch: WatchID?, LinkPatch)
    /// Remove all faults from the link of a watch; from all links if it is nil.
    case clear(watch: WatchID?)
}
