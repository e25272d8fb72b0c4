import PoolControl
import PoolModel
import WaterChemistry

/// The conversation of a calibration, with what is being typed.
struct CalibrationDialog: Equatable, Sendable {
    var deviceID: DeviceID
    var wizard: CalibrationWizard
    var input = TextField()
    /// Why the last answer was not taken.
    var refusal: String?
    /// Whether the outcome was accepted against the wizard's advice.
    var isForced = false

    /// Whether the step wants a word, so that its first letter is enough.
    var wantsWord: Bool { wizard.step == .review || wizard.step == .more }
}

extension HubConsole {
    /// Begins with the question of which quantity, or with the quantity at once if there is one device only.
    mutating func openCalibration(of quantity: Quantity) {
        guard let item = currentDevice else {
            toast(.refused, "Calibration: there is no device yet")
            return
        }
        let options = Quantity.allCases.map { quantity -> ChoiceDialog.Option in
            let now = item.device.calibrations[quantity]?.calibration(at: hub.now)
            let age =
                now.map { $0.age(for: quantity, at: hub.now).sentence(in: language) } ?? "Not calibrated yet."
            return ChoiceDialog.Option(title: quantity.name, detail: age, effect: .calibrate(quantity))
        }
        state.dialogs.append(
            .choice(
                ChoiceDialog(
                    title: "Calibrate \(item.device.name.sanitized)",
                    purpose: "Compare the probe with a reference. Which quantity?", options: options,
                    index: Quantity.allCases.firstIndex(of: quantity) ?? 0)))
    }

    mutating func startCalibration(of quantity: Quantity) {
        guard let item = currentDevice else { return }
        let current = item.device.calibrations[quantity]?.calibration(at: hub.now)
        var dialog = CalibrationDialog(
            deviceID: item.device.id,
            wizard: CalibrationWizard(quantity: quantity, language: language, author: author, current: current))
        receive(&dialog)
        state.dialogs.append(.calibration(dialog))
    }

    /// Passes the newest raw value on to the wizard.
    private func receive(_ dialog: inout CalibrationDialog) {
        guard let latest = device(dialog.deviceID)?.rawReadings?[dialog.wizard.quantity],
            let sampledAt = latest.sampledAt
        else {
            return
        }
        dialog.wizard.receive(raw: latest.value, sampledAt: sampledAt)
    }

    mutating func followCalibration() {
        for (index, dialog) in state.dialogs.enumerated() {
            guard case .calibration(var calibration) = dialog else { continue }
            receive(&calibration)
            state.dialogs[index] = .calibration(calibration)
        }
    }

    mutating func press(_ key: Key, in dialog: CalibrationDialog) {
        var dialog = dialog
        switch key {
        case .escape:
            topDialog = nil
            toast(.note, "Nothing was changed")
            return
        case .enter: answer(&dialog, dialog.input.text)
        case .up, .backTab:
            if !dialog.wizard.back() {
                dialog.refusal =
                    dialog.wizard.language == .french ? "C'est la première étape." : "This is the first step."
            }
            dialog.input = TextField()
        case .character(let letter) where dialog.wantsWord && dialog.input.text.isEmpty:
            let words = dialog.wizard.prompt(at: hub.now).words
            if let word = words.first(where: { $0.first == letter }) {
                answer(&dialog, word)
            } else {
                dialog.input.press(key)
            }
        case .character, .control, .alt, .tab, .backspace, .delete, .insert, .down, .left, .right, .home, .end, .pageUp,
            .pageDown, .function:
            dialog.refusal = nil
            dialog.input.press(key)
        }
        guard dialog.wizard.isOver else {
            topDialog = .calibration(dialog)
            return
        }
        topDialog = nil
        guard let result = dialog.wizard.result else {
            toast(.note, "Nothing was changed")
            return
        }
        let number = order(
            .addCalibration(
                dialog.deviceID, dialog.wizard.quantity, result.calibration, isForced: dialog.isForced,
                dropsOldest: dialog.isForced))
        state.pending[number] = .toast
    }

    private func answer(_ dialog: inout CalibrationDialog, _ text: String) {
        let isForce = ["force", "forcer"].contains(text.lowercased())
        switch dialog.wizard.answer(text, at: hub.now) {
        case .accepted:
            dialog.refusal = nil
            dialog.isForced = isForce
            dialog.input = TextField()
        case .refused(let reason): dialog.refusal = reason
        }
    }
}
