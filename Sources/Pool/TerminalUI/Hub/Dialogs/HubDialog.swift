import PoolModel

/// Something that lies over the panels and has the keys to itself.
protocol HubDialog: Sendable {
    func title(in context: ScreenContext) -> String
    /// The keys at the bottom, each with what it does.
    func hints(in context: ScreenContext) -> [KeyHint]
    func content(columns: Int, in context: ScreenContext) -> DialogContent

    /// Draws the dialog over the panels.
    func draw(in context: ScreenContext, on picture: inout Picture)

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]

    /// Handles a click on an option, counted from 0.
    mutating func click(_ option: Int, in context: ScreenContext) -> [ConsoleOutcome]
}

extension HubDialog {
    func hints(in context: ScreenContext) -> [KeyHint] { [] }

    func draw(in context: ScreenContext, on picture: inout Picture) {
        DialogBox(context).draw(title: title(in: context), hints: hints(in: context), on: &picture) {
            content(columns: $0, in: context)
        }
    }

    mutating func click(_ option: Int, in context: ScreenContext) -> [ConsoleOutcome] { [] }

    /// Handles a click on what is drawn: beside the dialog it closes it, on a hint it is its key.
    mutating func click(_ targets: [Target], in context: ScreenContext) -> [ConsoleOutcome] {
        guard targets.contains(.dialog) else { return press(.escape, in: context) }
        for target in targets {
            if case .key(let key) = target { return press(key, in: context) }
            if case .option(let option) = target { return click(option, in: context) }
        }
        return []
    }
}

/// The inside of a dialog as lines.
struct DialogContent: Sendable {
    struct Line: Sendable {
        var line: PanelLine
        /// The option that the line belongs to, for the mouse.
        var option: Int?
    }

    var lines: [Line]
    /// The line that must be visible.
    var focused = 0
    /// The first line to show, if the person scrolls.
    var top: Int?

    init(_ lines: [PanelLine]) {
        self.lines = lines.map { Line(line: $0) }
    }
}
