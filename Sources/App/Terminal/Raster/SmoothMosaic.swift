/// Draws a ring with soft edges for 24-bit terminals.
///
/// Each cell is painted at 8 × 8 samples; then the block glyph and the two colours with the least squared error are
/// used, the method of the chafa image viewer.
enum SmoothMosaic {
    private typealias Color = SIMD4<Float>

    static func draw(_ ring: Ring) -> CellPatch {
        let layers = ring.layers(.mosaic)
        let arc = ring.arc
        let background = color(ring.background)
        let palette = palette(layers, on: background)
        var patch = CellPatch()
        for row in 0..<ring.size.rows {
            for column in 0..<ring.size.columns {
                let center = CellSamples.center(column: column, row: row)
                let near = layers.filter { !$0.isFarFrom(center, reach: CellSamples.reach, arc: arc) }
                guard near.contains(where: { $0.ink != nil }) else { continue }
                var samples = Array(repeating: background, count: CellSamples.count)
                for layer in near {
                    paint(layer, on: &samples, column: column, row: row, arc: arc, background: background)
                }
                if let (character, style) = match(
                    samples, background: background, ink: ring.background, palette: palette)
                {
                    patch.pieces.append(.init(x: column, y: row, character: character, style: style))
                }
            }
        }
        return patch
    }

    private static func paint(
        _ layer: RingLayer, on samples: inout [Color], column: Int, row: Int, arc: ArcSpec, background: Color
    ) {
        let paint = layer.ink.map(color) ?? background
        for index in 0..<CellSamples.count {
            let place = CellSamples.point(index, column: column, row: row)
            // The distances of the samples are 1/8 and 1/4, so an edge of 1/5 is as soft as one sample.
            let coverage = min(1, max(0, 0.5 - layer.distance(place, arc: arc) * 5))
            if coverage > 0 { samples[index] += (paint - samples[index]) * Float(coverage) }
        }
    }

    /// The glyph and the colours that are closest to the samples; nil if they look like the background.
    private static func match(
        _ samples: [Color], background: Color, ink: AdaptiveColor, palette: [Color]
    ) -> (Character, Style)? {
        func mixed(_ color: Color) -> AdaptiveColor { Self.ink(color, of: palette) }
        let total = samples.reduce(.zero, +)
        let count = Float(CellSamples.count)
        // A glyph is used only if it is clearly better than one flat colour; otherwise noise would make ragged edges.
        var best = (total * total).sum() / count + count * 30
        var choice: (glyph: BlockGlyph, inside: Color, outside: Color)?
        for glyph in BlockGlyph.all {
            var inside = Color.zero
            for index in 0..<CellSamples.count where glyph.mask >> UInt64(index) & 1 == 1 { inside += samples[index] }
            let insideCount = Float(glyph.mask.nonzeroBitCount)
            let outside = total - inside
            let score = (inside * inside).sum() / insideCount + (outside * outside).sum() / (count - insideCount)
            if score > best {
                best = score
                choice = (glyph, inside / insideCount, outside / (count - insideCount))
            }
        }
        guard let choice else {
            let mean = total / count
            return isNear(mean, background) ? nil : (" ", Style(.terminalDefault, on: mixed(mean)))
        }
        let (inside, outside) = (isNear(choice.inside, background), isNear(choice.outside, background))
        if inside && outside { return nil }
        // On the background of most cells, a glyph needs fewer bytes than its complement on a coloured background.
        if inside, let complement = choice.glyph.complement {
            return (complement, Style(mixed(choice.outside), on: ink))
        }
        return (
            choice.glyph.character,
            Style(inside ? ink : mixed(choice.inside), on: outside ? ink : mixed(choice.outside))
        )
    }

    /// Whether a colour is so near the background that it would only look like a smudge.
    private static func isNear(_ color: Color, _ background: Color) -> Bool {
        let difference = color - background
        return abs(difference.x) + abs(difference.y) + abs(difference.z) < 44
    }

    private static func color(_ ink: AdaptiveColor) -> Color {
        let rgb = ink.rgb ?? RGB(0)
        return Color(Float(rgb.red), Float(rgb.green), Float(rgb.blue), 0)
    }

    /// The colours of a ring: its inks, and steps from each towards the background for soft edges.
    ///
    /// More steps are not distinguishable at the size of a cell, and each needs bytes for a change of colours.
    private static func palette(_ layers: [RingLayer], on background: Color) -> [Color] {
        var colors: [Color] = []
        for paint in layers.compactMap({ $0.ink.map(color) }) {
            for step in 1...steps {
                let mixture = background + (paint - background) * (Float(step) / Float(steps))
                if !colors.contains(mixture) { colors.append(mixture) }
            }
        }
        return colors
    }

    private static let steps = 3

    /// The ink that is closest to a mixture.
    private static func ink(_ color: Color, of palette: [Color]) -> AdaptiveColor {
        func distance(_ other: Color) -> Float { ((color - other) * (color - other)).sum() }
        let nearest = palette.min { distance($0) < distance($1) } ?? color
        func part(_ value: Float) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
        return AdaptiveColor(rgb: RGB(red: part(nearest.x), green: part(nearest.y), blue: part(nearest.z)), ansi: nil)
    }
}
