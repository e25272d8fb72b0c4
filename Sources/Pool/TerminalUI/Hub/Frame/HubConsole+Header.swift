import PoolControl
import PoolModel

extension HubConsole {
    /// The one word about everything: the worst that is known, and never OK while a device is not heard.
    var overall: (glyph: Character, word: String, status: Status) {
        let all = hub.devices.map { Headline(glance(of: $0)) }
        let isCritical = hub.alerts.state.alerts.contains { $0.severity == .critical }
        if isCritical || all.contains(.judged(.critical)) {
            return (look.glyph(Status.critical), "CRITICAL", .critical)
        }
        if !hub.alerts.state.alerts.isEmpty || all.contains(.judged(.warning)) {
            return (look.glyph(Status.warning), "WARNING", .warning)
        }
        if all.contains(where: { [.stale, .partlyStale, .lastKnown].contains($0) }) {
            return (look.staleGlyph, "STALE", .warning)
        }
        let silent = all.count { $0 != .judged(.normal) }
        if all.isEmpty { return (look.glyph(Status.offline), "NO DEVICE", .offline) }
        guard silent > 0 else { return (look.glyph(Status.normal), "OK", .normal) }
        let word = silent == all.count ? "OFFLINE" : "\(silent) OFFLINE"
        return (look.glyph(Status.offline), word, .offline)
    }

    /// How many watches have a session, and whether that is all of them.
    var watchSummary: (text: String, style: Style) {
        let linked = hub.watches.count { $0.link == .linked }
        guard !hub.watches.isEmpty else { return ("no watch", look.faint) }
        let isAll = linked == hub.watches.count
        return ("\(linked)/\(hub.watches.count) watches", isAll ? look.quiet : look.style(.warning, isBold: false))
    }

    func drawWideHeader(on picture: inout Picture) {
        if let ground = look.panelGround {
            let row = Rect(x: 0, y: 0, columns: size.columns, rows: 1)
            picture.buffer.fill(row, style: Style(.terminalDefault, on: ground))
        }
        var leading = [
            TextRun(look.isASCII ? " ~ " : " ≈ ", look.keyStyle), TextRun("PoolSensors ", look.strong),
            TextRun("hub  ", look.faint),
        ]
        for item in hub.servers.prefix(4) {
            let status = status(of: item)
            leading += [
                TextRun(" \(look.glyph(status)) ", look.style(status)),
                TextRun(item.server.name.sanitized.fitted(columns: 16) + " ", look.quiet),
            ]
        }
        let watches = watchSummary
        leading += [
            TextRun("  \(watches.text)  ", watches.style),
            TextRun(" rev \(hub.revision)", look.faint),
        ]
        let critical = hub.alerts.state.alerts.count { $0.severity == .critical }
        let warnings = hub.alerts.state.alerts.count - critical
        var trailing: [TextRun] = []
        if critical > 0 {
            trailing.append(TextRun("\(look.glyph(.critical)) \(critical) critical  ", look.style(.critical)))
        }
        if warnings > 0 {
            let word = warnings == 1 ? "warning" : "warnings"
            trailing.append(TextRun("\(look.glyph(.warning)) \(warnings) \(word)  ", look.style(.warning)))
        }
        if !hub.conflicts.isEmpty {
            trailing.append(
                TextRun(
                    "\(conflictGlyph) \(hub.conflicts.count) \(hub.conflicts.count == 1 ? "conflict" : "conflicts")  ",
                    look.style(.warning)))
        }
        if state.pausedEvents != nil { trailing.append(TextRun("paused  ", look.style(.warning))) }
        trailing.append(
            TextRun(ClockText(hub.now, utcOffsetSeconds: snapshot.utcOffsetSeconds).second + " ", look.strong))
        PanelLine(leading, trailing: trailing).draw(on: &picture.buffer, x: 0, y: 0, columns: size.columns)
    }

    func status(of item: ServerState) -> Status {
        switch item.isConnected {
        case .some(true): .normal
        case .some(false): .warning
        case nil: .offline
        }
    }

    var conflictGlyph: Character { look.isASCII ? "%" : "⇄" }

    /// The number under which a panel is reached in the wide layout.
    func number(of zone: ConsolePanel) -> Int? {
        guard state.tab == .dashboard, state.expanded.isEmpty else { return nil }
        return ConsoleTab.dashboard.zones(isWide: true).firstIndex(of: zone).map { $0 + 1 }
    }

    /// The keys at the bottom of the wide layout.
    var footerHints: [(String, String)] {
        if !state.expanded.isEmpty || state.tab != .dashboard {
            return [
                ("esc", "back"), ("tab", "focus"), (look.isASCII ? "up/dn" : "↑↓", "select"), ("F1-F5", "tabs"),
                ("a", "ack"), ("t", "theme"), ("?", "help"), ("q", "quit"),
            ]
        }
        return [
            ("tab", "focus"), (look.isASCII ? "up/dn" : "↑↓", "select"), ("1-6", "panel"), ("7", "setup"),
            ("enter", "open"), ("a", "ack"), ("t", "theme"), ("v", "phone"), ("p", "pause"), ("?", "help"),
            ("q", "quit"),
        ]
    }

    /// The keys of a panel that work now, as far as there is room.
    func hintLine(of zone: ConsolePanel, columns: Int) -> PanelLine? {
        var spans: [TextRun] = []
        var used = 0
        var hints = commands(of: zone).filter { $0.obstacle == nil }.map { ($0.label, $0.deed) }
        if !state.expanded.isEmpty, !isWide { hints.insert(("esc", "back"), at: 0) }
        for (label, deed) in hints {
            let (gap, text) = (spans.isEmpty ? "" : "  ", " \(deed)")
            let width = gap.count + label.displayWidth + text.displayWidth
            guard used + width <= columns else { break }
            spans += [TextRun(gap, look.faint), TextRun(label, look.keyStyle), TextRun(text, look.faint)]
            used += width
        }
        return spans.isEmpty ? nil : PanelLine(spans)
    }

    func drawToast(in layout: ConsoleLayout, on picture: inout Picture) {
        guard let toast = state.toast, size.rows > 0 else { return }
        let style: Style
        switch toast.kind {
        case .done: style = look.banner(.normal)
        case .refused: style = look.banner(.warning)
        case .note: style = Style(look.theme.text, on: look.panelGround, look.panelGround == nil ? .reverse : .bold)
        }
        let frame = layout.frame
        let columns = max(0, layout.kind == .phone ? frame.size.columns - 2 : min(frame.size.columns, 100))
        let x = frame.x + (frame.size.columns - columns) / 2
        let lines = toast.text.sanitized.wrapped(
            columns: max(1, columns - 2), lines: min(4, max(1, frame.size.rows / 3)))
        let bottom = max(0, frame.endY - (layout.kind == .phone ? 3 : size.rows >= 3 ? 2 : 1))
        for (index, line) in lines.enumerated() {
            let y = bottom - lines.count + 1 + index
            picture.buffer.fill(Rect(x: x, y: y, columns: columns, rows: 1), style: style)
            picture.buffer.write(line, x: x + 1, y: y, style: style, limit: columns - 1)
        }
    }
}
