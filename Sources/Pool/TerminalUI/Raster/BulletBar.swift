/// A gauge in one row: a thin track, the safe band on it, and a mark at the value.
struct BulletBar: Sendable {
    /// The characters of a bar.
    struct Glyphs: Sendable {
        var track: Character
        var band: Character

        static let lines = Glyphs(track: "─", band: "━")
        static let ascii = Glyphs(track: "-", band: "=")
    }

    var band: ClosedRange<Double>
    var trackStyle: Style
    var bandStyle: Style

    /// Draws the bar over a number of columns.
    func draw(
        on buffer: inout CellBuffer, x: Int, y: Int, columns: Int, glyphs: Glyphs,
        mark: (fraction: Double, character: Character, style: Style)?
    ) {
        guard columns > 0 else { return }
        func column(_ fraction: Double) -> Int { Int((fraction * Double(columns - 1)).rounded()) }
        for offset in 0..<columns {
            let isBand = offset >= column(band.lowerBound) && offset <= column(band.upperBound)
            buffer.put(
                isBand ? glyphs.band : glyphs.track, x: x + offset, y: y, style: isBand ? bandStyle : trackStyle)
        }
        if let mark {
            buffer.put(mark.character, x: x + column(mark.fraction), y: y, style: mark.style)
        }
    }
}
