package import PoolModel

/// Something that happened at a hub, and that a person may want to know.
package enum HubEvent: Sendable {
    /// The hub accepts connections of watches at this endpoint.
    case listening(endpoint: String)
    /// The state of the connection to a server changed.
    case server(name: String, BrokerState)
    /// A reading changed what is shown of a device.
    case reading(device: String, DeviceReadings)
    /// A watch was paired.
    case paired(watch: String)
    /// A watch established a session.
    case linked(watch: String)
    /// A watch's session ended, for this reason.
    case unlinked(watch: String, reason: String)
    /// A watch, or a stranger with an old key, was rejected.
    case declined(reason: String)
    /// The configuration has a new revision.
    case configured(revision: UInt64)
    /// A value that a person entered was rejected in a conflict.
    case conflict(ConflictSummary)
    /// The transfer of a shared file ended.
    case shared(SharedFile)
    /// A dose was logged, in the pool of this name.
    case dosed(Dose, pool: String)
    /// A notice of an alert.
    ///
    /// After a restart the same `id` may come again; it is the same message then.
    case alert(AlertNotice)
    /// A notice for the user.
    case notice(String)
}

extension HubEvent {
    /// The kind of the event.
    package var kind: EventSummary.Kind {
        switch self {
        case .listening: .listening
        case .server: .server
        case .reading: .reading
        case .paired: .paired
        case .linked: .linked
        case .unlinked: .unlinked
        case .declined: .declined
        case .configured: .configured
        case .conflict: .conflict
        case .shared: .shared
        case .dosed: .dose
        case .alert: .alert
        case .notice: .notice
        }
    }

    /// What happened, in one sentence.
    package var words: String {
        switch self {
        case .listening(let endpoint): "listening on \(endpoint)"
        case .server(let name, let state): "server \(name): \(state)"
        case .reading(let device, let readings): "\(device): \(readings.words)"
        case .paired(let watch): "watch \(watch): paired"
        case .linked(let watch): "watch \(watch): linked"
        case .unlinked(let watch, let reason): "watch \(watch): away (\(reason))"
        case .declined(let reason): "declined a watch: \(reason)"
        case .configured: "settings changed"
        case .conflict(let conflict): conflict.words
        case .shared(let file): file.words
        case .dosed(let dose, let pool): "\(pool): \(dose.amountText) \(dose.product.name), logged by \(dose.author)"
        case .alert(let notice): notice.text
        case .notice(let sentence): sentence
        }
    }

    /// The severity; nil for a routine event or good news.
    package var severity: AlertSeverity? {
        switch self {
        case .alert(let notice): notice.kind == .recovered || notice.kind == .test ? nil : notice.severity
        case .server(_, let state):
            (!state.isConnected && state.phase != .connecting) || state.storeTrouble != nil ? .warning : nil
        case .shared(let file): file.outcome == .arrived ? nil : .warning
        case .declined, .conflict, .notice: .warning
        case .listening, .reading, .paired, .linked, .unlinked, .configured, .dosed: nil
        }
    }
}

extension SharedFile {
    /// How the transfer ended, in one line.
    package var words: String {
        guard case .failed(let reason)? = outcome else {
            return "watch \(watch): \(name) has arrived (\(ByteCountText.of(byteCount)))"
        }
        return "watch \(watch): \(name) did not arrive: \(reason)"
    }
}

extension ConflictSummary {
    /// The two values and the rule, in one line.
    fileprivate var words: String {
        func side(_ side: Side) -> String { "\(side.value ?? "nothing") (\(side.author))" }
        return "conflict \(id.short): \(subject): \(side(loser)) is not shown, \(winner.map(side) ?? "nothing") is; "
            + reason
    }
}

extension DeviceReadings {
    /// The newest values with their units, such as `27.3 °C, pH 7.64`.
    fileprivate var words: String {
        values.pairs.map { quantity, latest in
            ValueFormatter.text(latest.value, of: quantity) + (latest.isLastKnown ? " (last known)" : "")
        }.joined(separator: ", ")
    }
}
