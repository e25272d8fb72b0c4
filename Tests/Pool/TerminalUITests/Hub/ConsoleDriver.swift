import PoolControl
import PoolModel
import TerminalUI

/// A console at the keyboard of a test: keys in words, and a hub that answers.
struct ConsoleDriver {
    var console: HubConsole
    var snapshot: HubSnapshot
    var size: Size
    /// All orders so far.
    private(set) var orders: [HubOrder] = []
    /// What the hub answers to an order; nil for nothing.
    var answer: (HubCommand) -> HubReply? = { _ in .done("done") }

    init(
        _ sample: SampleHub, columns: Int = 48, rows: Int = 36, depth: ColorDepth = .truecolor, isASCII: Bool = false,
        theme: Theme = Theme(), quits: QuitEffect = .view
    ) {
        self.init(
            sample.snapshot, columns: columns, rows: rows, depth: depth, isASCII: isASCII, theme: theme, quits: quits)
    }

    init(
        _ snapshot: HubSnapshot, columns: Int = 48, rows: Int = 36, depth: ColorDepth = .truecolor,
        isASCII: Bool = false, theme: Theme = Theme(), quits: QuitEffect = .view
    ) {
        self.snapshot = snapshot
        size = Size(columns: columns, rows: rows)
        console = HubConsole(theme: theme, capabilities: Capabilities(depth: depth, isASCII: isASCII), quits: quits)
        update()
    }

    var text: String { console.draw().text }

    /// The commands, but for charts and readings.
    var commands: [HubCommand] {
        orders.map(\.command).filter { command in
            switch command {
            case .history(.series), .history(.page): false
            default: true
            }
        }
    }

    /// What a person types: named keys, and text between them; parted by blanks.
    mutating func type(_ script: String) {
        for word in script.split(separator: " ") {
            if let key = Self.named[String(word)] {
                press(key)
            } else {
                for character in word { press(.character(character)) }
            }
        }
    }

    mutating func press(_ key: Key) { take(console.handle(.key(key))) }

    mutating func handle(_ input: ConsoleInput) { take(console.handle(input)) }

    mutating func update() { take(console.update(snapshot, size: size)) }

    /// Lets the hub answer an invitation with the code of the sample.
    mutating func invites() {
        snapshot.invitation = SampleHub.invitation
        answer = {
            if case .invite(_, let seconds) = $0 {
                .invitation(code: "", validForSeconds: seconds)
            } else {
                .done("done")
            }
        }
        update()
    }

    private mutating func take(_ new: [HubOrder]) {
        orders += new
        let answers = new.compactMap { order in
            answer(order.command).map { HubAnswer(number: order.number, reply: $0) }
        }
        guard !answers.isEmpty else { return }
        snapshot.answers = Array((snapshot.answers + answers).suffix(32))
        update()
    }

    private static let named: [String: Key] = [
        "enter": .enter, "esc": .escape, "tab": .tab, "backtab": .backTab, "up": .up, "down": .down, "left": .left,
        "right": .right, "home": .home, "end": .end, "bs": .backspace, "del": .delete, "space": .character(" "),
        "F1": .function(1), "F2": .function(2), "F3": .function(3),
        "F4": .function(4), "F5": .function(5), "pgdn": .pageDown, "pgup": .pageUp,
    ]
}
