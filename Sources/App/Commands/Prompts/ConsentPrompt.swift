/// Decides whether an irreversible action may be done.
package enum ConsentPrompt {
    /// What to do before the action.
    package enum Step: Equatable {
        /// Do it.
        case proceed
        /// Ask the person first.
        case ask
        /// Do not do it: there is no person to ask.
        case refuse
    }

    /// Decides: `--yes` is consent in advance, and without a terminal no person can be asked.
    package static func step(isAnswered: Bool, isTerminal: Bool) -> Step {
        if isAnswered { return .proceed }
        return isTerminal ? .ask : .refuse
    }

    /// Whether an answer means yes; any other answer is a no.
    package static func isYes(_ answer: String?) -> Bool {
        guard let answer else { return false }
        return ["y", "yes"].contains(answer.filter { !$0.isWhitespace }.lowercased())
    }
}
