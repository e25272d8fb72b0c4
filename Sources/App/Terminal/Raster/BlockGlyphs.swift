/// A block character and the samples of its cell that it paints, out of 8 × 8.
///
/// Bit `8 · row + column` stands for a sample. Each glyph also serves as its own complement, by exchanging
/// foreground and background, which is why the right half or the upper eighths need no entry.
struct BlockGlyph: Sendable {
    var character: Character
    var mask: UInt64

    /// The quadrants, and the eighths from below and from the left (Unicode block "Block Elements").
    static let all: [BlockGlyph] = {
        let quadrants: [(Character, [Int])] = [
            ("▀", [0, 1]), ("▌", [0, 2]), ("▘", [0]), ("▝", [1]), ("▖", [2]), ("▗", [3]), ("▚", [0, 3]),
        ]
        let eighths: [(count: Int, lower: Character, left: Character)] = [
            (1, "▁", "▏"), (2, "▂", "▎"), (3, "▃", "▍"), (5, "▅", "▋"), (6, "▆", "▊"), (7, "▇", "▉"),
        ]
        return quadrants.map { character, painted in
            BlockGlyph(character) { x, y in painted.contains(y / 4 * 2 + x / 4) }
        }
            + eighths.flatMap { eighth in
                [
                    BlockGlyph(eighth.lower) { _, y in y >= 8 - eighth.count },
                    BlockGlyph(eighth.left) { x, _ in x < eighth.count },
                ]
            }
    }()

    /// The glyph that paints the rest of the cell; nil if not every font has one.
    var complement: Character? { Self.complements[character] }

    private static let complements: [Character: Character] = [
        "▀": "▄", "▌": "▐", "▘": "▟", "▝": "▙", "▖": "▜", "▗": "▛", "▚": "▞",
    ]

    private init(_ character: Character, paints: (_ x: Int, _ y: Int) -> Bool) {
        self.character = character
        mask = 0
        for y in 0..<8 {
            for x in 0..<8 where paints(x, y) { mask |= 1 << UInt64(8 * y + x) }
        }
    }
}

/// The positions of a cell's 8 × 8 samples, in cell widths.
enum CellSamples {
    static let count = 64

    static func center(column: Int, row: Int) -> ArcSpec.Point {
        ArcSpec.Point(x: Double(column) + 0.5, y: 2 * Double(row) + 1)
    }

    static func point(_ sample: Int, column: Int, row: Int) -> ArcSpec.Point {
        ArcSpec.Point(
            x: Double(column) + (Double(sample % 8) + 0.5) / 8,
            y: 2 * Double(row) + (Double(sample / 8) + 0.5) / 4)
    }

    /// The distance from the centre of a cell to its farthest point, plus some space for soft edges.
    static let reach = 1.3
}
