package import PoolModel

/// The alerts of a hub as they are: what the list shows and `--json` prints.
package struct AlertReport: Codable, Equatable, Sendable {
    /// A channel.
    package struct Channel: Codable, Equatable, Sendable {
        /// The channel.
        package var channel: AlertChannel
        /// Whether the settings switch it on.
        package var isEnabled: Bool
        /// Whether it may be used; unknown at rest where nobody was asked.
        package var authorization: AlertAuthorization
        /// Why the last delivery failed, nil if it did not.
        package var trouble: String?

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
    /// The open alerts.
    package var state: AlertState
    /// The last notices, newest first.
    package var notices: [AlertNotice]
    /// How a person wants to be alerted.
    package var settings: AlertSettings
    /// The channels, in their order.
    package var channels: [Channel]
    /// How many events could not be judged because too many came at once, since the hub started.
    package var droppedCount: UInt64
    /// How many conditions found no room, since the hub started.
    package var refusedCount: UInt64

    /// Creates an alert report, by default of a hub without alerts.
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

    /// When an alert may be told again, by the notices that are here; nil if it is not told again.
    package func repetition(of alert: AlertState.Alert) -> Timestamp? {
        guard settings.repeatsUntilAcknowledged, !alert.isAcknowledged else { return nil }
        let last = notices.first { $0.episodeID == alert.episodeID }
        return alert.snoozedUntil ?? last?.at.advanced(byMilliseconds: Int64(settings.cooldownSeconds) * 1000)
    }
}
