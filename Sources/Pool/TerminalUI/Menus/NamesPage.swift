import PoolModel

/// The list of devices and pools that can be renamed.
struct NamesPage: MenuPage {
    static let entry = MenuEntry(NamesPage()) { _ in .choice("Names") }

    /// A form for each: the pools, then the devices.
    private static func forms(_ configuration: WatchConfiguration) -> [NameForm] {
        configuration.pools.map { NameForm(.pool($0.id), name: $0.name) }
            + configuration.devices.map { NameForm(.device($0.id), name: $0.name) }
    }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let rows = Self.forms(facts.configuration).map { MenuRow.choice($0.oldName.sanitized, trailing: $0.kind) }
        return MenuContent(
            title: "Names", rows: rows.isEmpty ? [.line("There is nothing to rename yet.")] : rows,
            hints: [KeyBinding("enter", "rename"), .moving, .back])
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        guard key.opensRow else { return nil }
        let forms = Self.forms(facts.configuration)
        if forms.indices.contains(menus.selection) { menus.open(forms[menus.selection]) }
        return []
    }
}

extension NameForm: MenuPage {
    var isTyping: Bool { true }

    func isLost(_ facts: WatchFacts) -> Bool {
        switch owner {
        case .device(let id): facts.configuration.device(id) == nil
        case .pool(let id): facts.configuration.pool(id) == nil
        }
    }

    /// What is renamed, as a word.
    fileprivate var kind: String { if case .pool = owner { "pool" } else { "device" } }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        var row = MenuRow.line("Name", .plain, trailing: entry.text)
        row.trailingTone = objection == nil ? .plain : .status(.warning)
        row.cursor = entry.cursor
        return MenuContent(
            title: "Rename the \(kind)",
            rows: [
                .line("Was \(oldName.sanitized)"), .blank, row, .blank,
                objection.map { .line($0, .status(.warning)) }
                    ?? .line("Shown here at once; the hub and the other watches follow."),
            ], hints: [KeyBinding("enter", "save"), KeyBinding("esc", "leave it")])
    }

    mutating func paste(_ text: String) { entry.paste(text) { _ in true } }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        var form = self
        if key == .escape {
            menus.leaveForm(isChanged: name != oldName, facts)
        } else if key == .enter {
            if let objection {
                menus.say(objection, facts)
            } else if name == oldName {
                menus.say("it has this name already", facts)
            } else {
                menus.goBack()
                return [.edit(edit)]
            }
        } else if form.entry.handle(key, accepting: { displayWidth($0) > 0 || $0 == " " }) {
            menus.replacePage(form)
        }
        return []
    }
}
