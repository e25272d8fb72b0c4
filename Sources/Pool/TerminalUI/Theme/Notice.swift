import PoolModel

/// The notice line of a face: what is wrong and what can be done, or that nothing is wrong.
struct Notice: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A quantity is out of range.
        case alarm(Status)
        /// The values are not fresh, or a conflict waits.
        case outdated
        /// There is no link, no device or no value, or edits cannot be accepted.
        case problem
        /// The hub refused this watch.
        case refusal
        /// The person should know of an event, but nothing is wrong.
        case news
        /// All is well.
        case calm
    }

    var kind: Kind
    var text: String
    /// A short form of the text.
    var brief: String
    /// Texts for the right end, the most important first: a key and its action, or how many more problems there are.
    var hints: [String]
    /// Whether it is about the link.
    var isAboutLink = false
    /// Whether it counts the conflicts.
    var isAboutConflicts = false

    init(_ kind: Kind, _ text: String, brief: String? = nil, hints: [String] = []) {
        self.kind = kind
        self.text = text
        self.brief = brief ?? text
        self.hints = hints
    }

    /// Chooses the first that applies: values out of range without an answer, old values that were, the link, the
    /// device, the freshness, values out of range, partly old values, and the outcome of the person's edits.
    ///
    /// - Parameters:
    ///   - glance: The present glance.
    ///   - age: Returns an age as text.
    init(_ glance: Glance, age: @escaping (Int) -> String = FaceFormatter.age) {
        let draft = Draft(glance: glance, age: age)
        let alarm = draft.alarm()
        let former = draft.former()
        let isFormerWorse = alarm?.notice.kind != .alarm(.critical) && former?.isCritical == true
        if let alarm, !alarm.isAnswered, !isFormerWorse || former?.isAnswered == true {
            self = alarm.notice
        } else if let former, !former.isAnswered {
            self = former.notice
        } else if let wrong = draft.link() ?? draft.device() {
            self = wrong
        } else {
            self = alarm?.notice ?? former?.notice ?? draft.partlyOld() ?? draft.edits() ?? draft.calm()
        }
    }

    /// The longest hint that fits beside the whole text in these columns, with two blank columns between.
    func hint(columns: Int) -> String {
        hints.first { text.displayWidth + 2 + $0.displayWidth <= columns } ?? ""
    }
}

/// Writes the notices.
private struct Draft {
    let glance: Glance
    let age: (Int) -> String

    private var retry: [String] { ["r retry"] }

    // MARK: Alarm

    /// The worst quantity without an answered alert, else the worst of all; nil if nothing is wrong now.
    ///
    /// If no value is out of range, it is the worst of the device's other alerts.
    func alarm() -> (notice: Notice, isAnswered: Bool)? {
        let alarming = glance.alarmingGauges.filter { $0.shownValue != nil }
        let open = alarming.filter { gauge in alert(of: gauge).map { !$0.isAnswered } ?? true }
        guard let worst = open.first ?? alarming.first, let value = worst.shownValue else { return otherAlarm() }
        let quantity = worst.quantity
        let raised = alert(of: worst)
        // A value within its limits that has an alert: the alert is not over yet, or the probe is faulty.
        let isInside = worst.deviation == nil && raised != nil
        let isFaulty = isInside && raised?.key.condition != .value
        let words =
            isInside
            ? [raised?.matter] : [quantity.name, worst.deviation?.rawValue, quantity.textWithUnit(value)]
        let short =
            isFaulty
            ? [raised?.matter]
            : [
                quantity.facts.compactName, worst.deviation?.rawValue, quantity.text(value),
                isInside ? "recovering" : nil,
            ]
        let more = alarming.count > 1 ? "+\(alarming.count - 1) more" : nil
        let lasting = raised.flatMap { glance.seconds(since: $0.since) }.map(age)
        let isAnswered = raised?.isAnswered ?? false
        let action =
            isAnswered
            ? raised?.isAcknowledged == true ? "acknowledged" : "snoozed"
            : raised == nil ? nil : "a ack"
        let notice = Notice(
            .alarm(worst.status), words.compactMap(\.self).joined(separator: " "),
            brief: short.compactMap(\.self).joined(separator: " "),
            hints: alarmHints(more, lasting, action))
        return (notice, isAnswered)
    }

    /// An alert that is not about a shown value, such as a faulty probe.
    private func otherAlarm() -> (notice: Notice, isAnswered: Bool)? {
        // If no value is fresh, that is more important than earlier problems.
        guard case .judged = Headline(glance) else { return nil }
        let alerts = glance.ownAlerts.filter { !$0.isOutdated }
        guard let worst = alerts.first(where: { !$0.isAnswered }) ?? alerts.first else { return nil }
        let lasting = glance.seconds(since: worst.since).map(age)
        let more = alerts.count > 1 ? "+\(alerts.count - 1) more" : nil
        let action =
            worst.isAnswered
            ? worst.isAcknowledged ? "acknowledged" : "snoozed" : "a ack"
        let text = (worst.key.quantity == nil ? worst.summary : worst.matter).sanitized
        let notice = Notice(
            .alarm(worst.severity.status), text, brief: worst.matter.sanitized,
            hints: alarmHints(more, lasting, action))
        return (notice, worst.isAnswered)
    }

    /// The worst of the values that are not fresh and were out of range.
    func former() -> (notice: Notice, isCritical: Bool, isAnswered: Bool)? {
        let all = glance.formerlyAlarmingGauges
        guard let worst = all.first, let value = worst.shownValue else { return nil }
        let forms = FaceFormatter.former(worst)
        let raised = alert(of: worst)
        let isCritical = worst.formerAlarm == .critical
        // Nobody need answer a short excess, for which there is no alert.
        let isAnswered = raised?.isAnswered ?? !isCritical
        let more = all.count > 1 ? "+\(all.count - 1) more" : nil
        let action =
            raised.map { $0.isAnswered ? $0.isAcknowledged ? "acknowledged" : "snoozed" : "a ack" }
        let quantity = worst.quantity
        let notice = Notice(
            .outdated, "\(quantity.name) \(forms[0]): \(quantity.textWithUnit(value))",
            brief: "\(quantity.facts.compactName) \(forms[min(1, forms.count - 1)])",
            hints: alarmHints(more, nil, action))
        return (notice, isCritical, isAnswered)
    }

    private func alarmHints(_ more: String?, _ lasting: String?, _ action: String?) -> [String] {
        let full = [more, lasting, action].compactMap(\.self)
        let hints = [full, Array(full.suffix(2)), [action].compactMap(\.self), [more].compactMap(\.self)]
        return hints.filter { !$0.isEmpty }.map { $0.joined(separator: " · ") }
    }

    /// The most important alert about a quantity: about its value, else about the probe.
    private func alert(of gauge: Glance.Gauge) -> AlertState.Alert? {
        let own = glance.ownAlerts.filter { $0.key.quantity == gauge.quantity }
        return own.first { $0.key.condition == .value } ?? own.first
    }

    // MARK: Link

    func link() -> Notice? {
        var notice: Notice
        switch glance.link {
        case .linked: return nil
        case .unpaired:
            notice = Notice(.problem, "not paired with a hub yet", brief: "pair with a hub", hints: ["q quit"])
        case .connecting(let waitingFor):
            let target = waitingFor.sanitized.nonEmpty ?? "the hub"
            notice = Notice(.problem, "waiting for \(target)", brief: "connecting", hints: retry)
        case .lost(let seconds):
            let lost = "link lost \(age(seconds)) ago"
            let waiting = FaceFormatter.waitingEdits(glance)
            notice = Notice(
                .outdated, [lost, waiting].compactMap(\.self).joined(separator: ", "),
                brief: waiting.map { "no link, \($0)" } ?? "no link \(age(seconds))", hints: retry)
        case .refused(let reason):
            notice = Notice(
                .refusal, "refused: \(reason.sanitized.nonEmpty ?? "no reason given")", brief: "refused by the hub",
                hints: retry)
        }
        notice.isAboutLink = true
        return notice
    }

    // MARK: Device and freshness

    func device() -> Notice? {
        let seen = glance.ageSeconds.map(age)
        switch Headline(glance) {
        case .waiting:
            return Notice(.problem, "waiting for the hub's configuration", brief: "waiting for the hub")
        case .noDevice: return Notice(.problem, "no device is selected on the hub", brief: "no device selected")
        case .noReading: return Notice(.problem, "no reading received yet", brief: "no reading yet", hints: retry)
        case .lastKnown:
            return Notice(.outdated, "last known values, age unknown", brief: "age unknown", hints: retry)
        case .offline:
            return Notice(
                .problem, seen.map { "last seen \($0) ago" } ?? "not seen lately",
                brief: seen.map { "offline \($0)" } ?? "offline", hints: retry)
        case .stale:
            return Notice(
                .outdated, seen.map { "no new data for \($0)" } ?? "no new data",
                brief: seen.map { "stale \($0)" } ?? "stale", hints: retry)
        case .judged, .formerly, .partlyStale, .connecting, .linkLost, .refused, .unpaired: return nil
        }
    }

    func partlyOld() -> Notice? {
        let old = glance.completeGauges.filter(\.isWanting)
        guard let first = old.first else { return nil }
        guard first.mark.isOld else {
            return Notice(
                .outdated, "\(first.quantity.name): no usable value", brief: "no \(first.quantity.facts.compactName)",
                hints: old.count > 1 ? ["+\(old.count - 1) more"] : [])
        }
        let known = first.freshness == .lastKnown ? nil : first.ageSeconds.map(age)
        let what = known.map { "no new value for \($0)" } ?? "no new value"
        let brief = "\(first.quantity.facts.compactName) \(known.map { "stale \($0)" } ?? "age unknown")"
        return Notice(
            .outdated, "\(first.quantity.name): \(what)", brief: brief,
            hints: old.count > 1 ? ["+\(old.count - 1) more"] : [])
    }

    // MARK: Edits

    func edits() -> Notice? {
        let waiting = FaceFormatter.waitingEdits(glance)
        if let conflict = glance.conflicts.first {
            let more = glance.conflicts.count > 1 ? "+\(glance.conflicts.count - 1) more" : nil
            let key = "c look"
            let hints = [[waiting, more, key], [more, key], [key], [waiting]].map { $0.compactMap(\.self) }
            var notice = Notice(
                .outdated, "conflict: \(conflict.subject.sanitized)", brief: FaceFormatter.openConflicts(glance),
                hints: hints.filter { !$0.isEmpty }.map { $0.joined(separator: " · ") })
            notice.isAboutConflicts = true
            return notice
        }
        if let obstacle = glance.uploadObstacle?.sanitized.nonEmpty {
            return Notice(
                .problem, "edits not taken: \(obstacle)", brief: "edits not taken",
                hints: [waiting].compactMap(\.self))
        }
        if let restore = glance.restoreNotice?.sanitized.nonEmpty {
            return Notice(.news, restore, brief: "hub restored", hints: [waiting].compactMap(\.self))
        }
        if let file = glance.fileNotice {
            // The path fits on wide faces only; the command shows it everywhere.
            let place = file.path.sanitized
            let hints = [[waiting, place], [place], [waiting, "watch files"], ["watch files"], [waiting]]
            return Notice(
                .news, file.words.sanitized, brief: "file received",
                hints: hints.map { $0.compactMap(\.self) }.filter { !$0.isEmpty }.map { $0.joined(separator: " · ") })
        }
        return waiting.map { Notice(.calm, "live", brief: "live \($0)", hints: [$0]) }
    }

    func calm() -> Notice {
        Notice(.calm, "live", hints: ["all in range", "in range"])
    }
}

extension AlertState.Alert {
    /// Whether a person has answered the alert.
    var isAnswered: Bool { isAcknowledged || snoozedUntil != nil }
}

extension Glance {
    /// The whole seconds since a moment by the hub's clock; nil if the present time is not known.
    func seconds(since start: Timestamp) -> Int? {
        moment.map { max(0, Int(clamping: ($0.milliseconds - start.milliseconds) / 1000)) }
    }
}
