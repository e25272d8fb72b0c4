/// The keys of the page below it, or of the face.
struct HelpPage: MenuPage {
    static let entry = MenuEntry(HelpPage()) { _ in .choice("Keys") }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let rows = menus.bindings(facts).map { MenuRow.line($0.action, .plain, trailing: $0.keys) }
        return MenuContent(title: "Keys", rows: rows, hints: [.back])
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        // The help is open already.
        key == .character("?") ? [] : nil
    }
}
