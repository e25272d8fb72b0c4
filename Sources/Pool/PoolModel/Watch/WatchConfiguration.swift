/// The part of a server that watches see: no host, no port, no user, no file.
public struct WatchServer: Codable, Hashable, Sendable {
    /// The identifier of the server's record.
    public let id: ServerID
    /// The name for people; 1…256 bytes.
    public var name: String

    /// Creates a server.
    public init(id: ServerID, name: String) {
        self.id = id
        self.name = name
    }
}

/// The part of a device that watches see: no topic, but the limits that its faces show.
public struct WatchDevice: Codable, Hashable, Sendable {
    /// The identifier.
    public let id: DeviceID
    /// The name for people.
    public var name: String
    /// The server that the device belongs to; it may be missing from the configuration.
    public var serverID: ServerID
    /// The interval in which the device is expected to report, in seconds; 1…86400.
    public var expectedIntervalSeconds: Int
    /// The limits that differ from ``QuantityFacts/limits``.
    public var limits: QuantityMap<Limits>
    /// The pool that the device measures, nil for none; it exists.
    public var poolID: PoolID?
    /// The limits of that pool, which apply if the device has none of its own.
    public var poolLimits: QuantityMap<Limits>

    /// Creates a device.
    public init(
        id: DeviceID, name: String, serverID: ServerID, expectedIntervalSeconds: Int = Device.defaultIntervalSeconds,
        limits: QuantityMap<Limits> = [:], poolID: PoolID? = nil, poolLimits: QuantityMap<Limits> = [:]
    ) {
        self.id = id
        self.name = name
        self.serverID = serverID
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.limits = limits
        self.poolID = poolID
        self.poolLimits = poolLimits
    }

    /// The part of this device, and of its pool, that watches see.
    public init(_ device: Device, pool: Pool? = nil) {
        self.init(
            id: device.id, name: device.name, serverID: device.serverID,
            expectedIntervalSeconds: device.expectedIntervalSeconds, limits: device.limits, poolID: pool?.id,
            poolLimits: pool?.limits ?? [:])
    }

    /// The limits that apply to a quantity: the device's own, otherwise its pool's, otherwise the standard ones.
    public func limits(for quantity: Quantity) -> Limits {
        limits[quantity] ?? inheritedLimits(for: quantity)
    }

    /// The limits that apply to a quantity if the device has none of its own.
    public func inheritedLimits(for quantity: Quantity) -> Limits { poolLimits[quantity] ?? quantity.facts.limits }
}

/// The part of a pool that watches see.
public struct WatchPool: Codable, Hashable, Sendable {
    /// The identifier.
    public let id: PoolID
    /// The name for people.
    public var name: String
    /// The limits of its devices without limits of their own.
    public var limits: QuantityMap<Limits>

    /// Creates a pool.
    public init(id: PoolID, name: String, limits: QuantityMap<Limits> = [:]) {
        self.id = id
        self.name = name
        self.limits = limits
    }
}

/// The part of the configuration that watches see; always complete, so that empty and nil are meaningful.
public struct WatchConfiguration: Codable, Hashable, Sendable {
    /// The servers, sorted by name and then by identity.
    public private(set) var servers: [WatchServer]
    /// The devices, sorted by name and then by identity.
    public private(set) var devices: [WatchDevice]
    /// The pools, sorted by name and then by identity.
    public private(set) var pools: [WatchPool]
    /// The answers to alerts, in the order of their records.
    public private(set) var answers: [AlertAnswer]
    /// The selection; the selected records exist.
    public private(set) var selection: Selection

    /// Creates an empty configuration.
    public init() {
        servers = []
        devices = []
        pools = []
        answers = []
        selection = .none
    }

    /// Reads a configuration from any entries, and appends all errors to `problems`.
    ///
    /// Entries that are not for watches count as unknown and are not read.
    public init(entries: some Sequence<ConfigurationEntry>, problems: inout [ConfigurationProblem]) {
        var reader = EntryReader(entries, accepting: \.isVisibleToWatches)
        servers = reader.records(of: Server.kind).compactMap { WatchServer(record: $0, reader: &reader) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        let pools = reader.records(of: Pool.kind).compactMap { WatchPool(record: $0, reader: &reader) }
        self.pools = pools.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        devices = reader.records(of: Device.kind)
            .compactMap { WatchDevice(record: $0, pools: pools, reader: &reader) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        answers = reader.answers()
        selection = reader.selection(
            serverIDs: Set(servers.map(\.id)),
            serverOfDevice: Dictionary(devices.map { ($0.id, $0.serverID) }, uniquingKeysWith: { first, _ in first }))
        problems += reader.problems
    }

    /// Reads a configuration from any entries, without reporting errors.
    public init(entries: some Sequence<ConfigurationEntry>) {
        var unheard: [ConfigurationProblem] = []
        self.init(entries: entries, problems: &unheard)
    }

    /// The server with this identifier, or nil.
    public func server(_ id: ServerID) -> WatchServer? { servers.first { $0.id == id } }

    /// The device with this identifier, or nil.
    public func device(_ id: DeviceID) -> WatchDevice? { devices.first { $0.id == id } }

    /// The pool with this identifier, or nil.
    public func pool(_ id: PoolID) -> WatchPool? { pools.first { $0.id == id } }

    /// The devices of a pool, in the order of ``devices``; for nil, those without a pool.
    public func devices(of pool: PoolID?) -> [WatchDevice] { devices.filter { $0.poolID == pool } }

    /// The selected device, nil if none is selected.
    public var selectedDevice: WatchDevice? { selection.deviceID.flatMap(device) }
}

extension WatchServer {
    fileprivate init?(record: ConfigurationEntry.Record, reader: inout EntryReader) {
        guard let server = Server.read(record, from: &reader, isForWatch: true) else { return nil }
        self.init(id: server.id, name: server.name)
    }
}

extension WatchPool {
    fileprivate init?(record: ConfigurationEntry.Record, reader: inout EntryReader) {
        guard let pool = Pool.read(record, from: &reader, isForWatch: true) else { return nil }
        self.init(id: pool.id, name: pool.name, limits: pool.limits)
    }
}

extension WatchDevice {
    fileprivate init?(record: ConfigurationEntry.Record, pools: [WatchPool], reader: inout EntryReader) {
        guard let device = reader.device(record, among: Set(pools.map(\.id)), isForWatch: true) else { return nil }
        self.init(
            id: device.id, name: device.name, serverID: device.serverID,
            expectedIntervalSeconds: device.expectedIntervalSeconds, limits: device.limits, poolID: device.poolID,
            poolLimits: pools.first { $0.id == device.poolID }?.limits ?? [:])
    }
}
