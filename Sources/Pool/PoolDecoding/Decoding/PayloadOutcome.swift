public import PoolModel

/// The result of reading a payload.
public enum PayloadOutcome: Equatable, Sendable {
    /// The payload is a message of a probe.
    case decoded(DecodedPayload)
    /// The payload is not a message; nothing was measured.
    case rejected(PayloadError)
}
