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

extension Key {
    /// The key as it is printed in hints, such as `^L`, `Tab` or `F1`.
    public var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character).sanitized.nonEmpty ?? "this key"
        case .control(" "): "^Space"
        case .control(let character): "^\(String(character).uppercased())"
        case .alt(let character): "Alt-\(character)"
        case .enter: "Enter"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Delete"
        case .insert: "Insert"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "Page Up"
        case .pageDown: "Page Down"
        case .function(let number): "F\(number)"
        }
    }
}
