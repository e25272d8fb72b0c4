import PoolAlerts
import PoolModel

/// How a delivery of a notice over a channel went.
enum AlertOutcome: Equatable, Sendable {
    /// It reached the channel.
    case delivered
    /// It did not, for this reason; it is tried again.
    case failed(String)
    /// The channel may not be used, or there is none here.
    case denied
}

/// What the alert service needs of its hub; each may be called on any thread.
struct AlertPorts: Sendable {
    /// The clocks.
    var now: @Sendable () -> AlertMoment = { .now }
    /// Brings a notice to a channel, with the channel's settings.
    var deliver: @Sendable (AlertNotice, AlertChannel, AlertChannelSettings) async -> AlertOutcome
    /// Whether a channel may be used; asked when the first alert needs it.
    var authorization: @Sendable (AlertChannel) async -> AlertAuthorization
    /// Shows all open alerts to the watches and to the other parts of the hub; the order only ever grows.
    var show: @Sendable ([AlertState.Alert], _ order: UInt64) -> Void
    /// Removes the answers to alerts of these keys, which are over.
    var removeAnswers: @Sendable ([AlertKey]) async throws -> Void
}
