import Text

/// The screen of a small face: rows of text from the top, and below them what the keys do.
package struct TextRows {
    /// How many rows a sentence, and what the keys do, may take.
    private static let sentenceRowCountMax = 3
    private static let footRowCountMax = 2
    /// With fewer rows the foot has one.
    private static let lowRowCount = 8

    /// What is drawn so far.
    package var buffer: CellBuffer
    /// The next row.
    package var row = 0
    /// The look.
    package let look: ResolvedTheme
    /// The row behind the last one that is free.
    private let end: Int

    /// Begins a screen with its foot, which is never covered.
    ///
    /// - Parameters:
    ///   - size: The columns and rows.
    ///   - look: The look on this terminal.
    ///   - foot: What the keys do, in at most two rows, on a low screen in one.
    ///   - style: The style of the foot; nil for a quiet one.
    package init(_ size: Size, _ look: ResolvedTheme, foot: String, _ style: Style? = nil) {
        self.look = look
        buffer = CellBuffer(size)
        // What one key does stays in one row.
        let lines = foot.replacing("  ", with: "\t").replacing(" ", with: "\u{A0}").replacing("\t", with: "  ")
            .wrapped(columns: size.columns, lines: size.rows < Self.lowRowCount ? 1 : Self.footRowCountMax)
            .map { $0.replacing("\u{A0}", with: " ") }
        end = max(0, size.rows - lines.count)
        for (number, line) in lines.enumerated() where end + number < size.rows {
            buffer.write(line, x: 0, y: end + number, style: style ?? look.style(.offline))
        }
    }

    /// How many rows are free.
    package var free: Int { max(0, end - row) }

    /// Writes one row, shortened if it is longer.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: Its style.
    ///   - mark: What stands before it; its blanks stay as they are.
    package mutating func put(_ text: String, _ style: Style, mark: String = "") {
        write((mark + text.sanitized).fitted(columns: buffer.size.columns), style)
    }

    /// Writes a sentence in as many rows as it needs, at most three.
    package mutating func say(_ text: String, _ style: Style) {
        for line in text.sanitized.wrapped(columns: buffer.size.columns, lines: Self.sentenceRowCountMax) {
            write(line, style)
        }
    }

    private mutating func write(_ line: String, _ style: Style) {
        guard row < end else { return }
        buffer.write(line, x: 0, y: row, style: style)
        row += 1
    }

    /// The screen with the ground of its look.
    package var finished: CellBuffer { look.finished(buffer) }
}
