/// What a person does at the terminal.
public enum TerminalInput: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// Text was pasted: lines separated by `\n`, without any other control character, at most 64 KiB.
    case paste(String)
    /// The mouse was used.
    case mouse(Mouse)
    /// The terminal's window got or lost the keyboard's focus; not all terminals report it.
    case focus(Bool)
}

/// What the mouse did, and where.
public struct Mouse: Hashable, Sendable {
    /// What a mouse does; moves are not requested, so that the terminal's own selection with Shift keeps working.
    public enum Action: Hashable, Sendable {
        /// The left button was pressed.
        case click
        /// The middle button was pressed.
        case middleClick
        /// The right button was pressed.
        case rightClick
        /// A button was released.
        case release
        /// The wheel turned away from the person, by one notch.
        case wheelUp
        /// The wheel turned to the person, by one notch.
        case wheelDown
    }

    /// What it did.
    public var action: Action
    /// The column of the cell, from 0 at the left.
    public var x: Int
    /// The row of the cell, from 0 at the top.
    public var y: Int

    /// Creates an action at a cell.
    public init(_ action: Action, x: Int, y: Int) {
        self.action = action
        self.x = x
        self.y = y
    }
}
