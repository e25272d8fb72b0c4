/// A key that was pressed.
public enum Key: Hashable, Sendable {
    /// A key that writes a character.
    case character(Character)
    /// A letter or sign with Control, in lower case: `l` for ^L.
    case control(Character)
    /// A character with Alt.
    case alt(Character)
    /// The Enter key.
    case enter
    /// The Tab key.
    case tab
    /// The Tab key with Shift.
    case backTab
    /// The Escape key.
    case escape
    /// The key that deletes to the left.
    case backspace
    /// The key that deletes to the right.
    case delete
    /// The Insert key.
    case insert
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The arrow to the left.
    case left
    /// The arrow to the right.
    case right
    /// The Home key.
    case home
    /// The End key.
    case end
    /// The Page Up key.
    case pageUp
    /// The Page Down key.
    case pageDown
    /// A function key, 1…20.
    case function(Int)
}
