import PoolControl
import PoolModel

/// The question for how long to snooze an alert.
struct SnoozeDialog: HubDialog {
    private static let spans: [(seconds: Int, title: String)] = [
        (900, "15 minutes"), (3600, "1 hour"), (28_800, "8 hours"), (86_400, "1 day"), (604_800, "1 week"),
    ]

    private let alert: AlertState.Alert
    private var index = 1

    init(_ alert: AlertState.Alert) {
        self.alert = alert
    }

    func title(in context: ScreenContext) -> String { "Snooze" }

    func hints(in context: ScreenContext) -> [KeyHint] { [KeyHint("enter", "choose"), KeyHint("esc", "cancel")] }

    func content(columns: Int, in context: ScreenContext) -> DialogContent {
        let look = context.look
        let purpose = "\(alert.summary.sanitized): for how long? If it gets worse, you are notified."
        var content = DialogContent(
            purpose.wrapped(columns: columns, lines: 4).map { PanelLine($0, look.quiet) } + [.blank])
        for (index, span) in Self.spans.enumerated() {
            let isChosen = index == self.index
            if isChosen { content.focused = content.lines.count }
            content.lines.append(
                .init(
                    line: PanelLine(
                        [
                            TextRun(isChosen ? "\(look.selectionMark)" : " ", look.keyStyle),
                            TextRun("\(index + 1) ", isChosen ? look.quiet : look.faint),
                            TextRun(span.title, isChosen ? look.strong : look.quiet),
                        ], ground: isChosen ? look.selectionGround : nil), option: index))
        }
        return content
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        let last = Self.spans.count - 1
        switch key {
        case .up, .character("k"), .backTab: index = max(0, index - 1)
        case .down, .character("j"), .tab: index = min(last, index + 1)
        case .home, .pageUp: index = 0
        case .end, .pageDown: index = last
        case .escape, .character("q"): return [.close]
        case .character(let character):
            if let digit = character.wholeNumberValue, (1...Self.spans.count).contains(digit) { index = digit - 1 }
        case .enter: return [.close, .order(.alerts(.snooze(alert.episodeID, seconds: Self.spans[index].seconds)))]
        case .control, .alt, .backspace, .delete, .insert, .left, .right, .function: break
        }
        return []
    }

    /// The first click chooses an option, the second confirms it.
    mutating func click(_ option: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        if index == option { return press(.enter, in: context) }
        index = option
        return []
    }
}
