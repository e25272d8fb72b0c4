/// The list of the pages.
struct TopPage: MenuPage {
    /// The pages, in the order of their rows.
    private static let entries = [
        DevicesPage.entry, AlertsPage.entry, LimitsPage.entry, HistoryPage.entry, NamesPage.entry, ConflictsPage.entry,
        EditsPage.entry, HelpPage.entry,
    ]

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        MenuContent(
            title: "Menu", rows: Self.entries.map { $0.row(facts) },
            hints: [.moving, KeyBinding("enter", "open"), .back])
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        guard key.opensRow else { return nil }
        return Self.entries[min(menus.selection, Self.entries.count - 1)].open(&menus, facts, size)
    }
}

/// A row of the first page: what it shows, and what it opens.
struct MenuEntry: Sendable {
    let row: @Sendable (WatchFacts) -> MenuRow
    let open: @Sendable (inout WatchMenus, WatchFacts, Size) -> [MenuOutcome]
}

extension MenuEntry {
    /// A row that opens a page.
    init(_ page: some MenuPage, row: @escaping @Sendable (WatchFacts) -> MenuRow) {
        self.init(row: row) { menus, _, _ in
            menus.open(page)
            return []
        }
    }
}
