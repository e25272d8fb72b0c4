import PoolModel

/// Draws a dialog in a box in the middle of the screen.
struct DialogBox {
    private let context: ScreenContext
    private var look: ResolvedTheme { context.look }

    init(_ context: ScreenContext) {
        self.context = context
    }

    /// Draws a box that is as high as its lines need; what does not fit is scrolled so that the focus is seen.
    func draw(
        title: String, hints: [KeyHint], on picture: inout Picture,
        content: (_ columns: Int) -> DialogContent
    ) {
        let room = context.layout.frame
        let width = min(room.size.columns - (room.size.columns >= 30 ? 2 : 0), 76)
        let hasEdge = width >= 12 && room.size.rows >= 5
        let columns = max(0, width - (hasEdge ? 4 : 0))
        let content = content(max(1, columns))
        let extra = (hasEdge ? 2 : 0) + (hints.isEmpty || !hasEdge ? 0 : 2)
        let height = min(room.size.rows - (room.size.rows >= 20 ? 2 : 0), content.lines.count + extra)
        let rect = Rect(
            x: room.x + (room.size.columns - width) / 2, y: room.y + max(0, (room.size.rows - height) / 2),
            columns: width, rows: height)
        drawGround(rect, title: title, hasEdge: hasEdge, on: &picture)
        let inside = hasEdge ? rect.inset(columns: 2, rows: 1) : rect
        let visible = max(0, inside.size.rows - (extra > 2 ? 2 : 0))
        let top = content.top ?? content.focused - visible * 2 / 3
        let first = max(0, min(top, content.lines.count - visible))
        for (row, line) in content.lines.dropFirst(first).prefix(visible).enumerated() {
            let y = inside.y + row
            line.line.draw(on: &picture.buffer, x: inside.x, y: y, columns: columns)
            if let option = line.option {
                picture.mark(Rect(x: rect.x, y: y, columns: width, rows: 1), .option(option))
            }
        }
        if extra > 2 {
            HintLine(hints, look: look).draw(on: &picture, x: inside.x, y: inside.endY - 1, columns: columns)
        }
        if content.lines.count > visible, hasEdge {
            let text = " \(first + visible)/\(content.lines.count) "
            picture.buffer.write(
                text, x: rect.x, y: rect.endY - 1, columns: rect.size.columns - 2, alignment: .trailing,
                style: look.faint)
        }
    }

    /// Draws the empty box, and marks it for the mouse.
    func drawGround(_ rect: Rect, title: String, hasEdge: Bool, on picture: inout Picture) {
        let ground = Style(look.theme.text, on: look.panelsGround)
        picture.buffer.fill(rect, style: ground)
        picture.mark(rect, .dialog)
        guard hasEdge else { return }
        picture.buffer.outline(rect, style: Style(look.theme.ink(.normal), on: look.panelsGround), glyphs: look.outline)
        let text = " \(title.sanitized.fitted(columns: max(0, rect.size.columns - 8))) "
        picture.buffer.write(text, x: rect.x + 2, y: rect.y, style: look.strong)
    }
}
