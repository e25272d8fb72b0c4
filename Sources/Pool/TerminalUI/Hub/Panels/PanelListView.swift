import PoolModel

/// Draws the rows of a panel, scrolled so that the selected one is seen.
struct PanelListView {
    private let context: ScreenContext
    private var look: ResolvedTheme { context.look }

    init(_ context: ScreenContext) {
        self.context = context
    }

    func draw(_ panel: some HubPanel, in rect: Rect, on picture: inout Picture) {
        var rect = rect
        if panel.prefersColumn, rect.size.columns > 90 {
            let margin = (rect.size.columns - 76) / 2
            rect = rect.inset(columns: margin, rows: min(3, rect.size.rows / 8))
        }
        let list = panel.list(columns: max(0, rect.size.columns - 2), in: context)
        let selected = panel.selection(in: context)
        let heights = list.heights
        let total = heights.reduce(0, +)
        var y = 0
        if total > rect.size.rows, let selected, let index = list.ids.firstIndex(of: selected) {
            // The selected row is in the middle, except near the ends.
            let above = heights[..<index].reduce(0, +)
            y = -max(0, min(above - (rect.size.rows - heights[index]) / 2, total - rect.size.rows))
            // A heading above the first row has priority.
            if above <= 1 { y = 0 }
        }
        for (index, id) in list.ids.enumerated() {
            defer { y += heights[index] }
            guard y + heights[index] > 0, y < rect.size.rows else { continue }
            let isSelected = id != nil && id == selected && panel.id == context.focus && !context.hasDialog
            for (place, line) in zip(y..., list[index].lines) where place >= 0 && place < rect.size.rows {
                draw(line, isSelected: isSelected, in: rect, y: rect.y + place, on: &picture)
                if let id {
                    picture.mark(
                        Rect(x: rect.x, y: rect.y + place, columns: rect.size.columns, rows: 1), .row(panel.id, id))
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
}

extension PanelLine {
    fileprivate mutating func embolden() {
        for index in leading.indices { leading[index].style.attributes.insert(.bold) }
        for index in trailing.indices { trailing[index].style.attributes.insert(.bold) }
    }
}
