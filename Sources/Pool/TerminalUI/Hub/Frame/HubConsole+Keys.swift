import PoolControl
import PoolModel

extension HubConsole {
    mutating func press(_ key: Key) {
        state.toast = nil
        if !state.dialogs.isEmpty {
            pressInDialog(key)
            return
        }
        let zone = state.focus
        if zone == .history, pressInChart(key) { return }
        if let command = commands(of: zone).first(where: { $0.keys.contains(key) }) {
            perform(command)
            return
        }
        if move(key, in: zone) { return }
        if let command = globalCommands.first(where: { $0.keys.contains(key) }) {
            perform(command)
            return
        }
        explain(key)
    }

    mutating func paste(_ text: String) {
        guard !state.dialogs.isEmpty else {
            toast(.note, "Text can be pasted into a form only")
            return
        }
        pasteInDialog(text)
    }

    mutating func perform(_ command: Command) {
        if let obstacle = command.obstacle {
            toast(.refused, "\(command.label) \(command.deed): \(obstacle)")
        } else {
            command.effect(&self)
        }
    }

    /// A key that does nothing here says where it does something.
    private mutating func explain(_ key: Key) {
        guard case .character(let character) = key else { return }
        let others = ConsolePanel.allCases.filter { $0 != state.focus }
        let zone = others.first { zone in commands(of: zone).contains { $0.keys.contains(key) } }
        if let zone {
            toast(.note, "\(character) works in \(title(of: zone).text); ? shows what works here")
        } else {
            toast(.note, "\(String(character).sanitized) does nothing here; ? shows what works")
        }
    }

    // MARK: Moving

    private mutating func move(_ key: Key, in zone: ConsolePanel) -> Bool {
        let page = 8
        switch key {
        case .up, .character("k"): moveSelection(in: zone, by: -1)
        case .down, .character("j"): moveSelection(in: zone, by: 1)
        case .pageUp: moveSelection(in: zone, by: -page)
        case .pageDown: moveSelection(in: zone, by: page)
        case .home: moveSelection(in: zone, by: .min)
        case .end: moveSelection(in: zone, by: .max)
        case .left, .character("h"): showDevice(offset: -1)
        case .right, .character("l"): showDevice(offset: 1)
        case .character, .control, .alt, .enter, .tab, .backTab, .escape, .backspace, .delete, .insert, .function:
            return false
        }
        return true
    }

    /// The chart has arrows of its own; up and down choose the quantity.
    private mutating func pressInChart(_ key: Key) -> Bool {
        if [.up, .character("k")].contains(key) {
            showQuantity(offset: -1)
        } else if [.down, .character("j")].contains(key) {
            showQuantity(offset: 1)
        } else {
            return state.navigator.press(key, now: hub.now)
        }
        return true
    }

    // MARK: Everywhere

    /// The keys that work in every panel.
    var globalCommands: [Command] {
        var commands = [
            Command([.tab], label: "tab", "next panel") { $0.moveFocus(by: 1) },
            Command([.backTab], label: "shift-tab", "panel before") { $0.moveFocus(by: -1) },
            Command([.enter], label: "enter", "fill the screen") { console in
                let zone = console.state.focus
                if console.state.expanded.last != zone { console.expand(zone) }
            },
            Command([.escape, .backspace], label: "esc", "back") { $0.goBack() },
            Command("?", "help") { $0.state.dialogs.append(.help(scroll: 0)) },
            Command("t", "light or dark") { console in
                let appearance: Theme.Appearance = console.theme.appearance == .dark ? .light : .dark
                console.theme = Theme(appearance, isDim: console.theme.isDim)
            },
            Command("d", "dim") { $0.theme = Theme($0.theme.appearance, isDim: !$0.theme.isDim) },
            Command("v", "layout", unless: layoutObstacle) { $0.switchLayout() },
            Command("p", state.pausedEvents == nil ? "pause events" : "go on with events") { $0.pauseEvents() },
            Command("r", "connect anew", unless: hub.servers.isEmpty ? "there is no server yet" : nil) {
                $0.state.pending[$0.order(.reconnect)] = .toast
            },
            Command("a", "acknowledge", unless: acknowledgeObstacle) { $0.acknowledge() },
            Command("i", "invite a watch") { $0.beginPairing() },
            Command("q", "quit") { $0.isLeft = true },
        ]
        commands += ConsoleTab.allCases.map { tab in
            Command([.function(tab.rawValue + 1)], label: "F\(tab.rawValue + 1)", tab.title) { $0.open(tab) }
        }
        return commands + numberCommands
    }

    private var numberCommands: [Command] {
        if isWide {
            let zones = ConsoleTab.dashboard.zones(isWide: true)
            return zones.enumerated().map { index, zone in
                Command([number(index + 1)], label: "\(index + 1)", title(of: zone).text) { console in
                    if console.state.tab != .dashboard || !console.state.expanded.isEmpty { console.open(.dashboard) }
                    console.focus(zone)
                }
            } + [Command("7", "Setup") { $0.open(.setup) }]
        }
        return ConsoleTab.allCases.map { tab in
            Command([number(tab.rawValue + 1)], label: "\(tab.rawValue + 1)", tab.title) { $0.open(tab) }
        }
    }

    private func number(_ digit: Int) -> Key { .character(Character(Unicode.Scalar(UInt8(48 + digit % 10)))) }

    private mutating func moveFocus(by step: Int) {
        let zones = state.zones(isWide: isWide)
        guard !zones.isEmpty else { return }
        let index = zones.firstIndex(of: state.focus) ?? 0
        state.focus = zones[((index + step) % zones.count + zones.count) % zones.count]
    }

    private mutating func goBack() {
        if state.expanded.popLast() != nil {
            let zones = state.zones(isWide: isWide)
            if !zones.contains(state.focus) { state.focus = zones.first ?? .devices }
        } else if state.tab != .dashboard {
            open(.dashboard)
        } else {
            toast(.note, "This is the first screen; q quits")
        }
    }

    private var layoutObstacle: String? {
        guard !size.contains(Self.dashboardSize) else { return nil }
        return "the dashboard needs \(Self.dashboardSize.columns) columns and \(Self.dashboardSize.rows) rows"
    }

    private mutating func switchLayout() {
        state.layout = isWide ? .phone : .dashboard
        let zones = state.zones(isWide: isWide)
        if !zones.contains(state.focus) { state.focus = zones.first ?? .devices }
    }
}
