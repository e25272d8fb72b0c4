/// Numerals of 3 × 5 square dots in half blocks: three rows high, readable from a distance.
///
/// Only half blocks and full cells are used, because many fonts draw finer blocks badly.
package enum BigNumerals {
    /// The columns that a text takes; nil if a character has no picture.
    package static func width(_ text: String) -> Int? {
        var width = -1
        for character in text {
            guard let glyph = glyphs[character] else { return nil }
            width += glyph.columns + 1
        }
        return max(0, width)
    }

    /// Draws a text with its upper left corner at a position.
    ///
    /// A full cell is a space on a coloured background, which leaves no hairlines in any font, or a full block if the
    /// terminal has no background colours.
    package static func draw(
        _ text: String, on buffer: inout CellBuffer, x: Int, y: Int, ink: AdaptiveColor, paintsCells: Bool
    ) {
        var column = x
        for character in text {
            guard let glyph = glyphs[character] else { continue }
            for cell in 0..<3 {
                for dot in 0..<glyph.columns {
                    let upper = glyph.isSet(dot, 2 * cell)
                    let lower = glyph.isSet(dot, 2 * cell + 1)
                    let (at, row) = (column + dot, y + cell)
                    switch (upper, lower) {
                    case (true, true) where paintsCells:
                        buffer.put(" ", x: at, y: row, style: Style(.terminalDefault, on: ink))
                    case (true, true): buffer.put("█", x: at, y: row, style: Style(ink))
                    case (true, false): buffer.put("▀", x: at, y: row, style: Style(ink))
                    case (false, true): buffer.put("▄", x: at, y: row, style: Style(ink))
                    case (false, false): break
                    }
                }
            }
            column += glyph.columns + 1
        }
    }

    private struct Glyph {
        var columns: Int
        var rows: [UInt8]

        func isSet(_ x: Int, _ y: Int) -> Bool {
            y < rows.count && rows[y] >> UInt8(columns - 1 - x) & 1 == 1
        }
    }

    private static let glyphs: [Character: Glyph] = [
        "0": Glyph(columns: 3, rows: [0b111, 0b101, 0b101, 0b101, 0b111]),
        "1": Glyph(columns: 3, rows: [0b010, 0b110, 0b010, 0b010, 0b111]),
        "2": Glyph(columns: 3, rows: [0b111, 0b001, 0b111, 0b100, 0b111]),
        "3": Glyph(columns: 3, rows: [0b111, 0b001, 0b111, 0b001, 0b111]),
        "4": Glyph(columns: 3, rows: [0b101, 0b101, 0b111, 0b001, 0b001]),
        "5": Glyph(columns: 3, rows: [0b111, 0b100, 0b111, 0b001, 0b111]),
        "6": Glyph(columns: 3, rows: [0b111, 0b100, 0b111, 0b101, 0b111]),
        "7": Glyph(columns: 3, rows: [0b111, 0b001, 0b001, 0b001, 0b001]),
        "8": Glyph(columns: 3, rows: [0b111, 0b101, 0b111, 0b101, 0b111]),
        "9": Glyph(columns: 3, rows: [0b111, 0b101, 0b111, 0b001, 0b111]),
        ".": Glyph(columns: 1, rows: [0, 0, 0, 0, 1]),
        "-": Glyph(columns: 3, rows: [0, 0, 0b111, 0, 0]),
        "–": Glyph(columns: 3, rows: [0, 0, 0b111, 0, 0]),
    ]
}
