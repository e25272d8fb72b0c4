import PoolControl
import PoolModel
import WaterChemistry

/// The limits and calibrations of the device.
struct LimitsPanel: HubPanel {
    private(set) var selected: RowID?

    var changes: String? { "limits, calibrate" }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        if case .quantity(let quantity) = row { return [.showQuantity(quantity)] }
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle { PanelTitle(text: "Limits" + context.deviceSuffix) }

    // MARK: Rows

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let look = context.look
        guard let item = context.device else { return PanelList([PanelRow(nil, [TextRun("no device", look.faint)])]) }
        var rows = [limitsHeader(columns: columns, look: look)]
        rows += item.listedQuantities.map { limitsRow($0, of: item, columns: columns, in: context) }
        rows += [.blank, calibrationHeader(columns: columns, look: look)]
        rows += item.listedQuantities.map { calibrationRow($0, of: item, columns: columns, in: context) }
        rows += [
            .blank,
            PanelRow(
                .cooldown, [TextRun("cooldown", look.faint)],
                trailing: [TextRun(FaceFormatter.age(context.hub.alerts.settings.cooldownSeconds), look.plain)]),
        ]
        return PanelList(rows + (columns >= 40 ? deviceFacts(item, columns: columns, in: context) : []))
    }

    private func padded(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - text.displayWidth)) + text
    }

    private func limitsHeader(columns: Int, look: ResolvedTheme) -> PanelRow {
        let wide = columns >= 40 ? [TextRun(padded("crit", 8), look.faint)] : []
        let end = columns >= 40 ? [TextRun(padded("crit", 8), look.faint)] : []
        return PanelRow(
            nil, [TextRun("limits", look.faint)],
            trailing: wide + [
                TextRun(padded("min", columns >= 40 ? 6 : 4), look.faint), TextRun(padded("max", 6), look.faint),
            ] + end
                + [TextRun(" alert", look.faint)])
    }

    private func limitsRow(
        _ quantity: Quantity, of item: DeviceState, columns: Int, in context: ScreenContext
    ) -> PanelRow {
        let (hub, look) = (context.hub, context.look)
        let limits = hub.limits(of: item.device, for: quantity)
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
            .quantity(quantity), [TextRun(columns >= 48 ? quantity.name : quantity.facts.compactName, look.quiet)],
            trailing: low + [number(limits.low, columns >= 40 ? 6 : 4, style), number(limits.high, 6, style)] + high
                + alert)
    }

    private func calibrationHeader(columns: Int, look: ResolvedTheme) -> PanelRow {
        let age = columns >= 40 ? [TextRun(padded("made", 9), look.faint)] : []
        return PanelRow(
            nil, [TextRun("calib.", look.faint)],
            trailing: [TextRun(padded("slope", 8), look.faint), TextRun(padded("offset", 8), look.faint)] + age)
    }

    private func calibrationRow(
        _ quantity: Quantity, of item: DeviceState, columns: Int, in context: ScreenContext
    ) -> PanelRow {
        let (hub, look) = (context.hub, context.look)
        let name = TextRun(columns >= 40 ? quantity.name : quantity.facts.compactName, look.quiet)
        guard let calibration = item.device.calibrations[quantity]?.calibration(at: hub.now) else {
            return PanelRow(.calibration(quantity), [name], trailing: [TextRun("none", look.faint)])
        }
        let offset = NumberFormat.fixed(quantity.shownDifference(calibration.offset), decimals: quantity.decimals)
        let signed = calibration.offset > 0 && !offset.hasPrefix("-") ? "+\(offset)" : offset
        var trailing = [
            TextRun(padded(NumberFormat.fixed(calibration.slope, decimals: 3), 8), look.plain),
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

    private func deviceFacts(_ item: DeviceState, columns: Int, in context: ScreenContext) -> [PanelRow] {
        let look = context.look
        let device = item.device
        let pool = device.poolID.flatMap(context.hub.pool)
        var facts: [(String, String)] = [
            ("topic", device.topic), ("type", device.deviceType),
            ("expected every", FaceFormatter.age(device.expectedIntervalSeconds)),
            ("messages", device.mapping.map { $0.profile ?? "own mapping" } ?? "flat"),
            ("pool", pool?.name ?? "none"), ("stored", "\(item.storedReadings) readings"),
        ]
        if let share = activeShare(context.glance(of: item)) { facts.append(("active chlorine", share)) }
        if !item.traffic.isEmpty { facts.append(("traffic", item.traffic)) }
        if let last = item.lastMessage { facts.append(("last message", "\(last.topic): \(last.excerpt)")) }
        if let obstacle = item.obstacle { facts.append(("not heard", obstacle)) }
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

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] { [] }
}
