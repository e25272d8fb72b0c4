/// Draws a ring with braille dots, for terminals of 16 colours or none: 2 × 4 dots and one ink a cell.
enum BrailleRing {
    static func draw(_ ring: Ring, hasColor: Bool) -> CellPatch {
        // Without colour the deviation arc would look like the safe band; the position of the knob shows the deviation.
        let layers = ring.layers(.braille, showsDeviation: hasColor)
        let arc = ring.arc
        var patch = CellPatch()
        for row in 0..<ring.size.rows {
            for column in 0..<ring.size.columns {
                let center = CellSamples.center(column: column, row: row)
                let near = layers.filter { !$0.isFarFrom(center, reach: CellSamples.reach, arc: arc) }
                guard let cell = cell(near, column: column, row: row, arc: arc) else { continue }
                patch.pieces.append(.init(x: column, y: row, character: cell.0, style: Style(cell.ink)))
            }
        }
        return patch
    }

    /// The dots of a cell, in the ink of the uppermost layer that has a dot in it.
    private static func cell(
        _ layers: [RingLayer], column: Int, row: Int, arc: ArcSpec
    ) -> (Character, ink: AdaptiveColor)? {
        var dots: UInt32 = 0
        var uppermost: AdaptiveColor?
        for layer in layers {
            var painted: UInt32 = 0
            for index in 0..<8 {
                let place = ArcSpec.Point(
                    x: Double(column) + (Double(index % 2) + 0.5) / 2,
                    y: 2 * Double(row) + (Double(index / 2) + 0.5) / 2)
                if layer.distance(place, arc: arc) <= 0 { painted |= dotBits[index] }
            }
            if let ink = layer.ink {
                dots |= painted
                if painted != 0 { uppermost = ink }
            } else {
                dots &= ~painted
                if dots == 0 { uppermost = nil }
            }
        }
        guard dots != 0, let uppermost, let scalar = Unicode.Scalar(0x2800 + dots) else { return nil }
        return (Character(scalar), uppermost)
    }

    /// The bit of each dot, row by row; source: Unicode block "Braille Patterns".
    private static let dotBits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
}
