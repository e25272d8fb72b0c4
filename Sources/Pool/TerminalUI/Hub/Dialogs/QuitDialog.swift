import PoolModel

/// The question before something ends with the screens.
struct QuitDialog: HubDialog {
    private let question: String
    /// The sentence after a no.
    private let whenRefused: String

    /// Creates the question; nil if nothing is lost with the screens.
    init?(_ effect: QuitEffect) {
        guard let question = effect.question else { return nil }
        self.question = question
        whenRefused = effect == .demo ? "The demo goes on" : "The hub runs on"
    }

    func title(in context: ScreenContext) -> String { "Are you sure?" }

    func content(columns: Int, in context: ScreenContext) -> DialogContent {
        let look = context.look
        var content = DialogContent(
            question.wrapped(columns: columns, lines: 6).map { PanelLine($0, look.plain) } + [.blank])
        content.lines += [
            .init(line: PanelLine([TextRun("y ", look.keyStyle), TextRun("end it", look.style(.warning))]), option: 0),
            .init(line: PanelLine([TextRun("n ", look.keyStyle), TextRun("go on", look.quiet)]), option: 1),
        ]
        return content
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        if [.character("y"), .enter].contains(key) { return [.close, .leave] }
        if [.character("n"), .character("d"), .escape, .character("q")].contains(key) {
            return [.close, .toast(.note, whenRefused)]
        }
        return []
    }

    mutating func click(_ option: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        press(option == 0 ? .enter : .escape, in: context)
    }
}
