/// What a person does at the hub's screens.
package enum ConsoleInput: Equatable, Sendable {
    /// A key.
    case key(Key)
    /// Text that was pasted as a whole.
    case paste(String)
    /// The main button of the mouse at a column and a row, from 0.
    case click(x: Int, y: Int)
    /// The wheel of the mouse at a column and a row: positive for down, one a notch.
    case wheel(x: Int, y: Int, notches: Int)
}

extension ConsoleInput {
    /// The input of a terminal as the screens handle it; nil for what they ignore.
    package init?(_ input: TerminalInput) {
        switch input {
        case .key(let key): self = .key(key)
        case .paste(let text): self = .paste(text)
        case .mouse(let mouse):
            switch mouse.action {
            case .click: self = .click(x: mouse.x, y: mouse.y)
            case .wheelUp: self = .wheel(x: mouse.x, y: mouse.y, notches: -1)
            case .wheelDown: self = .wheel(x: mouse.x, y: mouse.y, notches: 1)
            case .middleClick, .rightClick, .release: return nil
            }
        case .focus: return nil
        }
    }
}
