/// What a motor arm does in one movement.
package enum Verb: String, CaseIterable, Codable, Sendable {
    /// It pushes and comes back by itself.
    case push
    /// It moves to the on position and stays.
    case on
    /// It moves to the off position and stays.
    case off
    /// It pushes and stays pushed.
    case hold
    /// It comes back from ``hold``.
    case release
}

/// A custom movement: a first verb, and up to 8 more after a delay each (T38).
///
/// As text and in JSON it is `push, 2s on, 500ms off`.
package struct Program: Hashable, Sendable {
    /// A further verb.
    package struct Step: Hashable, Sendable {
        /// The time since the verb before, 0…655 s.
        package var delay: Duration
        /// The verb.
        package var verb: Verb

        /// Creates a step.
        package init(delay: Duration, verb: Verb) {
            self.delay = delay
            self.verb = verb
        }
    }

    /// What the arm does at once.
    package let first: Verb
    /// What it does then.
    package let steps: [Step]

    /// Creates a program.
    ///
    /// - Throws: ``ModelProblem`` for more than 8 steps, a delay over 655 s, or more than an hour in all.
    package init(first: Verb, steps: [Step] = []) throws(ModelProblem) {
        try Limit.programSteps.check(steps.count)
        for step in steps { try Limit.delay.check(step.delay) }
        try Limit.runTime.check(steps.reduce(.zero) { $0 + $1.delay })
        self.first = first
        self.steps = steps
    }

    /// The time from the first verb to the last.
    package var runTime: Duration { steps.reduce(.zero) { $0 + $1.delay } }
}

extension Program: TextCodable {
    /// Reads a program.
    package init(_ text: String) throws(ModelProblem) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmedOfBlanks)
        var steps: [Step] = []
        for part in parts.dropFirst() {
            let words = part.split(separator: " ")
            guard words.count == 2, let delay = DurationText.duration(String(words[0])) else {
                throw ModelProblem("\(Excerpt(part)) is no step: give a delay and a verb, such as `2s on`")
            }
            steps.append(Step(delay: delay, verb: try Self.verb(words[1])))
        }
        try self.init(first: try Self.verb(parts[0]), steps: steps)
    }

    /// The program as people write it.
    package var text: String {
        ([first.rawValue] + steps.map { "\(DurationText.text($0.delay)) \($0.verb.rawValue)" }).joined(separator: ", ")
    }

    private static func verb(_ word: Substring) throws(ModelProblem) -> Verb {
        guard let verb = Verb(rawValue: String(word)) else {
            let known = Verb.allCases.map(\.rawValue).joined(separator: ", ")
            throw ModelProblem("\(Excerpt(word)) is no movement: give one of \(known)")
        }
        return verb
    }
}
