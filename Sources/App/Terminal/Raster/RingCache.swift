/// The pictures of recently drawn rings.
///
/// A ring takes a thousand times as long to draw as to copy, and most frames show the rings of the frame before.
package struct RingCache: Sendable {
    /// How a ring is drawn, depending on the terminal.
    package enum Rung: Hashable, Sendable {
        case smoothMosaic
        case indexedMosaic
        case braille(hasColor: Bool)
    }

    private struct Key: Hashable {
        var ring: Ring
        var rung: Rung
    }

    /// Four rings for each of a handful of devices and themes.
    package static let countMax = 32

    private var pictures: [Key: CellPatch] = [:]
    package private(set) var drawnCount = 0

    /// Begins without pictures.
    package init() {}

    /// The picture of a ring; it is drawn if it is not in the cache.
    package mutating func picture(_ ring: Ring, rung: Rung) -> CellPatch {
        let key = Key(ring: ring, rung: rung)
        if let known = pictures[key] { return known }
        let picture =
            switch rung {
            case .smoothMosaic: SmoothMosaic.draw(ring)
            case .indexedMosaic: IndexedMosaic.draw(ring)
            case .braille(let hasColor): BrailleRing.draw(ring, hasColor: hasColor)
            }
        // Emptying the cache is rare, and simpler than finding the least recently used picture.
        if pictures.count >= Self.countMax { pictures.removeAll(keepingCapacity: true) }
        pictures[key] = picture
        drawnCount += 1
        return picture
    }
}

/// The cells of a picture that cover what is below them; the others are transparent.
package struct CellPatch: Equatable, Sendable {
    package struct Piece: Equatable, Sendable {
        package var x: Int
        package var y: Int
        package var character: Character
        package var style: Style

        /// Places a sign.
        package init(x: Int, y: Int, character: Character, style: Style) {
            self.x = x
            self.y = y
            self.character = character
            self.style = style
        }
    }

    package var pieces: [Piece] = []

    /// Begins without pieces.
    package init() {}

    package func draw(on buffer: inout CellBuffer, x: Int, y: Int) {
        for piece in pieces {
            buffer.put(piece.character, x: x + piece.x, y: y + piece.y, style: piece.style)
        }
    }
}
