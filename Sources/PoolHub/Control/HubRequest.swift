public import PoolModel

/// What a command asks of a hub, running or at rest.
public enum HubRequest: Codable, Sendable {
    /// Add a server.
    case addServer(ServerDraft)
    /// Change a server; what the draft leaves nil stays.
    case editServer(String, ServerDraft)
    /// Remove a server, by name or the beginning of its id; with its devices if `cascading`.
    case removeServer(String, cascading: Bool)
    /// Try a server that is configured.
    case testServer(String)
    /// Add a device.
    case addDevice(DeviceDraft)
    /// Change a device; what the draft leaves nil stays.
    case editDevice(String, DeviceDraft)
    /// Remove a device, by name or the beginning of its id.
    case removeDevice(String)
    /// Select a device; nil selects none.
    case selectDevice(String?)
    /// Invite a watch.
    case invite(name: String?, validForSeconds: Int64)
    /// Forget a watch, by name.
    case unpair(String)
    /// Settle a conflict, named by the beginning of its name: put back the value that lost, or put it aside.
    case settle(String, restoring: Bool)
    /// Show the last changes of the configuration, so many at most.
    case log(last: Int)
    /// Copy the hub's state, without its readings, into a new folder of this absolute path.
    case backUp(String)
    /// Show the hub.
    case report
}

/// What a person says of a server.
public struct ServerDraft: Codable, Sendable {
    /// The name.
    public var name: String?
    /// The host.
    public var host: String?
    /// The port.
    public var port: Int?
    /// The user name; empty for none.
    public var username: String?
    /// The password; empty for none.
    public var password: String?
    /// Whether the connection is encrypted.
    public var usesTLS: Bool?
    /// The file with the authorities to trust; empty for the system's.
    public var caFile: String?
    /// The version of MQTT.
    public var protocolVersion: Server.ProtocolVersion?

    /// Creates a draft that says nothing.
    public init() {}
}

/// What a person says of a device.
public struct DeviceDraft: Codable, Sendable {
    /// The name.
    public var name: String?
    /// The server, by name or the beginning of its id.
    public var server: String?
    /// The topic.
    public var topic: String?
    /// The type.
    public var deviceType: String?
    /// The seconds between two readings, as expected.
    public var expectedIntervalSeconds: Int?

    /// Creates a draft that says nothing.
    public init() {}
}

/// What a hub answers.
public enum HubAnswer: Codable, Sendable {
    /// It is done; the sentence says what.
    case done(String)
    /// It was declined and nothing has changed; the sentence says why, and the way out.
    case refused(String)
    /// A server that has devices was not removed; their names.
    case serverHasDevices(server: String, devices: [String])
    /// The invitation of a watch.
    case invitation(code: String, validForSeconds: Int64)
    /// How the trial of a server ended: its label, and why unless it succeeded.
    case trial(code: String, reason: String?)
    /// The last changes of the configuration, oldest first.
    case log([ChangeNote])
    /// The hub as it is.
    case report(HubReport)
}

/// A hub as it is: what lists show and `--json` prints.
public struct HubReport: Codable, Sendable {
    /// A server.
    public struct ServerReport: Codable, Sendable {
        /// The id.
        public var id: ServerID
        /// The name.
        public var name: String
        /// The host.
        public var host: String
        /// The port.
        public var port: Int
        /// The user name.
        public var username: String?
        /// Whether a password is kept.
        public var hasPassword: Bool
        /// Whether the connection is encrypted.
        public var usesTLS: Bool
        /// The file with the authorities to trust.
        public var caFile: String?
        /// The version of MQTT.
        public var protocolVersion: Server.ProtocolVersion
        /// Whether the broker has accepted the hub; nil at rest.
        public var isConnected: Bool?
        /// The state of the connection in words; nil at rest.
        public var state: String?
    }

    /// A device.
    public struct DeviceReport: Codable, Sendable {
        /// The id.
        public var id: DeviceID
        /// The name.
        public var name: String
        /// The server.
        public var serverID: ServerID
        /// The topic.
        public var topic: String
        /// The type.
        public var deviceType: String
        /// The seconds between two readings, as expected.
        public var expectedIntervalSeconds: Int
        /// Whether it is the selected one.
        public var isSelected: Bool
        /// The newest values.
        public var readings: DeviceReadings?
        /// The readings in the history.
        public var storedReadings: Int
        /// What became of its messages in this life of the hub; nil at rest.
        public var counts: IngestCounts?
    }

    /// A watch.
    public struct WatchReport: Codable, Sendable {
        /// The name.
        public var name: String
        /// The first digits of its public key.
        public var key: String
        /// Whether it has a session now; nil at rest.
        public var isLinked: Bool?
        /// The seconds since it was last heard in this life of the hub.
        public var silentSeconds: Int?
        /// The revision that it is known to hold.
        public var revision: UInt64?
        /// The values that wait for it or are on their way.
        public var backlog: Int
        /// The values that it confirmed in this life of the hub.
        public var confirmed: UInt64
        /// The values that gave way to newer ones before they were sent to it.
        public var superseded: UInt64
    }

    /// Whether a hub process is running.
    public var isRunning: Bool
    /// Where watches connect; nil at rest.
    public var endpoint: String?
    /// The revision of the configuration.
    public var revision: UInt64
    /// The servers, by name.
    public var servers: [ServerReport]
    /// The devices, by name.
    public var devices: [DeviceReport]
    /// The watches, by name.
    public var watches: [WatchReport]
    /// The open conflicts, in the order of their names.
    public var conflicts: [ConflictNote]
    /// What became of all messages in this life of the hub; nil at rest.
    public var counts: IngestCounts?
    /// What is wrong with the stored configuration, in sentences.
    public var problems: [String]
}
