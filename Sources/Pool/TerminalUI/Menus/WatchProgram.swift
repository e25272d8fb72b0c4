import PoolModel

/// A watch in a terminal: its face, with the menus over it.
///
/// It reads no clock: the facts come from outside, and the person's commands are carried out there.
public struct WatchProgram: TerminalProgram {
    private var screen: WatchScreen
    private var menus: WatchMenus
    private var facts: WatchFacts?
    private var isDimmedByHand = false
    /// When `q` was pressed, if nothing was pressed since.
    private var askedToEnd: Timestamp?
    private let look: (WatchMenus) -> WatchFacts?
    private let perform: (MenuOutcome) -> Void
    private let rememberTheme: (Theme.Appearance) -> Void

    /// Creates a program.
    /// - Parameters:
    ///   - screen: The screen that draws the face.
    ///   - quits: What ends with `q`.
    ///   - facts: Returns the facts that the menus need; nil to end. It should be quick.
    ///   - perform: Carries out a command without waiting for the outcome, which comes with the facts.
    ///   - rememberTheme: Called when the person has chosen light or dark.
    public init(
        _ screen: WatchScreen, quits: QuitEffect = .watch, facts: @escaping (WatchMenus) -> WatchFacts?,
        perform: @escaping (MenuOutcome) -> Void,
        rememberTheme: @escaping (Theme.Appearance) -> Void = { _ in }
    ) {
        self.rememberTheme = rememberTheme
        self.screen = screen
        menus = WatchMenus(quits: quits)
        look = facts
        self.perform = perform
    }

    /// Gets the present facts.
    public mutating func refresh(in view: TerminalView) -> TerminalAnswer {
        guard let next = look(menus) else { return .end }
        let hadRemark = facts.flatMap { menus.remark($0) } != nil
        let isNews = facts.map { Self.isNews(next, after: $0) } ?? true
        facts = next
        for outcome in menus.askForChart(next, size: view.size) { perform(outcome) }
        // An expired remark is removed; an open page shows ages that change.
        return isNews || hadRemark || menus.isOpen ? .redraw : .unchanged
    }

    /// Whether the face would look different; the time is ignored, since the glance's ages contain it.
    private static func isNews(_ next: WatchFacts, after old: WatchFacts) -> Bool {
        var old = old
        old.now = next.now
        old.glance.moment = next.glance.moment
        return next != old
    }

    /// Draws the face, or the open page.
    public mutating func draw(in view: TerminalView) -> CellBuffer {
        let theme = Theme(screen.theme.appearance, isDim: isDimmedByHand || view.isUnattended)
        screen.theme = theme
        guard let facts else { return CellBuffer(view.size, background: theme.background) }
        if menus.isOpen {
            return MenuView(menus, facts, screen: view.size).draw(
                look: ResolvedTheme(theme: theme, capabilities: screen.capabilities))
        }
        screen.quantity = menus.picked
        screen.message = menus.remark(facts)?.text
        return screen.draw(facts.glance, size: view.size)
    }

    /// Handles a key or the mouse.
    public mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard let facts else { return input == .key(.character("q")) ? .end : .unchanged }
        switch input {
        case .key(.character("q")), .focus: break
        case .key, .paste, .mouse: askedToEnd = nil
        }
        if case .key(.character(let letter)) = input, !menus.isTyping, let answer = obey(letter, facts, view) {
            return answer
        }
        if case .mouse(let mouse) = input, mouse.action == .click, !menus.isOpen {
            let place = screen.place(x: mouse.x, y: mouse.y, size: view.size)
            for outcome in menus.click(on: place, facts, size: view.size) { perform(outcome) }
        } else {
            for outcome in menus.handle(input, facts, size: view.size) { perform(outcome) }
        }
        // A page may need facts that the face does not.
        if let next = look(menus) { self.facts = next }
        return .redraw
    }

    /// Handles a letter that changes the look; nil for any other letter.
    private mutating func obey(_ letter: Character, _ facts: WatchFacts, _ view: TerminalView) -> TerminalAnswer? {
        switch letter {
        case "q":
            // One key too many must not end what shows the alerts.
            if let askedToEnd, facts.now.milliseconds(since: askedToEnd) < 6000 { return .end }
            askedToEnd = facts.now
            menus.say(menus.quits.again, facts, .calm)
        case "t":
            screen.theme = Theme(screen.theme.appearance == .dark ? .light : .dark)
            rememberTheme(screen.theme.appearance)
        case "y": if let text = menus.copy(facts) { return .copy(text) }
        case "d": isDimmedByHand.toggle()
        case "v" where !menus.isOpen:
            screen.layout = screen.layout.next
            let shown = screen.layout.fitting(view.size)
            menus.say("layout \(screen.layout.rawValue): \(shown.rawValue)", facts, .calm)
        default: return nil
        }
        return .redraw
    }
}
