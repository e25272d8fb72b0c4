/// What a person does at the hub's screens.
package enum HubEvent: Equatable, Sendable {
    /// A key.
    case key(Key)
    /// Text that was pasted as a whole.
    case paste(String)
    /// The main button of the mouse at a column and a row, from 0.
    case click(x: Int, y: Int)
    /// The wheel of the mouse at a column and a row: positive for down, one a notch.
    case wheel(x: Int, y: Int, notches: Int)
}
