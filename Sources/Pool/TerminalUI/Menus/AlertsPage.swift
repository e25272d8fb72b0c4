import PoolModel

/// The open alerts.
struct AlertsPage: MenuPage {
    static let entry = MenuEntry(AlertsPage()) { facts in
        let state = facts.glance.alerts
        guard let worst = state.alerts.first else { return .choice("Alerts", trailing: "none") }
        let status = worst.severity.status
        let unanswered = state.alerts.count { !$0.isAcknowledged && $0.snoozedUntil == nil }
        let words = unanswered == 0 ? "\(state.alerts.count) answered" : "\(unanswered) open"
        return .choice(
            "Alerts", sign: (.status(status), .status(status)), trailing: words,
            trailingTone: unanswered == 0 ? .quiet : .status(status))
    }

    var hasFilter: Bool { true }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let (state, filter) = (facts.glance.alerts, menus.filter)
        var rows = state.alerts.filter { filter.accepts([$0.summary]) }.map { alert in
            let status = alert.severity.status
            let isQuiet = alert.isAcknowledged || alert.snoozedUntil != nil
            // What was is not shown as if it were.
            let tone: MenuRow.Tone = isQuiet ? .quiet : alert.isOutdated ? .stale : .status(status)
            return MenuRow.choice(
                alert.summary.sanitized, sign: (alert.isOutdated ? .stale : .status(status), tone),
                trailing: facts.answer(to: alert), trailingTone: facts.answering.contains(alert.key) ? .stale : .quiet)
        }
        if state.moreCount > 0 { rows.append(.line("and \(state.moreCount) more at the hub")) }
        if rows.isEmpty, filter.isShown { rows = [.noMatch] }
        if rows.isEmpty { rows = [.line("No alert is open.")] + Self.lastNotices(facts) }
        return MenuContent(
            title: "Alerts" + filter.words, rows: rows,
            hints: [
                KeyBinding("a", "acknowledge"), KeyBinding("m", "snooze"), KeyBinding("enter", "more"), .moving,
                .filter, .back,
            ])
    }

    private static func lastNotices(_ facts: WatchFacts) -> [MenuRow] {
        guard !facts.notices.isEmpty else { return [] }
        return [.blank, .line("The hub said", .title)]
            + facts.notices.prefix(8).map { .line($0.text.sanitized, trailing: facts.time($0.at)) }
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        let alerts = facts.glance.alerts.alerts.filter { menus.filter.accepts([$0.summary]) }
        guard key.opensRow || key == .character("a") || key == .character("m") else { return nil }
        guard !alerts.isEmpty else {
            menus.say(menus.filter.isShown ? "no alert matches" : "no alert is open", facts)
            return []
        }
        let page = AlertPage(episode: alerts[min(menus.selection, alerts.count - 1)].episodeID)
        if let outcomes = page.press(key, on: &menus, facts, size: size) { return outcomes }
        menus.open(page)
        return []
    }
}

/// One alert, and its notices.
struct AlertPage: MenuPage {
    let episode: AlertEpisodeID

    func isLost(_ facts: WatchFacts) -> Bool { facts.alert(of: episode) == nil }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        guard let alert = facts.alert(of: episode) else {
            return MenuContent(title: "Alert", rows: [.line("This alert is over.")], hints: [.back])
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
        rows.append(.line("Answer", trailing: isAnswered ? facts.answer(to: alert) : "none yet"))
        if facts.answering.contains(alert.key) {
            rows.append(.line("your answer waits for the hub", .stale, sign: (.waiting, .stale)))
        }
        let said = facts.notices.filter { $0.episodeID == episode }
        rows.append(.blank)
        rows.append(.line(said.isEmpty ? "The hub sent no notice here." : "The hub said", .title))
        rows += said.map { .line($0.text.sanitized, .plain, trailing: facts.time($0.at)) }
        return MenuContent(
            title: "Alert", rows: rows, hints: [KeyBinding("a", "acknowledge"), KeyBinding("m", "snooze"), .back])
    }

    /// Acknowledges or snoozes the alert.
    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        if key == .character("a") {
            if facts.alert(of: episode)?.isAcknowledged == true {
                menus.say("it is acknowledged already", facts)
                return []
            }
            return [.edit(.acknowledge(episode))]
        }
        guard key == .character("m") else { return nil }
        menus.open(SnoozePage(episode: episode))
        return []
    }
}

/// The durations for snoozing an alert.
struct SnoozePage: MenuPage {
    let episode: AlertEpisodeID

    /// The durations, in seconds.
    private static let durations = [900, 3600, 14_400, 43_200, 86_400, 604_800]

    func isLost(_ facts: WatchFacts) -> Bool { facts.alert(of: episode) == nil }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let rows = Self.durations.map { seconds in
            let end = facts.now.advanced(byMilliseconds: Int64(seconds) * 1000)
            return MenuRow.choice(FaceFormatter.age(seconds), trailing: "till \(facts.time(end))")
        }
        return MenuContent(
            title: "Quiet for", note: facts.alert(of: episode)?.summary.sanitized ?? "", rows: rows,
            hints: [KeyBinding("enter", "snooze"), .moving, .back])
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        guard key.opensRow else { return nil }
        let seconds = Self.durations[min(menus.selection, Self.durations.count - 1)]
        menus.goBack()
        return [.edit(.snooze(episode, seconds: seconds))]
    }
}

extension WatchFacts {
    fileprivate func alert(of episode: AlertEpisodeID) -> AlertState.Alert? {
        glance.alerts.alerts.first { $0.episodeID == episode }
    }

    /// The answer to an alert, or how long it has been open.
    fileprivate func answer(to alert: AlertState.Alert) -> String {
        let mark = answering.contains(alert.key) ? "waiting: " : ""
        if alert.isAcknowledged { return mark + "acknowledged" }
        if let end = alert.snoozedUntil, now < end { return mark + "quiet till \(time(end))" }
        return ago(alert.since)
    }
}
