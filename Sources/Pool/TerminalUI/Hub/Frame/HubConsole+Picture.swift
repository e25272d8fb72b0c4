import PoolControl
import PoolModel

extension HubConsole {
    /// The screen with what its places mean.
    func picture() -> Picture {
        var picture = Picture(size, background: look.hubGround)
        guard size.columns > 0, size.rows > 0 else { return picture }
        let layout = ConsoleLayout(size: size, state: state)
        switch layout.kind {
        case .wide: drawWide(layout, on: &picture)
        case .phone: drawPhone(layout, on: &picture)
        case .small: drawSmall(layout, on: &picture)
        }
        for dialog in state.dialogs { draw(dialog, in: layout, on: &picture) }
        drawToast(in: layout, on: &picture)
        return picture
    }

    // MARK: Layouts

    private func drawWide(_ layout: ConsoleLayout, on picture: inout Picture) {
        drawWideHeader(on: &picture)
        for panel in layout.panels { drawBox(panel, on: &picture) }
        let y = size.rows - 1
        var x = 1
        for (key, deed) in footerHints {
            guard x + key.displayWidth + deed.displayWidth + 2 < size.columns - 14 else { break }
            x = picture.buffer.write(key, x: x, y: y, style: look.keyStyle)
            x = picture.buffer.write(" \(deed)  ", x: x, y: y, style: look.faint)
        }
        let overall = overall
        let word = "\(overall.glyph) \(overall.word) "
        picture.buffer.write(
            word, x: 0, y: y, columns: size.columns, alignment: .trailing, style: look.style(overall.status))
    }

    private func drawPhone(_ layout: ConsoleLayout, on picture: inout Picture) {
        let frame = layout.frame
        let status = overall.status
        let edge = status == .normal || status == .offline ? look.theme.line : look.theme.ink(status)
        picture.buffer.outline(frame, style: Style(edge), glyphs: look.outline)
        let notch = Rect(x: frame.x + frame.size.columns / 2 - 5, y: frame.y, columns: 10, rows: 1)
        picture.buffer.write(
            look.isASCII ? " ======== " : " ▂▂▂▂▂▂▂▂ ", x: notch.x, y: notch.y, style: Style(look.theme.track))
        let (x, columns, y) = (frame.x + 2, frame.size.columns - 4, frame.y + 1)
        let clock = ClockText(hub.now, utcOffsetSeconds: snapshot.utcOffsetSeconds).minute
        picture.buffer.write(clock, x: x, y: y, style: look.strong)
        picture.buffer.write("PoolSensors", x: x, y: y, columns: columns, alignment: .center, style: look.quiet)
        let watches = watchSummary
        picture.buffer.write(
            watches.text, x: x, y: y, columns: columns, alignment: .trailing, style: watches.style)
        for panel in layout.panels { drawSection(panel, on: &picture) }
        drawTabs(x: x, y: frame.endY - 2, columns: columns, on: &picture)
    }

    private func drawSmall(_ layout: ConsoleLayout, on picture: inout Picture) {
        let overall = overall
        if size.rows >= 2 {
            let clock =
                size.columns >= 30 ? ClockText(hub.now, utcOffsetSeconds: snapshot.utcOffsetSeconds).minute : ""
            var leading = [TextRun("\(overall.glyph) \(overall.word) ", look.style(overall.status))]
            if size.columns >= 40 { leading += [TextRun("PoolSensors", look.quiet)] }
            PanelLine(leading, trailing: [TextRun(clock, look.strong)])
                .draw(on: &picture.buffer, x: 0, y: 0, columns: size.columns)
        }
        for panel in layout.panels {
            if panel.rect.size.rows >= 4 {
                drawSection(panel, on: &picture)
            } else {
                drawBare(panel.zone, in: panel.rect, on: &picture)
            }
        }
        if size.rows >= 6 { drawTabs(x: 0, y: size.rows - 1, columns: size.columns, on: &picture) }
    }

    // MARK: Panels

    private func drawBox(_ panel: ConsoleLayout.Panel, on picture: inout Picture) {
        let (zone, rect) = (panel.zone, panel.rect)
        let isFocused = zone == state.focus
        picture.mark(rect, .zone(zone))
        let edge = isFocused ? Style(look.theme.ink(.normal)) : look.lineStyle
        picture.buffer.outline(rect, style: edge, glyphs: look.outline)
        guard rect.size.columns > 6, rect.size.rows > 2 else { return }
        let title = title(of: zone)
        var spans = [TextRun(" ", look.faint)]
        if let number = number(of: zone) { spans.append(TextRun("\(number) ", isFocused ? look.keyStyle : look.faint)) }
        spans.append(TextRun("\(title.text) ", isFocused ? look.strong : Style(look.theme.secondaryText, .bold)))
        let badge = title.badge.isEmpty ? [] : [TextRun(" ", look.faint)] + title.badge + [TextRun(" ", look.faint)]
        PanelLine(spans, trailing: badge).draw(
            on: &picture.buffer, x: rect.x + 2, y: rect.y, columns: rect.size.columns - 4)
        markRanges(of: zone, badge: badge, endX: rect.endX - 2, y: rect.y, on: &picture)
        // A badge is drawn over the edge; what is between it and the title is drawn anew.
        let from = rect.x + 2 + spans.reduce(0) { $0 + $1.columns }
        let to = rect.endX - 2 - badge.reduce(0) { $0 + $1.columns }
        for x in from..<max(from, to) { picture.buffer.put(look.outline.horizontal, x: x, y: rect.y, style: edge) }
        let inside = rect.inset(columns: 1, rows: 1)
        let hints = hintLine(of: zone, columns: inside.size.columns - 2)
        let isQuiet = zone == .gauges || zone == .history && !isFocused
        let hasHints = inside.size.rows >= 8 && hints != nil && !isQuiet
        drawBare(
            zone,
            in: Rect(
                x: inside.x, y: inside.y, columns: inside.size.columns, rows: inside.size.rows - (hasHints ? 1 : 0)),
            on: &picture)
        if hasHints, let hints {
            hints.draw(on: &picture.buffer, x: inside.x + 1, y: inside.endY - 1, columns: inside.size.columns - 2)
        }
    }

    private func drawSection(_ panel: ConsoleLayout.Panel, on picture: inout Picture) {
        let (zone, rect) = (panel.zone, panel.rect)
        picture.mark(rect, .zone(zone))
        let isFocused = zone == state.focus
        if zone == .gauges {
            drawBare(zone, in: rect, on: &picture)
            return
        }
        let title = title(of: zone)
        let style = isFocused ? Style(look.theme.text, [.bold, .underline]) : Style(look.theme.secondaryText, .bold)
        PanelLine([TextRun(title.text, style)], trailing: title.badge)
            .draw(on: &picture.buffer, x: rect.x, y: rect.y, columns: rect.size.columns)
        markRanges(of: zone, badge: title.badge, endX: rect.endX, y: rect.y, on: &picture)
        let hints = isFocused && rect.size.rows >= 9 ? hintLine(of: zone, columns: rect.size.columns) : nil
        let rows = rect.size.rows - 1 - (hints == nil ? 0 : 1)
        drawBare(zone, in: Rect(x: rect.x, y: rect.y + 1, columns: rect.size.columns, rows: rows), on: &picture)
        hints?.draw(on: &picture.buffer, x: rect.x, y: rect.endY - 1, columns: rect.size.columns)
    }

    /// The inside of a panel.
    private func drawBare(_ zone: ConsolePanel, in rect: Rect, on picture: inout Picture) {
        guard rect.size.columns > 0, rect.size.rows > 0 else { return }
        switch zone {
        case .gauges: drawGauges(in: rect, on: &picture)
        case .history: drawHistory(in: rect, on: &picture)
        case .guide where rect.size.columns > 90, .laboratory where rect.size.columns > 90:
            // Sentences and sliders are read better in a column than across the whole screen.
            let margin = (rect.size.columns - 76) / 2
            drawList(zone, in: rect.inset(columns: margin, rows: min(3, rect.size.rows / 8)), on: &picture)
        case .devices, .limits, .readings, .events, .watches, .alerts, .setup, .pools, .channels, .laboratory, .guide:
            drawList(zone, in: rect, on: &picture)
        }
    }

    // MARK: Lists

    private func drawList(_ zone: ConsolePanel, in rect: Rect, on picture: inout Picture) {
        let columns = rect.size.columns - 2
        let all = list(of: zone, columns: max(0, columns))
        let selected = selection(of: zone)
        let heights = all.heights
        let total = heights.reduce(0, +)
        var y = 0
        if total > rect.size.rows, let selected, let index = all.ids.firstIndex(of: selected) {
            // The selected row stands in the middle, but for the ends.
            let above = heights[..<index].reduce(0, +)
            y = -max(0, min(above - (rect.size.rows - heights[index]) / 2, total - rect.size.rows))
            // A heading above the first row is worth more than the middle.
            if above <= 1 { y = 0 }
        }
        for (index, id) in all.ids.enumerated() {
            defer { y += heights[index] }
            guard y + heights[index] > 0, y < rect.size.rows else { continue }
            let isSelected = id != nil && id == selected && zone == state.focus && state.dialogs.isEmpty
            for (place, line) in zip(y..., all[index].lines) where place >= 0 && place < rect.size.rows {
                draw(line, isSelected: isSelected, in: rect, y: rect.y + place, on: &picture)
                if let id {
                    picture.mark(
                        Rect(x: rect.x, y: rect.y + place, columns: rect.size.columns, rows: 1), .row(zone, id))
                }
            }
        }
        // In the margin, where no row writes: there is more above, or below.
        let first = y - total
        let (up, down): (Character, Character) = look.isASCII ? ("^", "v") : ("↑", "↓")
        if first < 0 { picture.buffer.put(up, x: rect.endX - 1, y: rect.y, style: look.faint) }
        if y > rect.size.rows { picture.buffer.put(down, x: rect.endX - 1, y: rect.endY - 1, style: look.faint) }
    }

    private func draw(_ line: PanelLine, isSelected: Bool, in rect: Rect, y: Int, on picture: inout Picture) {
        if isSelected {
            if let ground = look.selectionGround {
                let row = Rect(x: rect.x, y: y, columns: rect.size.columns, rows: 1)
                picture.buffer.fill(row, style: Style(.terminalDefault, on: ground))
            }
            picture.buffer.put(look.selectionMark, x: rect.x, y: y, style: look.keyStyle)
        }
        var line = line
        if isSelected, look.selectionGround == nil { line.embolden() }
        // On the ground of a selected row the faintest inks could not be read.
        if isSelected, look.selectionGround != nil {
            line.recolor([look.theme.tertiaryText, look.theme.ink(.offline)], to: look.theme.secondaryText)
        }
        line.draw(on: &picture.buffer, x: rect.x + 1, y: y, columns: rect.size.columns - 2)
    }

    private func drawTabs(x: Int, y: Int, columns: Int, on picture: inout Picture) {
        let titles = ConsoleTab.allCases.map(\.title)
        let whole = titles.reduce(0) { $0 + $1.count } + titles.count - 1 + 2
        let isShort = whole > columns
        let widths = titles.map { isShort ? min(4, $0.count) : $0.count }
        let gap = isShort ? 1 : max(1, min(3, (columns - 2 - widths.reduce(0, +)) / (titles.count - 1)))
        var at = x
        for (tab, width) in zip(ConsoleTab.allCases, widths) {
            guard at + width <= x + columns else { break }
            let isOpen = tab == state.tab && state.expanded.isEmpty
            let style = isOpen ? Style(look.theme.ink(.normal), [.bold, .underline]) : look.faint
            picture.buffer.write(String(tab.title.prefix(width)), x: at, y: y, style: style)
            picture.mark(Rect(x: at, y: y, columns: width, rows: 1), .tab(tab))
            at += width + gap
        }
        if at <= x + columns - 1 {
            picture.buffer.write("?", x: x + columns - 1, y: y, style: look.keyStyle)
        }
    }
}

extension PanelLine {
    fileprivate mutating func embolden() {
        for index in leading.indices { leading[index].style.attributes.insert(.bold) }
        for index in trailing.indices { trailing[index].style.attributes.insert(.bold) }
    }
}
