import PoolControl
import PoolModel

/// Draws one device upright: its name, the banner or a calm line, and a bar with the last day for each quantity.
struct DeviceOverview {
    let context: ScreenContext
    let device: DeviceState
    private var look: ResolvedTheme { context.look }
    private var hub: HubState { context.hub }

    func draw(in rect: Rect, on picture: inout Picture) {
        let glance = context.glance(of: device)
        drawName(glance, in: rect, on: &picture)
        guard rect.size.rows >= 2 else { return }
        drawBanner(glance, x: rect.x, y: rect.y + 1, columns: rect.size.columns, on: &picture)
        let gauges = glance.measuredGauges
        let room = rect.size.rows - 2
        // With an empty row between the gauges, without it, or a single row for each.
        let step = room >= 12 ? 3 : room >= 8 ? 2 : 1
        let top = rect.y + (room >= 12 ? 3 : 2)
        for (index, gauge) in gauges.enumerated() {
            let y = top + index * step
            guard y < rect.endY else { break }
            let height = min(step, rect.endY - y)
            let area = Rect(x: rect.x, y: y, columns: rect.size.columns, rows: min(2, height))
            picture.mark(area, .row(GaugesPanel.id, .quantity(gauge.quantity)))
            drawReading(gauge, in: area, on: &picture.buffer)
        }
    }

    private func drawName(_ glance: Glance, in rect: Rect, on picture: inout Picture) {
        let headline = Headline(glance)
        let many = hub.devices.count > 1
        let (left, right) = look.isASCII ? ("< ", " >") : ("‹ ", " ›")
        let age = headline.hasAge ? glance.ageSeconds.map { " \(FaceFormatter.age($0))" } ?? "" : ""
        // Where there is little room the line above says the word, and the name is worth more.
        let word = rect.size.columns >= 30 ? "\(look.glyph(headline)) \(headline.word)" : "\(look.glyph(headline))"
        let free = max(1, rect.size.columns - word.displayWidth - age.displayWidth - 6)
        let name = (device.device.name.sanitized.nonEmpty ?? "unnamed").fitted(columns: free)
        PanelLine(
            [
                TextRun(many ? left : "", look.keyStyle),
                TextRun(name, Style(look.theme.text, context.focus == GaugesPanel.id ? [.bold, .underline] : .bold)),
                TextRun(many ? right : "", look.keyStyle),
            ], trailing: [TextRun(word, Style(look.ink(headline), .bold)), TextRun(age, look.faint)]
        ).draw(on: &picture.buffer, x: rect.x, y: rect.y, columns: rect.size.columns)
        guard many else { return }
        picture.mark(Rect(x: rect.x, y: rect.y, columns: 2, rows: 1), .device(offset: -1))
        picture.mark(Rect(x: rect.x + 2, y: rect.y, columns: name.displayWidth + 2, rows: 1), .device(offset: 1))
    }

    /// The worst open alert that nobody acknowledged, else what is known of the freshness.
    private func drawBanner(_ glance: Glance, x: Int, y: Int, columns: Int, on picture: inout Picture) {
        let open = hub.sortedAlerts.filter { !$0.isQuiet }
        if let first = open.first(where: { !$0.isOutdated }) ?? open.first {
            let status = first.status
            let isOutdated = first.isOutdated
            let sign = isOutdated ? look.staleGlyph : look.glyph(status)
            let style = isOutdated ? look.style(.warning) : look.banner(status)
            let rect = Rect(x: x - 1, y: y, columns: columns + 2, rows: 1)
            picture.buffer.fill(rect, style: style)
            picture.mark(rect, .banner)
            let isOther = first.key.deviceID != device.id
            let name = isOther ? "\(first.name.sanitized) " : ""
            let hint = open.count > 1 ? "+\(open.count - 1) more" : "a ack"
            PanelLine(
                [TextRun("\(sign) \(name)\(first.shortSummary)", style)],
                trailing: [TextRun(hint, style)]
            ).draw(on: &picture.buffer, x: x, y: y, columns: columns)
            return
        }
        let line: PanelLine
        if let notice = context.snapshot.notices.first {
            line = PanelLine("\(look.glyph(.warning)) \(notice.sanitized)", look.style(.warning))
        } else if !hub.conflicts.isEmpty {
            let words =
                hub.conflicts.count == 1 ? "1 conflict waits" : "\(hub.conflicts.count) conflicts wait"
            line = PanelLine(
                [TextRun("\(context.conflictGlyph) \(words)", look.style(.warning))],
                trailing: [TextRun("3 alerts", look.faint)])
        } else {
            let (assessment, isNamed) = context.assessment
            line = PanelLine([TextRun(look.line(assessment, isNamed: isNamed), look.style(assessment))])
        }
        line.draw(on: &picture.buffer, x: x, y: y, columns: columns)
    }

    private func drawReading(_ gauge: Glance.Gauge, in rect: Rect, on buffer: inout CellBuffer) {
        let (quantity, mark) = (gauge.quantity, gauge.mark)
        let isSelected = quantity == context.quantity
        let isLoud = mark.isAlarming
        if isSelected, rect.size.columns >= 20 {
            let style = isLoud ? Style(look.ink(mark)) : look.keyStyle
            for y in rect.y..<rect.endY { buffer.put(look.selectionMark, x: rect.x - 1, y: y, style: style) }
        }
        let spark = rect.size.columns >= 40 ? min(20, rect.size.columns - 30) : 0
        let columns = rect.size.columns - (spark > 0 ? spark + 2 : 0)
        buffer.put(look.glyph(mark), x: rect.x + 1, y: rect.y, style: Style(look.ink(mark), .bold))
        let name = columns >= 28 ? quantity.name : quantity.facts.compactName
        buffer.write(
            name, x: rect.x + 3, y: rect.y, columns: max(0, columns - 3), alignment: .leading,
            style: Style(isLoud ? look.ink(mark) : look.theme.secondaryText))
        let value = gauge.shownValue.map(quantity.text) ?? look.noValue
        let end = rect.x + (columns >= 28 ? 21 : min(columns, 13))
        let style = mark == .judged(.critical) ? look.banner(.critical) : Style(look.valueInk(mark), .bold)
        let text = mark == .judged(.critical) ? " \(value) " : value
        let x = end - value.displayWidth - (mark == .judged(.critical) ? 1 : 0)
        buffer.write(text, x: max(rect.x + 3, x), y: rect.y, style: style, limit: max(0, rect.x + columns - x))
        let free = max(0, rect.x + columns - end - 1)
        if let former = FaceFormatter.former(gauge).first(where: { $0.displayWidth <= free }) {
            buffer.write(former, x: end + 1, y: rect.y, style: Style(look.ink(mark)))
        } else {
            buffer.write(quantity.unit, x: end + 1, y: rect.y, style: look.faint, limit: free)
        }
        if case .judged = mark, let trend = gauge.trend, columns >= 22 {
            buffer.put(look.arrow(trend), x: rect.x + columns - 1, y: rect.y, style: look.quiet)
        }
        let lines = GaugeLines(gauge: gauge, look: look)
        if rect.size.rows >= 2 {
            lines.drawBullet(x: rect.x + 3, y: rect.y + 1, columns: max(0, columns - 3), on: &buffer)
        }
        if spark > 0 {
            lines.drawSpark(
                in: Rect(x: rect.endX - spark, y: rect.y, columns: spark, rows: rect.size.rows), on: &buffer)
        }
    }
}
