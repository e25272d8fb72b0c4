/// What ends when a person leaves a screen with `q`, so that hints, help and questions can say it.
public enum QuitEffect: Sendable {
    /// The hub, which runs in this process: it is asked about first, because nothing is received afterwards.
    case hub
    /// The screens only: the hub is another process.
    case view
    /// A watch; its hub is another process, and what waits is on the disk.
    case watch
    /// The whole demo, which keeps nothing.
    case demo

    /// The words for a line of hints, where there is little room.
    var hint: String {
        switch self {
        case .hub: "end hub"
        case .view, .watch: "quit"
        case .demo: "end demo"
        }
    }

    /// The words for the help.
    var action: String {
        switch self {
        case .hub: "end the hub; it asks first"
        case .view: "quit; the hub runs on"
        case .watch: "twice ends this watch; the hub runs on"
        case .demo: "end the demo; it asks first"
        }
    }

    /// The end of a sentence that names the key.
    var sentence: String {
        switch self {
        case .hub: "q ends the hub"
        case .view, .watch: "q quits"
        case .demo: "q ends the demo"
        }
    }

    /// The question of the hub's screens before it; nil if nothing ends but the screens.
    var question: String? {
        switch self {
        case .hub: "End the hub? Readings are not received while it is not running."
        case .demo: "End the demo? It keeps nothing."
        case .view, .watch: nil
        }
    }

    /// The question of a watch, which has little room for one; the same key answers it.
    var again: String {
        switch self {
        case .hub: "q again ends the hub"
        case .view, .watch: "q again ends this watch"
        case .demo: "q again ends the demo"
        }
    }
}
