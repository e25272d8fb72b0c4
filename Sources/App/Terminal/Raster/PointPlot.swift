/// Signs at places in a plane, in a grid of characters, which are twice as high as wide.
package struct PointPlot {
    /// The rows, from the top to the bottom.
    package let lines: [String]
    /// The length that a row stands for, in the unit of the places.
    package let lengthPerRow: Double

    /// Draws places; all of them are on it, as large as they can be.
    ///
    /// - Parameters:
    ///   - places: The signs, each with its place to the right and upwards; a later one hides an earlier one.
    ///   - columns: The width, from 2.
    ///   - rows: The height, from 2.
    ///   - lengthMin: The least length of a row.
    package init(_ places: [(sign: Character, x: Double, y: Double)], columns: Int, rows: Int, lengthMin: Double) {
        let (left, right) = (places.map(\.x).min() ?? 0, places.map(\.x).max() ?? 0)
        let (bottom, top) = (places.map(\.y).min() ?? 0, places.map(\.y).max() ?? 0)
        let length = max((right - left) * 2 / Double(columns - 1), (top - bottom) / Double(rows - 1), lengthMin)
        var grid = [[Character]](repeating: [Character](repeating: " ", count: columns), count: rows)
        for place in places {
            let x = (columns - 1) / 2 + Int(((place.x - (left + right) / 2) * 2 / length).rounded())
            let y = (rows - 1) / 2 - Int(((place.y - (bottom + top) / 2) / length).rounded())
            grid[min(max(y, 0), rows - 1)][min(max(x, 0), columns - 1)] = place.sign
        }
        lines = grid.map { String($0) }
        lengthPerRow = length
    }
}
