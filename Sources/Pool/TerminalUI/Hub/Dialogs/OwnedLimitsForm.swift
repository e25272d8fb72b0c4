import PoolControl
import PoolModel

/// The form of the limits of a device or of a pool.
struct OwnedLimitsForm: HubForm {
    let owner: LimitsOwner
    let quantity: Quantity

    func form(in context: ScreenContext) -> Form {
        let hub = context.hub
        let limits: Limits
        switch owner {
        case .device(let id):
            limits = hub.device(id).map { hub.limits(of: $0.device, for: quantity) } ?? quantity.facts.limits
        case .pool(let id): limits = hub.pool(id)?.limits[quantity] ?? quantity.facts.limits
        }
        func field(_ id: String, _ label: String, _ value: Double, _ hint: String) -> FormField {
            // Limits may have more digits than screens show, and opening the form must not lose them.
            let value = quantity.shownValue(value)
            let decimals =
                [quantity.decimals, 3, 6].first {
                    abs(Double(NumberFormat.fixed(value, decimals: $0)).map { $0 - value } ?? 1) < 1e-9
                } ?? 6
            return FormField(id, label, .text(TextField(NumberFormat.fixed(value, decimals: decimals))), hint: hint)
        }
        let unit = quantity.unit.isEmpty ? "" : " (\(quantity.unit))"
        return Form(
            title: "\(quantity.name) of \(hub.name(of: owner))",
            purpose: "A value on a limit is still inside it\(unit).",
            fields: [
                field("criticalHigh", "critical above", limits.criticalHigh, "Never below the warning"),
                field("high", "warning above", limits.high, "The highest value that is normal"),
                field("low", "warning below", limits.low, "The lowest value that is normal"),
                field("criticalLow", "critical below", limits.criticalLow, "Never above the warning"),
            ])
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        var reading = FormReading()
        var values: [String: Double] = [:]
        for id in ["criticalLow", "low", "high", "criticalHigh"] {
            guard let value = form.number(id).map(quantity.typedValue) else {
                reading.problems[id] = "Give a number, such as \(quantity.text(quantity.facts.limits.low))."
                continue
            }
            let range = quantity.plausibleRange
            if !range.contains(value) {
                reading.problems[id] =
                    "Water has \(quantity.text(range.lowerBound)) to \(quantity.text(range.upperBound))."
            }
            values[id] = value
        }
        guard reading.problems.isEmpty, let criticalLow = values["criticalLow"], let low = values["low"],
            let high = values["high"], let criticalHigh = values["criticalHigh"]
        else { return reading }
        if low >= high {
            // Said at the focused field, so that the person corrects the answer that was just typed.
            let isAtLow = form.focus == form.fields.firstIndex { $0.id == "low" }
            reading.problems[isAtLow ? "low" : "high"] =
                isAtLow
                ? "It must be below the upper warning, \(quantity.text(high))."
                : "It must be above the lower warning, \(quantity.text(low))."
        }
        if criticalLow > low {
            reading.problems["criticalLow"] = "It must not be above the warning, \(quantity.text(low))."
        }
        if criticalHigh < high {
            reading.problems["criticalHigh"] = "It must not be below the warning, \(quantity.text(high))."
        }
        if reading.problems.isEmpty {
            let limits = Limits(criticalLow: criticalLow, low: low, high: high, criticalHigh: criticalHigh)
            reading.command = .edit(.setLimits(owner, quantity, limits))
        }
        return reading
    }
}
