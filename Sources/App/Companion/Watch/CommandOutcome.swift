/// What became of a command; there is exactly one outcome for each ``WatchHost/send(_:_:within:)``.
public enum CommandOutcome<Reply: Sendable>: Sendable {
    /// The phone performed it, now or when it came for the first time.
    case done(Reply)
    /// The phone, or this watch, refused it, with the reason: it was not performed.
    case refused(String)
    /// The phone is out of reach: nothing was sent.
    case unreachable
    /// It came too late: it was not performed.
    case expired
    /// It was sent, and nobody can say now whether it was performed.
    ///
    /// Sending the same identity again is safe: the phone performs it if it never did, or repeats its reply.
    case unknown
}

extension CommandOutcome: Equatable where Reply: Equatable {}
