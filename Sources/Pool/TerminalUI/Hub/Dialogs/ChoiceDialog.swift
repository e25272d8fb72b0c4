import PoolControl
import PoolModel
import WaterChemistry

/// Some options of which one is chosen.
struct ChoiceDialog: HubDialog {
    /// What choosing an option leads to.
    private enum Effect: Sendable {
        case order(HubCommand)
        case limits(LimitsOwner, Quantity)
        case calibrate(Quantity)
        case countDeletion(through: Timestamp)
    }

    private struct Option: Sendable {
        var title: String
        /// More about it, shown while it is chosen.
        var detail: String
        var effect: Effect
    }

    private let title: String
    private let purpose: String
    private let options: [Option]
    private var index = 0

    private init(title: String, purpose: String, options: [Option], index: Int = 0) {
        self.title = title
        self.purpose = purpose
        self.options = options
        self.index = index
    }

    func title(in context: ScreenContext) -> String { title }

    func hints(in context: ScreenContext) -> [KeyHint] {
        [KeyHint("enter", "choose"), KeyHint("esc", "cancel")]
    }

    func lines(columns: Int, in context: ScreenContext) -> FormDrawing {
        let look = context.look
        var drawing = FormDrawing(
            purpose.sanitized.wrapped(columns: columns, lines: 4).map { PanelLine($0, look.quiet) } + [.blank])
        for (index, option) in options.enumerated() {
            let isChosen = index == self.index
            if isChosen { drawing.focused = drawing.lines.count }
            let number = index < 9 ? "\(index + 1) " : "  "
            drawing.lines.append(
                .init(
                    line: PanelLine(
                        [
                            TextRun(isChosen ? "\(look.selectionMark)" : " ", look.keyStyle),
                            TextRun(number, isChosen ? look.quiet : look.faint),
                            TextRun(option.title.sanitized, isChosen ? look.strong : look.quiet),
                        ], ground: isChosen ? look.selectionGround : nil), field: index))
            if isChosen, !option.detail.isEmpty {
                drawing.lines += option.detail.sanitized.wrapped(columns: max(1, columns - 3), lines: 4).map {
                    .init(line: PanelLine("   \($0)", look.faint), field: index)
                }
            }
        }
        return drawing
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome] {
        let last = options.count - 1
        switch key {
        case .up, .character("k"), .backTab: index = max(0, index - 1)
        case .down, .character("j"), .tab: index = min(max(0, last), index + 1)
        case .home, .pageUp: index = 0
        case .end, .pageDown: index = max(0, last)
        case .escape, .character("q"): return [.close]
        case .character(let character):
            guard let digit = character.wholeNumberValue, (1...9).contains(digit), digit - 1 <= last else { return [] }
            index = digit - 1
        case .enter:
            guard options.indices.contains(index) else { return [.close] }
            return [.close] + Self.outcomes(of: options[index].effect, in: context)
        case .control, .alt, .backspace, .delete, .insert, .left, .right, .function: break
        }
        return []
    }

    /// The first click chooses an option, the second confirms it.
    mutating func click(_ field: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        if index == field { return press(.enter, in: context) }
        index = field
        return []
    }

    private static func outcomes(of effect: Effect, in context: ScreenContext) -> [ConsoleOutcome] {
        switch effect {
        case .order(let command): return [.order(command)]
        case .limits(let owner, let quantity):
            return [.open(FormDialog(OwnedLimitsForm(owner: owner, quantity: quantity), in: context))]
        case .calibrate(let quantity):
            guard let device = context.device else { return [] }
            return [.open(CalibrationDialog(of: quantity, on: device, in: context))]
        case .countDeletion(let moment):
            return [.order(.deleteReadings(of: context.device?.device.id, through: moment, expected: nil))]
        }
    }

    // MARK: The choices

    /// Asks which quantity of the device to calibrate.
    static func calibration(of quantity: Quantity, in context: ScreenContext) -> ConsoleOutcome {
        guard let item = context.device else { return .toast(.refused, "Calibration: there is no device yet") }
        let options = item.listedQuantities.map { quantity -> Option in
            let now = item.device.calibrations[quantity]?.calibration(at: context.hub.now)
            let age = now.map {
                $0.age(for: quantity, at: context.hub.now).sentence(in: context.settings.language)
            }
            return Option(title: quantity.name, detail: age ?? "Not calibrated yet.", effect: .calibrate(quantity))
        }
        return .open(
            ChoiceDialog(
                title: "Calibrate \(item.device.name.sanitized)",
                purpose: "Compare the probe with a reference. Which quantity?", options: options,
                index: item.listedQuantities.firstIndex(of: quantity) ?? 0))
    }

    /// Asks which preset the limits are to be.
    static func presets(for owner: LimitsOwner, in context: ScreenContext) -> ConsoleOutcome {
        let options = LimitsPreset.all.map { preset in
            Option(
                title: preset.title,
                detail: preset.limits.ranges(dash: context.look.rangeDash) + ". " + preset.source,
                effect: .order(.edit(.applyPreset(preset.key, owner))))
        }
        return .open(
            ChoiceDialog(
                title: "Limits for \(context.hub.name(of: owner))",
                purpose: "From when on a value is a warning. Choose what fits best; L changes single ones later.",
                options: options))
    }

    /// Asks which limits to edit.
    static func limits(of owner: LimitsOwner, in context: ScreenContext) -> ConsoleOutcome {
        let options = Quantity.allCases.map {
            Option(title: $0.name, detail: "", effect: .limits(owner, $0))
        }
        return .open(
            ChoiceDialog(
                title: "Limits of \(context.hub.name(of: owner))", purpose: "Of which quantity?", options: options))
    }

    /// Asks for how long to mute an alert.
    static func snooze(_ alert: AlertState.Alert) -> ConsoleOutcome {
        let spans = [
            (900, "15 minutes"), (3600, "1 hour"), (28_800, "8 hours"), (86_400, "1 day"), (604_800, "1 week"),
        ]
        let options = spans.map {
            Option(title: $1, detail: "", effect: .order(.alerts(.snooze(alert.episodeID, seconds: $0))))
        }
        return .open(
            ChoiceDialog(
                title: "Snooze",
                purpose: "\(alert.summary.sanitized): for how long? If it gets worse, you are notified.",
                options: options, index: 1))
    }

    /// Asks which readings to delete; the hub counts them first, and the person is asked once more.
    static func deletion(in context: ScreenContext) -> [ConsoleOutcome] {
        guard let item = context.device else { return [] }
        let day: Int64 = 86_400_000
        let spans: [(Int64, String)] = [
            (365 * day, "older than a year"), (90 * day, "older than 90 days"), (30 * day, "older than 30 days"),
            (7 * day, "older than 7 days"), (0, "all of them"),
        ]
        let options = spans.map { age, title in
            Option(
                title: title, detail: "They are counted first; nothing is deleted yet.",
                effect: .countDeletion(through: context.hub.now.advanced(byMilliseconds: -age)))
        }
        return [
            .open(
                ChoiceDialog(
                    title: "Delete readings", purpose: "Which readings of \(item.device.name.sanitized)?",
                    options: options))
        ]
    }
}
