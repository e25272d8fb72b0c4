package import Appliances

/// The answers of a device to its last commands, by which it carries out each command once (T34).
///
/// In JSON it is a list of the answers, in their order.
package struct AnsweredCommands: Hashable, Sendable {
    /// The answers that are kept, and beyond them those to commands that would still be valid if they came again.
    package static let countMax = 64
    /// The most answers that are kept at all; a command beyond them is refused as busy.
    package static let countLimit = 1024

    /// One answer.
    private struct Answered: Hashable, Codable {
        var id: Command.ID
        var answer: DeviceAnswer
        /// Until when the command is valid; nil for one of an earlier version, and of a timer.
        var until: Timestamp?
    }

    private var answers: [Answered] = []

    /// No command came.
    package init() {}

    /// The answer to a command that came before; nil if it is not known any more.
    package func answer(to id: Command.ID) -> DeviceAnswer? { answers.last { $0.id == id }?.answer }

    /// Whether no further answer can be kept, since all are to commands that may come again.
    package func isFull(at now: Timestamp) -> Bool {
        answers.count >= Self.countLimit && answers.allSatisfy { $0.until.map { $0 >= now } ?? false }
    }

    /// Keeps an answer, and forgets the oldest beyond 64 to which no command can come again.
    package mutating func keep(_ answer: DeviceAnswer, to id: Command.ID, until: Timestamp?, at now: Timestamp) {
        answers.append(Answered(id: id, answer: answer, until: until))
        var excess = answers.count - Self.countMax
        answers.removeAll { old in
            guard excess > 0, old.until.map({ $0 < now }) ?? true else { return false }
            excess -= 1
            return true
        }
    }
}

extension AnsweredCommands: Codable {
    /// Reads the list.
    package init(from decoder: any Decoder) throws {
        answers = try decoder.singleValueContainer().decode([Answered].self)
    }

    /// Writes the list.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(answers)
    }
}
