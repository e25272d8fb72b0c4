import PoolModel

/// The bottom line of a face: what is wrong and what can be done, or that nothing is.
struct Notice: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A quantity is out of range.
        case alarm(Status)
        /// The values are not fresh.
        case outdated
        /// There is no link, no device or no value.
        case problem
        /// The hub refused this watch.
        case refusal
        /// All is well.
        case calm
    }

    var kind: Kind
    var text: String
    /// What stands at the right end: a key and what it does, or how much more there is to say.
    var hint: String

    init(_ kind: Kind, _ text: String, hint: String = "") {
        self.kind = kind
        self.text = text
        self.hint = hint
    }

    /// What comes first of: the link, the device, the freshness, what is out of range, what is partly old, and what the
    /// person's edits came to.
    init(_ glance: Glance) {
        self =
            Self.link(glance) ?? Self.device(glance) ?? Self.alarm(glance) ?? Self.partlyOld(glance)
            ?? Self.edits(glance) ?? Self.calm(glance)
    }

    private static let retry = "r retry"

    private static func link(_ glance: Glance) -> Notice? {
        switch glance.link {
        case .linked: nil
        case .unpaired: Notice(.problem, "not paired with a hub yet", hint: "q quit")
        case .connecting(let waitingFor):
            Notice(.problem, "waiting for \(waitingFor.sanitized.nonEmpty ?? "the hub")", hint: retry)
        case .lost(let seconds):
            Notice(
                .outdated,
                ["link lost \(Wording.age(seconds)) ago", Wording.waitingEdits(glance)].compactMap(\.self)
                    .joined(separator: ", "), hint: retry)
        case .refused(let reason):
            Notice(.refusal, "refused: \(reason.sanitized.nonEmpty ?? "no reason given")", hint: retry)
        }
    }

    private static func device(_ glance: Glance) -> Notice? {
        let age = glance.ageSeconds.map(Wording.age)
        switch Headline(glance) {
        case .waiting: return Notice(.problem, "waiting for the hub's configuration")
        case .noDevice: return Notice(.problem, "no device is selected on the hub")
        case .noReading: return Notice(.problem, "no reading received yet", hint: retry)
        case .lastKnown: return Notice(.outdated, "last known values, age unknown", hint: retry)
        case .offline: return Notice(.problem, age.map { "last seen \($0) ago" } ?? "not seen lately", hint: retry)
        case .stale: return Notice(.outdated, age.map { "no new data for \($0)" } ?? "no new data", hint: retry)
        case .judged, .partlyStale, .connecting, .linkLost, .refused, .unpaired: return nil
        }
    }

    private static func alarm(_ glance: Glance) -> Notice? {
        let alarming = glance.alarmingGauges
        guard let worst = alarming.first, let value = worst.shownValue else { return nil }
        let quantity = worst.quantity
        let words = [quantity.name, worst.deviation?.rawValue, quantity.textWithUnit(value)].compactMap(\.self)
        // An answer that somebody gave matters more than how many there are.
        let isAnswered =
            !glance.alerts.alerts.isEmpty
            && glance.alerts.alerts.allSatisfy { $0.isAcknowledged || $0.snoozedUntil != nil }
        let hint = isAnswered ? "acknowledged" : alarming.count > 1 ? "+\(alarming.count - 1) more" : ""
        return Notice(.alarm(worst.status), words.joined(separator: " "), hint: hint)
    }

    private static func partlyOld(_ glance: Glance) -> Notice? {
        let old = glance.completeGauges.filter(\.mark.isOld)
        guard let first = old.first else { return nil }
        let age = first.freshness == .lastKnown ? nil : first.ageSeconds
        let what = age.map { "no new value for \(Wording.age($0))" } ?? "no new value"
        return Notice(
            .outdated, "\(first.quantity.name): \(what)", hint: old.count > 1 ? "+\(old.count - 1) more" : "")
    }

    private static func edits(_ glance: Glance) -> Notice? {
        let waiting = Wording.waitingEdits(glance)
        if let conflict = glance.conflicts.first {
            let more = glance.conflicts.count > 1 ? "+\(glance.conflicts.count - 1) more" : nil
            return Notice(.outdated, "conflict: \(conflict.subject.sanitized)", hint: waiting ?? more ?? "")
        }
        return waiting.map { Notice(.calm, "live", hint: $0) }
    }

    private static func calm(_ glance: Glance) -> Notice {
        let missing = glance.completeGauges.filter { $0.mark == .missing }
        let hint =
            switch missing.count {
            case 0: "all in range"
            case 1: "no \(missing[0].quantity.name) value"
            default: "\(missing.count) without a value"
            }
        return Notice(.calm, "live", hint: hint)
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
