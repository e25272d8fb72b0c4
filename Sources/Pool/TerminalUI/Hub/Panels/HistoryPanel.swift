import PoolControl
import PoolModel

/// The chart of a quantity of the device.
struct HistoryPanel: HubPanel {
    /// How old a chart becomes before it is requested again, in milliseconds.
    private static let chartAgeMax: Int64 = 30_000
    /// The same, of a chart without points although there is a value.
    private static let emptyChartAgeMax: Int64 = 2000

    private var navigator = ChartNavigator()
    /// The last query, and when it was sent.
    private var requested: (query: ChartQuery, at: Timestamp)?

    var selected: RowID? { nil }
    var changes: String? { "history" }
    /// How much time the chart shows.
    var range: ChartRange { navigator.range }
    /// Whether values are shown as the device sent them.
    var showsRaw: Bool { navigator.showsRaw }

    func list(columns: Int, in context: ScreenContext) -> PanelList { PanelList([]) }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] { [] }

    // MARK: Title

    func title(in context: ScreenContext) -> PanelTitle {
        let quantity = context.quantity
        return PanelTitle(
            text: context.isWide ? "History \(context.look.separator) \(quantity.facts.gaugeLabel)" : quantity.name,
            badge: badge(context.look))
    }

    /// The ranges, the shown one in brackets.
    private func badge(_ look: ResolvedTheme) -> [TextRun] {
        ChartRange.allCases.enumerated().map { index, range in
            let isShown = range == navigator.range
            let text = isShown ? "[\(range.label)]" : range.label
            return TextRun((index == 0 ? "" : " ") + text, isShown ? look.quiet : look.faint)
        }
    }

    func markBadge(endX: Int, y: Int, in context: ScreenContext, on picture: inout Picture) {
        let badge = badge(context.look)
        var x = endX - badge.reduce(0) { $0 + $1.columns }
        for (range, run) in zip(ChartRange.allCases, badge) {
            picture.mark(Rect(x: x, y: y, columns: run.columns, rows: 1), .range(range))
            x += run.columns
        }
    }

    // MARK: Chart

    private func chart(in context: ScreenContext) -> Chart? {
        guard let device = context.device else { return nil }
        let (snapshot, quantity) = (context.snapshot, context.quantity)
        let isOwn = snapshot.chart?.query.deviceID == device.id
        return Chart(
            series: isOwn ? snapshot.chart?.series : nil, quantity: quantity,
            limits: context.hub.limits(of: device.device, for: quantity), navigator: navigator, now: context.hub.now,
            utcOffsetSeconds: snapshot.utcOffsetSeconds,
            gauge: context.glance(of: device).gauges.first { $0.quantity == quantity })
    }

    func draw(in rect: Rect, context: ScreenContext, on picture: inout Picture) {
        let look = context.look
        guard let chart = chart(in: context) else {
            picture.buffer.write(
                "no device", x: rect.x, y: rect.y + rect.size.rows / 2, columns: rect.size.columns, alignment: .center,
                style: look.faint)
            return
        }
        var area = context.isWide ? rect.inset(columns: 1, rows: 0) : rect
        if let reading = chart.reading(), rect.size.rows >= 4 {
            picture.buffer.write(
                reading, x: rect.x, y: rect.y, columns: rect.size.columns, alignment: .trailing, style: look.accentStyle
            )
            area = Rect(x: area.x, y: rect.y + 1, columns: area.size.columns, rows: rect.size.rows - 1)
        }
        chart.draw(on: &picture.buffer, in: area, look: look)
        picture.mark(Chart.plot(in: area), .plot)
    }

    /// The plot of the chart where the panel is shown, without a cursor's reading above it; nil where it is not.
    private func plot(in context: ScreenContext) -> Rect? {
        guard let panel = context.layout.panels.first(where: { $0.id == id }) else { return nil }
        let rect = panel.rect
        return Chart.plot(
            in: context.isWide
                ? rect.inset(columns: 2, rows: 1)
                : Rect(x: rect.x, y: rect.y + 1, columns: rect.size.columns, rows: rect.size.rows - 1))
    }

    // MARK: Keys and mouse

    /// The chart has arrows of its own; up and down choose the quantity.
    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]? {
        if [.up, .character("k")].contains(key) { return showQuantity(offset: -1, in: context) }
        if [.down, .character("j")].contains(key) { return showQuantity(offset: 1, in: context) }
        if navigator.press(key, now: context.hub.now) { return [] }
        return pressInList(key, in: context)
    }

    /// Shows another quantity; it stops at the ends.
    private func showQuantity(offset: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        let all = context.device?.listedQuantities ?? []
        guard let index = all.firstIndex(of: context.quantity) else { return [] }
        return [.showQuantity(all[min(all.count - 1, max(0, index + offset))])]
    }

    mutating func turnWheel(by notches: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        for _ in 0..<abs(notches) { navigator.press(.character(notches < 0 ? "+" : "-"), now: context.hub.now) }
        return []
    }

    mutating func show(_ range: ChartRange, in context: ScreenContext) { navigator.show(range, now: context.hub.now) }

    /// Moves the cursor to a column of the screen.
    mutating func pick(x: Int, in context: ScreenContext) {
        guard let plot = plot(in: context), plot.size.columns > 1 else { return }
        navigator.pick(Double(x - plot.x) / Double(plot.size.columns - 1), now: context.hub.now)
    }

    func hints(in context: ScreenContext) -> [KeyHint] {
        let none = noDevice(in: context)
        func hint(_ keys: [Key], _ label: String, _ action: String) -> KeyHint {
            KeyHint(keys: keys, label: label, action: action, obstacle: none)
        }
        return [
            hint([.character("+"), .character("-")], "+ -", "zoom"),
            hint([.left, .right], context.look.isASCII ? "</>" : "←→", "pan"),
            hint([.character(","), .character(".")], ", .", "read off"), hint([.character("w")], "w", "raw"),
            hint([.character("z")], "z", "fit"),
        ]
    }

    func helpHints(in context: ScreenContext) -> [KeyHint] {
        ChartNavigator.keys.map { KeyHint(keys: [], label: $0.key, action: $0.action) }
    }

    /// What is read off at the cursor, else the present value.
    func copyText(in context: ScreenContext) -> String? {
        chart(in: context)?.reading() ?? context.shownValue
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] { [] }

    private func noDevice(in context: ScreenContext) -> String? {
        context.device == nil ? "there is no device yet" : nil
    }

    // MARK: Requests

    /// Requests the chart that is to be seen, if it is another one than before, or an old one.
    mutating func update(in context: ScreenContext) -> [ConsoleOutcome] {
        guard let plot = plot(in: context), let device = context.device else { return [] }
        let now = context.hub.now
        let query = navigator.query(
            of: context.quantity, device: device.id, now: now, columns: plot.size.columns)
        // The window of a year moves once in a day and a half; what is new in it is to be seen sooner.
        let age = requested.map { now.milliseconds(since: $0.at) } ?? 0
        let ageMax = lacksFirstPoint(device, query, in: context) ? Self.emptyChartAgeMax : Self.chartAgeMax
        guard query != requested?.query || !(0..<ageMax).contains(age) else { return [] }
        requested = (query, now)
        return [.orderSilently(.history(query.request))]
    }

    /// Whether a chart came empty although the device has a value of its time by now, as that of a new device does.
    private func lacksFirstPoint(_ device: DeviceState, _ query: ChartQuery, in context: ScreenContext) -> Bool {
        let gauges = context.glance(of: device).gauges
        guard let chart = context.snapshot.chart, chart.query == query, chart.series?.points.isEmpty == true,
            let age = gauges.first(where: { $0.quantity == query.quantity })?.ageSeconds
        else { return false }
        return context.hub.now.advanced(byMilliseconds: -1000 * Int64(age)) >= query.from
    }
}
