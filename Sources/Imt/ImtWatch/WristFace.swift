package import ImtApp
package import ImtModel
package import Terminal

/// What the keys of a watch ask for.
package enum WristAction: Sendable {
    case list(WristCommand)
    case open(PatientPage.Row)
    case look(Transformation.ID, FaceView)
    case leave
    case name(WristReply.Row, PresetName)
    case lock, unlock
}

/// The face of a watch: the list, the transformations of a patient, and a pair of photos in half blocks.
package struct WristFace: TerminalProgram {
    private let look: ResolvedTheme
    private let shown: () -> Wrist.Shown
    private let act: (WristAction) -> Void
    /// The seconds without a key after which it locks.
    private let idleSeconds: Int
    private let seconds: () -> Int
    private var lastKey: Int
    private var selected = 0
    private var position = 0
    private var comparison = "fade"
    private var search: TextField?
    private var preset = 0

    /// Creates a face.
    ///
    /// - Parameters:
    ///   - look: The look on this terminal.
    ///   - idleSeconds: After so many seconds without a key it locks.
    ///   - seconds: A clock that only goes on, in seconds.
    ///   - shown: What is to be shown now.
    ///   - act: Does what a key asks for; returns at once.
    package init(
        look: ResolvedTheme, idleSeconds: Int, seconds: @escaping () -> Int, shown: @escaping () -> Wrist.Shown,
        act: @escaping (WristAction) -> Void
    ) {
        self.look = look
        self.idleSeconds = idleSeconds
        self.seconds = seconds
        self.shown = shown
        self.act = act
        lastKey = seconds()
    }

    // MARK: - Drawing

    package mutating func draw(in view: TerminalView) -> CellBuffer {
        let shown = shown()
        let quiet = look.style(.offline, isBold: false)
        var rows = TextRows(view.size, look, foot: foot(shown))
        rows.put(
            "IMT  " + (shown.isReachable ? "phone near" : "phone out of reach"),
            look.style(shown.isReachable ? .normal : .offline))
        if let notice = shown.notice { rows.say(notice, look.style(.critical)) }
        if shown.isLocked {
            rows.say("Locked: no photo is kept. Enter goes on.", look.style(.warning))
        } else if let pair = shown.pair {
            draw(pair, into: &rows)
        } else if let progress = shown.progress {
            rows.put("photos: \(progress.here / 1024) of \(progress.all / 1024) KiB", look.style(.normal))
        } else if let patient = shown.patient {
            rows.put("\(patient.given) \(patient.initial)", look.style(.normal))
            for (index, row) in shown.transformations.enumerated() {
                let views = row.complete.map(\.rawValue).joined(separator: ", ")
                rows.put(
                    "\(row.name ?? "without a name")  \(views.isEmpty ? "not both photos" : views)", quiet,
                    mark: mark(index))
            }
        } else if shown.grants == nil {
            rows.put("waiting for the phone …", quiet)
        } else if let page = shown.page {
            rows.put("page \(page.number + 1) of \(page.pageCount)", quiet)
            for (index, row) in page.rows.enumerated() {
                let sides = row.sides.map(\.rawValue).joined(separator: "+")
                rows.put("\(row.given) \(row.initial)  \(row.count)  \(sides)", quiet, mark: mark(index))
            }
        } else {
            rows.say("this watch may not see the list: give imt.list", look.style(.warning))
        }
        return rows.finished
    }

    /// What the keys do.
    private func foot(_ shown: Wrist.Shown) -> String {
        if shown.isLocked { return "Enter go on  q end" }
        if shown.pair != nil { return "←→ fade  w wipe  s side by side  g ghost  Esc back" }
        if shown.progress != nil { return "Esc back  q end" }
        if shown.patient != nil {
            return "↑↓ choose  Enter photos  n name: \(PresetName.allCases[preset].text(in: .english))  ← back"
        }
        if let search { return "search: \(search.text)▏" }
        return shown.page == nil ? "q end" : "↑↓ choose  Enter open  ←→ page  / search  l lock  q end"
    }

    /// What stands before a row of a list.
    private func mark(_ index: Int) -> String { index == selected ? "▸ " : "  " }

    private func draw(_ pair: Wrist.Pair, into rows: inout TextRows) {
        let days = zip(["before", "after"], pair.days).map { "\($0) \($1 ?? "?")" }.joined(separator: "  ")
        let kind = comparison == "fade" || comparison == "wipe" ? "\(comparison) \(position) %" : comparison
        rows.say("\(days)  \(kind)\(pair.isAligned ? "" : "  not aligned")", look.style(.offline, isBold: false))
        let mode: Comparison =
            switch comparison {
            case "wipe": .wipe(position)
            case "side by side": .sideBySide
            case "ghost": .ghost
            default: .fade(position)
            }
        rows.picture(CompareFrame.size) { size in
            mode.picture(before: pair.before.shrunk(to: size), after: pair.after.shrunk(to: size))
        }
    }

    // MARK: - Keys

    package mutating func refresh(in view: TerminalView) -> TerminalAnswer {
        if seconds() - lastKey >= idleSeconds, !shown().isLocked { act(.lock) }
        return .redraw
    }

    package mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer {
        guard case .key(let key) = input else { return .unchanged }
        lastKey = seconds()
        let shown = shown()
        if shown.isLocked {
            if key == .character("q") { return .end }
            if key == .enter { act(.unlock) }
            return .redraw
        }
        if search != nil { return type(key) }
        if key == .character("q") { return .end }
        if key == .character("l") {
            act(.lock)
        } else if shown.pair != nil || shown.progress != nil {
            compare(key)
        } else if let patient = shown.patient {
            choose(key, among: shown.transformations, of: patient)
        } else if let page = shown.page {
            browse(key, page)
        }
        return .redraw
    }

    private mutating func type(_ key: Key) -> TerminalAnswer {
        switch key {
        case .enter:
            act(.list(.find(search?.text ?? "")))
            search = nil
        case .escape: search = nil
        default: _ = search?.press(key)
        }
        return .redraw
    }

    private mutating func compare(_ key: Key) {
        switch key {
        case .left: position = max(0, position - 1)
        case .right: position = min(100, position + 1)
        case .home: position = 0
        case .end: position = 100
        case .character("w"): comparison = comparison == "wipe" ? "fade" : "wipe"
        case .character("s"): comparison = comparison == "side by side" ? "fade" : "side by side"
        case .character("g"): comparison = comparison == "ghost" ? "fade" : "ghost"
        case .escape, .backspace: act(.leave)
        default: return
        }
    }

    private mutating func choose(_ key: Key, among rows: [WristReply.Row], of patient: PatientPage.Row) {
        switch key {
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(max(0, rows.count - 1), selected + 1)
        case .enter:
            guard rows.indices.contains(selected) else { return }
            act(.look(rows[selected].id, rows[selected].complete.first ?? .front))
        case .tab: preset = (preset + 1) % PresetName.allCases.count
        case .character("n"):
            guard rows.indices.contains(selected) else { return }
            act(.name(rows[selected], PresetName.allCases[preset]))
        case .left, .escape, .backspace:
            selected = 0
            act(.list(.page(0)))
        default: return
        }
    }

    private mutating func browse(_ key: Key, _ page: PatientPage) {
        switch key {
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(max(0, page.rows.count - 1), selected + 1)
        case .left: act(.list(.page(max(0, page.number - 1))))
        case .right: act(.list(.page(min(page.pageCount - 1, page.number + 1))))
        case .character("/"): search = TextField()
        case .enter:
            guard page.rows.indices.contains(selected) else { return }
            act(.open(page.rows[selected]))
            selected = 0
        default: return
        }
    }
}
