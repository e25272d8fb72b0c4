import PoolControl
import PoolModel
import WaterChemistry

/// The steps of a calibration, with what is being typed.
struct CalibrationDialog: HubDialog {
    private let deviceID: DeviceID
    private var wizard: CalibrationWizard
    private var input = TextField()
    /// Why the last answer was not taken.
    private var refusal: String?
    /// Whether a step was answered.
    private var isBegun = false
    /// Whether the result was accepted against the wizard's advice.
    private var isForced = false

    init(of quantity: Quantity, on device: DeviceState, in context: ScreenContext) {
        deviceID = device.id
        wizard = CalibrationWizard(
            quantity: quantity, language: context.settings.language, author: context.settings.author,
            current: device.device.calibrations[quantity]?.calibration(at: context.hub.now))
        update(in: context)
    }

    var holdsInput: Bool { true }

    /// Whether the step wants a word, so that its first letter is enough.
    private var wantsWord: Bool { wizard.step == .review || wizard.step == .more }

    func title(in context: ScreenContext) -> String { "Calibrate \(wizard.quantity.name)" }

    func hints(in context: ScreenContext) -> [KeyHint] {
        [
            KeyHint("enter", "answer"), KeyHint(context.look.isASCII ? "up" : "↑", "step back"),
            KeyHint("esc", "leave"),
        ]
    }

    /// Passes the newest raw value on to the wizard.
    mutating func update(in context: ScreenContext) {
        guard let latest = context.hub.device(deviceID)?.rawReadings?[wizard.quantity],
            let sampledAt = latest.sampledAt
        else { return }
        wizard.receive(raw: latest.value, sampledAt: sampledAt)
    }

    // MARK: Keys

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        let now = context.hub.now
        switch key {
        case .escape:
            guard isBegun || !input.text.isEmpty else { return [.close, .toast(.note, "Nothing was changed")] }
            return [ConfirmationDialog.leaving(title(in: context))]
        case .enter: answer(input.text, at: now)
        case .up, .backTab:
            if !wizard.back() {
                refusal = wizard.language == .french ? "C'est la première étape." : "This is the first step."
            }
            input = TextField()
        case .character(let letter) where wantsWord && input.text.isEmpty:
            if let word = wizard.prompt(at: now).words.first(where: { $0.first == letter }) {
                answer(word, at: now)
            } else {
                input.press(key)
            }
        case .character, .control, .alt, .tab, .backspace, .delete, .insert, .down, .left, .right, .home, .end, .pageUp,
            .pageDown, .function:
            refusal = nil
            input.press(key)
        }
        guard wizard.isOver else { return [] }
        guard let result = wizard.result else { return [.close, .toast(.note, "Nothing was changed")] }
        return [
            .close,
            .order(
                .edit(
                    .addCalibration(
                        deviceID, wizard.quantity, result.calibration, isForced: isForced, dropsOldest: isForced))),
        ]
    }

    mutating func paste(_ text: String) -> Bool {
        input.insert(text)
        refusal = nil
        return true
    }

    private mutating func answer(_ text: String, at now: Timestamp) {
        switch wizard.answer(text, at: now) {
        case .accepted:
            refusal = nil
            isBegun = true
            isForced = ["force", "forcer"].contains(text.lowercased())
            input = TextField()
        case .refused(let reason): refusal = reason
        }
    }

    // MARK: Drawing

    func lines(columns: Int, in context: ScreenContext) -> FormDrawing {
        let look = context.look
        let prompt = wizard.prompt(at: context.hub.now)
        var lines = [PanelLine(prompt.title, look.strong)]
        for paragraph in prompt.instructions.split(separator: "\n") {
            lines += String(paragraph).wrapped(columns: columns, lines: 8).map { PanelLine($0, look.quiet) }
        }
        if let live = prompt.live {
            lines.append(.blank)
            lines += live.text.wrapped(columns: columns, lines: 4).map {
                PanelLine($0, live.stableValue == nil ? look.quiet : look.accentStyle)
            }
            let part = Double(live.count) / Double(max(1, live.countNeeded))
            lines.append(PanelLine(look.bar(part, columns: min(columns, 30), look.accentStyle)))
        }
        if let preview = prompt.preview {
            lines.append(.blank)
            lines += preview.lines.flatMap { $0.wrapped(columns: columns, lines: 3) }.map { PanelLine($0, look.plain) }
        }
        lines += [.blank, PanelLine(prompt.question, look.strong)]
        var drawing = FormDrawing(lines)
        let (shown, cursor) = input.window(columns: max(1, columns - 2))
        let empty = prompt.suggestion.map { "\($0) (enter takes it)" } ?? ""
        let box = shown.isEmpty ? TextRun(empty, look.faint) : TextRun(shown, look.plain)
        drawing.focused = drawing.lines.count
        drawing.lines.append(.init(line: PanelLine([TextRun("> ", look.keyStyle), box]), cursor: 2 + cursor))
        if let refusal, !refusal.isEmpty {
            drawing.lines += refusal.wrapped(columns: max(1, columns - 2), lines: 4).map {
                .init(line: PanelLine("  \($0)", look.style(.warning)))
            }
        }
        if !prompt.words.isEmpty {
            drawing.lines.append(
                .init(
                    line: PanelLine([
                        TextRun("or type ", look.faint), TextRun(prompt.words.joined(separator: ", "), look.quiet),
                    ])))
        }
        return drawing
    }
}
