public import PoolModel

/// A corrected value of a device, with the data that are needed to judge it.
public struct AlertSample: Hashable, Sendable {
    /// How a value arrived, which determines whether it can raise an alert.
    public enum Standing: Hashable, Sendable {
        /// New and in order: judged, and notified at once.
        case live
        /// In order, but old: judged without notices.
        ///
        /// An alert that still lasts at the end is notified, and one that began and ended as well, both as late.
        case late
        /// One of a backlog, older than a value that is already known: like ``late``, but never treated as already
        /// judged.
        case backlog
        /// The newest value from before a restart: judged unless it already was; it does not show that the device is
        /// present.
        case known
        /// Older than a judged one: not judged.
        case outOfOrder
        /// Replayed by the broker: not judged.
        case retained
        /// Implausible: not judged as a value, but counted against the probe.
        case quarantined
    }

    /// The device.
    public var deviceID: DeviceID
    /// The device's name for people.
    public var deviceName: String
    /// The quantity.
    public var quantity: Quantity
    /// The corrected value in the quantity's unit.
    public var value: Double
    /// The limits that apply to it.
    public var limits: Limits
    /// How far a value must return inside a limit; nil for the settings' value.
    public var hysteresis: Double?
    /// When it was measured, by the hub's clock; see `LatestValue.moment`.
    public var sampledAt: Timestamp
    /// The expected interval of the device in seconds, after three of which the value is not fresh any more.
    public var expectedIntervalSeconds: Int
    /// How it arrived.
    public var standing: Standing
    /// What a quarantined value says about the probe, as ``ProbeFault`` writes it for alerts; nil if that is not known.
    public var detail: String?

    /// Creates a sample; by default a live one.
    public init(
        deviceID: DeviceID, deviceName: String, quantity: Quantity, value: Double, limits: Limits,
        hysteresis: Double? = nil, sampledAt: Timestamp,
        expectedIntervalSeconds: Int = Device.defaultIntervalSeconds, standing: Standing = .live
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.quantity = quantity
        self.value = value
        self.limits = limits
        self.hysteresis = hysteresis
        self.sampledAt = sampledAt
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.standing = standing
    }
}

/// An input of the alert engine.
public enum AlertInput: Hashable, Sendable {
    /// A value arrived.
    ///
    /// After a restart, the newest value of each quantity is passed in as ``AlertSample/Standing/known``.
    case value(AlertSample)
    /// A payload of a device could not be read, or contained no number for a quantity.
    case unreadable(DeviceID, Quantity?, name: String)
    /// Nothing arrives from a device, or of only one quantity; ended by ``back(_:_:)``, or by any live value of it.
    case missing(DeviceID, Quantity?, name: String, server: ServerID, reason: MissingReason)
    /// A device, or one quantity of it, is present again.
    case back(DeviceID, Quantity?)
    /// The connection to a server was lost, or was never established.
    case connectionLost(ServerID, name: String)
    /// The connection to a server is established.
    case connectionRestored(ServerID)
    /// The hub has a problem, with a reason: a clause without names and paths, because it is sent to all channels.
    case hubFailed(HubComponent, reason: String)
    /// The problem is over; that counts if it does not return within a minute.
    case hubRestored(HubComponent)
    /// The limits of a quantity changed: its newest value is judged again at once, without confirmation, if it is
    /// fresh.
    ///
    /// A value that is not fresh says nothing about the water now, so only the next one is judged by new limits.
    case limitsChanged(DeviceID, Quantity, Limits)
    /// The settings changed; they are valid.
    case settingsChanged(AlertSettings)
    /// A device was removed: its alerts end without a notice.
    case deviceRemoved(DeviceID)
    /// A server was removed: its alerts end without a notice.
    case serverRemoved(ServerID)
    /// A device has another name.
    case deviceRenamed(DeviceID, String)
    /// A server has another name.
    case serverRenamed(ServerID, String)
    /// A person acknowledged an alert: it is not repeated until it gets worse or ends.
    case acknowledge(AlertEpisodeID)
    /// A person snoozed an alert for this many seconds, at most a week; it is notified earlier only if it gets worse.
    case snooze(AlertEpisodeID, seconds: Int)
    /// Whether a channel may be used.
    case authorization(AlertChannel, AlertAuthorization)
    /// A notice reached a channel.
    case delivered(AlertNotice.ID, AlertChannel)
    /// A notice was not delivered over a channel; the engine tries again, but not before so many seconds, of which at
    /// most 3600 count.
    case failed(AlertNotice.ID, AlertChannel, retryAfterSeconds: Int = 0)
    /// A channel will not take a notice before somebody changes something; the engine does not try this notice again.
    case refused(AlertNotice.ID, AlertChannel)
    /// A channel refused a notice because it is not permitted; like ``authorization(_:_:)`` with
    /// `AlertAuthorization.denied`.
    case denied(AlertNotice.ID, AlertChannel)
    /// A person requested a test alert.
    case test
    /// The record of this write is durable.
    case persisted(AlertKey, ticket: UInt64)
    /// The record of this write could not be stored.
    ///
    /// It is written again after a while; its notices are sent from memory.
    case persistFailed(AlertKey, ticket: UInt64)
    /// The time of ``AlertEngine/nextDeadline`` has come.
    case timePassed
}

/// An output of the alert engine; outputs must be carried out in order.
public enum AlertOutput: Hashable, Sendable {
    /// Store the record in place of any other with its key, and report ``AlertInput/persisted(_:ticket:)`` when it is
    /// durable.
    case persist(AlertRecord, ticket: UInt64)
    /// Remove the record of the key; there is no answer.
    case forget(AlertKey)
    /// Deliver the notice over each of these channels, and report each result.
    ///
    /// It may have been delivered before; `AlertNotice.id` shows that.
    case send(AlertNotice, [AlertChannel])
    /// Ask the person for the permission to use this channel; at most once for each engine.
    case askAuthorization(AlertChannel)
}
