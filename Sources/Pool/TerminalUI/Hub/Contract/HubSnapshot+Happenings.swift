package import PoolControl
package import PoolModel

/// An open alert as the screens show it.
package struct AlertItem: Equatable, Sendable {
    /// The alert.
    package var alert: AlertState.Alert
    /// When it may be told again, nil if it is not told again.
    package var cooldownUntil: Timestamp?

    /// Creates an item.
    package init(alert: AlertState.Alert, cooldownUntil: Timestamp? = nil) {
        self.alert = alert
        self.cooldownUntil = cooldownUntil
    }
}

/// A way by which alerts go out.
package struct ChannelItem: Equatable, Sendable {
    /// The channel.
    package var channel: AlertChannel
    /// Whether the settings switch it on.
    package var isEnabled: Bool
    /// Whether it may be used.
    package var authorization: AlertAuthorization
    /// Why the last delivery failed, nil if it did not.
    package var trouble: String?

    /// Creates an item.
    package init(
        channel: AlertChannel, isEnabled: Bool, authorization: AlertAuthorization = .granted, trouble: String? = nil
    ) {
        self.channel = channel
        self.isEnabled = isEnabled
        self.authorization = authorization
        self.trouble = trouble
    }
}

/// Something that happened at the hub.
package struct EventItem: Equatable, Sendable {
    /// What it was about.
    package enum Kind: String, CaseIterable, Sendable {
        /// A message of a device came, or was turned away.
        case reading
        /// An alert began, changed or ended, or was answered.
        case alert
        /// A watch came, left, caught up, or was disturbed on purpose.
        case watch
        /// The configuration changed.
        case configuration
        /// A connection to a server, or the hub itself.
        case hub
    }

    /// A number that grows from event to event.
    package var id: UInt64
    /// When.
    package var at: Timestamp
    /// What it was about.
    package var kind: Kind
    /// How serious it is; nil for routine.
    package var status: Status?
    /// What happened, in one line.
    package var text: String

    /// Creates an event.
    package init(id: UInt64, at: Timestamp, kind: Kind, status: Status? = nil, text: String) {
        self.id = id
        self.at = at
        self.kind = kind
        self.status = status
        self.text = text
    }
}

/// The amount of the history, and how long it is kept.
package struct HistoryFacts: Equatable, Sendable {
    /// How many readings there are.
    package var readings = 0
    /// The bytes of the file.
    package var byteCount = 0
    /// How long what is kept.
    package var settings = HistorySettings()
    /// The export that happens by itself, nil for none.
    package var export: ExportSettings?

    /// Creates the facts of an empty history.
    package init() {}
}

/// Readings of a device, newest first.
package struct ReadingPage: Equatable, Sendable {
    /// A reading.
    package struct Row: Equatable, Sendable {
        /// Its place in the list.
        package var place: HistoryPlace
        /// The values as the device sent them.
        package var raw: QuantityMap<Double>
        /// The values after the calibrations that held then.
        package var corrected: QuantityMap<Double>

        /// Creates a row.
        package init(place: HistoryPlace, raw: QuantityMap<Double>, corrected: QuantityMap<Double>) {
            self.place = place
            self.raw = raw
            self.corrected = corrected
        }
    }

    /// The most readings of a page.
    static let rowCountMax = 100

    /// The device.
    package var deviceID: DeviceID
    /// What was asked for: the place after which the page begins, nil for the newest.
    package var olderThan: HistoryPlace?
    /// The readings.
    package var rows: [Row]
    /// Whether there are older ones.
    package var hasMore: Bool

    /// Creates a page.
    package init(deviceID: DeviceID, olderThan: HistoryPlace? = nil, rows: [Row], hasMore: Bool) {
        self.deviceID = deviceID
        self.olderThan = olderThan
        self.rows = rows
        self.hasMore = hasMore
    }
}
