import PoolControl
import PoolModel

extension HubConsole {
    /// Where a person begins: at the first steps if there is nothing yet.
    mutating func begin() {
        state.focus = state.zones(isWide: isWide).first ?? .devices
        if hub.devices.isEmpty { expand(.guide) }
    }

    /// Keeps what was remembered in step with what is there now.
    mutating func follow() {
        let zones = state.zones(isWide: isWide)
        if !zones.contains(state.focus) { state.focus = zones.first ?? .devices }
        if let toast = state.toast {
            let left = toast.until.milliseconds(since: hub.now)
            // A clock that was set back must not keep a message for hours.
            if left <= 0 || left > 10_000 { state.toast = nil }
        }
        followDisturbances()
        followCalibration()
        followGuide()
        followChart()
        followReadings()
    }

    /// Takes in what became of the orders.
    mutating func takeAnswers() {
        for answer in snapshot.answers {
            guard let pending = state.pending.removeValue(forKey: answer.number) else { continue }
            switch (pending, answer.outcome) {
            case (.form, let outcome): finishForm(number: answer.number, outcome)
            case (.serverRemoval(let id), .takesMore(let devices)):
                let name = server(id)?.server.name.sanitized ?? "the server"
                ask(
                    "\(name) has devices: \(devices.sanitized). Remove them, too? Their readings stay in the history.",
                    deed: "remove all", then: .removeServer(id, cascading: true))
            case (.deletionCount(let device, let moment), .takesMore(let count)):
                askToDelete(count, of: device, through: moment)
            case (_, .done(let text)): toast(.done, text)
            case (_, .refused(let text)), (_, .takesMore(let text)): toast(.refused, text)
            }
        }
        // An answer that never came is not waited for forever.
        if state.pending.count > 64 { state.pending = state.pending.filter { $0.key > state.lastOrder - 64 } }
    }

    private mutating func askToDelete(_ count: String, of device: DeviceID?, through moment: Timestamp) {
        guard let number = Int(count), number > 0 else {
            toast(.note, "There are no such readings")
            return
        }
        let name = device.flatMap { self.device($0)?.device.name.sanitized } ?? "all devices"
        ask(
            "Delete \(number) readings of \(name)? They cannot be brought back.", deed: "delete",
            then: .deleteReadings(of: device, through: moment, expected: number))
    }

    private mutating func finishForm(number: Int, _ outcome: HubAnswerItem.Outcome) {
        let index = state.dialogs.firstIndex { dialog in
            if case .form(let form) = dialog { form.number == number } else { false }
        }
        guard let index, case .form(var dialog) = state.dialogs[index] else {
            // The form was left meanwhile; what became of it is told all the same.
            tell(outcome)
            return
        }
        switch outcome {
        case .done(let text):
            state.dialogs.remove(at: index)
            toast(.done, text)
            afterSaving(dialog.kind)
        case .refused(let text), .takesMore(let text):
            dialog.form.isWaiting = false
            dialog.form.problem = text
            dialog.number = nil
            state.dialogs[index] = .form(dialog)
        }
    }

    private mutating func tell(_ outcome: HubAnswerItem.Outcome) {
        switch outcome {
        case .done(let text): toast(.done, text)
        case .refused(let text), .takesMore(let text): toast(.refused, text)
        }
    }

    private mutating func afterSaving(_ kind: FormDialog.Kind) {
        switch kind {
        case .invitation: state.dialogs.append(.pairing)
        case .device where state.expanded.last == .guide:
            // The step is done: back to the list of steps.
            state.dialogs.removeAll { if case .detection = $0 { true } else { false } }
            if hub.detection?.isOver == false { state.pending[order(.detection(.end))] = .toast }
        case .server, .device, .pool, .limits, .alerts, .secret, .retention, .export, .autoExport: break
        }
    }
}
