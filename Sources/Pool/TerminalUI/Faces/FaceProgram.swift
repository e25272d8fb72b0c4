public import PoolModel

/// A program that shows only the face, with keys that change its look.
public struct FaceProgram: TerminalProgram {
    private var screen: WatchScreen
    private var isDimmedByHand = false
    private var isHelpShown = false
    private var answer = KeyFeedback()
    private var glance: Glance?
    private let look: () -> Glance?
    private let retry: () -> Void

    /// Creates a program.
    /// - Parameters:
    ///   - screen: The screen that draws the face.
    ///   - retry: Called on `r`.
    ///   - glance: Returns the present glance, nil to end; it should be quick.
    public init(_ screen: WatchScreen, retry: @escaping () -> Void, glance: @escaping () -> Glance?) {
        self.screen = screen
        self.screen.keys = [.retry, .quit]
        self.retry = retry
        look = glance
    }

    /// Gets the present glance.
    public mutating func refresh(in view: TerminalView) -> TerminalAnswer {
        guard let next = look() else { return .end }
        defer { glance = next }
        return next == glance && answer.end == nil ? .unchanged : .redraw
    }

    /// Draws the face, with the help over it if that is open.
    public mutating func draw(in view: TerminalView) -> CellBuffer {
        screen.theme = Theme(screen.theme.appearance, isDim: isDimmedByHand || view.isUnattended)
        screen.message = answer.text(at: view.elapsed)
        if screen.message == nil { answer.clear() }
        guard let glance else { return CellBuffer(view.size, background: screen.theme.background) }
        var buffer = screen.draw(glance, size: view.size)
        if isHelpShown {
            HelpOverlay(Self.bindings(glance, layout: screen.layout)).draw(
                on: &buffer, theme: screen.theme, capabilities: screen.capabilities)
        }
        return buffer
    }

    /// The time at which a temporary message ends.
    public func nextChange(in view: TerminalView) -> Duration? { answer.end }

    /// Handles a key.
    public mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard case .key(let key) = input else { return .unchanged }
        answer.clear()
        if isHelpShown, key != .character("q") {
            isHelpShown = false
            return .redraw
        }
        switch key {
        case .character("q"): return .end
        case .character("?"), .function(1): isHelpShown = true
        case .character("t"):
            screen.theme = Theme(screen.theme.appearance == .dark ? .light : .dark)
            answer.say("\(screen.theme.appearance.rawValue) theme", at: view.elapsed)
        case .character("d"): isDimmedByHand.toggle()
        case .character("v"):
            screen.layout = screen.layout.next
            answer.say(Self.words(screen.layout, size: view.size), at: view.elapsed)
        case .character("r"): obeyRetry(at: view.elapsed)
        case .character("0"): screen.quantity = nil
        case .character(let digit) where ("1"..."4").contains(digit):
            screen.quantity = Quantity.allCases[(digit.wholeNumberValue ?? 1) - 1]
        case .escape: break
        case .character, .control, .alt, .enter, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left,
            .right, .home, .end, .pageUp, .pageDown, .function:
            answer.say("\(key.name) does nothing here; ? shows the keys", at: view.elapsed)
        }
        return .redraw
    }

    private mutating func obeyRetry(at now: Duration) {
        if let glance, glance.link == .linked {
            answer.say("nothing to retry: the hub answers", at: now)
        } else if glance?.link == .unpaired {
            answer.say("nothing to retry: not paired yet", at: now)
        } else {
            retry()
            answer.say("trying the link again", at: now)
        }
    }

    private static func words(_ layout: WatchLayout, size: Size) -> String {
        let shown = layout.fitting(size)
        if layout == .automatic { return "layout auto: \(shown.rawValue)" }
        return layout == shown
            ? "layout \(layout.rawValue)" : "layout \(layout.rawValue) has no room, so \(shown.rawValue)"
    }

    private static func bindings(_ glance: Glance, layout: WatchLayout) -> [KeyBinding] {
        var bindings = [
            KeyBinding("1-4", "history of a quantity"), KeyBinding("0", "history of the worst"),
            KeyBinding("v", "layout: \(layout.next.rawValue) next"), KeyBinding("t", "light or dark"),
            KeyBinding("d", "dim"), KeyBinding("^L", "redraw"), KeyBinding("^Z", "suspend"),
            KeyBinding("?", "this help"), KeyBinding("q", "quit"),
        ]
        switch glance.link {
        case .linked, .unpaired: break
        case .connecting, .lost, .refused: bindings.insert(KeyBinding("r", "try the link again"), at: 0)
        }
        return bindings
    }
}
