import PoolControl
import PoolModel

/// The hub's screens: what they show, and the effect of keys and clicks.
///
/// It is a value without a clock, a terminal or a hub. The code that runs it passes in a snapshot after each change and
/// at least once a second (``update(_:size:)``), and what the person does (``handle(_:)``). After each call it sends
/// the returned orders to the hub and shows what ``draw()`` returns. No size, snapshot or key traps.
///
/// The panels and the dialog keep their own states; the console keeps the position, and passes the inputs on.
package struct HubConsole: Sendable {
    /// The size from which on all panels are shown side by side; below ``phoneSize`` one panel at a time is.
    package static let dashboardSize = Size(columns: 118, rows: 34)
    /// The size of the upright layout.
    package static let phoneSize = Size(columns: 48, rows: 36)

    /// The colours; the key `t` changes between light and dark.
    package var theme: Theme
    /// Whether the person has left the screens.
    package private(set) var isLeft = false

    private let settings: ScreenContext.Settings
    private var snapshot = HubSnapshot(HubState(now: Timestamp(milliseconds: 0)))
    private var hasSnapshot = false
    private var size = Size(columns: 80, rows: 24)
    private(set) var navigation = ConsoleNavigation()
    private(set) var panels = HubPanels()
    /// What lies over the panels and has the keys; nil for nothing.
    private var dialog: (any HubDialog)?
    private var toast: Toast?
    private var orders = OrderQueue()
    /// What the person has copied, until it is taken out.
    private var copied: String?
    /// What the person wants to see alone, until it is taken out.
    private var revealed: String?

    /// Creates a console that shows nothing yet.
    ///
    /// - Parameters:
    ///   - theme: The colours.
    ///   - capabilities: What the terminal can show.
    ///   - quits: What ends when the person leaves the screens.
    package init(theme: Theme = Theme(), capabilities: Capabilities, quits: QuitEffect = .view) {
        self.theme = theme
        settings = ScreenContext.Settings(capabilities: capabilities, quits: quits)
    }

    // MARK: - Input and output

    /// Takes what is known now, and the terminal's size.
    ///
    /// - Returns: Orders that follow from it, such as for a chart that has become too old.
    package mutating func update(_ snapshot: HubSnapshot, size: Size) -> [HubOrder] {
        let isFirst = !hasSnapshot
        (self.snapshot, self.size, hasSnapshot) = (snapshot, size, true)
        if isFirst { navigation.focusFirst(isWide: isWide) }
        for answer in snapshot.answers { receive(answer) }
        orders.forgetOld()
        follow()
        return orders.take()
    }

    /// Handles what a person did.
    ///
    /// - Returns: What is to be done at the hub, in this order.
    package mutating func handle(_ input: ConsoleInput) -> [HubOrder] {
        switch input {
        case .key(let key): press(key)
        case .paste(let text): paste(text)
        case .click(let x, let y): click(x: x, y: y)
        case .wheel(let x, let y, let notches): turnWheel(x: x, y: y, notches: min(20, max(-20, notches)))
        }
        follow()
        return orders.take()
    }

    /// Takes out the text that the person has copied for the terminal's clipboard; nil if there is none.
    package mutating func takeCopied() -> String? {
        defer { copied = nil }
        return copied
    }

    /// Takes out the text that the terminal is to show alone until the next key; nil if there is none.
    package mutating func takeRevealed() -> String? {
        defer { revealed = nil }
        return revealed
    }

    /// The screen as it is now.
    package func draw() -> CellBuffer {
        let context = context
        return context.look.finished(picture(in: context).buffer)
    }

    private func picture(in context: ScreenContext) -> Picture {
        ConsoleView(context: context, panels: panels, dialog: dialog, toast: toast).picture()
    }

    /// What panels and dialogs may know now.
    var context: ScreenContext {
        var context = ScreenContext(
            snapshot: snapshot, settings: settings, theme: theme, size: size, navigation: navigation,
            choices: panels.choices(for: snapshot), hasDialog: dialog != nil)
        if dialog is HelpDialog { context.keys = keySections(in: context) }
        return context
    }

    private var isWide: Bool { ConsoleLayout(size: size, navigation: navigation).kind == .wide }

    // MARK: - The hub

    /// Keeps what was remembered in step with what is there now.
    private mutating func follow() {
        navigation.focusShown(isWide: isWide)
        if toast?.isShown(at: snapshot.hub.now) == false { toast = nil }
        let context = context
        for id in HubPanels.ids { carryOut(panels[id].handle(.update, in: context) ?? []) }
    }

    /// Shows an answer: a new invitation as its code, another one as a short message.
    private mutating func receive(_ answer: HubAnswer) {
        guard orders.shows(answer) else { return }
        if case .invitation = answer.reply {
            dialog = PairingDialog()
        } else {
            carryOut(answer.reply.toast)
        }
    }

    // MARK: - Outcomes

    /// Carries outcomes out, in their order.
    private mutating func carryOut(_ outcomes: [ConsoleOutcome]) {
        for outcome in outcomes { carryOut(outcome) }
    }

    private mutating func carryOut(_ outcome: ConsoleOutcome) {
        switch outcome {
        case .order(let command): orders.append(command, isAnswerShown: true)
        case .orderSilently(let command): orders.append(command, isAnswerShown: false)
        case .open(let dialog): self.dialog = dialog
        case .close: dialog = nil
        case .expand(let panel): navigation.expand(panel)
        case .showDevice(let offset): panels[DevicesPanel.self].showDevice(offset: offset, in: snapshot.hub)
        case .showQuantity(let quantity): panels[GaugesPanel.self].show(quantity)
        case .press(let key, let panel): carryOut(panels[panel].handle(.key(key), in: context) ?? [])
        case .copy(let text, let name):
            copied = text
            carryOut(.toast(.done, "Copied \(name ?? text)"))
        case .reveal(let text): revealed = text
        case .leave: isLeft = true
        case .toast(let kind, let text): if !text.isEmpty { toast = Toast(kind, text, at: snapshot.hub.now) }
        }
    }

    // MARK: - Keys

    /// Passes a pasted text on to the filter that is being typed.
    private mutating func paste(_ text: String) {
        guard dialog == nil, let outcomes = panels[navigation.focus].handle(.paste(text), in: context) else {
            return carryOut(.toast(.note, "Text can be pasted into a filter only"))
        }
        carryOut(outcomes)
    }

    private mutating func press(_ key: Key) {
        toast = nil
        let context = context
        if let outcomes = dialog?.press(key, in: context) {
            carryOut(outcomes)
        } else if let outcomes = panels[navigation.focus].handle(.key(key), in: context) {
            carryOut(outcomes)
        } else if let command = commands(in: context).first(where: { $0.hint.keys.contains(key) }) {
            carryOut(command.run(on: &self, in: context))
        } else {
            explain(key, in: context)
        }
    }

    /// Says where a key does something that does nothing here.
    private mutating func explain(_ key: Key, in context: ScreenContext) {
        guard case .character(let character) = key else { return }
        let other = HubPanels.ids.filter { $0 != context.focus }.map { panels[$0] }
            .first { panel in panel.hints(in: context).contains { $0.keys.contains(key) } }
        if let other {
            let title = other.title(in: context).text
            carryOut([.toast(.note, "\(character) works in \(title); ? shows what works here")])
        } else {
            carryOut([.toast(.note, "\(String(character).sanitized) does nothing here; ? shows what works")])
        }
    }

    /// The keys that work in every panel.
    private func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let isWide = context.isWide
        let noServer = context.hub.servers.isEmpty ? "there is no server yet" : nil
        let copyable = panels[context.focus].copyText(in: context)?.nonEmpty
        let commands: [KeyCommand<Self>] = [
            .changing([.tab], label: "tab", "next panel") { $0.navigation.moveFocus(by: 1, isWide: isWide) },
            .changing([.backTab], label: "shift-tab", "panel before") {
                $0.navigation.moveFocus(by: -1, isWide: isWide)
            },
            .changing([.enter], label: "enter", "fill the screen") { console in
                console.navigation.expand(console.navigation.focus)
            },
            KeyCommand([.escape, .backspace], label: "esc", "back") { console, context in
                let isFirst = !console.navigation.goBack(isWide: context.isWide)
                return isFirst ? [.toast(.note, "This is the first screen; \(context.settings.quits.sentence)")] : []
            },
            KeyCommand("?", "help") { _, _ in [.open(HelpDialog())] },
            .changing([.character("t")], label: "t", "light or dark") { console in
                let appearance: Theme.Appearance = console.theme.appearance == .dark ? .light : .dark
                console.theme = Theme(appearance, isDim: console.theme.isDim)
            },
            .changing([.character("d")], label: "d", "dim") { console in
                console.theme = Theme(console.theme.appearance, isDim: !console.theme.isDim)
            },
            .changing([.character("v")], label: "v", "layout", unless: layoutObstacle) { $0.switchLayout() },
            .changing(
                [.character("p")], label: "p", panels[EventsPanel.self].isPaused ? "go on with events" : "pause events"
            ) {
                $0.panels[EventsPanel.self].togglePause(in: context)
            },
            KeyCommand("r", "reconnect", unless: noServer) { _, _ in [.order(.reconnect)] },
            KeyCommand("a", "acknowledge", unless: panels[AlertsPanel.self].acknowledgeObstacle(in: context)) {
                console, context in
                console.panels[AlertsPanel.self].acknowledge(in: context)
            },
            KeyCommand("y", "copy", unless: copyable == nil ? "nothing is selected" : nil) { _, _ in
                copyable.map { [.copy($0)] } ?? []
            },
            KeyCommand("i", "invite a watch") { _, context in [PairingDialog.invite(in: context)] },
            KeyCommand("q", context.settings.quits.action) { _, context in
                [QuitDialog(context.settings.quits).map { .open($0) } ?? .leave]
            },
        ]
        let tabs = ConsoleTab.all.enumerated().map { index, tab in
            KeyCommand<Self>.changing([.function(index + 1)], label: "F\(index + 1)", tab.title) {
                $0.navigation.open(tab, isWide: isWide)
            }
        }
        return commands + tabs + numberCommands(in: context)
    }

    /// The keys of the digits: panels in the wide layout, else tabs.
    private func numberCommands(in context: ScreenContext) -> [KeyCommand<Self>] {
        func command(
            _ digit: Int, _ title: String, _ change: @escaping (inout ConsoleNavigation) -> Void
        ) -> KeyCommand<Self> {
            let key = Key.character(Character(Unicode.Scalar(UInt8(48 + digit % 10))))
            return .changing([key], label: "\(digit)", title) { change(&$0.navigation) }
        }
        guard context.isWide else {
            return ConsoleTab.all.enumerated().map { index, tab in
                command(index + 1, tab.title) { $0.open(tab, isWide: false) }
            }
        }
        let commands = ConsoleTab.dashboard.panels(isWide: true).enumerated().map { index, id in
            command(index + 1, panels[id].title(in: context).text) { navigation in
                if navigation.tab != .dashboard || navigation.expanded != nil {
                    navigation.open(.dashboard, isWide: true)
                }
                navigation.focus(id)
            }
        }
        return commands + [command(7, ConsoleTab.hub.title) { $0.open(.hub, isWide: true) }]
    }

    /// The keys that work now, for the help.
    private func keySections(in context: ScreenContext) -> [KeySection] {
        let panel = panels[context.focus]
        let digits = KeyHint(
            keys: [], label: context.isWide ? "1-7" : "1-5", action: context.isWide ? "panels and hub" : "tabs")
        let terminal = KeyHint(keys: [], label: "^L ^Z", action: "redraw, suspend")
        let everywhere = commands(in: context).map(\.hint).filter { Int($0.label) == nil }
        return [
            KeySection(
                title: panel.title(in: context).text, hints: panel.helpHints(in: context),
                changes: panel.changes.map { "changed on the page, or with poolsensors \($0)" }),
            KeySection(title: "Everywhere", hints: everywhere + [digits, terminal]),
        ]
    }

    private var layoutObstacle: String? {
        guard !size.contains(Self.dashboardSize) else { return nil }
        return "the dashboard needs \(Self.dashboardSize.columns) columns and \(Self.dashboardSize.rows) rows"
    }

    private mutating func switchLayout() {
        navigation.choose(isWide ? .phone : .dashboard)
        navigation.focusShown(isWide: isWide)
    }

    // MARK: - Mouse

    private mutating func click(x: Int, y: Int) {
        toast = nil
        let context = context
        let targets = picture(in: context).targets(x: x, y: y)
        if let outcomes = dialog?.click(targets, in: context) {
            carryOut(outcomes)
        } else {
            for target in targets.reversed() { click(target, x: x, in: self.context) }
        }
    }

    private mutating func click(_ target: Target, x: Int, in context: ScreenContext) {
        switch target {
        case .panel(let panel): navigation.focus(panel)
        case .row(let panel, let row): carryOut(panels[panel].handle(.click(row), in: context) ?? [])
        case .tab(let tab): navigation.open(tab, isWide: context.isWide)
        case .range(let range): panels[HistoryPanel.self].show(range, in: context)
        case .plot: panels[HistoryPanel.self].pick(x: x, in: context)
        case .device(let offset): carryOut([.showDevice(offset: offset)])
        case .banner:
            if panels[AlertsPanel.self].acknowledgeObstacle(in: context) == nil {
                carryOut(panels[AlertsPanel.self].acknowledge(in: context))
            }
        case .key(let key): press(key)
        case .option, .dialog: break
        }
    }

    private mutating func turnWheel(x: Int, y: Int, notches: Int) {
        let context = context
        if dialog != nil {
            for _ in 0..<abs(notches) { carryOut(dialog?.press(notches < 0 ? .up : .down, in: context) ?? []) }
            return
        }
        let panel = picture(in: context).targets(x: x, y: y).lazy
            .compactMap { if case .panel(let id) = $0 { id } else { nil } }.first
        guard let panel else { return }
        carryOut(panels[panel].handle(.wheel(notches), in: context) ?? [])
    }
}

extension KeyCommand {
    /// A key that only changes the target.
    fileprivate static func changing(
        _ keys: [Key], label: String, _ action: String, unless obstacle: String? = nil,
        _ change: @escaping (inout Target) -> Void
    ) -> KeyCommand {
        KeyCommand(keys, label: label, action, unless: obstacle) { target, _ in
            change(&target)
            return []
        }
    }
}
