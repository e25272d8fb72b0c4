package import PoolModel

/// The faults to inject into the link of one watch, for testing how sync recovers.
///
/// Faults are injected inside the hub, into whole messages between its socket and its engine; see `LinkFaults`.
package struct LinkDisturbance: Codable, Hashable, Sendable {
    /// The direction of the affected messages.
    package enum Direction: String, Codable, CaseIterable, Sendable {
        /// Both directions.
        case both
        /// From the hub to the watch.
        case toWatch
        /// From the watch to the hub.
        case fromWatch
    }

    /// The probability that a message is lost; 0…1, like all probabilities here.
    package var drop = 0.0
    /// The probability that a message arrives twice.
    package var duplicate = 0.0
    /// The probability that later messages overtake a message.
    package var reorder = 0.0
    /// The probability that one byte of a message changes.
    package var corrupt = 0.0
    /// The probability that the connection breaks at a message.
    package var reset = 0.0
    /// The maximum delay of a message in milliseconds: 0…60,000; 0 for none.
    ///
    /// The order of messages is kept.
    package var delayMilliseconds = 0
    /// When the interruption ends during which all messages are lost, by the hub's clock; nil if there is none.
    package var cutUntil: Timestamp?
    /// The direction of the affected messages.
    package var direction = Direction.both
    /// The seed of the random generator that decides about each message.
    package var seed: UInt64 = 1

    /// Creates a link without faults.
    package init() {}

    /// Whether there are no faults.
    package var isNone: Bool {
        [drop, duplicate, reorder, corrupt, reset].allSatisfy { $0 == 0 } && delayMilliseconds == 0 && cutUntil == nil
    }
}

extension LinkDisturbance: CustomStringConvertible {
    /// A short description, such as `drop 10 %, delay up to 200 ms`.
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
