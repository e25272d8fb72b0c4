/// What prevents a watch from being paired, as far as it can be seen from outside the hub.
public enum PairingProblem: Hashable, Sendable {
    /// Nothing accepts the connection.
    case nothingAnswers
    /// Something accepts the connection but does not finish the handshake: another program, another hub, or a hub in
    /// trouble.
    case anotherProgram
    /// The hub refuses the invitation's key: the invitation was used or has expired, or the hub was restored from a
    /// backup.
    case notAdmitted
    /// The hub accepted the connection and got the request, but no answer arrived.
    ///
    /// It may have paired the watch; if so, it still admits the invitation's key.
    case noAnswer
}

extension PairingProblem: CustomStringConvertible {
    /// The problem in words, and what to do about it if anything.
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
