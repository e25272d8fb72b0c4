/// The handling of keys on a page.
extension WatchMenus {
    /// Handles a key: first the page's own ones, then those of all pages.
    mutating func handleOnPage(_ key: Key, _ facts: WatchFacts, size: Size) -> [MenuOutcome] {
        guard let last = levels.indices.last else { return [] }
        if levels[last].page.hasFilter, levels[last].filter.press(key) { return [] }
        let (page, wasAsked) = (levels[last].page, levels[last].isAskedToLeave)
        // Any key but the second Esc takes the question back.
        defer { if wasAsked, levels.indices.contains(last) { levels[last].isAskedToLeave = false } }
        if let outcomes = page.press(key, on: &self, facts, size: size) { return outcomes }
        switch key {
        case .escape, .backspace: goBack()
        case .up, .character("k"): move(by: -1, facts)
        case .down, .character("j"): move(by: 1, facts)
        case .pageUp: move(by: -8, facts)
        case .pageDown: move(by: 8, facts)
        case .home: move(by: -1000, facts)
        case .end: move(by: 1000, facts)
        case .character("?"): open(HelpPage())
        case .character("/") where page.hasFilter: levels[last].filter.startTyping()
        case .character("r"): return [.refresh]
        case .character, .control, .alt, .enter, .tab, .backTab, .delete, .insert, .left, .right, .function:
            say("\(key.name) does nothing here; ? shows the keys", facts)
        }
        return []
    }

    /// Moves the selection, or scrolls a page without selectable rows.
    private mutating func move(by step: Int, _ facts: WatchFacts) {
        guard let last = levels.indices.last else { return }
        let sheet = MenuContent(self, facts)
        let choices = sheet.rows.count(where: \.isChoice)
        if choices > 0 {
            levels[last].selection = min(choices - 1, max(0, min(levels[last].selection, choices - 1) + step))
        } else {
            levels[last].offset = min(max(0, sheet.rows.count - 1), max(0, levels[last].offset + step))
        }
    }

    /// Puts a page in the place of the front page, such as a form with another text.
    mutating func replacePage(_ page: some MenuPage) {
        if let last = levels.indices.last { levels[last].page = page }
    }

    /// Leaves a form; what was typed is lost only at the second Esc.
    mutating func leaveForm(isChanged: Bool, _ facts: WatchFacts) {
        guard isChanged, let last = levels.indices.last, !levels[last].isAskedToLeave else { return goBack() }
        levels[last].isAskedToLeave = true
        say("not saved: enter saves, esc again leaves", facts)
    }
}
