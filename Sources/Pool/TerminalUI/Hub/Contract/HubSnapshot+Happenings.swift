public import PoolModel

/// An open alert as the screens show it.
public struct AlertItem: Equatable, Sendable {
    /// The alert.
    public var alert: AlertState.Alert
    /// When it may be told again, nil if it is not told again.
    public var cooldownUntil: Timestamp?

    /// Creates an item.
    public init(alert: AlertState.Alert, cooldownUntil: Timestamp? = nil) {
        self.alert = alert
        self.cooldownUntil = cooldownUntil
    }
}

/// A way by which alerts go out.
public struct ChannelItem: Equatable, Sendable {
    /// The channel.
    public var channel: AlertChannel
    /// Whether the settings switch it on.
    public var isEnabled: Bool
    /// Whether it may be used.
    public var authorization: AlertAuthorization
    /// Why the last delivery failed, nil if it did not.
    public var trouble: String?

    /// Creates an item.
    public init(
        channel: AlertChannel, isEnabled: Bool, authorization: AlertAuthorization = .granted, trouble: String? = nil
    ) {
        self.channel = channel
        self.isEnabled = isEnabled
        self.authorization = authorization
        self.trouble = trouble
    }
}

/// Something that happened at the hub.
public struct EventItem: Equatable, Sendable {
    /// What it was about.
    public enum Kind: String, CaseIterable, Sendable {
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
    public var id: UInt64
    /// When.
    public var at: Timestamp
    /// What it was about.
    public var kind: Kind
    /// How serious it is; nil for routine.
    public var status: Status?
    /// What happened, in one line.
    public var text: String

    /// Creates an event.
    public init(id: UInt64, at: Timestamp, kind: Kind, status: Status? = nil, text: String) {
        self.id = id
        self.at = at
        self.kind = kind
        self.status = status
        self.text = text
    }
}

/// The amount of the history, and how long it is kept.
public struct HistoryFacts: Equatable, Sendable {
    /// How many readings there are.
    public var readings = 0
    /// The bytes of the file.
    public var byteCount = 0
    /// How long what is kept.
    public var settings = HistorySettings()
    /// The export that happens by itself, nil for none.
    public var export: ExportSettings?

    /// Creates the facts of an empty history.
    public init() {}
}

/// The place of a reading in the list of all readings by time.
public struct ReadingPlace: Hashable, Sendable {
    /// The sample time.
    public var sampledAt: Timestamp
    /// The number of the reading, for those of one time.
    public var ordinal: UInt64

    /// Creates a place.
    public init(sampledAt: Timestamp, ordinal: UInt64) {
        self.sampledAt = sampledAt
        self.ordinal = ordinal
    }
}

/// Readings of a device, newest first.
public struct ReadingPage: Equatable, Sendable {
    /// A reading.
    public struct Row: Equatable, Sendable {
        /// Its place in the list.
        public var place: ReadingPlace
        /// The values as the device sent them.
        public var raw: QuantityMap<Double>
        /// The values after the calibrations that held then.
        public var corrected: QuantityMap<Double>

        /// Creates a row.
        public init(place: ReadingPlace, raw: QuantityMap<Double>, corrected: QuantityMap<Double>) {
            self.place = place
            self.raw = raw
            self.corrected = corrected
        }
    }

    /// The device.
    public var deviceID: DeviceID
    /// What was asked for: the place after which the page begins, nil for the newest.
    public var olderThan: ReadingPlace?
    /// The readings.
    public var rows: [Row]
    /// Whether there are older ones.
    public var hasMore: Bool

    /// Creates a page.
    public init(deviceID: DeviceID, olderThan: ReadingPlace? = nil, rows: [Row], hasMore: Bool) {
        self.deviceID = deviceID
        self.olderThan = olderThan
        self.rows = rows
        self.hasMore = hasMore
    }
}
