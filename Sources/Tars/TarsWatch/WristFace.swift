package import Appliances
package import TarsApp
package import Terminal
import Text

/// The face of a watch: the things by room with their states, and shortcuts on the keys 1 to 9.
package struct WristFace: TerminalProgram {
    /// What the keys are for.
    private enum Mode {
        /// They choose and act.
        case list
        /// `c` confirms this.
        case confirming(WatchCommand.Order, String)
        /// They write the name of a thing, or how long its button is held.
        case naming(Appliance, TextField)
        case holding(Appliance, TextField)
    }

    private let look: ResolvedTheme
    private let language: HomeLanguage
    private let shown: () -> Wrist.Shown
    private let now: () -> Timestamp
    private let act: (WatchCommand.Order, String, Bool) -> Void
    private let renameThing: (Appliance.ID, String) -> Void
    private var selected = 0
    private var mode = Mode.list
    /// Why what was typed counts for nothing.
    private var problem: String?

    /// Creates a face.
    ///
    /// - Parameters:
    ///   - look: The look on this terminal.
    ///   - language: The language of its words.
    ///   - shown: What is to be shown now.
    ///   - now: The wall clock.
    ///   - act: Sends a command for a subject, with whether it is confirmed; returns at once.
    ///   - rename: Gives a thing a name; returns at once.
    package init(
        look: ResolvedTheme, language: HomeLanguage = .english, shown: @escaping () -> Wrist.Shown,
        now: @escaping () -> Timestamp, act: @escaping (WatchCommand.Order, String, Bool) -> Void,
        rename: @escaping (Appliance.ID, String) -> Void
    ) {
        self.look = look
        self.language = language
        self.shown = shown
        self.now = now
        self.act = act
        renameThing = rename
    }

    // MARK: - What is shown

    package mutating func draw(in view: TerminalView) -> CellBuffer {
        let shown = shown()
        let (foot, footStyle) = bottom
        var rows = TextRows(view.size, look, foot: foot, footStyle)
        let plain = look.style(.normal, isBold: false)
        let phone: Phrase = shown.isReachable ? .phoneNear : .phoneAway
        rows.put("TARS  " + phone.text(in: language), look.style(shown.isReachable ? .normal : .offline))
        if let notice = shown.notice { rows.say(notice, look.style(.critical)) }
        guard let home = shown.view else {
            rows.put(Phrase.waiting.text(in: language), look.style(.offline))
            return rows.finished
        }
        for lost in shown.lost { rows.say("⚠ \(lost)", look.style(.warning)) }
        let things = Self.things(home)
        // The chosen thing is always in sight.
        let room = rows.free
        let lines = lines(home, things, shown)
        let chosen = lines.firstIndex { $0.thing == selected } ?? 0
        let first = max(0, min(chosen - room / 2, lines.count - room))
        for line in lines.dropFirst(first).prefix(room) {
            // Rows that are not chosen stay below the chosen one.
            rows.put(line.text, line.style ?? plain, mark: String(line.text.prefix { $0 == " " }))
        }
        return rows.finished
    }

    /// The rows of the list; those of a thing have its number.
    private func lines(
        _ home: HomeView, _ things: [HomeView.Thing], _ shown: Wrist.Shown
    ) -> [(text: String, style: Style?, thing: Int?)] {
        var lines: [(text: String, style: Style?, thing: Int?)] = []
        var room: String??
        for (index, thing) in things.enumerated() {
            let appliance = thing.appliance
            if room != .some(appliance.room) {
                room = .some(appliance.room)
                lines.append((appliance.room ?? Phrase.noRoom.text(in: language), look.style(.offline), nil))
            }
            let isOld = thing.isOld(at: now()) || thing.presence == .offline
            var style = isOld ? look.style(.offline, isBold: false) : nil
            let status = shown.statuses[appliance.id.description]
            if case .refused = status { style = look.banner(.critical) }
            let mark = index == selected ? "▸" : " "
            lines.append(("\(mark) \(HomeText.line(thing, status, in: language, at: now()))", style, index))
        }
        for (index, shortcut) in home.shortcuts.prefix(9).enumerated() {
            let status = shown.statuses[shortcut.id.description].map { $0.words(in: language, at: now()) }
            lines.append(("\(index + 1) \(home.words(shortcut, in: language))  \(status ?? "")", nil, nil))
        }
        return lines
    }

    private var bottom: (String, Style) {
        if let problem { return (problem, look.style(.critical)) }
        switch mode {
        case .list: return (Phrase.keys.text(in: language), look.style(.offline))
        case .confirming: return (Phrase.confirm.text(in: language), look.style(.warning))
        case .naming(_, let field): return (Phrase.newName.text(in: language) + field.text + "▏", look.style(.warning))
        case .holding(_, let field):
            return (Phrase.holdTime.text(in: language) + field.text + "▏", look.style(.warning))
        }
    }

    /// The things in the order of the rooms.
    private static func things(_ home: HomeView) -> [HomeView.Thing] {
        home.rooms.flatMap { room in home.things.filter { $0.appliance.room == room } }
    }

    // MARK: - Keys

    package mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard case .key(let key) = input else { return .unchanged }
        problem = nil
        switch mode {
        case .list: return choose(key)
        case .confirming(let order, let subject):
            mode = .list
            if key == .character("c") { act(order, subject, true) }
        case .naming(let appliance, var field):
            if field.press(key) {
                mode = .naming(appliance, field)
            } else {
                mode = .list
                if key == .enter { rename(appliance, field.text) }
            }
        case .holding(let appliance, var field):
            if field.press(key) {
                mode = .holding(appliance, field)
            } else {
                mode = .list
                if key == .enter { hold(appliance, field.text) }
            }
        }
        return .redraw
    }

    private mutating func choose(_ key: Key) -> TerminalAnswer {
        let home = shown().view
        let things = home.map(Self.things) ?? []
        let thing = things.indices.contains(selected) ? things[selected] : nil
        switch key {
        case .character("q"): return .end
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(max(0, things.count - 1), selected + 1)
        case .enter:
            guard let thing, let action = thing.usualAction else { return .unchanged }
            begin(action, of: thing.appliance)
        case .character("h"):
            guard let thing, thing.appliance.abilities.contains(where: \.canHold) else { return .unchanged }
            mode = .holding(thing.appliance, TextField("1s"))
        case .character("r"):
            guard let thing else { return .unchanged }
            mode = .naming(thing.appliance, TextField(thing.appliance.name))
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

    private mutating func rename(_ appliance: Appliance, _ name: String) {
        do throws(ModelProblem) {
            try Limit.check(name: name)
            renameThing(appliance.id, name)
        } catch {
            problem = error.description
        }
    }

    private mutating func hold(_ appliance: Appliance, _ time: String) {
        do throws(ModelProblem) {
            let action = try Action("press \(time)")
            try appliance.check(action)
            begin(action, of: appliance)
        } catch {
            problem = error.description
        }
    }

    private mutating func begin(_ action: Action, of appliance: Appliance) {
        begin(.act(appliance.id, action), appliance.id.description, mustConfirm: appliance.confirm)
    }

    private mutating func begin(_ order: WatchCommand.Order, _ subject: String, mustConfirm: Bool) {
        if mustConfirm { mode = .confirming(order, subject) } else { act(order, subject, false) }
    }
}

extension Ability {
    /// Whether it is a button that can be held.
    fileprivate var canHold: Bool { if case .press(let holdMax) = self { holdMax > .zero } else { false } }
}

extension HomeView.Thing {
    /// Whether it is on, or open or bright at all, by the state that is shown.
    private var isOn: Bool {
        guard let state, state.hasSuffix(" %") else { return state == "on" }
        return Double(state.dropLast(2)).map { $0 > 0 } ?? false
    }

    /// What the Enter key does: the other state where it has two, else its first action.
    ///
    /// On and off go before a toggle: what is asked for is seen, and no dialect lacks them.
    package var usualAction: Action? {
        for ability in appliance.abilities {
            switch ability {
            case .toggle where !appliance.abilities.contains(.onOff): return .toggle
            case .press: return .press(hold: nil)
            case .lock: return state == "locked" ? .unlock : .lock
            case .open: return .open
            case .onOff: return isOn ? .off : .on
            case .toggle, .stop, .program, .level, .position, .choose, .number: continue
            }
        }
        return nil
    }
}
