/// One cell of the terminal's grid.
///
/// Only a ``CellBuffer`` makes cells: it keeps the halves of wide characters together.
public struct Cell: Hashable, Sendable {
    /// The character; a space in the right half of a wide one.
    public let character: Character
    /// The columns that the character takes: 1 or 2, and 0 in the right half of a wide one.
    public let width: Int
    /// The colours and attributes.
    public let style: Style

    /// An empty cell of a style.
    public static func blank(_ style: Style) -> Cell { Cell(character: " ", width: 1, style: style) }
}
