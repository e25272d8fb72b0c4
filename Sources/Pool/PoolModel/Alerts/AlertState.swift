/// The name of an episode: one stretch of time in which something is wrong.
public typealias AlertEpisodeID = Identifier<AlertState.Alert>

/// The open alerts, as screens and watches show them: bounded, and small as JSON.
public struct AlertState: Hashable, Sendable {
    /// An open alert.
    public struct Alert: Codable, Hashable, Sendable, Identified {
        /// The episode: what to acknowledge or snooze.
        public var episodeID: AlertEpisodeID
        /// What it is about.
        public var key: AlertKey
        /// The name of the device or server.
        public var name: String
        /// How bad it is.
        public var severity: AlertSeverity
        /// When it began.
        public var since: Timestamp
        /// The newest value, nil unless it is about one.
        public var value: Double?
        /// The limit that was passed, nil unless it is about a value.
        public var limit: Double?
        /// Whether somebody has acknowledged it.
        public var isAcknowledged: Bool
        /// Until when it is snoozed, by the wall clock; nil if it is not.
        public var snoozedUntil: Timestamp?

        /// Creates an alert.
        package init(
            episodeID: AlertEpisodeID, key: AlertKey, name: String, severity: AlertSeverity, since: Timestamp,
            value: Double? = nil, limit: Double? = nil, isAcknowledged: Bool, snoozedUntil: Timestamp? = nil
        ) {
            self.episodeID = episodeID
            self.key = key
            self.name = name
            self.severity = severity
            self.since = since
            self.value = value
            self.limit = limit
            self.isAcknowledged = isAcknowledged
            self.snoozedUntil = snoozedUntil
        }

        /// What it is, in few words, such as `Lagoon pH 8.20 too high`.
        public var summary: String { key == .test ? matter : "\(name) \(matter)" }

        /// The same without the name, such as `pH 8.20 too high`.
        public var matter: String {
            switch key {
            case .value(_, let quantity, let side):
                "\(quantity.name)\(value.map { " " + AlertNotice.amount($0, quantity) } ?? "") "
                    + (isInDeadBand ? "was " : "") + "too \(side.rawValue)"
            case .missing(_, let quantity): "\(quantity.map { "\($0.name) " } ?? "")missing"
            case .fault(_, let quantity): "\(quantity.map { "\($0.name) " } ?? "")faulty"
            case .connection: "not connected"
            case .hub(.storage): "cannot store"
            case .test: "test"
            }
        }

        /// Whether the value is back inside its limit, though not far enough for the alert to end.
        public var isInDeadBand: Bool {
            guard severity == .warning, let value, let limit, let side = key.side else { return false }
            return side == .high ? value <= limit : value >= limit
        }

        /// Whether it concerns a device: it is about the device, about the server that it belongs to, or about the hub.
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
    /// The most devices of which it is told that an alert is not listed.
    public static let unlistedMax = 512

    /// The alerts: critical ones first, then the newest first; at most ``countMax``.
    public var alerts: [Alert]
    /// How many more there are.
    public var moreCount: Int
    /// The worst severity of the alerts that are not listed, by device, for the first ``unlistedMax`` devices: so that
    /// no device is OK only because others are worse.
    public private(set) var unlisted: [DeviceID: AlertSeverity]

    /// Creates a state of any alerts: sorts them, and cuts the list.
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

    /// The worst severity, nil without alerts.
    public var severity: AlertSeverity? { alerts.first?.severity }

    /// The line for `status`: how many, and the first of them.
    public var line: String {
        guard let first = alerts.first else { return "no alerts" }
        let count = alerts.count + moreCount
        let words = count == 1 ? "1 alert" : "\(count) alerts"
        return "\(words): \(first.summary)\(first.severity == .critical ? " (critical)" : "")"
            + (count > 1 ? ", and \(count - 1) more" : "")
    }
}

extension AlertState: Codable {
    private enum Key: String, CodingKey {
        case alerts
        case hub
        case moreCount
        case unlisted
    }

    /// An alert, or nothing where a newer version tells of something that this one does not know.
    private struct Known: Decodable {
        let alert: Alert?

        init(from decoder: any Decoder) throws {
            // Whatever is wrong with one, the others are still true.
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
    /// The hub's own trouble is a member of its own, which is absent without any: peers of earlier versions read none
    /// of the others beside an alert that they do not know.
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
