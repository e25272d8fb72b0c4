public import PoolModel

/// What shall go wrong on purpose on the link of one watch, to try by hand how sync repairs it.
///
/// Faults happen inside the hub, to whole messages between its socket and its engine; see `LinkFaults`.
public struct LinkDisturbance: Codable, Hashable, Sendable {
    /// The messages that are meant.
    public enum Direction: String, Codable, CaseIterable, Sendable {
        /// Those of both directions.
        case both
        /// Those from the hub to the watch.
        case toWatch
        /// Those from the watch to the hub.
        case fromWatch
    }

    /// The chance that a message is lost; 0…1, as all chances here.
    public var drop = 0.0
    /// The chance that a message arrives twice.
    public var duplicate = 0.0
    /// The chance that a message is overtaken by those behind it.
    public var reorder = 0.0
    /// The chance that one byte of a message changes.
    public var corrupt = 0.0
    /// The chance that the connection breaks at a message.
    public var reset = 0.0
    /// The longest delay of a message in milliseconds; each is late by something up to it, in its place in the order.
    ///
    /// 0…60,000; 0 for none.
    public var delayMilliseconds = 0
    /// When the cut ends in which all messages are lost, by the hub's clock; nil without a cut.
    public var cutUntil: Timestamp?
    /// The messages that are meant.
    public var direction = Direction.both
    /// The number that all decisions follow from.
    public var seed: UInt64 = 1

    /// Creates an undisturbed link.
    public init() {}

    /// Whether nothing goes wrong.
    public var isNone: Bool {
        [drop, duplicate, reorder, corrupt, reset].allSatisfy { $0 == 0 } && delayMilliseconds == 0 && cutUntil == nil
    }
}

extension LinkDisturbance: CustomStringConvertible {
    /// What goes wrong, in a few words, such as `drop 10 %, delay up to 200 ms`.
    public var description: String {
        let chances = [
            ("drop", drop), ("duplicate", duplicate), ("reorder", reorder), ("corrupt", corrupt), ("reset", reset),
        ]
        var parts = chances.filter { $0.1 > 0 }.map { name, chance in
            let percent = (chance * 1000).rounded() / 10
            return "\(name) \(percent == percent.rounded() ? "\(Int(percent))" : "\(percent)") %"
        }
        if cutUntil != nil { parts.insert("cut", at: 0) }
        if delayMilliseconds > 0 { parts.append("delay up to \(delayMilliseconds) ms") }
        guard !parts.isEmpty else { return "nothing goes wrong on purpose" }
        switch direction {
        case .both: break
        case .toWatch: parts.append("only to the watch")
        case .fromWatch: parts.append("only from the watch")
        }
        return parts.joined(separator: ", ")
    }
}

/// What a person says of a link; what is nil stays as it is.
public struct LinkDraft: Codable, Hashable, Sendable {
    /// The chance that a message is lost; 0…1.
    public var drop: Double?
    /// The chance that a message arrives twice; 0…1.
    public var duplicate: Double?
    /// The chance that a message is overtaken; 0…1.
    public var reorder: Double?
    /// The chance that a byte changes; 0…1.
    public var corrupt: Double?
    /// The chance that the connection breaks; 0…1.
    public var reset: Double?
    /// The longest delay in milliseconds; 0…60,000.
    public var delayMilliseconds: Int?
    /// Cut the link for so many seconds, 1…604,800; 0 ends a cut.
    public var cutSeconds: Int?
    /// The messages that are meant.
    public var direction: LinkDisturbance.Direction?
    /// The number that all decisions follow from.
    public var seed: UInt64?

    /// Creates a draft that says nothing.
    public init() {}
}

/// What a command asks of the links to the watches; of a hub that runs.
public enum LinkRequest: Codable, Sendable {
    /// What goes wrong on purpose, and how often it did.
    case show
    /// Let something go wrong on the link of a watch, by its name; on those of all paired watches if that is nil.
    case set(watch: String?, LinkDraft)
    /// Let nothing go wrong any more on the link of a watch, by its name; on all if that is nil.
    case clear(watch: String?)
}

/// How often something went wrong on purpose on a link, in this life of the hub.
public struct LinkCounts: Codable, Hashable, Sendable {
    /// The messages that were looked at, in both directions.
    public var messages = 0
    /// The messages that were lost one by one.
    public var dropped = 0
    /// The messages that arrived twice.
    public var duplicated = 0
    /// The messages that were late in their place.
    public var delayed = 0
    /// The messages that were overtaken, if another came in their time.
    public var reordered = 0
    /// The messages with a changed byte.
    public var corrupted = 0
    /// The connections that broke.
    public var resets = 0
    /// The messages that were lost in a cut.
    public var lostInCuts = 0

    /// Creates counts of zero.
    public init() {}
}

/// A link as it is made to be.
public struct LinkReport: Codable, Hashable, Sendable {
    /// The name of the watch.
    public var watch: String
    /// Whether the watch has a session now.
    public var isLinked: Bool
    /// What goes wrong on purpose; nil for nothing.
    public var disturbance: LinkDisturbance?
    /// How often it did.
    public var counts: LinkCounts
}
