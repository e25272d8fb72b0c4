import PoolControl
import PoolModel

/// What a key, a click or news of the hub leads to; ``HubConsole`` carries it out.
enum ConsoleOutcome: Sendable {
    /// Sends a command to the hub; a toast shows the answer.
    case order(HubCommand)
    /// Sends a command whose answer only the next snapshots show.
    case orderSilently(HubCommand)
    /// Opens a dialog instead of the one that is open.
    case open(any HubDialog)
    /// Closes the dialog.
    case close
    /// Lets a panel fill the screen.
    case expand(PanelID)
    /// Shows the device that stands so many places after the present one, round in a ring.
    case showDevice(offset: Int)
    /// Shows a quantity in all panels.
    case showQuantity(Quantity)
    /// Passes a key on to another panel.
    case press(Key, in: PanelID)
    /// Puts a text into the terminal's clipboard, and says so; the name of a text that is too long to be shown.
    case copy(String, name: String? = nil)
    /// Shows a text alone on the terminal until the next key.
    case reveal(String)
    /// Leaves the screens.
    case leave
    /// Shows a short message.
    case toast(Toast.Kind, String)
}

/// A short message at the bottom of the screen.
struct Toast: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case done
        case refused
        case note
    }

    let kind: Kind
    let text: String
    private let until: Timestamp

    /// Creates a message that is shown for 3 s, or for 6 s if something was refused.
    init(_ kind: Kind, _ text: String, at now: Timestamp) {
        self.kind = kind
        self.text = text
        until = now.advanced(byMilliseconds: kind == .refused ? 6000 : 3000)
    }

    /// Whether it is still shown.
    func isShown(at now: Timestamp) -> Bool {
        let left = until.milliseconds(since: now)
        // A clock that was set back must not keep a message for hours.
        return left > 0 && left <= 10_000
    }
}
