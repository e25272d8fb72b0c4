import PoolControl
import PoolModel

/// What can be disturbed on a link.
enum LinkFaultSetting: String, CaseIterable, Sendable {
    case cut
    case delay
    case drop
    case duplicate
    case reorder

    var explanation: String {
        switch self {
        case .cut: "nothing gets through"
        case .delay: "messages come late"
        case .drop: "messages get lost"
        case .duplicate: "messages come twice"
        case .reorder: "messages overtake others"
        }
    }

    /// From 0 to 1.
    func fraction(of trouble: LinkTrouble) -> Double {
        switch self {
        case .cut: trouble.isCut ? 1 : 0
        case .delay: Double(trouble.delayMilliseconds) / 5000
        case .drop: Double(trouble.dropPercent) / 100
        case .duplicate: Double(trouble.duplicatePercent) / 100
        case .reorder: Double(trouble.reorderPercent) / 100
        }
    }

    func text(of trouble: LinkTrouble) -> String {
        switch self {
        case .cut: trouble.isCut ? "CUT" : "open"
        case .delay: "\(trouble.delayMilliseconds) ms"
        case .drop: "\(trouble.dropPercent) %"
        case .duplicate: "\(trouble.duplicatePercent) %"
        case .reorder: "\(trouble.reorderPercent) %"
        }
    }

    func count(in counts: LinkTroubleCounts) -> Int {
        switch self {
        case .cut: counts.lostInCuts
        case .delay: counts.delayed
        case .drop: counts.dropped
        case .duplicate: counts.duplicated
        case .reorder: counts.reordered
        }
    }

    /// Turns the knob by so many notches: 5 % each, or 100 ms.
    func turned(_ trouble: LinkTrouble, by notches: Int) -> LinkTrouble {
        var new = trouble
        func percent(_ old: Int) -> Int { min(100, max(0, old + 5 * notches)) }
        switch self {
        case .cut: new.isCut = notches > 0
        case .delay: new.delayMilliseconds = min(5000, max(0, trouble.delayMilliseconds + 100 * notches))
        case .drop: new.dropPercent = percent(trouble.dropPercent)
        case .duplicate: new.duplicatePercent = percent(trouble.duplicatePercent)
        case .reorder: new.reorderPercent = percent(trouble.reorderPercent)
        }
        return new
    }
}

extension HubConsole {
    func laboratoryRows(columns: Int) -> [PanelRow] {
        guard let watch = currentWatch else {
            return [PanelRow(nil, [TextRun("No watch is paired yet: i invites one.", look.quiet)])]
        }
        let trouble = trouble(of: watch)
        let (status, words) = stateWords(watch)
        var rows = [
            PanelRow(nil, [TextRun("Disturb this link on purpose, and watch the sync repair it.", look.faint)]),
            .blank,
            PanelRow(
                nil,
                [
                    TextRun("\(look.glyph(status)) ", look.style(status)), TextRun(watch.name.sanitized, look.strong),
                    TextRun("  \(words)", look.quiet),
                ],
                trailing: [
                    TextRun("rev \(watch.revision.map { "\($0)" } ?? look.noValue) of \(snapshot.revision)", look.faint)
                ]),
            .blank,
        ]
        for knob in LinkFaultSetting.allCases { rows += [knobRow(knob, trouble, watch, columns: columns), .blank] }
        let counts = watch.troubleCounts
        rows.append(
            PanelRow(nil, [TextRun("of \(counts.messages) messages so far, both ways", look.faint)]))
        if trouble.isAny {
            rows.append(PanelRow(nil, [TextRun("0 puts the link in order again", look.style(.warning, isBold: false))]))
        }
        return rows
    }

    private func knobRow(_ knob: LinkFaultSetting, _ trouble: LinkTrouble, _ watch: WatchItem, columns: Int) -> PanelRow
    {
        let value = knob.text(of: trouble)
        let fraction = knob.fraction(of: trouble)
        let isOn = fraction > 0
        let style = isOn ? look.style(knob == .cut ? .critical : .warning) : look.quiet
        let happened = knob.count(in: watch.troubleCounts)
        let first = PanelLine(
            [
                TextRun(
                    knob.rawValue + String(repeating: " ", count: max(1, 11 - knob.rawValue.count)),
                    isOn ? look.strong : look.quiet),
                TextRun(knob.explanation, look.faint),
            ], trailing: [TextRun(value, style)])
        let tally = "\(happened)×"
        let bar = look.bar(fraction, columns: max(4, columns - 10), style)
        return PanelRow(
            .knob(knob),
            [
                first,
                PanelLine(
                    bar,
                    trailing: [TextRun(look.isASCII ? "\(happened)x" : tally, happened > 0 ? look.quiet : look.faint)]
                ),
            ])
    }

    var laboratoryCommands: [Command] {
        let none = snapshot.watches.isEmpty ? "no watch is paired yet; i invites one" : nil
        return [
            Command(
                [.left, .character("h"), .character("-")], label: look.isASCII ? "</>" : "←→", "less, more",
                unless: none
            ) { $0.turnKnob(by: -1) },
            Command([.right, .character("l"), .character("+")], label: "+", "more", unless: none) {
                $0.turnKnob(by: 1)
            },
            Command("c", "cut", unless: none) { console in
                console.disturb { $0.isCut.toggle() }
            },
            Command("0", "in order", unless: none) { console in
                console.disturb { $0 = LinkTrouble() }
            },
            Command([.enter, .character(" ")], label: "enter", "on, off", unless: none) { $0.switchKnob() },
            Command("n", "next watch", unless: none) { console in
                let names = console.snapshot.watches.map(\.name)
                guard let name = console.currentWatch?.name, let index = names.firstIndex(of: name) else { return }
                console.select(.watch(names[(index + 1) % names.count]), in: .watches)
            },
        ]
    }

    private var selectedKnob: LinkFaultSetting {
        if case .knob(let knob) = selection(of: .laboratory) { knob } else { .cut }
    }

    private mutating func turnKnob(by notches: Int) {
        let knob = selectedKnob
        disturb { $0 = knob.turned($0, by: notches) }
    }

    /// Off, or on at a strength that shows.
    private mutating func switchKnob() {
        let knob = selectedKnob
        disturb { trouble in
            let isOn = knob.fraction(of: trouble) > 0
            trouble = knob.turned(trouble, by: isOn ? -100 : knob == .cut ? 1 : 6)
        }
    }

    private mutating func disturb(_ change: (inout LinkTrouble) -> Void) {
        guard let watch = currentWatch else { return }
        let old = trouble(of: watch)
        var new = old
        change(&new)
        guard new != old else { return }
        state.troubles[watch.name] = new
        order(.links(new.isAny ? .set(watch: watch.name, LinkPatch(new)) : .clear(watch: watch.name)))
    }

    /// Forgets what was set here as soon as the snapshot shows it.
    mutating func followTroubles() {
        for watch in snapshot.watches where state.troubles[watch.name] == watch.trouble {
            state.troubles[watch.name] = nil
        }
        let names = Set(snapshot.watches.map(\.name))
        state.troubles = state.troubles.filter { names.contains($0.key) }
    }
}
