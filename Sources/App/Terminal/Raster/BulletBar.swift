/// A gauge in one row: a thin track, the safe band on it, and a mark at the value.
package struct BulletBar: Sendable {
    /// The characters of a bar.
    package struct Glyphs: Sendable {
        package var track: Character
        package var band: Character

        /// Names the two signs.
        package init(track: Character, band: Character) {
            self.track = track
            self.band = band
        }

        package static let lines = Glyphs(track: "─", band: "━")
        package static let ascii = Glyphs(track: "-", band: "=")
    }

    package var band: ClosedRange<Double>
    package var trackStyle: Style
    package var bandStyle: Style

    /// Describes a bar.
    package init(band: ClosedRange<Double>, trackStyle: Style, bandStyle: Style) {
        self.band = band
        self.trackStyle = trackStyle
        self.bandStyle = bandStyle
    }

    /// Draws the bar over a number of columns.
    package func draw(
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
