import PoolControl
import PoolModel

/// Something that lies over the panels and has the keys to itself.
enum Dialog: Sendable {
    /// The keys that work now, from a line on.
    case help(scroll: Int)
    case form(FormDialog)
    case choice(ChoiceDialog)
    case confirmation(Confirmation)
    case calibration(CalibrationDialog)
    case detection(DetectionDialog)
    case pairing
}

/// A question that needs a yes, before something is lost (P94).
struct Confirmation: Equatable, Sendable {
    var question: String
    /// The word on the button.
    var deed: String
    var command: HubCommand
}

/// Some options of which one is chosen.
struct ChoiceDialog: Equatable, Sendable {
    /// What choosing an option leads to.
    enum Effect: Equatable, Sendable {
        case order(HubCommand)
        case limits(LimitsOwner, Quantity)
        case calibrate(Quantity)
        case countDeletion(through: Timestamp)
    }

    struct Option: Equatable, Sendable {
        var title: String
        /// More about it, shown while it is chosen.
        var detail: String
        var effect: Effect
    }

    var title: String
    var purpose: String
    var options: [Option]
    var index = 0
}

extension HubConsole {
    /// The topmost dialog, to read and to change.
    var topDialog: Dialog? {
        get { state.dialogs.last }
        set {
            guard !state.dialogs.isEmpty else { return }
            if let newValue {
                state.dialogs[state.dialogs.count - 1] = newValue
            } else {
                state.dialogs.removeLast()
            }
        }
    }

    mutating func pressInDialog(_ key: Key) {
        switch topDialog {
        case .help(let scroll): pressInHelp(key, scroll: scroll)
        case .form(let dialog): press(key, in: dialog)
        case .choice(let dialog): press(key, in: dialog)
        case .confirmation(let dialog): press(key, in: dialog)
        case .calibration(let dialog): press(key, in: dialog)
        case .detection(let dialog): press(key, in: dialog)
        case .pairing: pressInPairing(key)
        case nil: break
        }
    }

    mutating func pasteInDialog(_ text: String) {
        switch topDialog {
        case .form(var dialog):
            dialog.form.paste(text)
            topDialog = .form(dialog)
        case .calibration(var dialog):
            dialog.input.insert(text)
            dialog.refusal = nil
            topDialog = .calibration(dialog)
        case .help, .choice, .confirmation, .detection, .pairing, nil: toast(.note, "Nothing can be pasted here")
        }
    }

    mutating func clickInDialog(_ targets: [Target]) {
        guard targets.contains(.dialog) else {
            // What was typed must not be lost by a stray click.
            switch topDialog {
            case .form, .calibration, nil: break
            case .help, .choice, .confirmation, .detection, .pairing: pressInDialog(.escape)
            }
            return
        }
        let index = targets.compactMap { target -> Int? in if case .field(let index) = target { index } else { nil } }
            .first
        guard let index else { return }
        switch topDialog {
        case .form(var dialog):
            adapt(&dialog)
            let outcome = dialog.form.click(index)
            topDialog = .form(dialog)
            if outcome == .submit { submit(dialog) }
        case .choice(var dialog):
            if dialog.index == index {
                press(.enter, in: dialog)
            } else {
                dialog.index = index
                topDialog = .choice(dialog)
            }
        case .detection(var dialog):
            if dialog.index == index {
                press(.enter, in: dialog)
            } else {
                dialog.index = index
                topDialog = .detection(dialog)
            }
        case .confirmation(let dialog): press(index == 0 ? .enter : .escape, in: dialog)
        case .help, .calibration, .pairing, nil: break
        }
    }

    // MARK: Questions

    /// Asks before something is lost.
    mutating func ask(_ question: String, deed: String, then command: HubCommand) {
        state.dialogs.append(.confirmation(Confirmation(question: question, deed: deed, command: command)))
    }

    private mutating func press(_ key: Key, in dialog: Confirmation) {
        if [.character("y"), .enter].contains(key) {
            topDialog = nil
            let number = order(dialog.command)
            if case .removeServer(let id, _) = dialog.command {
                state.pending[number] = .serverRemoval(id)
            } else if case .history(.delete(let device, _, let moment, _)) = dialog.command {
                // There may be more by now than the person agreed to lose.
                state.pending[number] = .deletionCount(device, through: moment)
            } else {
                state.pending[number] = .toast
            }
        } else if [.character("n"), .escape, .character("q")].contains(key) {
            topDialog = nil
            toast(.note, "Nothing was changed")
        }
    }

    private mutating func press(_ key: Key, in dialog: ChoiceDialog) {
        var dialog = dialog
        let last = dialog.options.count - 1
        switch key {
        case .up, .character("k"), .backTab: dialog.index = max(0, dialog.index - 1)
        case .down, .character("j"), .tab: dialog.index = min(max(0, last), dialog.index + 1)
        case .home, .pageUp: dialog.index = 0
        case .end, .pageDown: dialog.index = max(0, last)
        case .escape, .character("q"):
            topDialog = nil
            return
        case .character(let character):
            guard let digit = character.wholeNumberValue, (1...9).contains(digit), digit - 1 <= last else { return }
            dialog.index = digit - 1
        case .enter:
            topDialog = nil
            guard dialog.options.indices.contains(dialog.index) else { return }
            choose(dialog.options[dialog.index].effect)
            return
        case .control, .alt, .backspace, .delete, .insert, .left, .right, .function: return
        }
        topDialog = .choice(dialog)
    }

    private mutating func choose(_ effect: ChoiceDialog.Effect) {
        switch effect {
        case .order(let command): state.pending[order(command)] = .toast
        case .limits(let target, let quantity): openLimitsForm(target, quantity)
        case .calibrate(let quantity): startCalibration(of: quantity)
        case .countDeletion(let moment):
            let device = currentDevice?.device.id
            state.pending[order(.deleteReadings(of: device, through: moment, expected: nil))] =
                .deletionCount(device, through: moment)
        }
    }
}
