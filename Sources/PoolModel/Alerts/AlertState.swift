/// The open alerts, as screens and watches show them: bounded, and small as JSON.
public struct AlertState: Codable, Hashable, Sendable {
    /// An open alert.
    public struct Alert: Codable, Hashable, Sendable {
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

        /// What it is, in few words, such as `Lagoon pH 8.20 too high`.
        public var summary: String {
            switch key {
            case .value(_, let quantity, let side):
                "\(name) \(quantity.name)\(value.map { " " + AlertNotice.amount($0, quantity) } ?? "") too \(side.rawValue)"
            case .missing(_, let quantity): "\(name) \(quantity.map { "\($0.name) " } ?? "")missing"
            case .fault(_, let quantity): "\(name) \(quantity.map { "\($0.name) " } ?? "")faulty"
            case .connection: "\(name) not connected"
            case .test: "test"
            }
        }
    }

    /// The most alerts that are listed.
    public static let countMax = 32

    /// The alerts: critical ones first, then the newest first; at most ``countMax``.
    public var alerts: [Alert]
    /// How many more there are.
    public var moreCount: Int

    /// Creates a state of any alerts: sorts them, and cuts the list.
    public init(_ all: [Alert] = []) {
        let sorted = all.sorted {
            $0.severity != $1.severity
                ? $0.severity > $1.severity : $0.since != $1.since ? $0.since > $1.since : $0.key < $1.key
        }
        alerts = Array(sorted.prefix(Self.countMax))
        moreCount = sorted.count - alerts.count
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

extension AlertEngine {
    /// The open alerts at the moment of the last input, also those of which nobody was told yet.
    public var state: AlertState {
        AlertState(
            runs.values.compactMap { run in
                guard let episode = run.line.episode else { return nil }
                let (value, limit) = measured(episode, run.line.key)
                let snooze = episode.snooze.map { moment.wall.advanced(byMilliseconds: max(0, $0.until - now)) }
                return AlertState.Alert(
                    episodeID: episode.id, key: run.line.key, name: run.line.name, severity: episode.severity,
                    since: episode.since, value: value, limit: limit, isAcknowledged: episode.isAcknowledged,
                    snoozedUntil: snooze)
            })
    }
}
