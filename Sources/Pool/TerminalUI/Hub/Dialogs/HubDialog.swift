import PoolControl

/// Something that lies over the panels and has the keys to itself.
protocol HubDialog: Sendable {
    /// Whether the person types into it, so that a click beside it must not close it.
    var holdsInput: Bool { get }

    func title(in context: ScreenContext) -> String
    /// The keys at the bottom, each with what it does.
    func hints(in context: ScreenContext) -> [KeyHint]
    func lines(columns: Int, in context: ScreenContext) -> FormDrawing

    /// Draws the dialog over the panels.
    func draw(in context: ScreenContext, on picture: inout Picture)

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]

    /// Inserts text.
    ///
    /// - Returns: False if the dialog takes no text.
    mutating func paste(_ text: String) -> Bool

    /// Handles a click on a field, counted from 0.
    mutating func click(_ field: Int, in context: ScreenContext) -> [ConsoleOutcome]

    /// Follows a change of the snapshot.
    mutating func update(in context: ScreenContext)

    /// Handles the reply to the command that the dialog submitted.
    mutating func receive(_ reply: HubReply, in context: ScreenContext) -> [ConsoleOutcome]
}

extension HubDialog {
    var holdsInput: Bool { false }

    func hints(in context: ScreenContext) -> [KeyHint] { [] }

    func draw(in context: ScreenContext, on picture: inout Picture) {
        DialogBox(context).draw(title: title(in: context), hints: hints(in: context), on: &picture) {
            lines(columns: $0, in: context)
        }
    }

    mutating func paste(_ text: String) -> Bool { false }

    mutating func click(_ field: Int, in context: ScreenContext) -> [ConsoleOutcome] { [] }

    mutating func update(in context: ScreenContext) {}

    mutating func receive(_ reply: HubReply, in context: ScreenContext) -> [ConsoleOutcome] { [reply.toast] }
}
