import PoolModel

/// The rows of each page.
extension MenuContent {
    /// The content of the front page.
    init(_ menus: WatchMenus, _ facts: WatchFacts) {
        switch menus.levels.last?.page {
        case .top: self = .top(facts)
        case .devices: self = .devices(facts, menus.filter)
        case .alerts: self = .alerts(facts, menus.filter)
        case .alert(let episode): self = .alert(episode, facts)
        case .snooze(let episode): self = .snooze(episode, facts)
        case .limits: self = .limits(facts)
        case .limitsForm(let form): self = .limitsForm(form, facts)
        case .names: self = .names(facts)
        case .rename(let form): self = .rename(form)
        case .history(let page): self = .history(page, facts)
        case .conflicts: self = .conflicts(facts)
        case .conflict(let id): self = .conflict(id, facts)
        case .edits: self = .edits(facts)
        case .help, nil: self = .help(menus, facts)
        }
    }

    static let noMatch = "Nothing matches; esc shows all."
    static let moving = KeyBinding("↑↓", "select")
    static let back = KeyBinding("esc", "back")

    // MARK: - The first page

    private static func top(_ facts: WatchFacts) -> MenuContent {
        let rows = TopMenuItem.allCases.map { choice -> MenuRow in
            switch choice {
            case .devices: .choice("Pools and devices", trailing: facts.shownDevice?.name.sanitized ?? "none shown")
            case .alerts: alertsChoice(facts)
            case .limits: .choice("Limits")
            case .history: .choice("History")
            case .names: .choice("Names")
            case .conflicts:
                .choice(
                    "Conflicts", sign: facts.glance.conflicts.isEmpty ? nil : (.conflict, .status(.warning)),
                    trailing: facts.glance.conflicts.isEmpty ? "none" : "\(facts.glance.conflicts.count) open",
                    trailingTone: facts.glance.conflicts.isEmpty ? .quiet : .status(.warning))
            case .edits: editsChoice(facts)
            case .help: .choice("Keys")
            }
        }
        return MenuContent(title: "Menu", rows: rows, hints: [moving, KeyBinding("enter", "open"), back])
    }

    private static func alertsChoice(_ facts: WatchFacts) -> MenuRow {
        let state = facts.glance.alerts
        guard let worst = state.alerts.first else { return .choice("Alerts", trailing: "none") }
        let status = worst.severity.status
        let unanswered = state.alerts.count { !$0.isAcknowledged && $0.snoozedUntil == nil }
        let words = unanswered == 0 ? "\(state.alerts.count) answered" : "\(unanswered) open"
        return .choice(
            "Alerts", sign: (.status(status), .status(status)), trailing: words,
            trailingTone: unanswered == 0 ? .quiet : .status(status))
    }

    private static func editsChoice(_ facts: WatchFacts) -> MenuRow {
        let waiting = facts.pending.count
        return .choice(
            "Own edits", sign: waiting == 0 ? nil : (.waiting, .stale),
            trailing: waiting == 0 ? "\(facts.outcomes.count)" : "\(waiting) waiting",
            trailingTone: waiting == 0 ? .quiet : .stale)
    }

    // MARK: - Devices

    private static func devices(_ facts: WatchFacts, _ filter: ListFilter) -> MenuContent {
        var rows: [MenuRow] = []
        let configuration = facts.configuration
        func devices(of pool: PoolID?) -> [WatchDevice] {
            configuration.devices(of: pool).filter { filter.accepts($0, facts) }
        }
        for pool in configuration.pools where !devices(of: pool.id).isEmpty {
            rows.append(.line(pool.name.sanitized, .title))
            rows += devices(of: pool.id).map { device($0, facts) }
        }
        let rest = devices(of: nil)
        if !rest.isEmpty, rest.count < configuration.devices.count { rows.append(.line("Without a pool", .title)) }
        rows += rest.map { device($0, facts) }
        if rows.isEmpty {
            rows = [.line(filter.isShown ? noMatch : "The hub has no device yet: add one there.")]
        }
        return MenuContent(
            title: "Pools and devices" + filter.words, rows: rows,
            hints: [
                KeyBinding("enter", "select everywhere"), KeyBinding("space", "look here only"), moving,
                KeyBinding("/", "filter"), back,
            ])
    }

    private static func device(_ device: WatchDevice, _ facts: WatchFacts) -> MenuRow {
        let headline = facts.headlines[device.id]
        var marks: [String] = []
        if device.id == facts.shownDeviceID { marks.append("shown") }
        if device.id == facts.configuration.selection.deviceID { marks.append("selected") }
        let words = marks.isEmpty ? headline?.word ?? "" : marks.joined(separator: ", ")
        return .choice(device.name.sanitized, sign: headline?.sign, trailing: words)
    }

    // MARK: - Names

    private static func names(_ facts: WatchFacts) -> MenuContent {
        let rows = facts.configuration.owners.map { form in
            let kind = if case .pool = form.owner { "pool" } else { "device" }
            return MenuRow.choice(form.oldName.sanitized, trailing: kind)
        }
        return MenuContent(
            title: "Names", rows: rows.isEmpty ? [.line("There is nothing to rename yet.")] : rows,
            hints: [KeyBinding("enter", "rename"), moving, back])
    }

    private static func rename(_ form: NameForm) -> MenuContent {
        let kind = if case .pool = form.owner { "pool" } else { "device" }
        var entry = MenuRow.line("Name", .plain, trailing: form.entry.text)
        entry.trailingTone = form.objection == nil ? .plain : .status(.warning)
        entry.cursor = form.entry.cursor
        return MenuContent(
            title: "Rename the \(kind)",
            rows: [
                .line("Was \(form.oldName.sanitized)"), .blank, entry, .blank,
                form.objection.map { .line($0, .status(.warning)) }
                    ?? .line("Shown here at once; the hub and the other watches follow."),
            ], hints: [KeyBinding("enter", "save"), KeyBinding("esc", "leave it")])
    }

    // MARK: - Limits

    private static func limits(_ facts: WatchFacts) -> MenuContent {
        guard let device = facts.shownDevice else {
            return MenuContent(title: "Limits", rows: [.line("No device is shown.")], hints: [back])
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
            hints: [KeyBinding("enter", "change"), moving, back])
    }

    private static func limitsForm(_ form: LimitsForm, _ facts: WatchFacts) -> MenuContent {
        let unit = form.quantity.unit
        var rows = LimitsForm.Field.allCases.map { field -> MenuRow in
            guard let entry = form.entry(field) else { return alerting(form, facts) }
            var row = MenuRow.choice(field.name + (unit.isEmpty ? "" : " (\(unit))"), trailing: entry.text)
            row.trailingTone = form.objection(to: field) == nil ? .plain : .status(.warning)
            row.cursor = field == form.field ? entry.cursor : nil
            return row
        }
        rows.append(.blank)
        if let objection = form.objection {
            rows.append(.line(objection, .status(.warning)))
        } else {
            rows.append(.line(form.isChanged ? "enter saves it; shown here at once" : "Type to change a limit."))
        }
        let name = facts.configuration.device(form.deviceID)?.name.sanitized ?? ""
        return MenuContent(
            title: "\(form.quantity.name) of \(name)", rows: rows,
            hints: [
                KeyBinding("enter", "save"), KeyBinding("↑↓", "field"), KeyBinding("s", "standard"),
                KeyBinding("esc", "leave it"),
            ])
    }

    private static func alerting(_ form: LimitsForm, _ facts: WatchFacts) -> MenuRow {
        let words = facts.muted.map { $0.contains(form.quantity) ? "off" : "on" } ?? "not known yet"
        return .choice("Alert of all devices", trailing: "\(words), space changes it")
    }

    // MARK: - Help

    private static func help(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent {
        let rows = menus.bindings(facts).map { MenuRow.line($0.action, .plain, trailing: $0.keys) }
        return MenuContent(title: "Keys", rows: rows, hints: [back])
    }
}

extension ListFilter {
    /// What follows the title of a page: the filter, with a cursor while it is typed.
    var words: String { isShown ? " /\(text)\(isTyping ? "_" : "")" : "" }
}

extension Headline {
    /// The sign of a device in a list.
    fileprivate var sign: (glyph: MenuSymbol, tone: MenuRow.Tone) {
        switch weight {
        case .status(let status): (.status(status), .status(status))
        case .stale: (.stale, .stale)
        }
    }
}
