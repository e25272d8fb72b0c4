/// What a person has configured: servers, devices, and which of them is selected.
///
/// It is a value: an edit returns a new configuration or throws and changes nothing. Each record is valid, and no two
/// have the same identity. Only what was stored can hold a device whose server is gone; ``orphans`` names those.
public struct PoolConfiguration: Hashable, Sendable {
    /// The servers, sorted by name and then by identity, on every machine alike.
    public private(set) var servers: [Server]
    /// The devices, sorted by name and then by identity, on every machine alike.
    public private(set) var devices: [Device]
    /// What is selected.
    public private(set) var selection: Selection

    /// Creates an empty configuration.
    public init() {
        self.init(servers: [], devices: [], selection: .none)
    }

    /// Creates a configuration of records that were checked.
    init(servers: [Server], devices: [Device], selection: Selection) {
        self.servers = servers.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        self.devices = devices.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        self.selection = selection
    }

    /// The server with this identity, nil if there is none.
    public func server(_ id: ServerID) -> Server? { servers.first { $0.id == id } }

    /// The device with this identity, nil if there is none.
    public func device(_ id: DeviceID) -> Device? { devices.first { $0.id == id } }

    /// The devices of a server, in the order of ``devices``.
    public func devices(of server: ServerID) -> [Device] { devices.filter { $0.serverID == server } }

    /// The device that publishes to a topic of a server; a reading is credited to it and to no other (X10).
    public func device(onTopic topic: String, of server: ServerID) -> Device? {
        // Compared by bytes, as brokers do: Swift's own comparison holds two spellings of "é" for equal.
        devices.first { $0.serverID == server && $0.topic.utf8.elementsEqual(topic.utf8) }
    }

    /// The devices whose server does not exist (P35); they are shown, but nothing can be received for them.
    public var orphans: [Device] { devices.filter { server($0.serverID) == nil } }

    /// The selected server, nil if none is selected.
    public var selectedServer: Server? { selection.serverID.flatMap(server) }

    /// The selected device, nil if none is selected.
    public var selectedDevice: Device? { selection.deviceID.flatMap(device) }
}
