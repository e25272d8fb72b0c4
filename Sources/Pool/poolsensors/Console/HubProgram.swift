import PoolControl
import PoolModel
import PoolScreens
import TerminalUI

/// The hub's screens as a program of the terminal.
struct HubProgram: TerminalProgram {
    private var console: HubConsole
    private let feed: HubController
    private var shown: HubSnapshot?
    private var size: Size?
    private let rememberTheme: (Theme.Appearance) -> Void

    /// Creates a program; `rememberTheme` is called when the person has chosen light or dark.
    init(
        _ console: HubConsole, feed: HubController, rememberTheme: @escaping (Theme.Appearance) -> Void = { _ in }
    ) {
        self.console = console
        self.feed = feed
        self.rememberTheme = rememberTheme
    }

    mutating func refresh(in view: TerminalView) -> TerminalAnswer {
        guard case .snapshot(let snapshot) = feed.offer else {
            // Before the first one the screens would take the hub for an empty one.
            if case .end = feed.offer { return .end }
            return .unchanged
        }
        guard view.size != size || isNews(snapshot, in: view) else { return .unchanged }
        (shown, size) = (snapshot, view.size)
        return answer(console.update(snapshot, size: view.size))
    }

    /// Whether the screens would look otherwise; where nobody looks, a minute later does not matter before it is over.
    private func isNews(_ snapshot: HubSnapshot, in view: TerminalView) -> Bool {
        guard view.isUnattended, let shown,
            shown.hub.now.milliseconds / 60_000 == snapshot.hub.now.milliseconds / 60_000
        else {
            return snapshot != shown
        }
        return snapshot.withoutAges != shown.withoutAges
    }

    mutating func draw(in view: TerminalView) -> CellBuffer {
        if view.size != size {
            // A larger screen may want a finer chart; the end is for keys alone.
            _ = refresh(in: view)
        }
        guard shown != nil else { return CellBuffer(view.size) }
        guard view.isUnattended else { return console.draw() }
        var dimmed = console
        dimmed.theme = Theme(console.theme.appearance, isDim: true)
        return dimmed.draw()
    }

    mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard let event = HubEvent(input) else { return .unchanged }
        if shown == nil, event == .key(.character("q")) { return .end }
        let appearance = console.theme.appearance
        let orders = console.handle(event)
        if console.theme.appearance != appearance { rememberTheme(console.theme.appearance) }
        return answer(orders)
    }

    private mutating func answer(_ orders: [HubOrder]) -> TerminalAnswer {
        for order in orders { feed.carryOut(order) }
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

extension HubEvent {
    /// What a person does, for the screens; nil for what they do not look at.
    fileprivate init?(_ input: TerminalInput) {
        switch input {
        case .key(let key): self = .key(key)
        case .paste(let text): self = .paste(text)
        case .mouse(let mouse):
            switch mouse.deed {
            case .click: self = .click(x: mouse.x, y: mouse.y)
            case .wheelUp: self = .wheel(x: mouse.x, y: mouse.y, notches: -1)
            case .wheelDown: self = .wheel(x: mouse.x, y: mouse.y, notches: 1)
            case .middleClick, .rightClick, .release: return nil
            }
        case .focus: return nil
        }
    }
}
