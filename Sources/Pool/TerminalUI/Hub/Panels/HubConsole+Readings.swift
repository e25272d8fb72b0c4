import PoolControl
import PoolModel

extension HubConsole {
    func readingRows(columns: Int) -> [PanelRow] {
        guard let item = currentDevice else { return [PanelRow(nil, [TextRun("no device", look.faint)])] }
        guard let page = snapshot.readings, page.deviceID == item.device.id else {
            return [PanelRow(nil, [TextRun("loading…", look.faint)])]
        }
        guard !page.rows.isEmpty else { return [PanelRow(nil, [TextRun("nothing is stored yet", look.faint)])] }
        func padded(_ text: String) -> String { String(repeating: " ", count: max(0, 7 - text.displayWidth)) + text }
        let head = Quantity.allCases.map { TextRun(padded($0.listName), look.faint) }
        var rows = [
            PanelRow(nil, [TextRun(page.olderThan == nil ? "newest first" : "older ones", look.faint)], trailing: head)
        ]
        for row in page.rows {
            let values = Quantity.allCases.map { quantity -> TextRun in
                let shown = state.navigator.showsRaw ? row.raw[quantity] : row.corrected[quantity]
                guard let value = shown, value.isFinite else { return TextRun(padded(look.noValue), look.faint) }
                let status = limits(of: item.device, for: quantity).judge(value).status
                return TextRun(padded(quantity.text(value)), status == .normal ? look.quiet : look.style(status))
            }
            let age = Int(max(0, min(1_000_000_000_000, hub.now.milliseconds(since: row.place.sampledAt))) / 1000)
            let clock = ClockText(row.place.sampledAt, utcOffsetSeconds: snapshot.utcOffsetSeconds)
            let time = columns >= 56 ? "\(clock.day) \(clock.second)" : age < 86_400 ? clock.second : clock.dayAndMinute
            let ago = columns >= 70 ? [TextRun("  \(FaceFormatter.age(age)) ago", look.faint)] : []
            rows.append(PanelRow(.reading(row.place), [TextRun(time, look.quiet)] + ago, trailing: values))
        }
        if page.hasMore { rows.append(PanelRow(nil, [TextRun("o shows older ones", look.faint)])) }
        return rows
    }

    var readingCommands: [Command] {
        let page = snapshot.readings
        let none = currentDevice == nil ? "there is no device yet" : nil
        return [
            Command("o", "older", unless: none ?? (page?.hasMore == true ? nil : "there are no older ones")) {
                console in
                guard let page, let last = page.rows.last else { return }
                console.askReadings(olderThan: last.place)
            },
            Command("n", "newest", unless: none) { $0.askReadings(olderThan: nil) },
            Command("w", state.navigator.showsRaw ? "corrected" : "raw") { console in
                console.state.navigator.press(.character("w"), now: console.hub.now)
            },
            Command("x", "export", unless: none) { $0.openExportForm() },
            Command([.character("D"), .delete], label: "D", "delete", unless: none) { $0.openDeletion() },
        ]
    }

    /// Asks for the newest readings of a device that was not shown before.
    mutating func followReadings() {
        let layout = ConsoleLayout(size: size, state: state)
        guard layout.panels.contains(where: { $0.zone == .readings }), let item = currentDevice else { return }
        if state.askedReadings?.deviceID != item.device.id { askReadings(olderThan: nil) }
    }

    private mutating func askReadings(olderThan place: HistoryPlace?) {
        guard let item = currentDevice else { return }
        state.askedReadings = ReadingQuery(deviceID: item.device.id, olderThan: place)
        state.selected[.readings] = nil
        order(.history(.page(device: item.device.id, before: place, limit: ReadingPage.rowCountMax)))
    }
}
