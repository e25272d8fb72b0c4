public import PoolModel

/// A numbered wish of a person; its number comes back in ``HubAnswerItem/number``.
public struct HubOrder: Equatable, Sendable {
    /// The number, from 1 on, no two alike in one console.
    public let number: Int
    /// What is wanted.
    public let action: HubAction
}

/// Everything that a person can want from the hub's screens.
///
/// Each is answered by one ``HubAnswerItem``, but for ``quit``, ``loadChart(_:)``, ``loadReadings(_:olderThan:)`` and
/// ``setLinkTrouble(watch:_:)``, whose outcome the snapshot itself shows.
public enum HubAction: Equatable, Sendable {
    /// Leave the screens.
    case quit
    /// Connect to all servers anew (P63).
    case reconnect
    /// Add a server.
    case addServer(ServerFields)
    /// Change a server.
    case editServer(ServerID, ServerFields)
    /// Remove a server; while it has devices and `withDevices` is false, the answer is
    /// ``HubAnswerItem/Outcome/takesMore(_:)``.
    case removeServer(ServerID, withDevices: Bool)
    /// Try the connection to a server.
    case testServer(ServerID)
    /// Listen to a server for devices, for so many seconds.
    case beginDetection(ServerID, seconds: Int)
    /// End the detection.
    case endDetection
    /// Add a device.
    case addDevice(DeviceFields)
    /// Change a device.
    case editDevice(DeviceID, DeviceFields)
    /// Remove a device.
    case removeDevice(DeviceID)
    /// Select a device.
    case selectDevice(DeviceID)
    /// Add a pool; its limits are left to ``setLimits(_:_:_:)`` and ``applyPreset(_:_:)``.
    case addPool(name: String, volume: Double?)
    /// Change a pool.
    case editPool(PoolID, name: String, volume: Double?)
    /// Remove a pool; its devices stay.
    case removePool(PoolID)
    /// Give a device or a pool other limits of a quantity; nil takes its own away.
    case setLimits(LimitsTarget, Quantity, Limits?)
    /// Give a device or a pool the limits of a preset of PoolModel, by its key.
    case applyPreset(String, LimitsTarget)
    /// Begin a calibration.
    case calibrate(DeviceID, Quantity, Calibration, isForced: Bool)
    /// Remove a calibration, by the moment from which it holds.
    case removeCalibration(DeviceID, Quantity, validFrom: Timestamp)
    /// Acknowledge an alert.
    case acknowledge(AlertEpisodeID)
    /// Let an alert be quiet for so many seconds.
    case snooze(AlertEpisodeID, seconds: Int)
    /// Send a test alert over every channel (P68).
    case testAlerts
    /// Be alerted in this way from now on.
    case changeAlerts(AlertSettings)
    /// Keep the secret that signs webhooks under a name; an empty one is forgotten.
    case setSigningSecret(String, name: String)
    /// Settle a conflict: put back the value that lost, or put it aside.
    case settle(conflict: String, restoring: Bool)
    /// Invite a watch.
    case invite(name: String?, validForSeconds: Int)
    /// Forget a watch, by name.
    case unpair(watch: String)
    /// Disturb the link of a watch, by name; an undisturbed one ends it.
    case setLinkTrouble(watch: String, LinkTrouble)
    /// Fetch a chart into ``HubSnapshot/chart``; the last one asked for counts.
    case loadChart(ChartQuery)
    /// Fetch readings into ``HubSnapshot/readings``, a page of about a hundred.
    case loadReadings(DeviceID, olderThan: ReadingPlace?)
    /// Write readings to a file at the hub.
    case exportHistory(ExportFields)
    /// Delete the readings of a device up to a moment; all devices if none is named.
    ///
    /// - `expected`: How many the person agreed to lose; nil only counts them, and the answer is
    ///   ``HubAnswerItem/Outcome/takesMore(_:)`` with the number as text.
    case deleteHistory(DeviceID?, through: Timestamp, expected: Int?)
    /// Keep the history for other times.
    case setHistory(HistorySettings)
    /// Export the history by itself, or not any more.
    case setExport(ExportSettings?)
}

/// Whose limits are meant.
public enum LimitsTarget: Hashable, Sendable {
    /// Those of one device.
    case device(DeviceID)
    /// Those of all devices of a pool that have none of their own.
    case pool(PoolID)
}

/// What a person says of a server: all of it, as it shall be.
public struct ServerFields: Equatable, Sendable {
    /// What shall be done with the password that is kept.
    public enum Password: Equatable, Sendable {
        /// Leave it.
        case keep
        /// Forget it.
        case remove
        /// Keep this one.
        case set(String)
    }

    /// The server; the identity of a new one means nothing.
    public var server: Server
    /// The password.
    public var password: Password

    /// Creates fields.
    public init(server: Server, password: Password) {
        self.server = server
        self.password = password
    }
}

/// What a person says of a device: all of it, as it shall be.
public struct DeviceFields: Equatable, Sendable {
    /// The name.
    public var name: String
    /// The server.
    public var serverID: ServerID
    /// The topic.
    public var topic: String
    /// What the device is.
    public var deviceType: String
    /// The seconds between two readings, as expected.
    public var expectedIntervalSeconds: Int
    /// The pool, nil for none.
    public var poolID: PoolID?
    /// What its messages mean, nil for the flat message.
    public var mapping: DeviceMapping?

    /// Creates fields.
    public init(
        name: String, serverID: ServerID, topic: String, deviceType: String = Device.defaultType,
        expectedIntervalSeconds: Int = Device.defaultIntervalSeconds, poolID: PoolID? = nil,
        mapping: DeviceMapping? = nil
    ) {
        self.name = name
        self.serverID = serverID
        self.topic = topic
        self.deviceType = deviceType
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.poolID = poolID
        self.mapping = mapping
    }
}

/// Which readings are written to a file, and how.
public struct ExportFields: Equatable, Sendable {
    /// Which values are written.
    public enum Values: String, CaseIterable, Sendable {
        /// The corrected ones.
        case corrected
        /// Those that the device sent.
        case raw
        /// Both.
        case both
    }

    /// The file, by its absolute path.
    public var path: String
    /// The form of the file.
    public var format: ExportSettings.Format
    /// Which values.
    public var values: Values
    /// The device, nil for all.
    public var deviceID: DeviceID?
    /// The first sample time, nil for the first there is.
    public var from: Timestamp?
    /// Whether a file of this name may be replaced.
    public var replaces: Bool

    /// Creates fields.
    public init(
        path: String, format: ExportSettings.Format = .csv, values: Values = .corrected, deviceID: DeviceID? = nil,
        from: Timestamp? = nil, replaces: Bool = false
    ) {
        self.path = path
        self.format = format
        self.values = values
        self.deviceID = deviceID
        self.from = from
        self.replaces = replaces
    }
}
