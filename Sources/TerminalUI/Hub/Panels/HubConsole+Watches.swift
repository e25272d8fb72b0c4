import PoolModel

extension HubConsole {
    var watchBadge: [Span] {
        let linked = snapshot.watches.count { $0.link == .linked }
        let total = snapshot.watches.count
        guard isWide else { return [Span("rev \(snapshot.revision)", look.faint)] }
        return [Span("\(linked)/\(total)", look.faint)]
    }

    func watchRows(columns: Int) -> [PanelRow] {
        guard !snapshot.watches.isEmpty else {
            return [
                PanelRow(nil, [Span("No watch is paired.", look.quiet)]),
                PanelRow(nil, [Span("i invites one.", look.faint)]),
            ]
        }
        guard isWide, columns < 60 else { return snapshot.watches.map { watchLine($0, columns: columns) } }
        var rows = [
            PanelRow(
                nil, [Span("  peer", look.faint)],
                trailing: [Span(" rev", look.faint), Span("  q", look.faint), Span("   lag", look.faint)])
        ]
        for watch in snapshot.watches {
            rows.append(watchBlock(watch, columns: columns))
            rows.append(.blank)
        }
        return rows
    }

    // MARK: A watch in one line

    private func watchLine(_ watch: WatchItem, columns: Int) -> PanelRow {
        let (status, words) = stateWords(watch)
        let revision: String
        if let held = watch.revision {
            revision = held >= snapshot.revision ? "rev \(held)" : "-\(snapshot.revision - held) rev"
        } else {
            revision = "no rev"
        }
        func padded(_ text: String, _ count: Int) -> String {
            let fitted = text.fitted(columns: count)
            return fitted + String(repeating: " ", count: max(0, count - fitted.displayWidth))
        }
        let nameColumns = columns >= 60 ? 22 : 13
        let style = status == .normal ? look.quiet : look.style(status, isBold: false)
        let lag = lagText(watch)
        return PanelRow(
            .watch(watch.name),
            [
                Span("\(look.glyph(status)) ", look.style(status)),
                Span(padded(watch.name.sanitized, nameColumns), watch.link == .linked ? look.quiet : look.faint),
                Span(words, style),
            ],
            trailing: [
                Span(revision, isBehind(watch) ? look.style(.warning, isBold: false) : look.faint),
                Span(String(repeating: " ", count: max(1, 7 - lag.displayWidth)) + lag, look.faint),
            ])
    }

    // MARK: A watch in two lines

    private func watchBlock(_ watch: WatchItem, columns: Int) -> PanelRow {
        let (status, words) = stateWords(watch)
        func right(_ text: String, _ count: Int) -> String {
            String(repeating: " ", count: max(0, count - text.displayWidth)) + text
        }
        let revision = watch.revision.map { "\($0)" } ?? look.noValue
        let lag = lagText(watch)
        let first = PanelLine(
            [
                Span("\(look.glyph(status)) ", look.style(status)),
                Span(watch.name.sanitized, watch.link == .linked ? look.strong : look.quiet),
            ],
            trailing: [
                Span(right(revision, 4), isBehind(watch) ? look.style(.warning, isBold: false) : look.quiet),
                Span(right("\(watch.queue)", 3), watch.queue > 0 ? look.style(status) : look.faint),
                Span(right(lag, 6), look.faint),
            ])
        let style = status == .normal ? look.faint : look.style(status, isBold: false)
        let bar = look.bar(
            watch.queue == 0 ? 0 : Double(watch.queue) / Double(watch.queue + 20), columns: 12, look.style(status))
        return PanelRow(.watch(watch.name), [first, PanelLine([Span("  \(words)", style)], trailing: bar)])
    }

    private func isBehind(_ watch: WatchItem) -> Bool { (watch.revision ?? 0) < snapshot.revision }

    private func lagText(_ watch: WatchItem) -> String {
        switch watch.link {
        case .linked: watch.lagMilliseconds.map { $0 < 10_000 ? "\($0)ms" : Wording.age($0 / 1000) } ?? look.noValue
        case .lost(let seconds): Wording.age(seconds).filter { $0 != " " }
        case .unheard: look.noValue
        }
    }

    /// What is going on with a watch, and how bad that is.
    func stateWords(_ watch: WatchItem) -> (status: Status, words: String) {
        let trouble = trouble(of: watch)
        switch watch.link {
        case .linked where trouble.isCut: return (.warning, "cut on purpose")
        case .linked where watch.queue > 0 || isBehind(watch):
            return (.warning, watch.queue > 0 ? "\(watch.queue) queued" : "catching up")
        case .linked where trouble.isAny: return (.normal, "disturbed")
        case .linked: return (.normal, "in sync")
        case .lost:
            return (
                .offline, trouble.isCut ? "cut on purpose" : watch.queue > 0 ? "\(watch.queue) queued" : "link lost"
            )
        case .unheard: return (.offline, watch.queue > 0 ? "\(watch.queue) queued" : "not heard yet")
        }
    }

    /// The disturbances of a link: those set here, until the snapshot shows them.
    func trouble(of watch: WatchItem) -> LinkTrouble { state.troubles[watch.name] ?? watch.trouble }

    var watchCommands: [Command] {
        let none = snapshot.watches.isEmpty ? "no watch is paired yet; i invites one" : nil
        return [
            Command("i", "invite") { $0.beginPairing() },
            Command([.character("l"), .enter], label: "l", "link lab", unless: none) { $0.expand(.laboratory) },
            Command([.character("D"), .delete], label: "D", "unpair", unless: none) { console in
                guard let watch = console.currentWatch else { return }
                console.ask(
                    "Forget the watch \(watch.name.sanitized)? It must be paired again to be heard.", deed: "unpair",
                    then: .unpair(watch: watch.name))
            },
        ]
    }
}
