/// The position of a text in its columns.
public enum TextAlignment: Sendable {
    /// At the left end.
    case leading
    /// In the middle; an odd blank column is at the right.
    case center
    /// At the right end.
    case trailing
}

extension CellBuffer {
    /// Writes text from left to right, over at most `limit` columns, and returns the column after it.
    ///
    /// Characters without width are left out. A wide character that would cross the end is left out, with all that
    /// follows.
    @discardableResult
    public mutating func write(_ text: String, x: Int, y: Int, style: Style, limit: Int? = nil) -> Int {
        let end = limit.map { min(size.columns, x + max(0, $0)) } ?? size.columns
        var column = x
        for character in text {
            let width = displayWidth(character)
            if column + width > end { break }
            put(character, x: column, y: y, style: style)
            column += width
        }
        return column
    }

    /// Writes text into a number of columns, shortened with an ellipsis if it is longer.
    /// - Returns: The column after the text.
    @discardableResult
    public mutating func write(
        _ text: String, x: Int, y: Int, columns: Int, alignment: TextAlignment, style: Style
    ) -> Int {
        let fitted = text.fitted(columns: columns)
        let free = max(0, columns - fitted.displayWidth)
        let offset =
            switch alignment {
            case .leading: 0
            case .center: free / 2
            case .trailing: free
            }
        return write(fitted, x: x + offset, y: y, style: style, limit: columns - offset)
    }
}

extension String {
    /// The columns that the text takes on a terminal.
    public var displayWidth: Int {
        reduce(0) { $0 + Terminal.displayWidth($1) }
    }

    /// The text if it fits in these columns, else its beginning with an ellipsis.
    ///
    /// A wide character is never cut in half; the result may be a column shorter for that.
    public func fitted(columns: Int) -> String {
        guard displayWidth > columns else { return self }
        guard columns > 0 else { return "" }
        var result = ""
        var used = 0
        for character in self {
            let width = Terminal.displayWidth(character)
            if used + width > columns - 1 { break }
            result.append(character)
            used += width
        }
        return result + "…"
    }
}
