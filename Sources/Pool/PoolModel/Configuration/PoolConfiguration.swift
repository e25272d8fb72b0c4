/// What a person has configured: servers, devices, pools, what is selected, and how the hub keeps the history.
///
/// It is a value: an edit returns a new configuration or throws and changes nothing. Each record is valid, and no two
/// have the same identity. Only what was stored can hold a device whose server is gone; ``orphans`` names those.
public struct PoolConfiguration: Hashable, Sendable {
    /// The servers, sorted by name and then by identity, on every machine alike.
    public private(set) var servers: [Server]
    /// The devices, sorted by name and then by identity, on every machine alike.
    public private(set) var devices: [Device]
    /// The pools, sorted by name and then by identity, on every machine alike.
    public private(set) var pools: [Pool]
    /// What is selected.
    public private(set) var selection: Selection
    /// How long the history keeps what.
    public private(set) var history: HistorySettings
    /// The export that happens by itself, nil for none.
    public private(set) var export: ExportSettings?
    /// How a person wants to be alerted.
    public private(set) var alerts: AlertSettings
    /// What people said to alerts, in the order of their records.
    public private(set) var answers: [AlertAnswer]

    /// Creates an empty configuration.
    public init() {
        self.init(servers: [], devices: [], pools: [])
    }

    /// Creates a configuration of records that were checked.
    package init(
        servers: [Server], devices: [Device], pools: [Pool], selection: Selection = .none,
        history: HistorySettings = HistorySettings(), export: ExportSettings? = nil,
        alerts: AlertSettings = AlertSettings(), answers: [AlertAnswer] = []
    ) {
        self.servers = servers.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        self.devices = devices.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        self.pools = pools.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        self.selection = selection
        self.history = history
        self.export = export
        self.alerts = alerts
        self.answers = answers
    }

    /// The server with this identity, or nil.
    public func server(_ id: ServerID) -> Server? { servers.first { $0.id == id } }

    /// The device with this identity, or nil.
    public func device(_ id: DeviceID) -> Device? { devices.first { $0.id == id } }

    /// The pool with this identity, or nil.
    public func pool(_ id: PoolID) -> Pool? { pools.first { $0.id == id } }

    /// The devices of a pool, in the order of ``devices``.
    public func devices(of pool: PoolID) -> [Device] { devices.filter { $0.poolID == pool } }

    /// The limits that hold for a quantity of a device: its own, else those of its pool, else the standard ones.
    public func limits(of device: Device, for quantity: Quantity) -> Limits {
        device.limits[quantity] ?? device.poolID.flatMap(pool)?.limits[quantity] ?? .standard(for: quantity)
    }

    /// The devices of a server, in the order of ``devices``.
    public func devices(of server: ServerID) -> [Device] { devices.filter { $0.serverID == server } }

    /// Another device with which a device cannot share its server: its readings could be credited to either (X10).
    ///
    /// Devices with mappings may share a topic, because a mapping can say whose a message is; two equal ones cannot.
    func rival(of device: Device) -> Device? {
        // Compared by bytes, as brokers do: Swift's own comparison holds two spellings of "é" for equal.
        devices(of: device.serverID).first {
            $0.id != device.id && $0.topic.utf8.elementsEqual(device.topic.utf8) && $0.mapping == device.mapping
        }
    }

    /// The devices whose server does not exist (P35); they are shown, but nothing can be received for them.
    public var orphans: [Device] { devices.filter { server($0.serverID) == nil } }

    /// The selected server, nil if none is selected.
    public var selectedServer: Server? { selection.serverID.flatMap(server) }

    /// The selected device, nil if none is selected.
    public var selectedDevice: Device? { selection.deviceID.flatMap(device) }
}
