import PoolModel

/// The rows of pages about alerts, edits, conflicts and the history.
extension MenuContent {
    // MARK: - Alerts

    static func alerts(_ facts: WatchFacts, _ filter: ListFilter) -> MenuContent {
        let state = facts.glance.alerts
        var rows = state.alerts.filter { filter.accepts([$0.summary]) }.map { alert in
            let status = alert.severity.status
            let isQuiet = alert.isAcknowledged || alert.snoozedUntil != nil
            // What was is not shown as if it were.
            let tone: MenuRow.Tone = isQuiet ? .quiet : alert.isOutdated ? .stale : .status(status)
            return MenuRow.choice(
                alert.summary.sanitized, sign: (alert.isOutdated ? .stale : .status(status), tone),
                trailing: Self.state(of: alert, facts),
                trailingTone: facts.answering.contains(alert.key) ? .stale : .quiet)
        }
        if state.moreCount > 0 { rows.append(.line("and \(state.moreCount) more at the hub")) }
        if rows.isEmpty, filter.isShown { rows = [.line(noMatch)] }
        if rows.isEmpty { rows = [.line("No alert is open.")] + lastNotices(facts) }
        return MenuContent(
            title: "Alerts" + filter.words, rows: rows,
            hints: [
                KeyBinding("a", "acknowledge"), KeyBinding("m", "snooze"), KeyBinding("enter", "more"), moving,
                KeyBinding("/", "filter"), back,
            ])
    }

    private static func lastNotices(_ facts: WatchFacts) -> [MenuRow] {
        guard !facts.notices.isEmpty else { return [] }
        return [.blank, .line("The hub said", .title)]
            + facts.notices.prefix(8).map { .line($0.text.sanitized, trailing: facts.time($0.at)) }
    }

    /// The answer to an alert, or how long it has been open.
    private static func state(of alert: AlertState.Alert, _ facts: WatchFacts) -> String {
        let mark = facts.answering.contains(alert.key) ? "waiting: " : ""
        if alert.isAcknowledged { return mark + "acknowledged" }
        if let end = alert.snoozedUntil, facts.now < end { return mark + "quiet till \(facts.time(end))" }
        return facts.ago(alert.since)
    }

    static func alert(_ episode: AlertEpisodeID, _ facts: WatchFacts) -> MenuContent {
        guard let alert = facts.glance.alerts.alerts.first(where: { $0.episodeID == episode }) else {
            return MenuContent(title: "Alert", rows: [.line("This alert is over.")], hints: [back])
        }
        let status = alert.severity.status
        var rows: [MenuRow] = [
            alert.isOutdated
                ? .line(alert.summary.sanitized, .stale, sign: (.stale, .stale))
                : .line(alert.summary.sanitized, .status(status), sign: (.status(status), .status(status)))
        ]
        if let measured = alert.measuredAt { rows.append(.line("Measured", trailing: facts.ago(measured))) }
        rows.append(.line("Since", trailing: "\(facts.time(alert.since)), \(facts.ago(alert.since))"))
        if let quantity = alert.key.quantity {
            if let value = alert.value { rows.append(.line("Value", trailing: quantity.textWithUnit(value))) }
            if let limit = alert.limit { rows.append(.line("Limit", trailing: quantity.textWithUnit(limit))) }
        }
        let isAnswered = alert.isAcknowledged || alert.snoozedUntil != nil
        rows.append(.line("Answer", trailing: isAnswered ? state(of: alert, facts) : "none yet"))
        if facts.answering.contains(alert.key) {
            rows.append(.line("your answer waits for the hub", .stale, sign: (.waiting, .stale)))
        }
        let said = facts.notices.filter { $0.episodeID == episode }
        rows.append(.blank)
        rows.append(.line(said.isEmpty ? "The hub sent no notice here." : "The hub said", .title))
        rows += said.map { .line($0.text.sanitized, .plain, trailing: facts.time($0.at)) }
        return MenuContent(
            title: "Alert", rows: rows, hints: [KeyBinding("a", "acknowledge"), KeyBinding("m", "snooze"), back])
    }

    static func snooze(_ episode: AlertEpisodeID, _ facts: WatchFacts) -> MenuContent {
        let alert = facts.glance.alerts.alerts.first { $0.episodeID == episode }
        let rows = WatchMenus.snoozes.map { seconds in
            let end = facts.now.advanced(byMilliseconds: Int64(seconds) * 1000)
            return MenuRow.choice(FaceFormatter.age(seconds), trailing: "till \(facts.time(end))")
        }
        return MenuContent(
            title: "Quiet for", note: alert?.summary.sanitized ?? "", rows: rows,
            hints: [KeyBinding("enter", "snooze"), moving, back])
    }

    // MARK: - Edits

    static func edits(_ facts: WatchFacts) -> MenuContent {
        var rows: [MenuRow] = []
        if let obstacle = facts.glance.uploadObstacle {
            rows.append(
                .line(
                    "Edits wait: \(obstacle.sanitized)", .status(.warning), sign: (.status(.warning), .status(.warning))
                ))
        }
        for edit in facts.pending {
            rows.append(
                .choice(
                    edit.sentence.sanitized, sign: (.waiting, .stale), trailing: "waits for the hub",
                    trailingTone: .stale))
        }
        for outcome in facts.outcomes {
            rows.append(
                .choice(
                    outcome.edit.sentence.sanitized, sign: outcome.kind.sign, trailing: outcome.kind.word,
                    trailingTone: outcome.kind.sign.tone))
            if let reason = outcome.reason ?? outcome.merge { rows.append(.line(reason.sanitized, indent: 2)) }
        }
        if rows.isEmpty { rows = [.line("Nothing was changed here lately.")] }
        return MenuContent(
            title: "Own edits", rows: rows, hints: [moving, KeyBinding("enter", "the conflict"), back])
    }

    // MARK: - Conflicts

    static func conflicts(_ facts: WatchFacts) -> MenuContent {
        let rows = facts.glance.conflicts.map { conflict in
            let isSettled = facts.isSettledHere(conflict.id)
            return MenuRow.choice(
                conflict.subject.sanitized, sign: isSettled ? (.waiting, .stale) : (.conflict, .status(.warning)),
                trailing: isSettled ? "settled, waits" : facts.ago(conflict.loser.at),
                trailingTone: isSettled ? .stale : .quiet)
        }
        return MenuContent(
            title: "Conflicts", rows: rows.isEmpty ? [.line("No conflict is open.")] : rows,
            hints: [KeyBinding("enter", "look"), moving, back])
    }

    static func conflict(_ id: ConflictID, _ facts: WatchFacts) -> MenuContent {
        guard let conflict = facts.glance.conflicts.first(where: { $0.id == id }) else {
            return MenuContent(title: "Conflict", rows: [.line("It is settled.")], hints: [back])
        }
        var rows: [MenuRow] = [.line(conflict.subject.sanitized, .plain), .blank]
        if let winner = conflict.winner {
            rows += side("Shown", winner, .status(.normal), facts)
        } else {
            rows.append(.line("Shown", trailing: "nothing"))
        }
        rows += side("Aside", conflict.loser, .status(.warning), facts)
        if let base = conflict.base { rows.append(.line("Before", trailing: base.sanitized)) }
        rows += [.blank, .line(conflict.reason.sanitized)]
        if let obstacle = conflict.obstacle { rows.append(.line(obstacle.sanitized, .status(.warning))) }
        if facts.isSettledHere(id) {
            rows.append(.line("settled here; that waits for the hub", .stale, sign: (.waiting, .stale)))
        }
        return MenuContent(
            title: "Conflict", rows: rows,
            hints: [KeyBinding("u", "use the other"), KeyBinding("K", "keep the shown"), back])
    }

    private static func side(
        _ name: String, _ side: ConflictSummary.Side, _ tone: MenuRow.Tone, _ facts: WatchFacts
    ) -> [MenuRow] {
        var row = MenuRow.line(name, .title, trailing: side.value?.sanitized ?? "removed")
        row.trailingTone = tone
        return [row, .line("by \(side.author.sanitized)", trailing: facts.ago(side.at), indent: 2)]
    }

    // MARK: - History

    /// The texts around a chart; ``MenuView`` draws the chart itself.
    static func history(_ page: HistoryPage, _ facts: WatchFacts) -> MenuContent {
        let device = facts.configuration.device(page.deviceID)?.name.sanitized ?? ""
        return MenuContent(
            title: "\(page.quantity.name) of \(device)", note: ranges(page.navigator.range), rows: [],
            hints: [
                KeyBinding("+ -", "zoom"), KeyBinding("←→", "earlier, later"), KeyBinding("↑↓", "quantity"),
                KeyBinding(", .", "read off"), KeyBinding("r", "ask again"), back,
            ])
    }

    private static func ranges(_ shown: ChartRange) -> String {
        ChartRange.allCases.map { $0 == shown ? "[\($0.label)]" : $0.label }.joined(separator: " ")
    }

    /// The text about the freshness of a chart, and whether it is a problem.
    static func freshness(_ page: HistoryPage, _ facts: WatchFacts) -> (text: String, isProblem: Bool) {
        guard let chart = page.state(facts) else { return ("asking the hub …", false) }
        let age = chart.cameAt.map { "as it was \(facts.ago($0))" }
        if chart.isAsking { return ([age, "asking the hub …"].compactMap(\.self).joined(separator: "; "), false) }
        guard let trouble = chart.trouble else {
            return (chart.cameAt.map { "asked \(facts.ago($0))" } ?? "", false)
        }
        return ([age, trouble.sanitized].compactMap(\.self).joined(separator: "; "), true)
    }
}
