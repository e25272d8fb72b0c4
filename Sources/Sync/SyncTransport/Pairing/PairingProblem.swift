/// What keeps a watch from being paired, as far as it can be seen from outside.
public enum PairingProblem: Hashable, Sendable {
    /// Nothing takes the connection.
    case nothingAnswers
    /// What takes the connection does not finish the handshake: another program, another hub, or one in trouble.
    case anotherProgram
    /// The hub does not let the invitation in: it is used up, too old, or the hub was put back.
    case notAdmitted
    /// The hub took the connection and was asked, but its answer never came: it may know the watch by now, and lets the
    /// same key in then.
    case noAnswer
}

extension PairingProblem: CustomStringConvertible {
    /// The obstacle in words, and the way out where there is one.
    public var description: String {
        switch self {
        case .nothingAnswers: "nothing answers at the endpoint"
        case .anotherProgram:
            "something answers and does not finish the handshake: it is not the hub of this invitation, or that hub is busy"
        case .notAdmitted: "the hub does not admit this invitation; ask it for a new one"
        case .noAnswer: "the hub was asked, but its answer did not come; try the same code again"
        }
    }
}
