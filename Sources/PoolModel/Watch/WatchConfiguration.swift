/// What a watch knows of a server: no host, no port, no user, no file (P99).
public struct WatchServer: Hashable, Sendable {
    /// The identity.
    public let id: ServerID
    /// The name for people.
    public var name: String

    /// Creates a server.
    public init(id: ServerID, name: String) {
        self.id = id
        self.name = name
    }
}

/// What a watch knows of a device: no topic (P99), but the limits that its faces draw.
public struct WatchDevice: Hashable, Sendable {
    /// The identity.
    public let id: DeviceID
    /// The name for people.
    public var name: String
    /// The server that the device belongs to; it may be missing from the configuration.
    public var serverID: ServerID
    /// How often the device is expected to report, in seconds; 1…86400.
    public var expectedIntervalSeconds: Int
    /// The limits that differ from ``Limits/standard(for:)``.
    public var limits: QuantityMap<Limits>

    /// Creates a device.
    public init(
        id: DeviceID, name: String, serverID: ServerID, expectedIntervalSeconds: Int = Device.defaultIntervalSeconds,
        limits: QuantityMap<Limits> = [:]
    ) {
        self.id = id
        self.name = name
        self.serverID = serverID
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.limits = limits
    }

    /// What a watch would know of this device.
    public init(_ device: Device) {
        self.init(
            id: device.id, name: device.name, serverID: device.serverID,
            expectedIntervalSeconds: device.expectedIntervalSeconds, limits: device.limits)
    }

    /// The limits that hold for a quantity: the device's own, else the standard ones.
    public func limits(for quantity: Quantity) -> Limits { limits[quantity] ?? .standard(for: quantity) }
}

/// The configuration as a watch knows it: always a whole picture, in which empty and nil are facts (X12).
public struct WatchConfiguration: Hashable, Sendable {
    /// The servers, sorted by name and then by identity.
    public private(set) var servers: [WatchServer]
    /// The devices, sorted by name and then by identity.
    public private(set) var devices: [WatchDevice]
    /// What is selected; it always exists.
    public private(set) var selection: Selection

    /// Creates an empty configuration.
    public init() {
        servers = []
        devices = []
        selection = .none
    }

    /// Reads a configuration from any entries; whatever is wrong with them is appended to `problems`.
    ///
    /// Entries that are not for watches count as unknown and are not looked into.
    public init(entries: some Sequence<ConfigurationEntry>, problems: inout [ConfigurationProblem]) {
        var reader = EntryReader(entries, accepting: \.isVisibleToWatches)
        servers = reader.records(of: EntryGroup.serverKind).compactMap { WatchServer(record: $0, reader: &reader) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        devices = reader.records(of: EntryGroup.deviceKind).compactMap { WatchDevice(record: $0, reader: &reader) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        selection = reader.selection(
            serverIDs: Set(servers.map(\.id)),
            serverOfDevice: Dictionary(devices.map { ($0.id, $0.serverID) }, uniquingKeysWith: { first, _ in first }))
        problems += reader.problems
    }

    /// Reads a configuration from any entries, without saying what was wrong with them.
    public init(entries: some Sequence<ConfigurationEntry>) {
        var unheard: [ConfigurationProblem] = []
        self.init(entries: entries, problems: &unheard)
    }

    /// The server with this identity, nil if there is none.
    public func server(_ id: ServerID) -> WatchServer? { servers.first { $0.id == id } }

    /// The device with this identity, nil if there is none.
    public func device(_ id: DeviceID) -> WatchDevice? { devices.first { $0.id == id } }

    /// The devices of a server, in the order of ``devices`` (P31).
    public func devices(of server: ServerID) -> [WatchDevice] { devices.filter { $0.serverID == server } }

    /// The selected device, nil if none is selected.
    public var selectedDevice: WatchDevice? { selection.deviceID.flatMap(device) }
}

extension WatchServer {
    fileprivate init?(record: ConfigurationEntry.Record, reader: inout EntryReader) {
        guard let fields = reader.require(EntryFields.Name.self, .serverName, of: record) else { return nil }
        self.init(id: record.as(Server.self), name: fields.name)
    }
}

extension WatchDevice {
    fileprivate init?(record: ConfigurationEntry.Record, reader: inout EntryReader) {
        guard let fields = reader.require(EntryFields.Name.self, .deviceName, of: record),
            let membership = reader.require(EntryFields.Membership.self, .deviceMembership, of: record)
        else { return nil }
        self.init(
            id: record.as(Device.self), name: fields.name, serverID: membership.serverID,
            expectedIntervalSeconds: reader.interval(of: record), limits: reader.limits(of: record))
    }
}
