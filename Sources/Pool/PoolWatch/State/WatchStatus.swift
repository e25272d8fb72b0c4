public import PoolModel

/// Counts of what a watch received, for scripts and for comparison with what the hub published.
///
/// In JSON every key is always present, and an unknown value is null.
public struct WatchStatus: Hashable, Codable, Sendable {
    /// What arrived for one device.
    public struct DeviceCount: Hashable, Codable, Sendable {
        /// The device.
        public var id: DeviceID
        /// Its name; nil if it is not in the present configuration.
        public var name: String?
        /// The order of the newest stored readings, of this or an earlier run.
        public var newestOrder: UInt64
        /// How many different readings arrived since the watch started: no order is counted twice.
        ///
        /// The other readings that were meant for it were superseded: newer ones replaced them at the hub while the
        /// watch was slow or disconnected. The hub counts these.
        public var receivedCount: UInt64
    }

    /// The hub's reports about its connection to one server.
    public struct Server: Hashable, Codable, Sendable {
        /// The server.
        public var id: ServerID
        /// Its name.
        public var name: String
        /// The last report; nil if there was none.
        public var report: ServerReport?
    }

    /// The name that the hub uses for this watch; nil if it was never paired.
    public var name: String?
    /// Whether the hub answers.
    public var isLinked: Bool
    /// The revision of the durable configuration; nil before the first one.
    public var revision: UInt64?
    /// How many configurations arrived since the watch started.
    public var snapshotCount: Int
    /// What arrived for each device, in the order of the devices' identities.
    public var devices: [DeviceCount]
    /// The servers of the configuration, in its order.
    public var servers: [Server]
    /// How many values of registers could not be read.
    public var undecodableRegisterCount: Int
    /// The number of problems with the present configuration.
    public var configurationProblemCount: Int
    /// How often received data could not be stored; the watch tries again.
    public var storageFailureCount: Int
    /// How many edits of this watch wait for the hub.
    public var pendingEditCount: Int
    /// How many conflicts are open.
    public var conflictCount: Int
    /// The open alerts in words, worst first.
    public var alerts: [String]
    /// How many different notices arrived since the watch started.
    public var noticeCount: Int

    /// How many different readings of all devices arrived since the watch started.
    public var receivedCount: UInt64 { devices.reduce(0) { $0 + $1.receivedCount } }

    /// The status as one line of JSON with sorted keys, without a line end.
    public func jsonLine() -> String {
        do throws(CanonicalJSON.Failure) {
            return String(decoding: try CanonicalJSON.encode(self), as: UTF8.self)
        } catch {
            preconditionFailure("a status holds what JSON cannot: \(error)")
        }
    }
}

extension WatchStatus {
    private enum Key: String, CodingKey {
        case name
        case isLinked
        case revision
        case snapshotCount
        case devices
        case servers
        case undecodableRegisterCount
        case configurationProblemCount
        case storageFailureCount
        case pendingEditCount
        case conflictCount
        case alerts
        case noticeCount
    }

    /// Writes every key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(isLinked, forKey: .isLinked)
        try container.encode(revision, forKey: .revision)
        try container.encode(snapshotCount, forKey: .snapshotCount)
        try container.encode(devices, forKey: .devices)
        try container.encode(servers, forKey: .servers)
        try container.encode(undecodableRegisterCount, forKey: .undecodableRegisterCount)
        try container.encode(configurationProblemCount, forKey: .configurationProblemCount)
        try container.encode(storageFailureCount, forKey: .storageFailureCount)
        try container.encode(pendingEditCount, forKey: .pendingEditCount)
        try container.encode(conflictCount, forKey: .conflictCount)
        try container.encode(alerts, forKey: .alerts)
        try container.encode(noticeCount, forKey: .noticeCount)
    }
}

extension WatchStatus.DeviceCount {
    private enum Key: String, CodingKey {
        case id
        case name
        case newestOrder
        case receivedCount
    }

    /// Writes every key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(newestOrder, forKey: .newestOrder)
        try container.encode(receivedCount, forKey: .receivedCount)
    }
}

extension WatchStatus.Server {
    private enum Key: String, CodingKey {
        case id
        case name
        case report
    }

    /// Writes every key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(report, forKey: .report)
    }
}
