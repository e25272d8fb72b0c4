import PoolAlerts
import PoolModel

/// The result of a delivery of a notice over a channel.
enum AlertOutcome: Equatable, Sendable {
    /// It reached the channel.
    case delivered
    /// It failed for this reason; the delivery is tried again, but not before so many seconds.
    case failed(String, retryAfterSeconds: Int = 0)
    /// It failed for this reason, and will until somebody changes something; this notice is not tried again.
    case refused(String)
    /// The channel may not be used, or there is none here.
    case denied

    /// Why the notice was not delivered; nil if it was, or if the channel may not be used.
    var trouble: String? {
        switch self {
        case .failed(let reason, _), .refused(let reason): reason
        case .delivered, .denied: nil
        }
    }
}

/// The parts of the hub that the alert service uses; all may be used on any thread.
protocol AlertEnvironment: Sendable {
    /// The time.
    var now: AlertTime { get }
    /// Delivers a notice over a channel with these settings.
    func deliver(
        _ notice: AlertNotice, over channel: AlertChannel, _ settings: AlertSettings
    ) async -> AlertOutcome
    /// Whether a channel may be used; asked when the first alert needs it.
    func authorization(of channel: AlertChannel) async -> AlertAuthorization
    /// Shows all open alerts to the watches and to the other parts of the hub; the order increases.
    func show(_ alerts: [AlertState.Alert], order: UInt64)
    /// Removes the answers to alerts with these keys, which have ended.
    func removeAnswers(to keys: [AlertKey]) async throws
}
