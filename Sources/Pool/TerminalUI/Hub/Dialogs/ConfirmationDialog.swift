import PoolControl
import PoolModel

/// A question that needs a yes before something is lost.
struct ConfirmationDialog: HubDialog {
    private let question: String
    /// The word on the button.
    private let action: String
    /// What follows a yes.
    private let accepted: [ConsoleOutcome]
    /// What follows a no, in words: on the button, and afterwards.
    private let refusal: String
    private let whenRefused: String

    init(_ question: String, action: String, then command: HubCommand) {
        self.init(question, action: action, accepted: [.order(command)], refusal: "leave it as it is")
    }

    private init(
        _ question: String, action: String, accepted: [ConsoleOutcome], refusal: String,
        whenRefused: String = "Nothing was changed"
    ) {
        self.question = question
        self.action = action
        self.accepted = accepted
        self.refusal = refusal
        self.whenRefused = whenRefused
    }

    /// Asks whether what was typed into the topmost dialog may be lost, and closes that dialog then.
    static func leaving(_ dialog: String) -> ConsoleOutcome {
        .open(
            ConfirmationDialog(
                "Leave \"\(dialog)\"? What you entered is not saved.", action: "leave it",
                accepted: [.closeTop, .toast(.note, "Nothing was changed")], refusal: "go on with it"))
    }

    /// Asks whether what ends with the screens may end; nil if nothing is lost then.
    static func quitting(_ effect: QuitEffect) -> ConsoleOutcome? {
        effect.question.map { question in
            .open(
                ConfirmationDialog(
                    question, action: "end it", accepted: [.leave], refusal: "go on",
                    whenRefused: effect == .demo ? "The demo goes on" : "The hub runs on"))
        }
    }

    func title(in context: ScreenContext) -> String { "Are you sure?" }

    func lines(columns: Int, in context: ScreenContext) -> FormDrawing {
        let look = context.look
        var drawing = FormDrawing(
            question.sanitized.wrapped(columns: columns, lines: 6).map { PanelLine($0, look.plain) } + [.blank])
        drawing.lines.append(
            .init(line: PanelLine([TextRun("y ", look.keyStyle), TextRun(action, look.style(.warning))]), field: 0))
        drawing.lines.append(
            .init(line: PanelLine([TextRun("n ", look.keyStyle), TextRun(refusal, look.quiet)]), field: 1))
        return drawing
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        if [.character("y"), .enter].contains(key) { return [.close] + accepted }
        if [.character("n"), .character("d"), .escape, .character("q")].contains(key) {
            return [.close, .toast(.note, whenRefused)]
        }
        return []
    }

    mutating func click(_ field: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        press(field == 0 ? .enter : .escape, in: context)
    }

    // MARK: Second questions

    /// The question whether the devices of a server are to be removed with it.
    static func removal(of id: ServerID, with devices: [String], in context: ScreenContext) -> ConsoleOutcome {
        let name = context.hub.server(id)?.server.name.sanitized ?? "the server"
        let names = devices.joined(separator: ", ").sanitized
        return .open(
            ConfirmationDialog(
                "\(name) has devices: \(names). Remove them, too? Their readings stay in the history.",
                action: "remove all", then: .edit(.removeServer(id, cascading: true))))
    }

    /// The question whether so many readings are to be deleted.
    static func deletion(
        of count: Int, device: DeviceID?, through moment: Timestamp, in context: ScreenContext
    ) -> ConsoleOutcome {
        guard count > 0 else { return .toast(.note, "There are no such readings") }
        let name = device.flatMap { context.hub.device($0)?.device.name.sanitized } ?? "all devices"
        return .open(
            ConfirmationDialog(
                "Delete \(count) readings of \(name)? They cannot be brought back.", action: "delete",
                then: .deleteReadings(of: device, through: moment, expected: count)))
    }
}
