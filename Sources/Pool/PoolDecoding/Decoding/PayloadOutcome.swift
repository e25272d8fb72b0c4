public import PoolModel

/// What became of a payload.
public enum PayloadOutcome: Equatable, Sendable {
    /// It is a message of a probe.
    case decoded(DecodedPayload)
    /// The payload is not a message; nothing was measured.
    case rejected(PayloadRejection)
}
