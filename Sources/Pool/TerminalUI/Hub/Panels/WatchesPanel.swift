import PoolControl
import PoolModel

/// The watches and the state of their links.
struct WatchesPanel: HubPanel {
    private(set) var selected: RowID?

    var changes: String? { "watches" }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle {
        let (hub, look) = (context.hub, context.look)
        let linked = hub.watches.count { $0.link == .linked }
        return PanelTitle(text: "Watches", badge: [TextRun("\(linked)/\(hub.watches.count)", look.faint)])
    }

    // MARK: Rows

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let (hub, look) = (context.hub, context.look)
        guard !hub.watches.isEmpty else {
            return PanelList([
                PanelRow(nil, [TextRun("No watch is paired.", look.quiet)]),
                PanelRow(nil, [TextRun("i invites one.", look.faint)]),
            ])
        }
        guard context.isWide, columns < 60 else {
            return PanelList(hub.watches.map { line(of: $0, columns: columns, in: context) })
        }
        let widths = Columns(
            queue: hub.watches.map { "\($0.backlog)".count }.max() ?? 0,
            lag: hub.watches.map { Self.lagText($0, look).displayWidth }.max() ?? 0)
        let titles = zip(["queue", "delay"], widths.all).map { TextRun(Self.right($0, $1), look.faint) }
        var rows = [PanelRow(nil, [TextRun("  watch", look.faint)], trailing: titles)]
        for watch in hub.watches {
            rows.append(block(of: watch, widths, in: context))
            rows.append(.blank)
        }
        return PanelList(rows)
    }

    /// The columns of the table with the blank before each, as wide as its numbers need.
    private struct Columns {
        var queue: Int
        var lag: Int

        init(queue: Int, lag: Int) {
            self.queue = 1 + max(5, queue)
            self.lag = 1 + max(5, lag)
        }

        var all: [Int] { [queue, lag] }
    }

    private static func right(_ text: String, _ count: Int) -> String {
        String(repeating: " ", count: max(0, count - text.displayWidth)) + text
    }

    // MARK: A watch in one line

    private func line(of watch: WatchConnection, columns: Int, in context: ScreenContext) -> PanelRow {
        let look = context.look
        let (status, words) = Self.state(of: watch, in: context)
        func padded(_ text: String, _ count: Int) -> String {
            let fitted = text.fitted(columns: count - 1)
            return fitted + String(repeating: " ", count: max(0, count - fitted.displayWidth))
        }
        let nameColumns = columns >= 60 ? 22 : 13
        let style = status == .normal ? look.quiet : look.style(status, isBold: false)
        let lag = Self.lagText(watch, look)
        return PanelRow(
            .watch(watch.id),
            [
                TextRun("\(look.glyph(status)) ", look.style(status)),
                TextRun(padded(watch.name.sanitized, nameColumns), watch.link == .linked ? look.quiet : look.faint),
                TextRun(words, style),
            ],
            trailing: [TextRun(lag, look.faint)])
    }

    // MARK: A watch in two lines

    private func block(of watch: WatchConnection, _ widths: Columns, in context: ScreenContext) -> PanelRow {
        let look = context.look
        let (status, words) = Self.state(of: watch, in: context)
        let first = PanelLine(
            [
                TextRun("\(look.glyph(status)) ", look.style(status)),
                TextRun(watch.name.sanitized, watch.link == .linked ? look.strong : look.quiet),
            ],
            trailing: [
                TextRun(
                    Self.right("\(watch.backlog)", widths.queue), watch.backlog > 0 ? look.style(status) : look.faint),
                TextRun(Self.right(Self.lagText(watch, look), widths.lag), look.faint),
            ])
        let style = status == .normal ? look.faint : look.style(status, isBold: false)
        // Without a queue the words have the room.
        let bar =
            watch.backlog == 0
            ? [] : look.bar(Double(watch.backlog) / Double(watch.backlog + 20), columns: 11, look.style(status))
        return PanelRow(.watch(watch.id), [first, PanelLine([TextRun("  \(words)", style)], trailing: bar)])
    }

    // MARK: Texts

    /// How many changes of the configuration the watch does not have yet, in words; nil if it has all.
    private static func behind(_ watch: WatchConnection, _ hub: HubState) -> String? {
        guard (watch.revision ?? 0) < hub.revision else { return nil }
        return watch.revision.map { FaceFormatter.count(Int(clamping: hub.revision - $0), "change") + " behind" }
            ?? "catching up"
    }

    private static func lagText(_ watch: WatchConnection, _ look: ResolvedTheme) -> String {
        switch watch.link {
        case .linked: watch.lagMilliseconds.map(lagText) ?? look.noValue
        case .lost(let seconds): FaceFormatter.age(seconds).filter { $0 != " " }
        case .unheard: look.noValue
        }
    }

    /// A lag in at most five columns up to 99 days: `610ms`, `1.2s`, `14min`.
    private static func lagText(_ milliseconds: Int) -> String {
        switch milliseconds {
        case ..<1000: "\(milliseconds)ms"
        case ..<10_000: "\(NumberFormat.fixed(Double(milliseconds) / 1000, decimals: 1))s"
        default: FaceFormatter.age(milliseconds / 1000).filter { $0 != " " }
        }
    }

    /// What is going on with a watch, and how bad that is.
    private static func state(of watch: WatchConnection, in context: ScreenContext) -> (status: Status, words: String) {
        let isCut = watch.disturbance?.cutUntil != nil
        switch watch.link {
        case .linked where isCut: return (.warning, "cut on purpose")
        case .linked where watch.backlog > 1: return (.warning, "\(watch.backlog) queued")
        case .linked where behind(watch, context.hub) != nil:
            return (.warning, watch.backlog > 0 ? "1 queued" : behind(watch, context.hub) ?? "")
        // A single one is most often just on its way.
        case .linked where watch.backlog == 1: return (.normal, "1 queued")
        case .linked where watch.disturbance?.isNone == false: return (.normal, "disturbed")
        case .linked: return (.normal, "in sync")
        case .lost:
            return (
                .offline, isCut ? "cut on purpose" : watch.backlog > 0 ? "\(watch.backlog) queued" : "link lost"
            )
        case .unheard: return (.offline, watch.backlog > 0 ? "\(watch.backlog) queued" : "not heard yet")
        }
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        [KeyCommand("i", "invite") { _, context in [PairingDialog.invite(in: context)] }]
    }
}
