import PoolControl
import PoolModel

extension ServerState {
    /// The state of the connection in a few words.
    var words: String { state ?? "no device needs it" }
}

extension DeviceState {
    /// What became of its messages since the hub started, in a few words; empty for nothing to say.
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

/// What an event is about; one of them can be chosen.
enum EventTopic: String, CaseIterable {
    /// A message of a device came, or was turned away.
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
        case .reading: .reading
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
