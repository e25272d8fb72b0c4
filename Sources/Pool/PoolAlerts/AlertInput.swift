public import PoolModel

/// A corrected value of a device, with everything that judging it takes.
public struct AlertSample: Hashable, Sendable {
    /// How a value came, which decides whether it can alert.
    public enum Standing: Hashable, Sendable {
        /// New and in order: judged, and told of at once.
        case live
        /// In order, but old: judged in silence; what still holds at the end is told, and what came and went, both as late.
        case late
        /// One of a backlog that a newer one has overtaken already: as ``late``, and never taken for one that was judged.
        case backlog
        /// The newest from before a restart: judged unless it was, and no sign that the device is there.
        case known
        /// Older than one that was judged: not judged.
        case outOfOrder
        /// Replayed by the broker: not judged.
        case retained
        /// Outside what water can have: not judged as a value, but counted against the probe.
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
    /// The limits that hold for it.
    public var limits: Limits
    /// How far a value must come back, nil for what the settings say.
    public var hysteresis: Double?
    /// When it was measured, by the hub's clock; see `LatestValue.moment`.
    public var sampledAt: Timestamp
    /// How it came.
    public var standing: Standing

    /// Creates a sample; by default a live one.
    public init(
        deviceID: DeviceID, deviceName: String, quantity: Quantity, value: Double, limits: Limits,
        hysteresis: Double? = nil, sampledAt: Timestamp, standing: Standing = .live
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.quantity = quantity
        self.value = value
        self.limits = limits
        self.hysteresis = hysteresis
        self.sampledAt = sampledAt
        self.standing = standing
    }
}

/// What happened, as the alert engine needs to know it.
public enum AlertInput: Hashable, Sendable {
    /// A value came. After a restart the newest of each quantity comes again, as ``AlertSample/Standing/known``.
    case value(AlertSample)
    /// A payload of a device could not be read, or held no number for a quantity.
    case unreadable(DeviceID, Quantity?, name: String)
    /// Nothing comes from a device, or of one quantity only; ended by ``back(_:_:)``, or by any live value of it.
    case missing(DeviceID, Quantity?, name: String, server: ServerID, reason: MissingReason)
    /// A device, or one quantity of it, is there again.
    case back(DeviceID, Quantity?)
    /// The connection to a server is lost, or was never made.
    case connectionLost(ServerID, name: String)
    /// The connection to a server stands.
    case connectionRestored(ServerID)
    /// The hub is in trouble, for this reason: a clause, without names and paths, because it is told everywhere.
    case hubFailed(HubComponent, reason: String)
    /// It works again; that counts when it did not fail again for a minute.
    case hubRestored(HubComponent)
    /// The limits of a quantity changed: its newest value is judged again at once, without confirmation.
    case limitsChanged(DeviceID, Quantity, Limits)
    /// The settings changed; they are valid.
    case settingsChanged(AlertSettings)
    /// A device is no more: its alerts end without a word.
    case deviceRemoved(DeviceID)
    /// A server is no more: its alerts end without a word.
    case serverRemoved(ServerID)
    /// A person has seen an alert: no repetition until it gets worse or ends.
    case acknowledge(AlertEpisodeID)
    /// A person wants to hear of an alert again after so many seconds, at most a week, and not before unless it gets worse.
    case snooze(AlertEpisodeID, seconds: Int)
    /// Whether a channel may be used.
    case authorization(AlertChannel, AlertAuthorization)
    /// A notice reached a channel.
    case delivered(AlertNotice.ID, AlertChannel)
    /// A notice did not reach a channel; it is tried again.
    case failed(AlertNotice.ID, AlertChannel)
    /// A channel refused for want of permission; as ``authorization(_:_:)`` with `AlertAuthorization.denied`.
    case denied(AlertNotice.ID, AlertChannel)
    /// A person wants a test alert (P68).
    case test
    /// The record of this write is durable.
    case persisted(AlertKey, ticket: UInt64)
    /// The record of this write could not be stored; it is written again after a while, and what it holds is told from
    /// memory.
    case persistFailed(AlertKey, ticket: UInt64)
    /// The time of ``AlertEngine/nextDeadline`` has come.
    case timePassed
}

/// What is to be done, in this order.
public enum AlertOutput: Hashable, Sendable {
    /// Store the record in place of any other of its key, and say ``AlertInput/persisted(_:ticket:)`` when it is durable.
    case persist(AlertRecord, ticket: UInt64)
    /// Remove the record of the key; nobody waits for it.
    case forget(AlertKey)
    /// Deliver the notice to each of these channels, and say of each how it went. It may have been delivered before:
    /// its `AlertNotice.id` tells.
    case send(AlertNotice, [AlertChannel])
    /// Ask the person for the permission to use this channel; said once in the life of an engine.
    case askAuthorization(AlertChannel)
}
