/// A grid of cells to draw on; drawing outside of it is clipped.
///
/// A cell never contains a control character, and a wide character always has both of its halves.
public struct CellBuffer: Equatable, Sendable {
    /// The columns and rows.
    public let size: Size
    private var cells: [Cell]

    /// Creates a buffer of blank cells on a background.
    public init(_ size: Size, background: AdaptiveColor = .terminalDefault) {
        self.size = size
        cells = Array(
            repeating: .blank(Style(.terminalDefault, on: background)), count: size.columns * size.rows)
    }

    /// The cell at a position inside the buffer.
    /// - Precondition: `0 ≤ x < columns` and `0 ≤ y < rows`.
    public subscript(x: Int, y: Int) -> Cell {
        precondition(contains(x, y), "no cell at column \(x), row \(y) of \(size)")
        return cells[y * size.columns + x]
    }

    /// Draws one character; it is left out if it has no width or does not fit completely.
    public mutating func put(_ character: Character, x: Int, y: Int, style: Style) {
        let width = displayWidth(character)
        guard width > 0, contains(x, y), x + width <= size.columns else { return }
        set(Cell(character: character, width: width, style: resolved(style, x, y)), x, y)
        if width == 2 {
            set(Cell(character: " ", width: 0, style: resolved(style, x, y)), x + 1, y)
        }
    }

    /// Fills a rectangle with a character of width 1.
    public mutating func fill(_ rect: Rect, style: Style, character: Character = " ") {
        for y in clipped(rect.y, rect.endY, size.rows) {
            for x in clipped(rect.x, rect.endX, size.columns) {
                put(character, x: x, y: y, style: style)
            }
        }
    }

    /// Draws the outline of a rectangle.
    public mutating func outline(_ rect: Rect, style: Style, glyphs: OutlineGlyphs) {
        guard rect.size.columns >= 2, rect.size.rows >= 2 else { return }
        let (right, bottom) = (rect.endX - 1, rect.endY - 1)
        for x in rect.x + 1..<right {
            put(glyphs.horizontal, x: x, y: rect.y, style: style)
            put(glyphs.horizontal, x: x, y: bottom, style: style)
        }
        for y in rect.y + 1..<bottom {
            put(glyphs.vertical, x: rect.x, y: y, style: style)
            put(glyphs.vertical, x: right, y: y, style: style)
        }
        put(glyphs.upperLeft, x: rect.x, y: rect.y, style: style)
        put(glyphs.upperRight, x: right, y: rect.y, style: style)
        put(glyphs.lowerLeft, x: rect.x, y: bottom, style: style)
        put(glyphs.lowerRight, x: right, y: bottom, style: style)
    }

    /// Draws another buffer over this one, with its upper left corner at a position.
    public mutating func overlay(_ other: CellBuffer, x: Int, y: Int) {
        for row in clipped(-y, size.rows - y, other.size.rows) {
            for column in clipped(-x, size.columns - x, other.size.columns) {
                let cell = other[column, row]
                if cell.width > 0 { put(cell.character, x: x + column, y: y + row, style: cell.style) }
            }
        }
    }

    /// Copies rows of another buffer of the same size.
    package mutating func copy(rows: Range<Int>, from other: CellBuffer) {
        let range = rows.lowerBound * size.columns..<rows.upperBound * size.columns
        cells.replaceSubrange(range, with: other.cells[range])
    }

    /// The buffer with each character that is not ASCII replaced, by `?` if there is no replacement for it.
    public func asciiOnly(_ replacements: [Character: Character]) -> CellBuffer {
        var result = self
        for index in cells.indices {
            let cell = cells[index]
            let folded = cell.character.isASCII && cell.width == 1
            let character = folded ? cell.character : replacements[cell.character] ?? "?"
            result.cells[index] = Cell(character: character, width: 1, style: cell.style)
        }
        return result
    }

    /// The characters without styles, one line for each row, without spaces at the ends of lines.
    public var text: String {
        (0..<size.rows).map { y in
            var line = ""
            for x in 0..<size.columns where self[x, y].width > 0 { line.append(self[x, y].character) }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && x < size.columns && y >= 0 && y < size.rows
    }

    private func clipped(_ start: Int, _ end: Int, _ limit: Int) -> Range<Int> {
        let lower = min(limit, max(0, start))
        return lower..<max(lower, min(limit, end))
    }

    private func resolved(_ style: Style, _ x: Int, _ y: Int) -> Style {
        guard style.background == nil else { return style }
        var style = style
        style.background = self[x, y].style.background
        return style
    }

    /// Stores a cell; if it covers one half of a wide character, the other half becomes a blank.
    private mutating func set(_ cell: Cell, _ x: Int, _ y: Int) {
        let index = y * size.columns + x
        let covered = cells[index].width
        if covered == 0, x > 0, cell.width != 0 {
            cells[index - 1] = .blank(cells[index - 1].style)
        }
        if covered == 2, x + 1 < size.columns {
            cells[index + 1] = .blank(cells[index + 1].style)
        }
        cells[index] = cell
    }
}

/// The characters of an outline.
public struct OutlineGlyphs: Sendable {
    package let horizontal: Character
    package let vertical: Character
    package let upperLeft: Character
    package let upperRight: Character
    package let lowerLeft: Character
    package let lowerRight: Character

    /// Thin lines with round corners.
    public static let round = OutlineGlyphs(
        horizontal: "─", vertical: "│", upperLeft: "╭", upperRight: "╮", lowerLeft: "╰", lowerRight: "╯")
    /// Signs of the ASCII set.
    public static let ascii = OutlineGlyphs(
        horizontal: "-", vertical: "|", upperLeft: "+", upperRight: "+", lowerLeft: "+", lowerRight: "+")
}
