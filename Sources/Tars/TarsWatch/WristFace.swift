package import TarsApp
package import TarsModel
package import Terminal
import Text

/// The face of a watch: the things by room with their states, and shortcuts on the keys 1 to 9.
package struct WristFace: TerminalProgram {
    private let look: ResolvedTheme
    private let shown: () -> Wrist.Shown
    private let now: () -> Timestamp
    private let act: (WatchCommand.Order, String, Bool) -> Void
    private var selected = 0
    /// What waits for `c`.
    private var waiting: (order: WatchCommand.Order, subject: String)?

    /// Creates a face.
    ///
    /// - Parameters:
    ///   - look: The look on this terminal.
    ///   - shown: What is to be shown now.
    ///   - now: The wall clock.
    ///   - act: Sends a command for a subject; with whether it is confirmed. Returns at once.
    package init(
        look: ResolvedTheme, shown: @escaping () -> Wrist.Shown, now: @escaping () -> Timestamp,
        act: @escaping (WatchCommand.Order, String, Bool) -> Void
    ) {
        self.look = look
        self.shown = shown
        self.now = now
        self.act = act
    }

    package mutating func draw(in view: TerminalView) -> CellBuffer {
        var buffer = CellBuffer(view.size)
        let shown = shown()
        var row = 0
        func put(_ text: String, _ style: Style) {
            guard row < view.size.rows else { return }
            buffer.write(text.fitted(columns: view.size.columns), x: 0, y: row, style: style)
            row += 1
        }
        let plain = look.style(.normal, isBold: false)
        put(
            "TARS  " + (shown.isReachable ? "phone near" : "phone out of reach"),
            look.style(shown.isReachable ? .normal : .offline))
        if let notice = shown.notice { put(notice.sanitized, look.style(.critical)) }
        guard let home = shown.view else {
            put("waiting for the phone …", look.style(.offline))
            return look.finished(buffer)
        }
        let things = Self.things(home)
        var room: String??
        for (index, thing) in things.enumerated() {
            if room != .some(thing.appliance.room) {
                room = .some(thing.appliance.room)
                put((thing.appliance.room ?? "No room").sanitized, look.style(.offline))
            }
            let isOld = thing.isOld(at: now()) || thing.presence == .offline
            let status = shown.statuses[thing.appliance.id.description]
            var style = isOld ? look.style(.offline, isBold: false) : plain
            if case .refused = status { style = look.banner(.critical) }
            put(Self.line(thing, status, isSelected: index == selected, at: now()), style)
        }
        for (index, shortcut) in home.shortcuts.prefix(9).enumerated() {
            let status = shown.statuses[shortcut.id.description].map { "   " + HomeText.words($0, at: now()) } ?? ""
            put("\(index + 1) \(home.words(shortcut))\(status)".sanitized, plain)
        }
        row = max(row, view.size.rows - 1)
        let keys = waiting == nil ? "↑↓ choose  Enter act  1-9 shortcut  q end" : "c confirms, any other key does not"
        put(keys, look.style(waiting == nil ? .offline : .warning))
        return look.finished(buffer)
    }

    private static func line(
        _ thing: HomeView.Thing, _ status: CommandStatus?, isSelected: Bool, at now: Timestamp
    ) -> String {
        let words = status.map { "   " + HomeText.words($0, at: now) } ?? ""
        return "\(isSelected ? "▸" : " ") \(HomeText.line(thing, at: now))\(words)".sanitized
    }

    /// The things in the order of the rooms.
    private static func things(_ home: HomeView) -> [HomeView.Thing] {
        home.rooms.flatMap { room in home.things.filter { $0.appliance.room == room } }
    }

    package mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard case .key(let key) = input else { return .unchanged }
        if let waiting {
            self.waiting = nil
            if key == .character("c") { act(waiting.order, waiting.subject, true) }
            return .redraw
        }
        let home = shown().view
        let things = home.map(Self.things) ?? []
        switch key {
        case .character("q"): return .end
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(max(0, things.count - 1), selected + 1)
        case .enter:
            guard things.indices.contains(selected), let action = things[selected].usualAction else {
                return .unchanged
            }
            let appliance = things[selected].appliance
            begin(.act(appliance.id, action), appliance.id.description, mustConfirm: appliance.confirm)
        case .character(let digit):
            guard let home, let number = digit.wholeNumberValue, home.shortcuts.indices.contains(number - 1) else {
                return .unchanged
            }
            let shortcut = home.shortcuts[number - 1]
            begin(.run(shortcut.id), shortcut.id.description, mustConfirm: shortcut.confirm)
        default: return .unchanged
        }
        return .redraw
    }

    private mutating func begin(_ order: WatchCommand.Order, _ subject: String, mustConfirm: Bool) {
        if mustConfirm { waiting = (order, subject) } else { act(order, subject, false) }
    }
}

extension HomeView.Thing {
    /// What the Enter key does: the other state where it has two, else its first action.
    package var usualAction: Action? {
        for ability in appliance.abilities {
            switch ability {
            case .toggle: return .toggle
            case .press: return .press(hold: nil)
            case .lock: return state == "locked" ? .unlock : .lock
            case .open: return .open
            case .onOff where !appliance.abilities.contains(.toggle): return state == "on" ? .off : .on
            case .onOff, .stop, .program, .level, .position, .choose, .number: continue
            }
        }
        return nil
    }
}
