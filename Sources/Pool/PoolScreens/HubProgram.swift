import PoolControl
import PoolModel
package import TerminalUI

/// The hub's screens as a program of the terminal.
package struct HubProgram: TerminalProgram {
    private var console: HubConsole
    private let controller: HubController
    private var shown: HubSnapshot?
    private var size: Size?
    private let rememberTheme: (Theme.Appearance) -> Void

    /// Creates a program; `rememberTheme` is called when the person has chosen light or dark.
    package init(
        _ console: HubConsole, controller: HubController,
        rememberTheme: @escaping (Theme.Appearance) -> Void = { _ in }
    ) {
        self.console = console
        self.controller = controller
        self.rememberTheme = rememberTheme
    }

    package mutating func refresh(in view: TerminalView) -> TerminalAnswer {
        guard case .snapshot(let snapshot) = controller.offer else {
            // Before the first snapshot the hub would look empty.
            if case .end = controller.offer { return .end }
            return .unchanged
        }
        guard view.size != size || isNews(snapshot, in: view) else { return .unchanged }
        (shown, size) = (snapshot, view.size)
        return answer(console.update(snapshot, size: view.size))
    }

    /// Whether the screens would look different; while the terminal is unattended, ages count only once a minute.
    private func isNews(_ snapshot: HubSnapshot, in view: TerminalView) -> Bool {
        guard view.isUnattended, let shown,
            shown.hub.now.milliseconds / 60_000 == snapshot.hub.now.milliseconds / 60_000
        else {
            return snapshot != shown
        }
        return snapshot.withoutAges != shown.withoutAges
    }

    package mutating func draw(in view: TerminalView) -> CellBuffer {
        if view.size != size {
            // A larger screen may need a finer chart. Only keys end the program.
            _ = refresh(in: view)
        }
        guard shown != nil else { return CellBuffer(view.size) }
        guard view.isUnattended else { return console.draw() }
        var dimmed = console
        dimmed.theme = Theme(console.theme.appearance, isDim: true)
        return dimmed.draw()
    }

    package mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard let input = ConsoleInput(input) else { return .unchanged }
        if shown == nil, input == .key(.character("q")) { return .end }
        let appearance = console.theme.appearance
        let orders = console.handle(input)
        if console.theme.appearance != appearance { rememberTheme(console.theme.appearance) }
        return answer(orders)
    }

    private mutating func answer(_ orders: [HubOrder]) -> TerminalAnswer {
        for order in orders { controller.carryOut(order) }
        if console.isLeft { return .end }
        if let text = console.takeRevealed() { return .reveal(text) }
        return console.takeCopied().map { .copy($0) } ?? .redraw
    }
}

extension HubSnapshot {
    /// The snapshot without what changes by itself every second.
    fileprivate var withoutAges: HubSnapshot {
        var facts = self
        facts.hub.now = Timestamp(milliseconds: 0)
        facts.glances = facts.glances.mapValues(\.withoutAges)
        for index in facts.hub.watches.indices where facts.hub.watches[index].silentSeconds != nil {
            facts.hub.watches[index].silentSeconds = 0
        }
        return facts
    }
}
