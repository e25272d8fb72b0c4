import PoolControl
import PoolModel

/// The stored readings of the device, page by page.
struct ReadingsPanel: HubPanel {
    private(set) var selected: RowID?
    /// The device whose readings were requested last.
    private var requested: DeviceID?

    var changes: String? { "history" }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle { PanelTitle(text: "Readings" + context.deviceSuffix) }

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let look = context.look
        func note(_ text: String) -> PanelList { PanelList([PanelRow(nil, [TextRun(text, look.faint)])]) }
        guard let item = context.device else { return note("no device") }
        guard let page = context.snapshot.readings, page.deviceID == item.id else { return note("loading…") }
        guard !page.rows.isEmpty else { return note("nothing is stored yet") }
        func padded(_ text: String) -> String { String(repeating: " ", count: max(0, 7 - text.displayWidth)) + text }
        let head = item.listedQuantities.map { TextRun(padded($0.facts.compactName), look.faint) }
        var rows = [
            PanelRow(nil, [TextRun(page.olderThan == nil ? "newest first" : "older ones", look.faint)], trailing: head)
        ]
        for row in page.rows.joined() {
            let values = item.listedQuantities.map { quantity -> TextRun in
                let shown = context.choices.showsRaw ? row.raw[quantity] : row.corrected[quantity]
                guard let value = shown, value.isFinite else { return TextRun(padded(look.noValue), look.faint) }
                let status = context.hub.limits(of: item.device, for: quantity).judge(value).status
                return TextRun(padded(quantity.text(value)), status == .normal ? look.quiet : look.style(status))
            }
            let age = Int(
                max(0, min(1_000_000_000_000, context.hub.now.milliseconds(since: row.place.sampledAt))) / 1000)
            let clock = context.clock(row.place.sampledAt)
            let time = columns >= 56 ? "\(clock.day) \(clock.second)" : age < 86_400 ? clock.second : clock.dayAndMinute
            let ago = columns >= 70 ? [TextRun("  \(FaceFormatter.age(age)) ago", look.faint)] : []
            rows.append(PanelRow(.reading(row.place), [TextRun(time, look.quiet)] + ago, trailing: values))
        }
        if page.hasMore { rows.append(PanelRow(nil, [TextRun("o shows older ones", look.faint)])) }
        return PanelList(rows)
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let page = context.snapshot.readings
        let none = context.device == nil ? "there is no device yet" : nil
        return [
            KeyCommand("o", "older", unless: none ?? (page?.hasMore == true ? nil : "there are no older ones")) {
                panel, context in
                page?.rows.last.map { panel.request(olderThan: $0.place, in: context) } ?? []
            },
            KeyCommand("O", "newest", unless: none) { $0.request(olderThan: nil, in: $1) },
            KeyCommand("w", context.choices.showsRaw ? "corrected" : "raw") { _, _ in
                [.press(.character("w"), in: HistoryPanel.id)]
            },
        ]
    }

    /// Requests the newest readings of a device that was not shown before.
    mutating func update(in context: ScreenContext) -> [ConsoleOutcome] {
        guard context.layout.panels.contains(where: { $0.id == id }), let device = context.device,
            requested != device.id
        else { return [] }
        return request(olderThan: nil, in: context)
    }

    private mutating func request(olderThan place: HistoryPlace?, in context: ScreenContext) -> [ConsoleOutcome] {
        guard let device = context.device else { return [] }
        requested = device.id
        selected = nil
        return [
            .orderSilently(.history(.page(device: device.id, before: place, limit: ReadingPage.rowCountMax)))
        ]
    }
}
