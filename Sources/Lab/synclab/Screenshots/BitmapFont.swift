/// Letters of 9 × 18 pixels, in the style of an old terminal.
///
/// Lines, blocks and braille are not in it: they are drawn from their geometry, see ``CellPainter``.
struct BitmapFont: Sendable {
    /// The columns and rows of a letter.
    static let width = 9
    static let height = 18

    /// The font.
    static let standard = BitmapFont()

    /// The rows of a letter, each with its pixels in the lowest nine bits.
    typealias Rows = [UInt16]

    private let regular: [Unicode.Scalar: Rows]
    private let bold: [Unicode.Scalar: Rows]

    private init() {
        regular = Self.read(Self.regularGlyphs)
        bold = Self.read(Self.boldGlyphs)
    }

    /// The rows of a letter; a frame for one that the font does not have.
    func rows(of scalar: Unicode.Scalar, isBold: Bool) -> Rows {
        if isBold, let rows = bold[scalar] { return rows }
        guard let rows = regular[scalar] else { return Self.missing }
        // Twice, one pixel apart: what a terminal does for a font without bold letters.
        return isBold ? rows.map { $0 | $0 >> 1 } : rows
    }

    /// Whether the font has a letter.
    func has(_ scalar: Unicode.Scalar) -> Bool { regular[scalar] != nil }

    private static let missing: Rows =
        [0, 0, 0, 0, 0x0FE] + Array(repeating: 0x082, count: 8) + [0x0FE, 0, 0, 0, 0]

    /// Reads letters, see ``regularGlyphs``; invalid entries are left out.
    private static func read(_ text: String) -> [Unicode.Scalar: Rows] {
        var letters: [Unicode.Scalar: Rows] = [:]
        for entry in text.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(whereSeparator: { "@:".contains($0) })
            guard parts.count == 3, let code = UInt32(parts[0], radix: 16), let scalar = Unicode.Scalar(code),
                let top = Int(parts[1], radix: 16)
            else { continue }
            var rows = Rows(repeating: 0, count: top)
            var rest = parts[2]
            while !rest.isEmpty {
                rows.append(UInt16(rest.prefix(3), radix: 16) ?? 0)
                rest = rest.dropFirst(3)
            }
            letters[scalar] = rows + Rows(repeating: 0, count: max(0, height - rows.count))
        }
        return letters
    }
}
