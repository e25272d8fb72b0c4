/// Draws a ring with hard edges for terminals of 256 colours, where blended colours would look blotchy.
///
/// Each cell shows the two inks that cover most of its 8 × 8 samples, with the block glyph that differs least.
enum IndexedMosaic {
    /// A second ink with fewer samples than this in a cell is left out.
    private static let speckCount = 6

    static func draw(_ ring: Ring) -> CellPatch {
        let layers = ring.layers(.mosaic)
        let arc = ring.arc
        var patch = CellPatch()
        for row in 0..<ring.size.rows {
            for column in 0..<ring.size.columns {
                let center = CellSamples.center(column: column, row: row)
                let near = layers.filter { !$0.isFarFrom(center, reach: CellSamples.reach, arc: arc) }
                guard !near.isEmpty else { continue }
                let masks = coverage(near, column: column, row: row, arc: arc, background: ring.background)
                if let (character, style) = match(masks, background: ring.background) {
                    patch.pieces.append(.init(x: column, y: row, character: character, style: style))
                }
            }
        }
        return patch
    }

    /// The inks of a cell with their samples, in painting order.
    private static func coverage(
        _ layers: [RingLayer], column: Int, row: Int, arc: ArcSpec, background: AdaptiveColor
    ) -> [(ink: AdaptiveColor, mask: UInt64)] {
        var masks = [(ink: background, mask: UInt64.max)]
        for layer in layers {
            var painted: UInt64 = 0
            for index in 0..<CellSamples.count {
                let place = CellSamples.point(index, column: column, row: row)
                if layer.distance(place, arc: arc) <= 0 { painted |= 1 << UInt64(index) }
            }
            for index in masks.indices { masks[index].mask &= ~painted }
            let ink = layer.ink ?? background
            if let known = masks.firstIndex(where: { $0.ink == ink }) {
                masks[known].mask |= painted
            } else {
                masks.append((ink, painted))
            }
        }
        return masks
    }

    private static func match(
        _ masks: [(ink: AdaptiveColor, mask: UInt64)], background: AdaptiveColor
    ) -> (Character, Style)? {
        let ordered = masks.enumerated().sorted {
            let (left, right) = ($0.element.mask.nonzeroBitCount, $1.element.mask.nonzeroBitCount)
            return left != right ? left > right : $0.offset > $1.offset
        }.map(\.element)
        guard let first = ordered.first else { return nil }
        let second = ordered.dropFirst().first { $0.mask.nonzeroBitCount >= speckCount }
        guard let second else {
            return first.ink == background ? nil : (" ", Style(.terminalDefault, on: first.ink))
        }
        var best = (distance: Int.max, character: Character(" "), style: Style())
        for glyph in BlockGlyph.all {
            let distance = (glyph.mask ^ second.mask).nonzeroBitCount
            if distance < best.distance {
                best = (distance, glyph.character, Style(second.ink, on: first.ink))
            }
            if CellSamples.count - distance < best.distance {
                // On the background of most cells, a glyph needs fewer bytes than its complement on a coloured
                // background.
                let complement = first.ink == background ? glyph.complement : nil
                best = (
                    CellSamples.count - distance, complement ?? glyph.character,
                    complement == nil ? Style(first.ink, on: second.ink) : Style(second.ink, on: first.ink)
                )
            }
        }
        return (best.character, best.style)
    }
}
