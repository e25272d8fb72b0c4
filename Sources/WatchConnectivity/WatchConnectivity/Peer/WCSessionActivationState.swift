/// The activation state of a session.
///
/// Source: Apple's WatchConnectivity, `WCSessionActivationState`.
public enum WCSessionActivationState: Int, Sendable {
    /// Nothing can be sent or received.
    case notActivated = 0
    /// Nothing can be sent, but transfers on their way are still received.
    case inactive = 1
    /// Everything can be sent and received.
    case activated = 2
}
