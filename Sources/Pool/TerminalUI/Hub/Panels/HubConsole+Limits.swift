import PoolControl
import PoolModel
import WaterChemistry

extension HubConsole {
    func limitsRows(columns: Int) -> [PanelRow] {
        guard let item = currentDevice else {
            return [PanelRow(nil, [TextRun("no device", look.faint)])]
        }
        var rows = [limitsHeader(columns: columns)]
        rows += Quantity.allCases.map { limitsRow($0, of: item, columns: columns) }
        rows += [.blank, calibrationHeader(columns: columns)]
        rows += Quantity.allCases.map { calibrationRow($0, of: item, columns: columns) }
        rows += [
            .blank,
            PanelRow(
                .cooldown, [TextRun("cooldown", look.faint)],
                trailing: [TextRun(FaceFormatter.age(hub.alerts.settings.cooldownSeconds), look.plain)]),
        ]
        return rows + (columns >= 40 ? deviceFacts(item, columns: columns) : [])
    }

    private func padded(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - text.displayWidth)) + text
    }

    private func limitsHeader(columns: Int) -> PanelRow {
        let wide = columns >= 40 ? [TextRun(padded("crit", 8), look.faint)] : []
        let end = columns >= 40 ? [TextRun(padded("crit", 8), look.faint)] : []
        return PanelRow(
            nil, [TextRun("metric", look.faint)],
            trailing: wide + [
                TextRun(padded("min", columns >= 40 ? 6 : 4), look.faint), TextRun(padded("max", 6), look.faint),
            ] + end
                + [TextRun(" alert", look.faint)])
    }

    private func limitsRow(_ quantity: Quantity, of item: DeviceState, columns: Int) -> PanelRow {
        let limits = limits(of: item.device, for: quantity)
        let isOwn = item.device.limits[quantity] != nil
        let style = isOwn ? look.plain : look.quiet
        let isOn = hub.alerts.settings.wants(.value(item.device.id, quantity, .low))
        let alert =
            isOn
            ? [TextRun(" \(look.glyph(.normal)) ", look.accentStyle), TextRun("on ", look.accentStyle)]
            : [TextRun(" \(look.glyph(Status.offline)) ", look.faint), TextRun("off", look.faint)]
        func number(_ value: Double, _ columns: Int, _ style: Style) -> TextRun {
            TextRun(padded(quantity.text(value), columns), style)
        }
        let low = columns >= 40 ? [number(limits.criticalLow, 8, look.faint)] : []
        let high = columns >= 40 ? [number(limits.criticalHigh, 8, look.faint)] : []
        return PanelRow(
            .quantity(quantity), [TextRun(columns >= 48 ? quantity.name : quantity.listName, look.quiet)],
            trailing: low + [number(limits.low, columns >= 40 ? 6 : 4, style), number(limits.high, 6, style)] + high
                + alert)
    }

    private func calibrationHeader(columns: Int) -> PanelRow {
        let age = columns >= 40 ? [TextRun(padded("made", 9), look.faint)] : []
        return PanelRow(
            nil, [TextRun("calib.", look.faint)],
            trailing: [TextRun(padded("slope", 8), look.faint), TextRun(padded("offset", 8), look.faint)] + age)
    }

    private func calibrationRow(_ quantity: Quantity, of item: DeviceState, columns: Int) -> PanelRow {
        let name = TextRun(columns >= 40 ? quantity.name : quantity.listName, look.quiet)
        guard let calibration = item.device.calibrations[quantity]?.calibration(at: hub.now) else {
            return PanelRow(.calibration(quantity), [name], trailing: [TextRun("none", look.faint)])
        }
        let offset = FaceFormatter.number(calibration.offset, decimals: quantity.decimals)
        let signed = calibration.offset > 0 && !offset.hasPrefix("-") ? "+\(offset)" : offset
        var trailing = [
            TextRun(padded(FaceFormatter.number(calibration.slope, decimals: 3), 8), look.plain),
            TextRun(padded(signed, 8), look.plain),
        ]
        let age = calibration.age(for: quantity, at: hub.now)
        if columns >= 40 {
            let style = age.verdict == .fresh ? look.faint : look.style(.warning, isBold: false)
            trailing.append(TextRun(padded(age.days == 0 ? "today" : "\(age.days) d", 9), style))
        } else if age.verdict != .fresh {
            trailing.insert(TextRun("\(look.glyph(.warning))", look.style(.warning)), at: 0)
        }
        return PanelRow(.calibration(quantity), [name], trailing: trailing)
    }

    private func deviceFacts(_ item: DeviceState, columns: Int) -> [PanelRow] {
        let device = item.device
        let pool = device.poolID.flatMap { id in hub.pools.first { $0.id == id } }
        var facts: [(String, String)] = [
            ("topic", device.topic), ("type", device.deviceType),
            ("expected every", FaceFormatter.age(device.expectedIntervalSeconds)),
            ("messages", device.mapping.map { $0.profile ?? "own mapping" } ?? "flat"),
            ("pool", pool?.name ?? "none"), ("stored", "\(item.storedReadings) readings"),
        ]
        if let share = activeShare(glance(of: item)) { facts.append(("active chlorine", share)) }
        if !item.traffic.isEmpty { facts.append(("traffic", item.traffic)) }
        if let last = item.lastMessage { facts.append(("last message", "\(last.topic): \(last.excerpt)")) }
        if item.isAvailable == false { facts.append(("availability", "the device says that it is away")) }
        return [.blank]
            + facts.map { name, text in
                PanelRow(
                    nil, [TextRun(name, look.faint)],
                    trailing: [TextRun(text.sanitized.fitted(columns: max(0, columns - 16)), look.quiet)])
            }
    }

    /// How much of the free chlorine disinfects at once; nil unless pH and temperature are fresh.
    private func activeShare(_ glance: Glance) -> String? {
        func live(_ quantity: Quantity) -> Double? {
            glance.gauges.first { $0.quantity == quantity && $0.freshness == .live }?.value
        }
        guard let ph = live(.ph), let celsius = live(.temperature),
            let active = ActiveChlorine(freeChlorine: 0, ph: ph, celsius: celsius, cyanuricAcid: nil)
        else { return nil }
        return "\(Int((active.shareWithoutStabiliser * 100).rounded())) % unless stabilised"
    }

    func limits(of device: Device, for quantity: Quantity) -> Limits {
        let pool = device.poolID.flatMap { id in hub.pools.first { $0.id == id } }
        return device.limits[quantity] ?? pool?.limits[quantity] ?? .standard(for: quantity)
    }

    // MARK: Keys

    var limitsCommands: [Command] {
        let device = currentDevice?.device
        let none = device == nil ? "there is no device yet" : nil
        var quantity = currentQuantity
        var isCalibration = false
        switch selection(of: .limits) {
        case .quantity(let chosen): quantity = chosen
        case .calibration(let chosen): (quantity, isCalibration) = (chosen, true)
        case .server, .device, .pool, .watch, .alert, .conflict, .event, .reading, .setup, .knob, .stage, .channel,
            .cooldown, nil:
            break
        }
        let hasCalibration = device?.calibrations[quantity]?.versions.isEmpty == false
        return [
            Command([.character("l"), .enter], label: "l", "limit", unless: none) { console in
                guard let device else { return }
                if isCalibration {
                    console.openCalibration(of: quantity)
                } else if console.selection(of: .limits) == .cooldown {
                    console.openAlertForm()
                } else {
                    console.openLimitsForm(.device(device.id), quantity)
                }
            },
            Command("c", "calib", unless: none) { $0.openCalibration(of: quantity) },
            Command("x", "csv", unless: none) { $0.openExportForm() },
            Command("P", "preset", unless: none) { console in
                if let device { console.openPresets(.device(device.id)) }
            },
            Command("m", "mute") { $0.toggleMute(quantity) },
            Command("u", "unset", unless: unsetObstacle(device, quantity)) { console in
                if let device {
                    console.state.pending[console.order(.setLimits(.device(device.id), quantity, nil))] = .toast
                }
            },
            Command(
                [.character("D"), .delete], label: "D", "remove calib.",
                unless: none ?? (hasCalibration ? nil : "\(quantity.name) is not calibrated")
            ) { console in
                guard let device, let last = device.calibrations[quantity]?.versions.last else { return }
                console.ask(
                    "Remove the last calibration of \(quantity.name)? The history shows the values of before then.",
                    deed: "remove", then: .removeCalibration(device.id, quantity, validFrom: last.validFrom))
            },
        ]
    }

    private func unsetObstacle(_ device: Device?, _ quantity: Quantity) -> String? {
        guard let device else { return "there is no device yet" }
        return device.limits[quantity] == nil ? "\(quantity.name) has no limits of its own" : nil
    }

    private mutating func toggleMute(_ quantity: Quantity) {
        var settings = hub.alerts.settings
        if settings.mutedQuantities.remove(quantity) == nil { settings.mutedQuantities.insert(quantity) }
        state.pending[order(.alerts(.replace(settings)))] = .toast
    }
}

extension Quantity {
    /// The name in narrow lists.
    var listName: String {
        switch self {
        case .temperature: "Temp"
        case .ph: "pH"
        case .chlorine: "Cl"
        case .orp: "ORP"
        }
    }
}
