/// A small history of solid columns, in eighths of a cell.
package struct Sparkline: Sendable {
    /// The values of the columns; nil for a gap.
    package let columns: [Double?]
    private let range: ClosedRange<Double>

    /// Distributes values over a number of columns.
    ///
    /// A column shows the mean of its values; the last column that is not empty shows its last value, which is the
    /// newest.
    ///
    /// The heights span the values with a small margin, but at least a twentieth of the scale, so that noise does not
    /// look like large changes. Nil if there is no value.
    package init?(history: [Double?], columns count: Int, scale: ClosedRange<Double>) {
        let history = history.map { $0.flatMap { $0.isFinite ? $0 : nil } }
        guard count > 0, !history.isEmpty else { return nil }
        let newest = history.lastIndex { $0 != nil }
        columns = (0..<count).map { column in
            let start = column * history.count / count
            let end = max(start + 1, (column + 1) * history.count / count)
            if let newest, (start..<end).contains(newest) { return history[newest] }
            let values = history[start..<end].compactMap(\.self)
            return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        let values = columns.compactMap(\.self)
        guard let lowest = values.min(), let highest = values.max() else { return nil }
        let air = max((highest - lowest) * 0.12, (scale.upperBound - scale.lowerBound) * 0.025)
        range = lowest - air...highest + air
    }

    /// The height of a value in steps of an eighth of a row; at least 1, so that no value looks like a gap.
    package func height(_ value: Double, rows: Int) -> Int {
        let fraction = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return min(8 * rows, max(1, Int((fraction * Double(8 * rows)).rounded())))
    }

    /// Draws the columns into a rectangle, each in an ink for its value; the last one is the newest.
    ///
    /// A full cell is a space on a coloured background, or a full block if the terminal has no background colours.
    package func draw(
        on buffer: inout CellBuffer, in rect: Rect, paintsCells: Bool,
        ink: (_ value: Double, _ isNewest: Bool) -> AdaptiveColor
    ) {
        let glyphs: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        for (column, value) in columns.enumerated() {
            guard let value else { continue }
            let ink = ink(value, column == columns.count - 1)
            var left = height(value, rows: rect.size.rows)
            var row = rect.endY - 1
            while left > 0 {
                let step = min(8, left)
                if step == 8, paintsCells {
                    buffer.put(" ", x: rect.x + column, y: row, style: Style(.terminalDefault, on: ink))
                } else {
                    buffer.put(glyphs[step - 1], x: rect.x + column, y: row, style: Style(ink))
                }
                left -= step
                row -= 1
            }
        }
    }

    /// Draws the columns into one row with signs of the ASCII set, from low to high.
    package func drawASCII(on buffer: inout CellBuffer, x: Int, y: Int, ink: (_ value: Double) -> AdaptiveColor) {
        let ramp: [Character] = [".", ":", "-", "=", "+", "*", "#", "@"]
        for (column, value) in columns.enumerated() {
            guard let value else { continue }
            buffer.put(ramp[height(value, rows: 1) - 1], x: x + column, y: y, style: Style(ink(value)))
        }
    }
}
