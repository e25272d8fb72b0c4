import PoolModel

/// The edits of this watch.
struct EditsPage: MenuPage {
    static let entry = MenuEntry(EditsPage()) { facts in
        let waiting = facts.pending.count
        return .choice(
            "Own edits", sign: waiting == 0 ? nil : (.waiting, .stale),
            trailing: waiting == 0 ? "\(facts.outcomes.count)" : "\(waiting) waiting",
            trailingTone: waiting == 0 ? .quiet : .stale)
    }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
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
            title: "Own edits", rows: rows, hints: [.moving, KeyBinding("enter", "the conflict"), .back])
    }

    /// Opens the conflict of the selected edit.
    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        guard key.opensRow else { return nil }
        let place = menus.selection - facts.pending.count
        let outcome = facts.outcomes.indices.contains(place) ? facts.outcomes[place] : nil
        guard let edit = outcome?.edit ?? facts.pending.dropFirst(menus.selection).first else { return [] }
        // The identifiers of an edit's conflicts begin as the edit's and differ in the last digits.
        if let conflict = facts.glance.conflicts.first(where: { $0.id.digits.prefix(16) == edit.id.prefix(16) }) {
            menus.open(ConflictPage(id: conflict.id))
        } else {
            menus.say(outcome.map { $0.reason ?? $0.merge ?? $0.kind.word } ?? "waits for the hub", facts)
        }
        return []
    }
}
