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
    /// Add a pool.
    case addPool(PoolDraft)
    /// Change a pool; what the draft leaves nil stays.
    case editPool(String, PoolDraft)
    /// Remove a pool, by name or the beginning of its id; its devices stay.
    case removePool(String)
    /// Give a device or a pool other limits of a quantity; nil takes its own away.
    case setLimits(LimitsOwner, Quantity, Limits?)
    /// Take a device's or a pool's own limits of some quantities away, all in one change.
    case clearLimits(LimitsOwner, [Quantity])
    /// Give a device or a pool all limits of a preset.
    case applyPreset(String, LimitsOwner)
    /// Begin a calibration of a quantity of a device; `isForced` accepts a worn electrode, `dropsOldest` makes room in a
    /// full series.
    case addCalibration(device: String, Quantity, Calibration, isForced: Bool, dropsOldest: Bool)
    /// Remove the calibration of a quantity that begins at a moment; nil for the last one.
    case removeCalibration(device: String, Quantity, validFrom: Timestamp?)
    /// Keep the history for other times.
    case setHistory(HistorySettings)
    /// Export the history by itself, or not any more.
    case setExport(ExportSettings?)
    /// Invite a watch.
    case invite(name: String?, validForSeconds: Int64)
    /// Forget a watch, by name.
    case unpair(String)
    /// Settle a conflict, named by the beginning of its name: put back the value that lost, or put it aside.
    case settle(String, restoring: Bool)
    /// Show the last changes of the configuration, so many at most.
    case log(last: Int)
    /// Ask the history.
    case history(HistoryRequest)
    /// Ask the alerts.
    case alerts(AlertRequest)
    /// Detect devices.
    case detection(DetectionRequest)
    /// Compare the configuration of two revisions; nil for the present one.
    case diff(from: UInt64, to: UInt64?)
    /// Make the configuration what it was at a revision, by one more change.
    case restoreRevision(UInt64)
    /// Write the configuration and its secrets into a file for another hub, sealed.
    case exportConfiguration(ConfigurationExport)
    /// Take the configuration of another hub in, or say what that would change.
    case importConfiguration(ConfigurationImport)
    /// Copy the hub's state into a new folder of this absolute path.
    case backUp(String)
    /// Disturb the links to the watches on purpose, or ask how they are disturbed.
    case links(LinkRequest)
    /// Share a file with a watch, or ask what became of those that were shared.
    case share(ShareRequest)
    /// Connect to all servers anew (P63).
    case reconnect
    /// Look at everything that screens show.
    case look(LookRequest)
    /// Ask for the answer to a request that took long, by the number that the hub gave.
    case outcome(job: UInt64)
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
    /// The hub's own certificate; two empty paths for none.
    public var clientCertificate: Server.ClientCertificate?
    /// The version of MQTT.
    public var protocolVersion: Server.ProtocolVersion?
    /// The prefix of Home Assistant's discovery; empty not to announce.
    public var announcementPrefix: String?

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
    /// The pool, by name or the beginning of its id; empty for none.
    public var pool: String?
    /// What its messages mean.
    public var mapping: DeviceMapping?
    /// Whether it is to have no mapping any more.
    public var removesMapping = false

    /// Creates a draft that says nothing.
    public init() {}
}

/// What a person says of a pool.
public struct PoolDraft: Codable, Sendable {
    /// The name.
    public var name: String?
    /// The volume in cubic metres; 0 for unknown.
    public var volume: Double?

    /// Creates a draft that says nothing.
    public init() {}
}

/// Whose limits are meant: those of one device, or of all devices of a pool; by name or the beginning of the id.
public enum LimitsOwner: Codable, Hashable, Sendable {
    /// One device.
    case device(String)
    /// All devices of a pool that have none of their own.
    case pool(String)
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
    case log([ConfigurationLogEntry])
    /// What the history answers.
    case history(HistoryAnswer)
    /// What the alerts answer.
    case alerts(AlertReport)
    /// It takes long; ask again for the outcome of this work.
    case working(job: UInt64)
    /// What a detection answers.
    case detection(DetectionAnswer)
    /// What differs between two revisions of the configuration.
    case differences([ConfigurationDifference])
    /// What was written into a file for another hub.
    case configurationExported(ConfigurationExportReport)
    /// What taking in the configuration of another hub changes, or has changed.
    case configurationImport(ConfigurationImportReport)
    /// The links to the watches.
    case links([LinkReport])
    /// The file is queued durably, and is sent as soon as the watch is there.
    case shared(SharedFile)
    /// The files that were shared.
    case shares([SharedFile])
    /// Everything that screens show; nil if nothing changed.
    case look(HubLook?)
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
        /// The hub's own certificate.
        public var clientCertificate: Server.ClientCertificate?
        /// The version of MQTT.
        public var protocolVersion: Server.ProtocolVersion
        /// The prefix of Home Assistant's discovery under which it is announced.
        public var announcementPrefix: String?
        /// Whether the broker has accepted the hub; nil at rest.
        public var isConnected: Bool?
        /// The state of the connection in words; nil at rest.
        public var state: String?
        /// The same in one word; nil at rest.
        public var stateWord: String?
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
        /// The pool.
        public var poolID: PoolID?
        /// What its messages mean; nil for the flat message.
        public var mapping: DeviceMapping?
        /// The limits that hold for it, its pool's and the standard ones included.
        public var limits: QuantityMap<Limits>
        /// The limits of its own, a part of those.
        public var ownLimits: QuantityMap<Limits>
        /// How its values are corrected.
        public var calibrations: QuantityMap<CalibrationSeries>
        /// Whether it is the selected one.
        public var isSelected: Bool
        /// The newest values, corrected.
        public var readings: DeviceReadings?
        /// The newest values as the device sent them.
        public var rawReadings: QuantityMap<LatestValue>?
        /// Whether the device is there, as it or its bridge says; nil if nothing was said, and at rest.
        public var isAvailable: Bool?
        /// The readings in the history.
        public var storedReadings: Int
        /// What became of its messages in this life of the hub; nil at rest.
        public var counts: IngestCounts?
        /// Its last message as it came in this life of the hub; nil at rest.
        public var lastMessage: RawMessage?
    }

    /// A pool.
    public struct PoolReport: Codable, Sendable {
        /// The id.
        public var id: PoolID
        /// The name.
        public var name: String
        /// The volume in cubic metres.
        public var volume: Double?
        /// The limits of its devices that have none of their own.
        public var limits: QuantityMap<Limits>
        /// Its devices, by name.
        public var devices: [String]
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
        /// While it lacks a revision, the time since that was made; else the time that the last one took to it.
        ///
        /// In milliseconds; nil if no revision was made in this life of the hub, and at rest.
        public var lagMilliseconds: Int?
        /// What goes wrong on purpose on its link; nil for nothing, and at rest.
        public var disturbance: LinkDisturbance?
        /// How often something went wrong on purpose in this life of the hub; nil if it never could.
        public var linkCounts: LinkCounts?
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
    /// The pools, by name.
    public var pools: [PoolReport]
    /// How long the history keeps what.
    public var history: HistorySettings
    /// The export that happens by itself.
    public var export: ExportSettings?
    /// The watches, by name.
    public var watches: [WatchReport]
    /// The open conflicts, in the order of their names.
    public var conflicts: [ConflictSummary]
    /// What became of all messages in this life of the hub; nil at rest.
    public var counts: IngestCounts?
    /// What is wrong with the stored configuration, in sentences.
    public var problems: [String]
}
