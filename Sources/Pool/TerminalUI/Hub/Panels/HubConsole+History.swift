import PoolControl
import PoolModel

extension HubConsole {
    var historyTitle: String {
        let name = currentQuantity.name
        return isWide ? "History \(look.separator) \(currentQuantity.gaugeLabel)" : name
    }

    /// The ranges, the shown one in brackets; where the cursor reads something off, that.
    var rangeBadge: [TextRun] {
        ChartRange.allCases.enumerated().map { index, range in
            let isShown = range == state.navigator.range
            let text = isShown ? "[\(range.label)]" : range.label
            return TextRun((index == 0 ? "" : " ") + text, isShown ? look.quiet : look.faint)
        }
    }

    /// Lets the mouse choose a range.
    func markRanges(of zone: ConsolePanel, badge: [TextRun], endX: Int, y: Int, on picture: inout Picture) {
        guard zone == .history else { return }
        var x = endX - badge.reduce(0) { $0 + $1.columns }
        let ranges = ChartRange.allCases
        for span in badge {
            let label = span.text.filter { !" []".contains($0) }
            if let range = ranges.first(where: { $0.label == label }) {
                picture.mark(Rect(x: x, y: y, columns: span.columns, rows: 1), .range(range))
            }
            x += span.columns
        }
    }

    /// The chart of the current device and quantity.
    var chart: Chart? {
        guard let item = currentDevice else { return nil }
        let isOwn = snapshot.chart?.query.deviceID == item.device.id
        return Chart(
            series: isOwn ? snapshot.chart : nil, quantity: currentQuantity,
            limits: limits(of: item.device, for: currentQuantity), navigator: state.navigator, now: hub.now,
            utcOffsetSeconds: snapshot.utcOffsetSeconds,
            gauge: glance(of: item).gauges.first { $0.quantity == currentQuantity })
    }

    func drawHistory(in rect: Rect, on picture: inout Picture) {
        guard let chart else {
            picture.buffer.write(
                "no device", x: rect.x, y: rect.y + rect.size.rows / 2, columns: rect.size.columns, alignment: .center,
                style: look.faint)
            return
        }
        var area = isWide ? rect.inset(columns: 1, rows: 0) : rect
        if let reading = chart.reading(), rect.size.rows >= 4 {
            picture.buffer.write(
                reading, x: rect.x, y: rect.y, columns: rect.size.columns, alignment: .trailing, style: look.accentStyle
            )
            area = Rect(x: area.x, y: rect.y + 1, columns: area.size.columns, rows: rect.size.rows - 1)
        }
        chart.draw(on: &picture.buffer, in: area, look: look)
        picture.mark(Chart.plot(in: area), .plot)
    }

    /// Where the chart is inside of its panel; the mouse needs it.
    func chartRect(in panel: ConsoleLayout.Panel) -> Rect {
        isWide
            ? panel.rect.inset(columns: 2, rows: 1)
            : Rect(
                x: panel.rect.x, y: panel.rect.y + 1, columns: panel.rect.size.columns, rows: panel.rect.size.rows - 1)
    }

    var historyCommands: [Command] {
        let none = currentDevice == nil ? "there is no device yet" : nil
        return [
            Command([.character("+")], label: "+ -", "zoom", unless: none) { _ in },
            Command([.left], label: look.isASCII ? "</>" : "←→", "pan", unless: none) { _ in },
            Command([.character(",")], label: ", .", "read off", unless: none) { _ in },
            Command([.character("w")], label: "w", "raw", unless: none) { _ in },
            Command([.character("z")], label: "z", "fit", unless: none) { _ in },
            Command("x", "export", unless: none) { $0.openExportForm() },
            Command([.character("D"), .delete], label: "D", "delete", unless: none) { $0.openDeletion() },
        ]
    }

    /// How old a chart becomes before it is asked for anew, in milliseconds.
    private static let chartAgeMax: Int64 = 30_000

    /// The same, of a chart that shows nothing although there is something.
    private static let emptyChartAgeMax: Int64 = 2000

    /// Whether a chart came empty although the device has a value of its time by now, as that of a new device does.
    private func lacksFirstPoint(_ item: DeviceState, _ query: ChartQuery) -> Bool {
        guard let series = snapshot.chart, series.query == query, series.points.isEmpty,
            let age = glance(of: item).gauges.first(where: { $0.quantity == query.quantity })?.ageSeconds
        else { return false }
        return hub.now.advanced(byMilliseconds: -1000 * Int64(age)) >= query.from
    }

    /// Asks for the chart that is to be seen, if it is another one than before, or an old one.
    mutating func followChart() {
        let layout = ConsoleLayout(size: size, state: state)
        guard let panel = layout.panels.first(where: { $0.zone == .history }), let item = currentDevice else { return }
        let columns = Chart.plot(in: chartRect(in: panel)).size.columns
        let query = state.navigator.query(
            of: currentQuantity, device: item.device.id, now: hub.now, columns: columns)
        // The window of a year moves once in a day and a half; what is new in it is to be seen sooner.
        let age = state.askedChartAt.map { hub.now.milliseconds(since: $0) } ?? 0
        let ageMax = lacksFirstPoint(item, query) ? Self.emptyChartAgeMax : Self.chartAgeMax
        guard query != state.askedChart || !(0..<ageMax).contains(age) else { return }
        state.askedChart = query
        state.askedChartAt = hub.now
        order(.history(query.request))
    }
}
