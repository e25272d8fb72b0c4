import PoolControl
import PoolModel

/// The values of the device, as gauges; it keeps the quantity that the chart shows.
struct GaugesPanel: HubPanel {
    private(set) var selected: RowID?
    /// The quantity that the person chose; nil before.
    private var chosen: Quantity?

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        if case .quantity(let quantity) = row { chosen = quantity }
        return []
    }

    mutating func show(_ quantity: Quantity) { chosen = quantity }

    /// The quantity of the chart: the chosen one, else the one that is worst, else the first that has a value.
    func quantity(of glance: Glance?) -> Quantity {
        if let chosen { return chosen }
        guard let glance else { return .temperature }
        return glance.alarmingGauges.first?.quantity
            ?? glance.gauges.first { $0.shownValue != nil }?.quantity ?? .temperature
    }

    func selection(in context: ScreenContext) -> RowID? { .quantity(context.quantity) }

    func title(in context: ScreenContext) -> PanelTitle {
        PanelTitle(
            text: context.device?.device.name.sanitized.nonEmpty ?? "Dashboard", badge: freshnessBadge(in: context))
    }

    private func freshnessBadge(in context: ScreenContext) -> [TextRun] {
        guard let glance = context.device.map(context.glance) else { return [] }
        let look = context.look
        let headline = Headline(glance)
        let age = headline.hasAge ? glance.ageSeconds.map { " \(FaceFormatter.age($0))" } ?? "" : ""
        if headline.isFresh { return [TextRun("live\(age)", look.faint)] }
        return [
            TextRun("\(look.glyph(headline)) \(headline.word.lowercased())\(age)", Style(look.ink(headline), .bold))
        ]
    }

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        PanelList((context.device?.listedQuantities ?? []).map { PanelRow(.quantity($0), []) })
    }

    func copyText(in context: ScreenContext) -> String? { context.shownValue }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        [KeyCommand([.enter], label: "enter", "chart") { _, _ in [.expand(HistoryPanel.id)] }]
    }

    func draw(in rect: Rect, context: ScreenContext, on picture: inout Picture) {
        guard let device = context.device else {
            drawEmpty(in: rect, context: context, on: &picture)
            return
        }
        if context.isWide, rect.size.columns >= 60, rect.size.rows >= 9 {
            GaugeRow(context: context).draw(context.glance(of: device), in: rect, on: &picture)
        } else {
            DeviceOverview(context: context, device: device).draw(in: rect, on: &picture)
        }
    }

    private func drawEmpty(in rect: Rect, context: ScreenContext, on picture: inout Picture) {
        let look = context.look
        let hasServer = !context.hub.servers.isEmpty
        let lines = [
            "No device yet.", "\(hasServer ? "Find it" : "Add a server") on the page, or with",
            hasServer ? "poolsensors device detect" : "poolsensors server add",
        ]
        for (index, line) in lines.enumerated() where index < rect.size.rows {
            picture.buffer.write(
                line, x: rect.x, y: rect.y + index + max(0, rect.size.rows / 2 - 1), columns: rect.size.columns,
                alignment: .center, style: index == 0 ? look.strong : look.faint)
        }
    }
}
