import PoolControl
import PoolModel

extension HubConsole {
    var watchBadge: [TextRun] {
        let linked = hub.watches.count { $0.link == .linked }
        let total = hub.watches.count
        guard isWide else { return [TextRun("rev \(hub.revision)", look.faint)] }
        return [TextRun("\(linked)/\(total)", look.faint)]
    }

    func watchRows(columns: Int) -> [PanelRow] {
        guard !hub.watches.isEmpty else {
            return [
                PanelRow(nil, [TextRun("No watch is paired.", look.quiet)]),
                PanelRow(nil, [TextRun("i invites one.", look.faint)]),
            ]
        }
        guard isWide, columns < 60 else { return hub.watches.map { watchLine($0, columns: columns) } }
        let widths = WatchColumns(
            revision: hub.watches.map { revisionText($0).count }.max() ?? 0,
            queue: hub.watches.map { "\($0.backlog)".count }.max() ?? 0,
            lag: hub.watches.map { lagText($0).displayWidth }.max() ?? 0)
        let titles = zip(["rev", "q", "lag"], widths.all).map { TextRun(Self.right($0, $1), look.faint) }
        var rows = [PanelRow(nil, [TextRun("  peer", look.faint)], trailing: titles)]
        for watch in hub.watches {
            rows.append(watchBlock(watch, widths))
            rows.append(.blank)
        }
        return rows
    }

    /// The columns of the table with the blank before each, as wide as its numbers need.
    private struct WatchColumns {
        var revision: Int
        var queue: Int
        var lag: Int

        init(revision: Int, queue: Int, lag: Int) {
            self.revision = max(4, revision)
            self.queue = 1 + max(2, queue)
            self.lag = 1 + max(5, lag)
        }

        var all: [Int] { [revision, queue, lag] }
    }

    private static func right(_ text: String, _ count: Int) -> String {
        String(repeating: " ", count: max(0, count - text.displayWidth)) + text
    }

    private func revisionText(_ watch: WatchConnection) -> String { watch.revision.map { "\($0)" } ?? look.noValue }

    // MARK: A watch in one line

    private func watchLine(_ watch: WatchConnection, columns: Int) -> PanelRow {
        let (status, words) = stateWords(watch)
        let revision: String
        if let held = watch.revision {
            revision = held >= hub.revision ? "rev \(held)" : "-\(hub.revision - held) rev"
        } else {
            revision = "no rev"
        }
        func padded(_ text: String, _ count: Int) -> String {
            let fitted = text.fitted(columns: count - 1)
            return fitted + String(repeating: " ", count: max(0, count - fitted.displayWidth))
        }
        let nameColumns = columns >= 60 ? 22 : 13
        let style = status == .normal ? look.quiet : look.style(status, isBold: false)
        let lag = lagText(watch)
        return PanelRow(
            .watch(watch.name),
            [
                TextRun("\(look.glyph(status)) ", look.style(status)),
                TextRun(padded(watch.name.sanitized, nameColumns), watch.link == .linked ? look.quiet : look.faint),
                TextRun(words, style),
            ],
            trailing: [
                TextRun(revision, isBehind(watch) ? look.style(.warning, isBold: false) : look.faint),
                TextRun(String(repeating: " ", count: max(1, 6 - lag.displayWidth)) + lag, look.faint),
            ])
    }

    // MARK: A watch in two lines

    private func watchBlock(_ watch: WatchConnection, _ widths: WatchColumns) -> PanelRow {
        let (status, words) = stateWords(watch)
        let first = PanelLine(
            [
                TextRun("\(look.glyph(status)) ", look.style(status)),
                TextRun(watch.name.sanitized, watch.link == .linked ? look.strong : look.quiet),
            ],
            trailing: [
                TextRun(
                    Self.right(revisionText(watch), widths.revision),
                    isBehind(watch) ? look.style(.warning, isBold: false) : look.quiet),
                TextRun(
                    Self.right("\(watch.backlog)", widths.queue), watch.backlog > 0 ? look.style(status) : look.faint),
                TextRun(Self.right(lagText(watch), widths.lag), look.faint),
            ])
        let style = status == .normal ? look.faint : look.style(status, isBold: false)
        let bar = look.bar(
            watch.backlog == 0 ? 0 : Double(watch.backlog) / Double(watch.backlog + 20), columns: 11, look.style(status)
        )
        return PanelRow(.watch(watch.name), [first, PanelLine([TextRun("  \(words)", style)], trailing: bar)])
    }

    private func isBehind(_ watch: WatchConnection) -> Bool { (watch.revision ?? 0) < hub.revision }

    private func lagText(_ watch: WatchConnection) -> String {
        switch watch.link {
        case .linked: watch.lagMilliseconds.map(Self.lagText) ?? look.noValue
        case .lost(let seconds): FaceFormatter.age(seconds).filter { $0 != " " }
        case .unheard: look.noValue
        }
    }

    /// A lag in at most five columns up to 99 days: `610ms`, `1.2s`, `14min`.
    private static func lagText(_ milliseconds: Int) -> String {
        switch milliseconds {
        case ..<1000: "\(milliseconds)ms"
        case ..<10_000: "\(FaceFormatter.number(Double(milliseconds) / 1000, decimals: 1))s"
        default: FaceFormatter.age(milliseconds / 1000).filter { $0 != " " }
        }
    }

    /// What is going on with a watch, and how bad that is.
    func stateWords(_ watch: WatchConnection) -> (status: Status, words: String) {
        let disturbance = disturbance(of: watch)
        let isCut = disturbance.cutUntil != nil
        switch watch.link {
        case .linked where isCut: return (.warning, "cut on purpose")
        case .linked where watch.backlog > 1 || isBehind(watch):
            return (.warning, watch.backlog > 0 ? "\(watch.backlog) queued" : "catching up")
        // A single one is most often just on its way.
        case .linked where watch.backlog == 1: return (.normal, "1 queued")
        case .linked where LinkFaultSetting.isAnyOn(disturbance): return (.normal, "disturbed")
        case .linked: return (.normal, "in sync")
        case .lost:
            return (
                .offline, isCut ? "cut on purpose" : watch.backlog > 0 ? "\(watch.backlog) queued" : "link lost"
            )
        case .unheard: return (.offline, watch.backlog > 0 ? "\(watch.backlog) queued" : "not heard yet")
        }
    }

    /// The disturbance of a link: what was set here, until the snapshot shows it.
    func disturbance(of watch: WatchConnection) -> LinkDisturbance {
        state.disturbances[watch.name] ?? watch.disturbance ?? LinkDisturbance()
    }

    var watchCommands: [Command] {
        let none = hub.watches.isEmpty ? "no watch is paired yet; i invites one" : nil
        return [
            Command("i", "invite") { $0.beginPairing() },
            Command([.character("l"), .enter], label: "l", "link lab", unless: none) { $0.expand(.laboratory) },
            Command([.character("D"), .delete], label: "D", "unpair", unless: none) { console in
                guard let watch = console.currentWatch else { return }
                console.ask(
                    "Forget the watch \(watch.name.sanitized)? It must be paired again to be heard.", deed: "unpair",
                    then: .unpair(watch.name))
            },
        ]
    }
}
