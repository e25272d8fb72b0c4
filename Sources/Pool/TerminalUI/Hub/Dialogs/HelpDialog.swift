import PoolModel

/// Keys with what they do, below a heading.
struct KeySection: Equatable, Sendable {
    var title: String
    var hints: [KeyHint]
    /// Where a person changes what the panel shows; nil for nothing to change.
    var changes: String?
}

/// The keys that work now, and why the others do not.
struct HelpDialog: HubDialog {
    private var scroll = 0

    init() {}

    func title(in context: ScreenContext) -> String { "Help" }

    func hints(in context: ScreenContext) -> [KeyHint] {
        [KeyHint(context.look.isASCII ? "up/dn" : "↑↓", "scroll"), KeyHint("esc", "close")]
    }

    func content(columns: Int, in context: ScreenContext) -> DialogContent {
        var content = DialogContent(Self.lines(in: context))
        content.top = scroll
        return content
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        let last = max(0, Self.lines(in: context).count - 1)
        switch key {
        case .escape, .enter, .character("?"), .character("q"): return [.close]
        case .up, .character("k"): scroll = max(0, scroll - 1)
        case .down, .character("j"): scroll = min(last, scroll + 1)
        case .pageUp, .home: scroll = 0
        case .pageDown, .end: scroll = last
        case .character, .control, .alt, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .function: break
        }
        return []
    }

    private static func lines(in context: ScreenContext) -> [PanelLine] {
        let look = context.look
        let sections = context.keys.map { section in
            [PanelLine(section.title, look.strong)] + section.hints.map { line($0, look: look) }
                + (section.changes.map { [PanelLine(" \($0)", look.faint)] } ?? [])
        }
        return Array(sections.joined(separator: [.blank]))
    }

    private static func line(_ hint: KeyHint, look: ResolvedTheme) -> PanelLine {
        let space = String(repeating: " ", count: max(1, 11 - hint.label.displayWidth))
        let works = hint.obstacle == nil
        var spans = [
            TextRun(" \(hint.label)\(space)", works ? look.keyStyle : look.faint),
            TextRun(hint.action, works ? look.quiet : look.faint),
        ]
        if let obstacle = hint.obstacle { spans.append(TextRun(": \(obstacle)", look.faint)) }
        return PanelLine(spans)
    }
}
