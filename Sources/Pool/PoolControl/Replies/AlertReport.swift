package import PoolModel

/// The alerts of a hub, as lists show them and `--json` prints them.
package struct AlertReport: Codable, Equatable, Sendable {
    /// A channel over which notices are delivered.
    package struct Channel: Codable, Equatable, Sendable {
        /// Where the notices go.
        package var channel: AlertChannel
        /// Whether the settings enable it.
        package var isEnabled: Bool
        /// Whether the user permits it; unknown if the hub is not running and the permission was not requested.
        package var authorization: AlertAuthorization
        /// Why the last delivery failed; nil if it succeeded.
        package var trouble: String?
        /// The fields of a service for phones that are stored as secrets, for its present server; nil of other channels,
        /// and where nobody asked for them.
        package var secrets: [String]?

        /// Creates a channel.
        package init(
            channel: AlertChannel, isEnabled: Bool, authorization: AlertAuthorization = .granted,
            trouble: String? = nil
        ) {
            self.channel = channel
            self.isEnabled = isEnabled
            self.authorization = authorization
            self.trouble = trouble
        }
    }

    /// Whether a hub process is running.
    package var isRunning: Bool
    /// The open alerts of all devices, servers and the hub itself.
    package var state: AlertState
    /// The latest notices, newest first.
    package var notices: [AlertNotice]
    /// The hub's settings for alerts.
    package var settings: AlertSettings
    /// The channels in their order.
    package var channels: [Channel]
    /// The number of events that were not evaluated because too many came at once, since the hub started.
    package var droppedCount: UInt64
    /// The number of conditions that were rejected because the limit was reached, since the hub started.
    package var refusedCount: UInt64

    /// Creates a report; by default of a hub without alerts.
    package init(
        isRunning: Bool, state: AlertState = AlertState(), notices: [AlertNotice] = [],
        settings: AlertSettings = AlertSettings(), channels: [Channel] = [], droppedCount: UInt64 = 0,
        refusedCount: UInt64 = 0
    ) {
        self.isRunning = isRunning
        self.state = state
        self.notices = notices
        self.settings = settings
        self.channels = channels
        self.droppedCount = droppedCount
        self.refusedCount = refusedCount
    }

    /// The earliest time of the next notice of an alert, from the notices in this report; nil if it is not repeated.
    package func repetition(of alert: AlertState.Alert) -> Timestamp? {
        guard settings.repeatsUntilAcknowledged, !alert.isAcknowledged else { return nil }
        let last = notices.first { $0.episodeID == alert.episodeID }
        return alert.snoozedUntil ?? last?.at.advanced(byMilliseconds: Int64(settings.cooldownSeconds) * 1000)
    }
}
