import PoolModel

/// The limits of the device on the face.
struct LimitsPage: MenuPage {
    static let entry = MenuEntry { _ in
        .choice("Limits")
    } open: { menus, facts, _ in
        guard facts.shownDevice != nil else {
            menus.say("no device is shown: choose one first", facts)
            return []
        }
        menus.open(LimitsPage())
        return facts.muted == nil ? [.learnAlerting] : []
    }

    func isLost(_ facts: WatchFacts) -> Bool { facts.shownDevice == nil }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        guard let device = facts.shownDevice else {
            return MenuContent(title: "Limits", rows: [.line("No device is shown.")], hints: [.back])
        }
        let rows = facts.quantities.map { quantity in
            let limits = device.limits(for: quantity)
            let isMuted = facts.muted?.contains(quantity) ?? false
            return MenuRow.choice(
                quantity.name,
                trailing: "\(quantity.text(limits.low)) to \(quantity.textWithUnit(limits.high))"
                    + (isMuted ? ", no alert" : ""))
        }
        return MenuContent(
            title: "Limits of \(device.name.sanitized)", rows: rows,
            hints: [KeyBinding("enter", "change"), .moving, .back])
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        guard key.opensRow else { return nil }
        let quantities = facts.quantities
        guard let device = facts.shownDevice, quantities.indices.contains(menus.selection) else { return [] }
        menus.open(LimitsForm(device, quantities[menus.selection]))
        return []
    }
}

extension LimitsForm: MenuPage {
    func isLost(_ facts: WatchFacts) -> Bool { facts.configuration.device(deviceID) == nil }

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let unit = quantity.unit
        var rows = Field.allCases.map { field -> MenuRow in
            guard let entry = entry(field) else { return alertingRow(facts) }
            var row = MenuRow.choice(field.name + (unit.isEmpty ? "" : " (\(unit))"), trailing: entry.text)
            row.trailingTone = objection(to: field) == nil ? .plain : .status(.warning)
            row.cursor = field == self.field ? entry.cursor : nil
            return row
        }
        rows.append(.blank)
        if let objection {
            rows.append(.line(objection, .status(.warning)))
        } else {
            rows.append(.line(isChanged ? "enter saves it; shown here at once" : "Type to change a limit."))
        }
        let name = facts.configuration.device(deviceID)?.name.sanitized ?? ""
        return MenuContent(
            title: "\(quantity.name) of \(name)", rows: rows,
            hints: [
                KeyBinding("enter", "save"), KeyBinding("↑↓", "field"), KeyBinding("s", "standard"),
                KeyBinding("esc", "leave it"),
            ])
    }

    private func alertingRow(_ facts: WatchFacts) -> MenuRow {
        let words = facts.muted.map { $0.contains(quantity) ? "off" : "on" } ?? "not known yet"
        return .choice("Alert of all devices", trailing: "\(words), space changes it")
    }

    mutating func click(_ choice: Int) -> Bool {
        move(by: choice - field.rawValue)
        return true
    }

    func press(
        _ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size
    ) -> [MenuOutcome]? {
        var form = self
        if form.handle(key) {
            menus.replacePage(form)
            return []
        }
        switch key {
        case .escape:
            menus.leaveForm(isChanged: isChanged, facts)
            return []
        case .up, .backTab: form.move(by: -1)
        case .down, .tab: form.move(by: 1)
        case .character("s"): form.fill(inherited)
        case .character(" ") where field == .alerting, .enter where field == .alerting:
            guard let muted = facts.muted else {
                menus.say("whether it alerts is not known until the hub answers", facts)
                return [.learnAlerting]
            }
            return [.setAlerting(quantity, isOn: muted.contains(quantity))]
        case .enter: return save(on: &menus, facts)
        case .character("?"):
            menus.open(HelpPage())
            return []
        case .character, .control, .alt, .backspace, .delete, .insert, .left, .right, .home, .end, .pageUp, .pageDown,
            .function:
            break
        }
        menus.replacePage(form)
        menus.selection = form.field.rawValue
        return []
    }

    private func save(on menus: inout WatchMenus, _ facts: WatchFacts) -> [MenuOutcome] {
        guard let limits else {
            menus.say(objection ?? "these are not valid limits", facts)
            return []
        }
        guard isChanged else {
            menus.say("nothing was changed", facts)
            return []
        }
        menus.goBack()
        return [.edit(.setLimits(deviceID, quantity, limits == inherited ? nil : limits))]
    }
}
