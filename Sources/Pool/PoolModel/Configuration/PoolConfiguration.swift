/// The configuration by a person: servers, devices, pools, the selection, and the settings for history, export and
/// alerts.
///
/// It is a value: an edit returns a new configuration, or throws and changes nothing. Each record is valid, and no
/// two records have the same identifier. Only a stored configuration can contain a device whose server does not
/// exist; ``devicesWithoutServer`` contains those.
public struct PoolConfiguration: Hashable, Sendable {
    /// The servers, sorted by name, then by identifier, independently of the machine.
    public private(set) var servers: [Server]
    /// The devices, sorted by name, then by identifier, independently of the machine.
    public private(set) var devices: [Device]
    /// The pools, sorted by name, then by identifier, independently of the machine.
    public private(set) var pools: [Pool]
    /// What the dashboard and the watches show.
    public private(set) var selection: Selection
    /// How long the history is kept.
    public private(set) var history: HistorySettings
    /// The automatic export, nil for none.
    public private(set) var export: ExportSettings?
    /// The settings for alerts.
    public private(set) var alerts: AlertSettings
    /// The answers to alerts, in the order of their records.
    public private(set) var answers: [AlertAnswer]

    /// Creates an empty configuration.
    public init() {
        self.init(servers: [], devices: [], pools: [])
    }

    /// Creates a configuration from records that were checked.
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

    /// The server with this identifier, or nil.
    public func server(_ id: ServerID) -> Server? { servers.first { $0.id == id } }

    /// The device with this identifier, or nil.
    public func device(_ id: DeviceID) -> Device? { devices.first { $0.id == id } }

    /// The pool with this identifier, or nil.
    public func pool(_ id: PoolID) -> Pool? { pools.first { $0.id == id } }

    /// The devices of a pool, in the order of ``devices``.
    public func devices(of pool: PoolID) -> [Device] { devices.filter { $0.poolID == pool } }

    /// The limits that apply to a quantity of a device: its own, otherwise its pool's, otherwise the standard ones.
    public func limits(of device: Device, for quantity: Quantity) -> Limits {
        device.limits[quantity] ?? device.poolID.flatMap(pool)?.limits[quantity] ?? quantity.facts.limits
    }

    /// The devices of a server, in the order of ``devices``.
    public func devices(of server: ServerID) -> [Device] { devices.filter { $0.serverID == server } }

    /// Another device that conflicts with a device of the same server, because readings could belong to either.
    ///
    /// Devices with mappings may share a topic, because a mapping can select the messages of its device; two equal
    /// mappings cannot.
    func deviceWithSameTopic(of device: Device) -> Device? {
        // Compared by bytes, as brokers do: Swift's own comparison treats two spellings of "é" as equal.
        devices(of: device.serverID).first {
            $0.id != device.id && $0.topic.utf8.elementsEqual(device.topic.utf8) && $0.mapping == device.mapping
        }
    }

    /// The devices whose server does not exist; they are shown, but cannot receive anything.
    public var devicesWithoutServer: [Device] { devices.filter { server($0.serverID) == nil } }

    /// The selected server, nil if none is selected.
    public var selectedServer: Server? { selection.serverID.flatMap(server) }

    /// The selected device, nil if none is selected.
    public var selectedDevice: Device? { selection.deviceID.flatMap(device) }
}
