import PoolModel

/// One sentence about one thing, in words that a screen reader reads well.
struct PlainLine: Equatable, Sendable {
    enum Topic: Hashable, Sendable {
        /// What to know first of a pool, or of a device without one, by its name.
        case assessment(String)
        case device
        case link
        case source
        case edits
        case obstacle
        case restore
        case file
        case conflict(ConflictID)
        case alert(AlertKey)
        case quantity(Quantity)
    }

    var topic: Topic
    var text: String
    /// The line is news if this changes: the status texts, without values, ages and trends.
    var judgement: [String]
    /// The value in the line; empty if it does not exist.
    var value = ""
}

extension PlainLine {
    /// The sentences of a glance: the assessment of each pool, the device, the link unless it is up, edits and conflicts, and each quantity.
    static func report(_ glance: Glance) -> [PlainLine] {
        var lines = glance.beginsWithAssessment ? assessments(glance) : []
        lines.append(device(glance))
        if let source = source(glance) { lines.append(source) }
        if let link = link(glance.link) { lines.append(link) }
        if let edits = edits(glance) { lines.append(edits) }
        if let obstacle = glance.uploadObstacle?.spoken.nonEmpty {
            lines.append(
                PlainLine(topic: .obstacle, text: "Edits: NOT TAKEN, \(obstacle)", judgement: [obstacle]))
        }
        if let restore = glance.restoreNotice?.spoken.nonEmpty {
            lines.append(PlainLine(topic: .restore, text: "Hub: \(restore)", judgement: [restore]))
        }
        if let file = glance.fileNotice {
            let words = "\(file.words), at \(file.path)".spoken
            lines.append(PlainLine(topic: .file, text: "File: \(words)", judgement: [words]))
        }
        lines += glance.alerts.alerts.map { alert($0, of: glance) }
        lines += glance.conflicts.map(conflict)
        // Without a device and a value, four empty lines would only hide the first two.
        if glance.deviceName == nil, glance.gauges.allSatisfy({ $0.shownValue == nil }) { return lines }
        return lines + glance.measuredGauges.map { quantity($0, of: glance) }
    }

    // MARK: Assessments

    private static func assessments(_ glance: Glance) -> [PlainLine] {
        let all = glance.assessments.flatMap { $0.isEmpty ? nil : $0 } ?? [glance.shownAssessment.assessment]
        return all.map { assessment in
            PlainLine(
                topic: .assessment(assessment.name),
                text: assessment.sentence(in: .english, isNamed: all.count > 1).spoken, judgement: [assessment.label])
        }
    }

    // MARK: Alerts

    /// Without the value, which the line of the quantity has.
    private static func alert(_ alert: AlertState.Alert, of glance: Glance) -> PlainLine {
        let answer = alert.isAcknowledged ? "acknowledged" : alert.snoozedUntil == nil ? nil : "quiet for a while"
        var quiet = alert
        quiet.value = nil
        let severity = alert.severity.rawValue.uppercased()
        let subject = "Alert \(alert.isOutdated ? "WAS \(severity)" : severity): \(quiet.summary.spoken)"
        let age = glance.seconds(since: alert.since).map { "\(FaceFormatter.age($0)) ago" }
        return PlainLine(
            topic: .alert(alert.key), text: [subject, age, answer].compactMap(\.self).joined(separator: ", "),
            judgement: [subject, answer ?? ""])
    }

    // MARK: Device

    private static func device(_ glance: Glance) -> PlainLine {
        let headline = Headline(glance)
        let subject = glance.deviceName.map { $0.spoken.nonEmpty ?? "Unnamed device" } ?? "No device"
        let age = glance.ageSeconds.map(FaceFormatter.age)
        let clauses: [String?] =
            switch headline {
            case .judged, .formerly, .partlyStale, .stale: [headline.word, age.map { "updated \($0) ago" }]
            case .offline: [headline.word, age.map { "last seen \($0) ago" }]
            case .lastKnown: [headline.word, "age unknown"]
            case .noReading: [headline.word, "no reading received yet"]
            case .noDevice: ["there is none to show: it is gone, or none is selected on the hub"]
            case .waiting: ["waiting for the hub's configuration"]
            case .connecting, .linkLost, .refused, .unpaired: ["NO DATA", "nothing received from the hub yet"]
            }
        let revision = glance.revision.map { "revision \($0)" }
        let sentence = (clauses + [revision]).compactMap(\.self).joined(separator: ", ")
        return PlainLine(
            topic: .device, text: "\(subject): \(sentence)", judgement: [subject, headline.word])
    }

    // MARK: Where it comes from

    private static func source(_ glance: Glance) -> PlainLine? {
        guard let source = glance.source else { return nil }
        let words = FaceFormatter.source(source, of: glance)
        let text: String
        switch source {
        case .hub: text = "Source: \(words)"
        // The line about the link says this already.
        case .kept where !glance.link.isLinked: text = "Source: \(words), not confirmed by the hub"
        case .kept(let reason): text = "Source: \(words), not confirmed by the hub: it waits for \(reason.spoken)"
        }
        return PlainLine(topic: .source, text: text, judgement: [words])
    }

    // MARK: Link

    /// The sentence for a restored link.
    static let linked = PlainLine(topic: .link, text: "Link: connected", judgement: ["connected"])

    private static func link(_ link: LinkState) -> PlainLine? {
        switch link {
        case .linked:
            return nil
        case .unpaired:
            return PlainLine(topic: .link, text: "Link: NOT PAIRED with a hub yet", judgement: ["unpaired"])
        case .connecting(let waitingFor):
            let target = waitingFor.spoken.nonEmpty ?? "the hub"
            return PlainLine(
                topic: .link, text: "Link: CONNECTING, waiting for \(target)", judgement: ["connecting", target])
        case .lost(let seconds):
            return PlainLine(
                topic: .link, text: "Link: LOST, last message of the hub \(FaceFormatter.age(seconds)) ago",
                judgement: ["lost"])
        case .refused(let reason):
            let reason = reason.spoken.nonEmpty ?? "no reason given"
            return PlainLine(topic: .link, text: "Link: REFUSED, \(reason)", judgement: ["refused", reason])
        }
    }

    // MARK: Edits

    private static func edits(_ glance: Glance) -> PlainLine? {
        guard let waiting = FaceFormatter.waitingEdits(glance) else { return nil }
        let edits = glance.pendingEdits.map(\.spoken)
        return PlainLine(
            topic: .edits, text: "Edits: \(waiting) for the hub, \(edits.joined(separator: ", "))", judgement: edits)
    }

    private static func conflict(_ conflict: ConflictSummary) -> PlainLine {
        func words(_ side: ConflictSummary.Side?) -> String {
            side.map { "\($0.value ?? "nothing") by \($0.author)".spoken } ?? "nothing"
        }
        return PlainLine(
            topic: .conflict(conflict.id),
            text: "Conflict \(conflict.id.short): \(conflict.subject.spoken), shown is \(words(conflict.winner)), "
                + "not shown is \(words(conflict.loser))", judgement: [])
    }

    // MARK: Quantities

    private static func quantity(_ gauge: Glance.Gauge, of glance: Glance) -> PlainLine {
        let quantity = gauge.quantity
        let value = gauge.shownValue.map(quantity.textWithUnit) ?? "no value"
        let judgement = judgement(gauge)
        let limits = "normal \(quantity.text(gauge.limits.low)) to \(quantity.text(gauge.limits.high))"
        var clauses = [value]
        let lingering = FaceFormatter.lingering(gauge, of: glance)
        clauses += [judgement.words, lingering, age(gauge), judgement.before, limits].compactMap(\.self)
        if case .judged = gauge.mark, let trend = gauge.trend { clauses.append(trend.direction.word()) }
        return PlainLine(
            topic: .quantity(quantity), text: "\(quantity.name): \(clauses.joined(separator: ", "))",
            judgement: [glance.deviceName ?? "", judgement.words ?? "", judgement.before ?? "", limits], value: value)
    }

    /// The status text of a value; for one that is not fresh, on which side of the limits it was.
    private static func judgement(_ gauge: Glance.Gauge) -> (words: String?, before: String?) {
        let side = gauge.deviation.map { $0.rawValue }
        let words = [gauge.formerAlarm?.rawValue, side].compactMap(\.self).joined(separator: " ")
        let before = words.nonEmpty.map { "was \($0)" }
        switch gauge.mark {
        case .judged(let status):
            let side = gauge.mark.isAlarming ? gauge.deviation.map { " \($0.rawValue)" } ?? "" : ""
            return ("\(status.word)\(side)", nil)
        case .outdated: return (gauge.freshness == .stale ? "STALE" : "LAST KNOWN", before)
        case .offline: return ("OFFLINE", before)
        case .missing: return (nil, nil)
        }
    }

    private static func age(_ gauge: Glance.Gauge) -> String? {
        guard gauge.mark.isOld else { return nil }
        guard gauge.freshness != .lastKnown, let seconds = gauge.ageSeconds else { return "age unknown" }
        return "\(FaceFormatter.age(seconds)) old"
    }
}

extension String {
    /// A text from outside without the signs that a screen reader reads out or shows as nonsense: lines, blocks,
    /// symbols and braille.
    fileprivate var spoken: String {
        String(unicodeScalars.filter { !(0x2500...0x28FF).contains($0.value) }).sanitized
    }
}
