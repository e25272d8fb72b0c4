import PoolModel

/// Draws a panel with its title and its keys, in a box or below a heading.
struct PanelFrame {
    let context: ScreenContext
    let panel: any HubPanel
    let rect: Rect
    private var look: ResolvedTheme { context.look }
    private var isFocused: Bool { panel.id == context.focus }

    /// Draws a box around the panel, with the digit that focuses it.
    func drawBox(number: Int?, on picture: inout Picture) {
        picture.mark(rect, .panel(panel.id))
        let edge = isFocused ? Style(look.theme.ink(.normal)) : look.lineStyle
        picture.buffer.outline(rect, style: edge, glyphs: look.outline)
        guard rect.size.columns > 6, rect.size.rows > 2 else { return }
        let title = panel.title(in: context)
        var spans = [TextRun(" ", look.faint)]
        if let number { spans.append(TextRun("\(number) ", isFocused ? look.keyStyle : look.faint)) }
        spans.append(TextRun("\(title.text) ", isFocused ? look.strong : Style(look.theme.secondaryText, .bold)))
        spans += filterRuns("")
        let badge = title.badge.isEmpty ? [] : [TextRun(" ", look.faint)] + title.badge + [TextRun(" ", look.faint)]
        PanelLine(spans, trailing: badge).draw(
            on: &picture.buffer, x: rect.x + 2, y: rect.y, columns: rect.size.columns - 4)
        panel.markBadge(endX: rect.endX - 2 - (badge.last?.columns ?? 0), y: rect.y, in: context, on: &picture)
        // A badge is drawn over the edge; what is between it and the title is drawn anew.
        let from = rect.x + 2 + spans.reduce(0) { $0 + $1.columns }
        let to = rect.endX - 2 - badge.reduce(0) { $0 + $1.columns }
        for x in from..<max(from, to) { picture.buffer.put(look.outline.horizontal, x: x, y: rect.y, style: edge) }
        let inside = rect.inset(columns: 1, rows: 1)
        let hints = hintLine
        let isQuiet = panel is GaugesPanel || panel is HistoryPanel && !isFocused
        let hasHints = inside.size.rows >= 8 && !hints.isEmpty && !isQuiet
        drawInside(
            Rect(
                x: inside.x, y: inside.y, columns: inside.size.columns, rows: inside.size.rows - (hasHints ? 1 : 0)),
            on: &picture)
        if hasHints {
            hints.draw(on: &picture, x: inside.x + 1, y: inside.endY - 1, columns: inside.size.columns - 2)
        }
    }

    /// Draws the panel without a frame.
    func drawSection(on picture: inout Picture) {
        picture.mark(rect, .panel(panel.id))
        if panel is GaugesPanel {
            drawInside(rect, on: &picture)
            return
        }
        let title = panel.title(in: context)
        let style = isFocused ? Style(look.theme.text, [.bold, .underline]) : Style(look.theme.secondaryText, .bold)
        PanelLine([TextRun(title.text, style)] + filterRuns(" "), trailing: title.badge)
            .draw(on: &picture.buffer, x: rect.x, y: rect.y, columns: rect.size.columns)
        panel.markBadge(endX: rect.endX, y: rect.y, in: context, on: &picture)
        let hints = hintLine
        let hasHints = isFocused && rect.size.rows >= 9 && !hints.isEmpty
        let rows = rect.size.rows - 1 - (hasHints ? 1 : 0)
        drawInside(Rect(x: rect.x, y: rect.y + 1, columns: rect.size.columns, rows: rows), on: &picture)
        if hasHints { hints.draw(on: &picture, x: rect.x, y: rect.endY - 1, columns: rect.size.columns) }
    }

    /// Draws only the inside of the panel.
    func drawBare(on picture: inout Picture) { drawInside(rect, on: &picture) }

    private func drawInside(_ rect: Rect, on picture: inout Picture) {
        guard rect.size.columns > 0, rect.size.rows > 0 else { return }
        panel.draw(in: rect, context: context, on: &picture)
    }

    /// What the rows of the panel must contain, behind its title; the cursor while it is typed.
    private func filterRuns(_ gap: String) -> [TextRun] {
        guard let filter = panel.filter, filter.isShown else { return [] }
        return [
            TextRun("\(gap)/\(filter.text)", look.accentStyle), TextRun(filter.isTyping ? "_ " : " ", look.keyStyle),
        ]
    }

    /// The keys of a panel that work now.
    private var hintLine: HintLine {
        var hints = panel.hints(in: context).filter { $0.obstacle == nil }
        if context.navigation.expanded != nil, !context.isWide { hints.insert(KeyHint("esc", "back"), at: 0) }
        return HintLine(hints, look: look)
    }
}
