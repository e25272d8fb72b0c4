import PoolModel

/// The open conflicts.
struct ConflictsPage: MenuPage {
    static let entry = MenuEntry(ConflictsPage()) { facts in
        let count = facts.glance.conflicts.count
        return .choice(
            "Conflicts", sign: count == 0 ? nil : (.conflict, .status(.warning)),
            trailing: count == 0 ? "none" : "\(count) open", trailingTone: count == 0 ? .quiet : .status(.warning))
    }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let rows = facts.glance.conflicts.map { conflict in
            let isSettled = facts.isSettledHere(conflict.id)
            return MenuRow.choice(
                conflict.subject.sanitized, sign: isSettled ? (.waiting, .stale) : (.conflict, .status(.warning)),
                trailing: isSettled ? "settled, waits" : facts.ago(conflict.loser.at),
                trailingTone: isSettled ? .stale : .quiet)
        }
        return MenuContent(
            title: "Conflicts", rows: rows.isEmpty ? [.line("No conflict is open.")] : rows,
            hints: [KeyBinding("enter", "look"), .moving, .back])
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        guard key.opensRow else { return nil }
        let conflicts = facts.glance.conflicts
        if conflicts.indices.contains(menus.selection) {
            menus.open(ConflictPage(id: conflicts[menus.selection].id))
        }
        return []
    }
}

/// One conflict.
struct ConflictPage: MenuPage {
    let id: ConflictID

    func isLost(_ facts: WatchFacts) -> Bool { conflict(facts) == nil }

    private func conflict(_ facts: WatchFacts) -> ConflictSummary? { facts.glance.conflicts.first { $0.id == id } }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        guard let conflict = conflict(facts) else {
            return MenuContent(title: "Conflict", rows: [.line("It is settled.")], hints: [.back])
        }
        var rows: [MenuRow] = [.line(conflict.subject.sanitized, .plain), .blank]
        if let winner = conflict.winner {
            rows += Self.side("Shown", winner, .status(.normal), facts)
        } else {
            rows.append(.line("Shown", trailing: "nothing"))
        }
        rows += Self.side("Aside", conflict.loser, .status(.warning), facts)
        if let base = conflict.base { rows.append(.line("Before", trailing: base.sanitized)) }
        rows += [.blank, .line(conflict.reason.sanitized)]
        if let obstacle = conflict.obstacle { rows.append(.line(obstacle.sanitized, .status(.warning))) }
        if facts.isSettledHere(id) {
            rows.append(.line("settled here; that waits for the hub", .stale, sign: (.waiting, .stale)))
        }
        return MenuContent(
            title: "Conflict", rows: rows,
            hints: [KeyBinding("u", "use the other"), KeyBinding("K", "keep the shown"), .back])
    }

    private static func side(
        _ name: String, _ side: ConflictSummary.Side, _ tone: MenuRow.Tone, _ facts: WatchFacts
    ) -> [MenuRow] {
        var row = MenuRow.line(name, .title, trailing: side.value?.sanitized ?? "removed")
        row.trailingTone = tone
        return [row, .line("by \(side.author.sanitized)", trailing: facts.ago(side.at), indent: 2)]
    }

    /// Restores the other value, or dismisses the conflict.
    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        let isRestoring: Bool?
        if key == .character("u") {
            isRestoring = true
        } else if key == .character("K") {
            isRestoring = false
        } else if key == .enter {
            isRestoring = nil
        } else {
            return nil
        }
        guard let conflict = conflict(facts) else { return [] }
        if facts.isSettledHere(id) {
            menus.say("it is settled here already, and waits for the hub", facts)
            return []
        }
        guard let isRestoring else {
            menus.say("u uses the other value, K keeps the shown one", facts)
            return []
        }
        if isRestoring, let obstacle = conflict.obstacle {
            menus.say(obstacle, facts)
            return []
        }
        menus.goBack()
        return [.edit(.settle(conflict: id, restoring: isRestoring))]
    }
}
