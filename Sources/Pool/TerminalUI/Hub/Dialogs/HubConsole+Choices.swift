import PoolControl
import PoolModel
import WaterChemistry

extension HubConsole {
    mutating func openPresets(_ target: LimitsOwner) {
        let options = LimitsPreset.all.map { preset in
            let numbers = preset.limits.pairs.map {
                "\($0.quantity.listName) \($0.quantity.text($0.value.low))\(look.rangeDash)\($0.quantity.text($0.value.high))"
            }
            return ChoiceDialog.Option(
                title: preset.title, detail: numbers.joined(separator: "  ") + ". " + preset.source,
                effect: .order(.applyPreset(preset.key, target)))
        }
        state.dialogs.append(
            .choice(
                ChoiceDialog(
                    title: "Limits for \(name(of: target))",
                    purpose: "From when on a value is a warning. Choose what fits best; l changes single ones later.",
                    options: options)))
    }

    mutating func openQuantityChoice(_ target: LimitsOwner) {
        let options = Quantity.allCases.map {
            ChoiceDialog.Option(title: $0.name, detail: "", effect: .limits(target, $0))
        }
        state.dialogs.append(
            .choice(
                ChoiceDialog(title: "Limits of \(name(of: target))", purpose: "Of which quantity?", options: options)))
    }

    mutating func openSnooze(_ alert: AlertState.Alert) {
        let spans = [
            (900, "15 minutes"), (3600, "1 hour"), (28_800, "8 hours"), (86_400, "1 day"), (604_800, "1 week"),
        ]
        let options = spans.map {
            ChoiceDialog.Option(title: $1, detail: "", effect: .order(.alerts(.snooze(alert.episodeID, seconds: $0))))
        }
        state.dialogs.append(
            .choice(
                ChoiceDialog(
                    title: "Mute",
                    purpose: "\(alert.summary.sanitized): for how long? If it gets worse, it is told all the same.",
                    options: options, index: 1)))
    }

    /// Asks which readings to delete; they are counted first, and asked for once more (P89).
    mutating func openDeletion() {
        guard let item = currentDevice else { return }
        let day: Int64 = 86_400_000
        let spans: [(Int64, String)] = [
            (365 * day, "older than a year"), (90 * day, "older than 90 days"), (30 * day, "older than 30 days"),
            (7 * day, "older than 7 days"), (0, "all of them"),
        ]
        let options = spans.map { age, title in
            ChoiceDialog.Option(
                title: title, detail: "They are counted first; nothing is deleted yet.",
                effect: .countDeletion(through: hub.now.advanced(byMilliseconds: -age)))
        }
        state.dialogs.append(
            .choice(
                ChoiceDialog(
                    title: "Delete readings", purpose: "Which readings of \(item.device.name.sanitized)?",
                    options: options)))
    }

    func name(of target: LimitsOwner) -> String {
        switch target {
        case .device(let id): device(id)?.device.name.sanitized ?? "a device"
        case .pool(let id): hub.pools.first { $0.id == id }?.name.sanitized ?? "a pool"
        }
    }
}
