package import PoolModel

/// A hub as it is: what lists show and `--json` prints.
package struct HubReport: Codable, Sendable {
    /// A server.
    package struct ServerReport: Codable, Sendable {
        /// The id.
        package var id: ServerID
        /// The name.
        package var name: String
        /// The host.
        package var host: String
        /// The port.
        package var port: Int
        /// The user name.
        package var username: String?
        /// Whether a password is kept.
        package var hasPassword: Bool
        /// Whether the connection is encrypted.
        package var usesTLS: Bool
        /// The file with the authorities to trust.
        package var caFile: String?
        /// The hub's own certificate.
        package var clientCertificate: Server.ClientCertificate?
        /// The version of MQTT.
        package var protocolVersion: Server.ProtocolVersion
        /// The prefix of Home Assistant's discovery under which it is announced.
        package var announcementPrefix: String?
        /// Whether the broker has accepted the hub; nil at rest.
        package var isConnected: Bool?
        /// The state of the connection in words; nil at rest.
        package var state: String?
        /// The same in one word; nil at rest.
        package var stateWord: String?

        /// Creates a server report.
        package init(
            id: ServerID, name: String, host: String, port: Int, username: String? = nil, hasPassword: Bool,
            usesTLS: Bool, caFile: String? = nil, clientCertificate: Server.ClientCertificate? = nil,
            protocolVersion: Server.ProtocolVersion, announcementPrefix: String? = nil, isConnected: Bool? = nil,
            state: String? = nil, stateWord: String? = nil
        ) {
            self.id = id
            self.name = name
            self.host = host
            self.port = port
            self.username = username
            self.hasPassword = hasPassword
            self.usesTLS = usesTLS
            self.caFile = caFile
            self.clientCertificate = clientCertificate
            self.protocolVersion = protocolVersion
            self.announcementPrefix = announcementPrefix
            self.isConnected = isConnected
            self.state = state
            self.stateWord = stateWord
        }
    }

    /// A device.
    package struct DeviceReport: Codable, Sendable {
        /// The id.
        package var id: DeviceID
        /// The name.
        package var name: String
        /// The server.
        package var serverID: ServerID
        /// The topic.
        package var topic: String
        /// The type.
        package var deviceType: String
        /// The seconds between two readings, as expected.
        package var expectedIntervalSeconds: Int
        /// The pool.
        package var poolID: PoolID?
        /// What its messages mean; nil for the flat message.
        package var mapping: DeviceMapping?
        /// The limits that hold for it, its pool's and the standard ones included.
        package var limits: QuantityMap<Limits>
        /// The limits of its own, a part of those.
        package var ownLimits: QuantityMap<Limits>
        /// How its values are corrected.
        package var calibrations: QuantityMap<CalibrationSeries>
        /// Whether it is the selected one.
        package var isSelected: Bool
        /// The newest values, corrected.
        package var readings: DeviceReadings?
        /// The newest values as the device sent them.
        package var rawReadings: QuantityMap<LatestValue>?
        /// Whether the device is there, as it or its bridge says; nil if nothing was said, and at rest.
        package var isAvailable: Bool?
        /// The readings in the history.
        package var storedReadings: Int
        /// What became of its messages since the hub started; nil at rest.
        package var counts: IngestCounts?
        /// Its last message as it came since the hub started; nil at rest.
        package var lastMessage: RawMessage?

        /// Creates a device report.
        package init(
            id: DeviceID, name: String, serverID: ServerID, topic: String, deviceType: String,
            expectedIntervalSeconds: Int, poolID: PoolID? = nil, mapping: DeviceMapping? = nil,
            limits: QuantityMap<Limits>, ownLimits: QuantityMap<Limits>, calibrations: QuantityMap<CalibrationSeries>,
            isSelected: Bool, readings: DeviceReadings? = nil, rawReadings: QuantityMap<LatestValue>? = nil,
            isAvailable: Bool? = nil, storedReadings: Int, counts: IngestCounts? = nil, lastMessage: RawMessage? = nil
        ) {
            self.id = id
            self.name = name
            self.serverID = serverID
            self.topic = topic
            self.deviceType = deviceType
            self.expectedIntervalSeconds = expectedIntervalSeconds
            self.poolID = poolID
            self.mapping = mapping
            self.limits = limits
            self.ownLimits = ownLimits
            self.calibrations = calibrations
            self.isSelected = isSelected
            self.readings = readings
            self.rawReadings = rawReadings
            self.isAvailable = isAvailable
            self.storedReadings = storedReadings
            self.counts = counts
            self.lastMessage = lastMessage
        }
    }

    /// A pool.
    package struct PoolReport: Codable, Sendable {
        /// The id.
        package var id: PoolID
        /// The name.
        package var name: String
        /// The volume in cubic metres.
        package var volume: Double?
        /// The limits of its devices that have none of their own.
        package var limits: QuantityMap<Limits>
        /// Its devices, by name.
        package var devices: [String]

        /// Creates a pool report.
        package init(
            id: PoolID, name: String, volume: Double? = nil, limits: QuantityMap<Limits>, devices: [String]
        ) {
            self.id = id
            self.name = name
            self.volume = volume
            self.limits = limits
            self.devices = devices
        }
    }

    /// A watch.
    package struct WatchReport: Codable, Sendable {
        /// The name.
        package var name: String
        /// The first digits of its package key.
        package var key: String
        /// Whether it has a session now; nil at rest.
        package var isLinked: Bool?
        /// The seconds since it was last heard since the hub started.
        package var silentSeconds: Int?
        /// The revision that it is known to hold.
        package var revision: UInt64?
        /// The values that wait for it or are on their way.
        package var backlog: Int
        /// The values that it confirmed since the hub started.
        package var confirmed: UInt64
        /// The values that gave way to newer ones before they were sent to it.
        package var superseded: UInt64
        /// While it lacks a revision, the time since that was made; else the time that the last one took to it.
        ///
        /// In milliseconds; nil if no revision was made since the hub started, and at rest.
        package var lagMilliseconds: Int?
        /// What goes wrong on purpose on its link; nil for nothing, and at rest.
        package var disturbance: LinkDisturbance?
        /// How often something went wrong on purpose since the hub started; nil if it never could.
        package var linkCounts: LinkCounts?

        /// Creates a watch report.
        package init(
            name: String, key: String, isLinked: Bool? = nil, silentSeconds: Int? = nil, revision: UInt64? = nil,
            backlog: Int, confirmed: UInt64, superseded: UInt64, lagMilliseconds: Int? = nil,
            disturbance: LinkDisturbance? = nil, linkCounts: LinkCounts? = nil
        ) {
            self.name = name
            self.key = key
            self.isLinked = isLinked
            self.silentSeconds = silentSeconds
            self.revision = revision
            self.backlog = backlog
            self.confirmed = confirmed
            self.superseded = superseded
            self.lagMilliseconds = lagMilliseconds
            self.disturbance = disturbance
            self.linkCounts = linkCounts
        }
    }

    /// Whether a hub process is running.
    package var isRunning: Bool
    /// Where watches connect; nil at rest.
    package var endpoint: String?
    /// The revision of the configuration.
    package var revision: UInt64
    /// The servers, by name.
    package var servers: [ServerReport]
    /// The devices, by name.
    package var devices: [DeviceReport]
    /// The pools, by name.
    package var pools: [PoolReport]
    /// How long the history keeps what.
    package var history: HistorySettings
    /// The export that happens by itself.
    package var export: ExportSettings?
    /// The watches, by name.
    package var watches: [WatchReport]
    /// The open conflicts, in the order of their names.
    package var conflicts: [ConflictSummary]
    /// What became of all messages since the hub started; nil at rest.
    package var counts: IngestCounts?
    /// What is wrong with the stored configuration, in sentences.
    package var problems: [String]

    /// Creates a hub report.
    package init(
        isRunning: Bool, endpoint: String? = nil, revision: UInt64, servers: [ServerReport], devices: [DeviceReport],
        pools: [PoolReport], history: HistorySettings, export: ExportSettings? = nil, watches: [WatchReport],
        conflicts: [ConflictSummary], counts: IngestCounts? = nil, problems: [String]
    ) {
        self.isRunning = isRunning
        self.endpoint = endpoint
        self.revision = revision
        self.servers = servers
        self.devices = devices
        self.pools = pools
        self.history = history
        self.export = export
        self.watches = watches
        self.conflicts = conflicts
        self.counts = counts
        self.problems = problems
    }
}
