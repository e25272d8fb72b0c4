package import PoolModel

/// What shall go wrong on purpose on the link of one watch, to try by hand how sync repairs it.
///
/// Faults happen inside the hub, to whole messages between its socket and its engine; see `LinkFaults`.
package struct LinkDisturbance: Codable, Hashable, Sendable {
    /// The messages that are meant.
    package enum Direction: String, Codable, CaseIterable, Sendable {
        /// Those of both directions.
        case both
        /// Those from the hub to the watch.
        case toWatch
        /// Those from the watch to the hub.
        case fromWatch
    }

    /// The chance that a message is lost; 0…1, as all chances here.
    package var drop = 0.0
    /// The chance that a message arrives twice.
    package var duplicate = 0.0
    /// The chance that a message is overtaken by those behind it.
    package var reorder = 0.0
    /// The chance that one byte of a message changes.
    package var corrupt = 0.0
    /// The chance that the connection breaks at a message.
    package var reset = 0.0
    /// The longest delay of a message in milliseconds; each is late by something up to it, in its place in the order.
    ///
    /// 0…60,000; 0 for none.
    package var delayMilliseconds = 0
    /// When the cut ends in which all messages are lost, by the hub's clock; nil without a cut.
    package var cutUntil: Timestamp?
    /// The messages that are meant.
    package var direction = Direction.both
    /// The number that all decisions follow from.
    package var seed: UInt64 = 1

    /// Creates an undisturbed link.
    package init() {}

    /// Whether nothing goes wrong.
    package var isNone: Bool {
        [drop, duplicate, reorder, corrupt, reset].allSatisfy { $0 == 0 } && delayMilliseconds == 0 && cutUntil == nil
    }
}

extension LinkDisturbance: CustomStringConvertible {
    /// What goes wrong, in a few words, such as `drop 10 %, delay up to 200 ms`.
    package var description: String {
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

/// What changes at the link of a watch; what is nil stays.
package struct LinkPatch: Codable, Hashable, Sendable {
    /// The chance that a message is lost; 0…1.
    package var drop: Double?
    /// The chance that a message arrives twice; 0…1.
    package var duplicate: Double?
    /// The chance that a message is overtaken; 0…1.
    package var reorder: Double?
    /// The chance that a byte changes; 0…1.
    package var corrupt: Double?
    /// The chance that the connection breaks; 0…1.
    package var reset: Double?
    /// The longest delay in milliseconds; 0…60,000.
    package var delayMilliseconds: Int?
    /// Cut the link for so many seconds, 1…604,800; 0 ends a cut.
    package var cutSeconds: Int?
    /// The messages that are meant.
    package var direction: LinkDisturbance.Direction?
    /// The number that all decisions follow from.
    package var seed: UInt64?

    /// Creates a patch that changes nothing.
    package init() {}
}

/// What a command asks of the links to the watches; of a hub that runs.
package enum LinkRequest: Codable, Hashable, Sendable {
    /// What goes wrong on purpose, and how often it did.
    case show
    /// Let something go wrong on the link of a watch, by its name; on those of all paired watches if that is nil.
    case set(watch: String?, LinkPatch)
    /// Let nothing go wrong any more on the link of a watch, by its name; on all if that is nil.
    case clear(watch: String?)
}
