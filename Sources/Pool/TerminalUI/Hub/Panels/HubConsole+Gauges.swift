import PoolControl
import PoolModel

extension HubConsole {
    var quantityRows: [PanelRow] { Quantity.allCases.map { PanelRow(.quantity($0), []) } }

    var freshnessBadge: [TextRun] {
        guard let glance = currentDevice.map(glance) else { return [] }
        let headline = Headline(glance)
        let age = headline.hasAge ? glance.ageSeconds.map { " \(FaceFormatter.age($0))" } ?? "" : ""
        if headline.isFresh { return [TextRun("live\(age)", look.faint)] }
        return [
            TextRun("\(look.glyph(headline)) \(headline.word.lowercased())\(age)", Style(look.ink(headline), .bold))
        ]
    }

    var gaugeCommands: [Command] {
        let quantity = currentQuantity
        let none = currentDevice == nil ? "there is no device yet" : nil
        return [
            Command("c", "calib", unless: none) { $0.openCalibration(of: quantity) },
            Command([.character("e")], label: "e", "limits", unless: none) { console in
                guard let device = console.currentDevice else { return }
                console.openLimitsForm(.device(device.device.id), quantity)
            },
            Command([.enter], label: "enter", "chart") { $0.expand(.history) },
        ]
    }

    func drawGauges(in rect: Rect, on picture: inout Picture) {
        guard let item = currentDevice else {
            drawEmpty(in: rect, on: &picture)
            return
        }
        if isWide, rect.size.columns >= 60, rect.size.rows >= 9 {
            drawWideGauges(glance(of: item), in: rect, on: &picture)
        } else {
            drawOverview(item, in: rect, on: &picture)
        }
    }

    private func drawEmpty(in rect: Rect, on picture: inout Picture) {
        let lines = [
            "No device yet.",
            hub.servers.isEmpty
                ? "Setup (7 or the last tab) begins with a server." : "f in Devices finds what your broker carries.",
        ]
        for (index, line) in lines.enumerated() where index < rect.size.rows {
            picture.buffer.write(
                line, x: rect.x, y: rect.y + index + max(0, rect.size.rows / 2 - 1), columns: rect.size.columns,
                alignment: .center, style: index == 0 ? look.strong : look.faint)
        }
    }

    // MARK: Side by side

    private func drawWideGauges(_ glance: Glance, in rect: Rect, on picture: inout Picture) {
        let width = (rect.size.columns + 1) / 4
        for (index, gauge) in glance.completeGauges.enumerated() {
            let x = rect.x + index * width
            let isSelected = state.focus == .gauges && gauge.quantity == currentQuantity
            picture.mark(
                Rect(x: x, y: rect.y, columns: width, rows: rect.size.rows), .row(.gauges, .quantity(gauge.quantity)))
            if index > 0 {
                for y in rect.y..<rect.endY {
                    picture.buffer.put(look.outline.vertical, x: x - 1, y: y, style: look.lineStyle)
                }
            }
            let columns = (index == 3 ? rect.endX - x : width - 1) - (index == 3 ? 2 : 1)
            drawGauge(
                gauge, in: Rect(x: x + 1, y: rect.y, columns: columns, rows: 9), isSelected: isSelected,
                on: &picture.buffer)
        }
    }

    private func drawGauge(_ gauge: Glance.Gauge, in rect: Rect, isSelected: Bool, on buffer: inout CellBuffer) {
        let (quantity, mark) = (gauge.quantity, gauge.mark)
        var arrow = ""
        if case .judged = mark, let trend = gauge.trend { arrow = String(look.arrow(trend)) }
        let label = quantity == .chlorine ? "Cl" : quantity.gaugeLabel
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
        drawBullet(gauge, x: rect.x, y: rect.y + 4, columns: rect.size.columns, on: &buffer)
        drawSpark(gauge, in: Rect(x: rect.x, y: rect.y + 5, columns: rect.size.columns, rows: 2), on: &buffer)
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
        let text = verdict(gauge)
        switch gauge.mark {
        case .judged(.critical):
            let chip = look.banner(.critical)
            buffer.fill(Rect(x: x, y: y, columns: columns, rows: 1), style: chip)
            buffer.write(" \(text)", x: x, y: y, style: chip, limit: columns)
        case .judged(let status) where status != .normal:
            buffer.write(text, x: x, y: y, style: look.style(status), limit: columns)
        case .judged, .outdated, .offline, .missing:
            buffer.write(text, x: x, y: y, columns: columns, alignment: .leading, style: look.faint)
        }
    }

    private func verdict(_ gauge: Glance.Gauge) -> String {
        switch gauge.mark {
        case .judged(.normal): "in range"
        case .judged: gauge.deviation == .low ? "too low" : "too high"
        case .outdated: gauge.ageSeconds.map { "stale \(FaceFormatter.age($0))" } ?? "last known"
        case .offline: gauge.ageSeconds.map { "\(FaceFormatter.age($0)) old" } ?? "offline"
        case .missing: "no probe"
        }
    }

    func drawBullet(_ gauge: Glance.Gauge, x: Int, y: Int, columns: Int, on buffer: inout CellBuffer) {
        let scale = GaugeScale(quantity: gauge.quantity, limits: gauge.limits)
        let mark = gauge.mark
        let band = mark.isOff ? look.theme.tint(.offline, 0.5) : look.theme.tint(.normal, 0.52)
        let bar = BulletBar(band: scale.bandFractions, trackStyle: Style(look.theme.track), bandStyle: Style(band))
        bar.draw(
            on: &buffer, x: x, y: y, columns: columns, glyphs: look.isASCII ? .ascii : .lines,
            mark: gauge.shownValue.map { (scale.fraction($0), look.glyph(mark), Style(look.ink(mark), .bold)) })
    }

    func drawSpark(_ gauge: Glance.Gauge, in rect: Rect, on buffer: inout CellBuffer) {
        let scale = GaugeScale(quantity: gauge.quantity, limits: gauge.limits)
        guard let line = Sparkline(history: gauge.history, columns: rect.size.columns, scale: scale) else { return }
        let (look, mark, limits) = (look, gauge.mark, gauge.limits)
        if look.isASCII {
            line.drawASCII(on: &buffer, x: rect.x, y: rect.endY - 1) {
                look.historyInk(limits.judge($0).status, mark: mark, isNewest: false)
            }
        } else {
            line.draw(on: &buffer, in: rect, paintsCells: look.paintsCells) {
                look.historyInk(limits.judge($0).status, mark: mark, isNewest: $1)
            }
        }
    }
}
