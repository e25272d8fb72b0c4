import PoolControl
import PoolModel

extension HubConsole {
    mutating func openPoolForm(_ id: PoolID?) {
        let pool = hub.pools.first { $0.id == id }
        let volume = pool?.volume.map { FaceFormatter.number($0, decimals: 2) } ?? ""
        open(
            .pool(id),
            Form(
                title: pool.map { "Pool \($0.name.sanitized)" } ?? "New pool",
                purpose: "A body of water: its limits hold for all of its devices.", deed: id == nil ? "add" : "save",
                fields: [
                    FormField("name", "Name", .text(TextField(pool?.name ?? "")), hint: "Such as Garden pool"),
                    FormField(
                        "volume", "Volume", .text(TextField(volume)), hint: "Cubic metres; empty if you do not know"),
                ]))
    }

    func poolReading(_ form: Form, _ id: PoolID?) -> FormReading {
        var reading = FormReading()
        let text = form.text("volume")
        let volume = text.isEmpty ? nil : number(text)
        if !text.isEmpty, volume == nil { reading.problems["volume"] = "Give a number of cubic metres, such as 48.5." }
        let pool = Pool(id: id ?? PoolID(high: 0, low: 0), name: form.text("name"), volume: volume)
        do throws(ConfigurationError) {
            try pool.validate()
        } catch {
            if case .volumeOutOfRange = error {
                reading.problems["volume"] = "\(error)"
            } else {
                reading.problems["name"] = "\(error)"
            }
        }
        if reading.problems.isEmpty {
            reading.command = id.map { .editPool($0, PoolPatch(of: pool)) } ?? .addPool(PoolPatch(of: pool))
        }
        return reading
    }

    // MARK: Limits

    mutating func openLimitsForm(_ target: LimitsOwner, _ quantity: Quantity) {
        let limits: Limits
        switch target {
        case .device(let id):
            limits = device(id).map { self.limits(of: $0.device, for: quantity) } ?? .standard(for: quantity)
        case .pool(let id):
            limits = hub.pools.first { $0.id == id }?.limits[quantity] ?? .standard(for: quantity)
        }
        func field(_ id: String, _ label: String, _ value: Double, _ hint: String) -> FormField {
            // Limits may have more digits than screens show, and must not lose them by being looked at.
            let decimals =
                [quantity.decimals, 3, 6].first {
                    abs(Double(FaceFormatter.number(value, decimals: $0)).map { $0 - value } ?? 1) < 1e-9
                } ?? 6
            return FormField(id, label, .text(TextField(FaceFormatter.number(value, decimals: decimals))), hint: hint)
        }
        let unit = quantity.unit.isEmpty ? "" : " (\(quantity.unit))"
        open(
            .limits(target, quantity),
            Form(
                title: "\(quantity.name) of \(name(of: target))",
                purpose: "A value on a limit is still inside it\(unit).",
                fields: [
                    field("criticalHigh", "critical above", limits.criticalHigh, "Never below the warning"),
                    field("high", "warning above", limits.high, "The highest value that is normal"),
                    field("low", "warning below", limits.low, "The lowest value that is normal"),
                    field("criticalLow", "critical below", limits.criticalLow, "Never above the warning"),
                ]))
    }

    func limitsReading(_ form: Form, _ target: LimitsOwner, _ quantity: Quantity) -> FormReading {
        var reading = FormReading()
        var values: [String: Double] = [:]
        for id in ["criticalLow", "low", "high", "criticalHigh"] {
            guard let value = number(form.text(id)) else {
                reading.problems[id] = "Give a number, such as \(quantity.text(Limits.standard(for: quantity).low))."
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
            // Told where the person is, so that the answer is corrected that was just typed.
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
            reading.command = .setLimits(target, quantity, limits)
        }
        return reading
    }
}
