/// The identifier of an episode: a period of time with one problem.
public typealias AlertEpisodeID = Identifier<AlertState.Alert>

/// The open alerts, as screens and watches show them; limited in number, and small as JSON.
public struct AlertState: Hashable, Sendable {
    /// An open alert.
    public struct Alert: Codable, Hashable, Sendable, Identified {
        /// The identifier of the episode, for acknowledging or snoozing.
        public var episodeID: AlertEpisodeID
        /// What the alert is about.
        public var key: AlertKey
        /// The name of the device or server.
        public var name: String
        /// The present severity.
        public var severity: AlertSeverity
        /// When the alert began, by the wall clock.
        public var since: Timestamp
        /// The newest value, nil unless the alert is about one.
        public var value: Double?
        /// The limit that was exceeded, nil unless the alert is about a value.
        public var limit: Double?
        /// The end of the normal range on the alert's side; nil unless the alert is about a value, and from hubs of
        /// before.
        public var normal: Double?
        /// The value at which the alert may end; nil unless the alert is about a value, and from hubs of before.
        public var release: Double?
        /// When the value was measured, if it is not fresh any more; nil while it is fresh.
        public var measuredAt: Timestamp?
        /// Whether somebody has acknowledged the alert.
        public var isAcknowledged: Bool
        /// Until when it is snoozed, by the wall clock; nil if it is not.
        public var snoozedUntil: Timestamp?

        /// Creates an alert.
        package init(
            episodeID: AlertEpisodeID, key: AlertKey, name: String, severity: AlertSeverity, since: Timestamp,
            value: Double? = nil, limit: Double? = nil, normal: Double? = nil, release: Double? = nil,
            measuredAt: Timestamp? = nil, isAcknowledged: Bool, snoozedUntil: Timestamp? = nil
        ) {
            self.episodeID = episodeID
            self.key = key
            self.name = name
            self.severity = severity
            self.since = since
            self.value = value
            self.limit = limit
            self.normal = normal
            self.release = release
            self.measuredAt = measuredAt
            self.isAcknowledged = isAcknowledged
            self.snoozedUntil = snoozedUntil
        }

        /// Whether the alert concerns a device: it is about the device, about its server, or about the hub.
        public func concerns(_ device: DeviceID, of server: ServerID?) -> Bool {
            switch key {
            case .connection(let lost): lost == server
            case .hub: true
            case .value, .missing, .fault, .test: key.deviceID == device
            }
        }
    }

    /// The most alerts that are listed.
    public static let countMax = 32
    /// The most devices for which unlisted alerts are reported.
    public static let unlistedMax = 512

    /// The alerts: critical ones first, then the newest first; at most ``countMax``.
    public var alerts: [Alert]
    /// The number of further alerts.
    public var moreCount: Int
    /// The worst severity of the unlisted alerts, by device, for the first ``unlistedMax`` devices.
    ///
    /// So no device is shown as OK only because others have worse alerts.
    public private(set) var unlisted: [DeviceID: AlertSeverity]

    /// Creates a state from alerts in any order: sorts them, and shortens the list.
    public init(_ all: [Alert] = []) {
        let sorted = all.sorted {
            $0.severity != $1.severity
                ? $0.severity > $1.severity : $0.since != $1.since ? $0.since > $1.since : $0.key < $1.key
        }
        alerts = Array(sorted.prefix(Self.countMax))
        moreCount = sorted.count - alerts.count
        unlisted = [:]
        for alert in sorted.dropFirst(Self.countMax) {
            guard let device = alert.key.deviceID, unlisted[device] == nil, unlisted.count < Self.unlistedMax else {
                continue
            }
            unlisted[device] = alert.severity
        }
    }
}

extension AlertState: Codable {
    private enum Key: String, CodingKey {
        case alerts
        case hub
        case moreCount
        case unlisted
    }

    /// An alert; nil if a newer version sent something that this version does not know.
    private struct Known: Decodable {
        let alert: Alert?

        init(from decoder: any Decoder) throws {
            // An alert that cannot be read does not affect the others.
            alert = try? Alert(from: decoder)
        }
    }

    /// Reads a state; alerts that cannot be read are counted in ``moreCount``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let all = try [Key.alerts, .hub].flatMap { try container.decodeIfPresent([Known].self, forKey: $0) ?? [] }
        self.init(all.compactMap(\.alert))
        moreCount += try container.decode(Int.self, forKey: .moreCount) + all.count { $0.alert == nil }
        let devices = try container.decodeIfPresent([String: AlertSeverity].self, forKey: .unlisted) ?? [:]
        for (text, severity) in devices {
            if let device = DeviceID(text) { unlisted[device] = severity }
        }
    }

    /// Writes a state.
    ///
    /// The hub's own problem is in a separate member, which is absent without a problem. Otherwise, peers of earlier
    /// versions could read none of the alerts, because they do not know this one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let own = alerts.filter { $0.key.condition == .hub }
        try container.encode(alerts.filter { $0.key.condition != .hub }, forKey: .alerts)
        if !own.isEmpty { try container.encode(own, forKey: .hub) }
        try container.encode(moreCount, forKey: .moreCount)
        if !unlisted.isEmpty {
            try container.encode(
                Dictionary(unlisted.map { ("\($0.key)", $0.value) }) { first, _ in first }, forKey: .unlisted)
        }
    }
}
