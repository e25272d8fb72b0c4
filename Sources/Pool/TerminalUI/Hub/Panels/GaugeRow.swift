import PoolModel

/// Draws the gauges of a device side by side.
struct GaugeRow {
    let context: ScreenContext
    private var look: ResolvedTheme { context.look }

    func draw(_ glance: Glance, in rect: Rect, on picture: inout Picture) {
        let gauges = glance.faceGauges(atMost: max(1, (rect.size.columns + 1) / 15))
        guard !gauges.isEmpty else {
            picture.buffer.write(
                Notice(glance).text, x: rect.x, y: rect.y + rect.size.rows / 2, columns: rect.size.columns,
                alignment: .center, style: look.faint)
            return
        }
        let width = (rect.size.columns + 1) / gauges.count
        for (index, gauge) in gauges.enumerated() {
            let x = rect.x + index * width
            let isSelected = context.focus == GaugesPanel.id && gauge.quantity == context.quantity
            picture.mark(
                Rect(x: x, y: rect.y, columns: width, rows: rect.size.rows),
                .row(GaugesPanel.id, .quantity(gauge.quantity)))
            if index > 0 {
                for y in rect.y..<rect.endY {
                    picture.buffer.put(look.outline.vertical, x: x - 1, y: y, style: look.lineStyle)
                }
            }
            let isLast = index == gauges.count - 1
            let columns = (isLast ? rect.endX - x : width - 1) - (isLast ? 2 : 1)
            drawGauge(
                gauge, in: Rect(x: x + 1, y: rect.y, columns: columns, rows: 9), isSelected: isSelected,
                on: &picture.buffer)
        }
    }

    private func drawGauge(_ gauge: Glance.Gauge, in rect: Rect, isSelected: Bool, on buffer: inout CellBuffer) {
        let (quantity, mark) = (gauge.quantity, gauge.mark)
        var arrow = ""
        if case .judged = mark, let trend = gauge.trend { arrow = String(look.arrow(trend)) }
        let label = quantity == .chlorine ? "Cl" : quantity.facts.gaugeLabel
        PanelLine(
            [
                TextRun("\(look.glyph(mark)) ", Style(look.ink(mark), .bold)),
                TextRun(
                    label,
                    Style(
                        mark.isAlarming ? look.ink(mark) : look.theme.secondaryText,
                        isSelected ? [.bold, .underline] : .bold)),
                TextRun(quantity.unit.isEmpty ? "" : " \(quantity.unit)", look.faint),
            ], trailing: [TextRun(arrow, look.quiet)]
        ).draw(on: &buffer, x: rect.x, y: rect.y, columns: rect.size.columns)
        drawNumber(gauge, in: rect, on: &buffer)
        GaugeLines(gauge: gauge, look: look).drawBullet(
            x: rect.x, y: rect.y + 4, columns: rect.size.columns, on: &buffer)
        GaugeLines(gauge: gauge, look: look).drawSpark(
            in: Rect(x: rect.x, y: rect.y + 5, columns: rect.size.columns, rows: 2), on: &buffer)
        if let range = gauge.range {
            buffer.write(
                "\(quantity.text(range.lowerBound))\(look.rangeDash)\(quantity.text(range.upperBound))", x: rect.x,
                y: rect.y + 7,
                columns: rect.size.columns, alignment: .leading, style: look.faint)
        }
        drawVerdict(gauge, x: rect.x, y: rect.y + 8, columns: rect.size.columns, on: &buffer)
    }

    private func drawNumber(_ gauge: Glance.Gauge, in rect: Rect, on buffer: inout CellBuffer) {
        let text = gauge.shownValue.map(gauge.quantity.text) ?? look.noValue
        let ink = look.valueInk(gauge.mark)
        if !look.isASCII, let width = BigNumerals.width(text), width <= rect.size.columns {
            BigNumerals.draw(text, on: &buffer, x: rect.x, y: rect.y + 1, ink: ink, paintsCells: look.paintsCells)
        } else {
            buffer.write(
                text, x: rect.x, y: rect.y + 2, columns: rect.size.columns, alignment: .leading,
                style: Style(ink, .bold))
        }
    }

    private func drawVerdict(_ gauge: Glance.Gauge, x: Int, y: Int, columns: Int, on buffer: inout CellBuffer) {
        let text = verdict(gauge, columns: columns)
        switch gauge.mark {
        case .judged(.critical):
            let chip = look.banner(.critical)
            buffer.fill(Rect(x: x, y: y, columns: columns, rows: 1), style: chip)
            buffer.write(" \(text)", x: x, y: y, style: chip, limit: columns)
        case .judged(let status) where status != .normal:
            buffer.write(text, x: x, y: y, style: look.style(status), limit: columns)
        case .outdated where gauge.formerAlarm != nil:
            buffer.write(text, x: x, y: y, style: Style(look.ink(gauge.mark)), limit: columns)
        case .judged, .outdated, .offline, .missing:
            buffer.write(text, x: x, y: y, columns: columns, alignment: .leading, style: look.faint)
        }
    }

    private func verdict(_ gauge: Glance.Gauge, columns: Int) -> String {
        if let former = FaceFormatter.former(gauge).first(where: { $0.displayWidth <= columns }) { return former }
        return switch gauge.mark {
        case .judged(.normal): "in range"
        case .judged:
            switch gauge.deviation {
            case .low: "too low"
            case .high: "too high"
            case nil: "alert open"
            }
        case .outdated: gauge.ageSeconds.map { "stale \(FaceFormatter.age($0))" } ?? "last known"
        case .offline: gauge.ageSeconds.map { "\(FaceFormatter.age($0)) old" } ?? "offline"
        case .missing: "no value"
        }
    }
}
