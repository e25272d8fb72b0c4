import PoolControl
import PoolModel

extension HubState {
    func server(_ id: ServerID) -> ServerState? { servers.first { $0.id == id } }

    func devices(of server: ServerID) -> [DeviceState] { devices.filter { $0.device.serverID == server } }

    /// The devices whose server does not exist any more.
    var orphans: [DeviceState] { devices.filter { server($0.device.serverID) == nil } }

    /// The limits of a device, else those of its pool, else the standard ones.
    func limits(of device: Device, for quantity: Quantity) -> Limits {
        device.limits[quantity] ?? device.poolID.flatMap(pool)?.limits[quantity] ?? quantity.facts.limits
    }

    /// The open alerts: those that nobody acknowledged first, then the more severe ones, then the older ones.
    var sortedAlerts: [AlertState.Alert] {
        alerts.state.alerts.sorted {
            if $0.isQuiet != $1.isQuiet { return $1.isQuiet }
            if $0.status != $1.status { return $0.status > $1.status }
            return ($0.since, $0.key) < ($1.since, $1.key)
        }
    }
}

extension HubSnapshot {
    /// What is known of a device's values.
    func glance(of device: DeviceState) -> Glance {
        glances[device.id] ?? device.glance(alerts: hub.alerts.state, at: hub.now, revision: hub.revision)
    }
}

extension AlertState.Alert {
    var status: Status { severity.status }
    var isQuiet: Bool { isAcknowledged || snoozedUntil != nil }

    /// The summary without the name, which stands elsewhere.
    var shortSummary: String {
        if case .value(_, let quantity, let side) = key, let value, !isOutdated, !isInDeadBand {
            return "\(quantity.name) \(side.rawValue) \(quantity.textWithUnit(value))"
        }
        if case .missing(_, nil) = key { return "no values come" }
        let (whole, prefix) = (summary, "\(name) ")
        return (whole.hasPrefix(prefix) ? String(whole.dropFirst(prefix.count)) : whole).sanitized
    }
}

extension QuantityMap<Limits> {
    /// The normal ranges in one line, such as `pH 7.0–7.6`.
    func ranges(dash: String) -> String {
        pairs.map {
            "\($0.quantity.facts.compactName) \($0.quantity.text($0.value.low))\(dash)\($0.quantity.text($0.value.high))"
        }
        .joined(separator: "  ")
    }
}

extension ServerState {
    /// How good the connection is.
    var status: Status {
        guard let connection else { return .offline }
        return connection.isConnected ? .normal : .warning
    }

    /// The state of the connection in a few words.
    var words: String { connection?.words ?? "no device needs it" }
}

extension DeviceState {
    /// The counts of its messages since the hub started, in a few words; empty if there are none.
    var traffic: String {
        guard let counts else { return "" }
        let parts: [(UInt64, String)] = [
            (counts.stored, "stored"), (counts.late, "late"), (counts.duplicates, "twice"),
            (counts.retained, "replayed"), (counts.repeated, "repeated"), (counts.quarantined, "impossible"),
            (counts.rejectedCount, "unreadable"), (counts.notStored, "not stored"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

extension WatchConnection {
    /// What is known of the link to a watch.
    enum Link: Equatable {
        /// It has a session now.
        case linked
        /// It was last heard so many seconds ago.
        case lost(seconds: Int)
        /// It was not heard since the hub started.
        case unheard
    }

    /// What is known of the link.
    var link: Link { isLinked == true ? .linked : silentSeconds.map { .lost(seconds: $0) } ?? .unheard }
}

/// What an event is about, as a word that its filter knows.
enum EventTopic: String, CaseIterable {
    /// A message of a device came, or was turned away, or a dose was logged.
    case reading
    /// An alert began, changed or ended, or was answered.
    case alert
    /// A watch came, left, caught up, or was disturbed on purpose.
    case watch
    /// The configuration changed.
    case configuration
    /// A connection to a server, or the hub itself.
    case hub
}

extension EventSummary {
    /// What it is about.
    var topic: EventTopic {
        switch kind {
        case .reading, .dose: .reading
        case .alert: .alert
        case .paired, .linked, .unlinked, .declined, .shared: .watch
        case .configured, .conflict: .configuration
        case .listening, .server, .notice, .log: .hub
        }
    }

    /// How serious it is; nil for routine.
    var status: Status? {
        switch severity {
        case .critical: .critical
        case .warning: .warning
        case nil: kind == .unlinked ? .offline : nil
        }
    }
}
