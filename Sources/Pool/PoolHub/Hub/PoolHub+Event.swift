package import PoolControl
package import PoolModel

extension PoolHub {
    /// What happens at a hub, for people at its terminal.
    package enum Event: Sendable {
        /// Watches can connect there.
        case listening(endpoint: String)
        /// The connection to a server changed.
        case server(name: String, BrokerState)
        /// A reading changed what is shown of a device.
        case reading(device: String, DeviceReadings)
        /// A watch was paired.
        case paired(watch: String)
        /// A watch has a session.
        case linked(watch: String)
        /// A watch's session ended, for this reason.
        case unlinked(watch: String, reason: String)
        /// A watch, or a stranger with an old key, was declined.
        case declined(reason: String)
        /// The configuration has a new revision.
        case configured(revision: UInt64)
        /// A value that a person entered lost against another one.
        case conflict(ConflictSummary)
        /// A file that was shared with a watch has come to its end.
        case shared(SharedFile)
        /// A dose was logged, in the pool of this name.
        case dosed(Dose, pool: String)
        /// An alert for people; the same `id` may come again after a restart, and is the same message then.
        case alert(AlertNotice)
        /// Something that a person should know.
        case notice(String)
    }
}

extension PoolHub.Event {
    /// What kind of thing happened.
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
        case .configured(let revision): "settings changed (revision \(revision))"
        case .conflict(let note): note.words
        case .shared(let file): file.words
        case .dosed(let dose, let pool): "\(pool): \(dose.amountText) \(dose.product.name), logged by \(dose.author)"
        case .alert(let notice): notice.text
        case .notice(let sentence): sentence
        }
    }

    /// How bad it is; nil if it is routine, or good news.
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
    /// What became of it, in one line.
    package var words: String {
        guard case .failed(let reason)? = outcome else {
            return "watch \(watch): \(name) has arrived (\(ByteCountText.of(byteCount)))"
        }
        return "watch \(watch): \(name) did not arrive: \(reason)"
    }
}

extension ConflictSummary {
    /// What lost against what, in one line.
    fileprivate var words: String {
        func side(_ side: Side) -> String { "\(side.value ?? "nothing") (\(side.author))" }
        return "conflict \(shortID): \(subject): \(side(loser)) is not shown, \(winner.map(side) ?? "nothing") is; "
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
