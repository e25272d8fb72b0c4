/// A number of columns and rows.
public struct Size: Hashable, Sendable {
    /// The columns; 0…1000.
    public let columns: Int
    /// The rows; 0…500.
    public let rows: Int

    /// Creates a size, limited to 0…1000 columns and 0…500 rows.
    ///
    /// Without the limits, a terminal that reports 65 535 × 65 535 would use up the memory.
    public init(columns: Int, rows: Int) {
        self.columns = min(1000, max(0, columns))
        self.rows = min(500, max(0, rows))
    }

    /// Whether another size fits into this one.
    public func contains(_ other: Size) -> Bool { other.columns <= columns && other.rows <= rows }
}

/// A rectangle of cells; its origin may be outside of a buffer; drawing clips it.
public struct Rect: Hashable, Sendable {
    /// The column of the left edge.
    public var x: Int
    /// The row of the upper edge.
    public var y: Int
    /// The columns and rows that it covers.
    public var size: Size

    /// Creates a rectangle; negative extents count as zero.
    public init(x: Int, y: Int, columns: Int, rows: Int) {
        self.x = x
        self.y = y
        size = Size(columns: columns, rows: rows)
    }

    /// The column right of the right edge.
    public var endX: Int { x + size.columns }
    /// The row below the lower edge.
    public var endY: Int { y + size.rows }

    /// The rectangle without a border of this many columns and rows at each side.
    public func inset(columns: Int, rows: Int) -> Rect {
        Rect(x: x + columns, y: y + rows, columns: size.columns - 2 * columns, rows: size.rows - 2 * rows)
    }
}
