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
    func fraction(of disturbance: LinkDisturbance) -> Double {
        switch self {
        case .cut: disturbance.cutUntil == nil ? 0 : 1
        case .delay: Double(disturbance.delayMilliseconds) / 5000
        case .drop: Double(Self.percent(disturbance.drop)) / 100
        case .duplicate: Double(Self.percent(disturbance.duplicate)) / 100
        case .reorder: Double(Self.percent(disturbance.reorder)) / 100
        }
    }

    func text(of disturbance: LinkDisturbance) -> String {
        switch self {
        case .cut: disturbance.cutUntil == nil ? "open" : "CUT"
        case .delay: "\(disturbance.delayMilliseconds) ms"
        case .drop: "\(Self.percent(disturbance.drop)) %"
        case .duplicate: "\(Self.percent(disturbance.duplicate)) %"
        case .reorder: "\(Self.percent(disturbance.reorder)) %"
        }
    }

    func count(in counts: LinkCounts) -> Int {
        switch self {
        case .cut: counts.lostInCuts
        case .delay: counts.delayed
        case .drop: counts.dropped
        case .duplicate: counts.duplicated
        case .reorder: counts.reordered
        }
    }

    /// Turns the knob by so many notches: 5 % each, or 100 ms; a cut lasts until somebody ends it.
    func turned(_ old: LinkDisturbance, by notches: Int, at now: Timestamp) -> LinkDisturbance {
        var new = old
        func chance(_ old: Double) -> Double { Double(min(100, max(0, Self.percent(old) + 5 * notches))) / 100 }
        switch self {
        case .cut:
            let end = now.advanced(byMilliseconds: Int64(LinkPatch.openCutSeconds) * 1000)
            new.cutUntil = notches > 0 ? old.cutUntil ?? end : nil
        case .delay: new.delayMilliseconds = min(5000, max(0, old.delayMilliseconds + 100 * notches))
        case .drop: new.drop = chance(old.drop)
        case .duplicate: new.duplicate = chance(old.duplicate)
        case .reorder: new.reorder = chance(old.reorder)
        }
        return new
    }

    /// Whether any knob is on.
    static func isAnyOn(_ disturbance: LinkDisturbance) -> Bool {
        allCases.contains { $0.fraction(of: disturbance) > 0 }
    }

    /// Whether all knobs show the same; when a cut ends is not shown.
    static func showSame(_ one: LinkDisturbance, _ other: LinkDisturbance) -> Bool {
        allCases.allSatisfy { $0.text(of: one) == $0.text(of: other) }
    }

    private static func percent(_ chance: Double) -> Int { Int((chance * 100).rounded()) }
}

extension HubConsole {
    func laboratoryRows(columns: Int) -> [PanelRow] {
        guard let watch = currentWatch else {
            return [PanelRow(nil, [TextRun("No watch is paired yet: i invites one.", look.quiet)])]
        }
        let disturbance = disturbance(of: watch)
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
                    TextRun("rev \(watch.revision.map { "\($0)" } ?? look.noValue) of \(hub.revision)", look.faint)
                ]),
            .blank,
        ]
        for knob in LinkFaultSetting.allCases { rows += [knobRow(knob, disturbance, watch, columns: columns), .blank] }
        let counts = watch.linkCounts ?? LinkCounts()
        rows.append(
            PanelRow(nil, [TextRun("of \(counts.messages) messages so far, both ways", look.faint)]))
        if LinkFaultSetting.isAnyOn(disturbance) {
            rows.append(PanelRow(nil, [TextRun("0 puts the link in order again", look.style(.warning, isBold: false))]))
        }
        return rows
    }

    private func knobRow(
        _ knob: LinkFaultSetting, _ disturbance: LinkDisturbance, _ watch: WatchConnection, columns: Int
    ) -> PanelRow {
        let value = knob.text(of: disturbance)
        let fraction = knob.fraction(of: disturbance)
        let isOn = fraction > 0
        let style = isOn ? look.style(knob == .cut ? .critical : .warning) : look.quiet
        let happened = knob.count(in: watch.linkCounts ?? LinkCounts())
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
        let none = hub.watches.isEmpty ? "no watch is paired yet; i invites one" : nil
        return [
            Command(
                [.left, .character("h"), .character("-")], label: look.isASCII ? "</>" : "←→", "less, more",
                unless: none
            ) { $0.turnKnob(by: -1) },
            Command([.right, .character("l"), .character("+")], label: "+", "more", unless: none) {
                $0.turnKnob(by: 1)
            },
            Command("c", "cut", unless: none) { console in
                console.disturb { old, now in
                    LinkFaultSetting.cut.turned(old, by: old.cutUntil == nil ? 1 : -1, at: now)
                }
            },
            Command("0", "in order", unless: none) { console in
                console.disturb { _, _ in LinkDisturbance() }
            },
            Command([.enter, .character(" ")], label: "enter", "on, off", unless: none) { $0.switchKnob() },
            Command("n", "next watch", unless: none) { console in
                let names = console.hub.watches.map(\.name)
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
        disturb { knob.turned($0, by: notches, at: $1) }
    }

    /// Off, or on at a strength that shows.
    private mutating func switchKnob() {
        let knob = selectedKnob
        disturb { old, now in
            let isOn = knob.fraction(of: old) > 0
            return knob.turned(old, by: isOn ? -100 : knob == .cut ? 1 : 6, at: now)
        }
    }

    private mutating func disturb(_ change: (LinkDisturbance, Timestamp) -> LinkDisturbance) {
        guard let watch = currentWatch else { return }
        let old = disturbance(of: watch)
        let new = change(old, hub.now)
        guard !LinkFaultSetting.showSame(new, old) else { return }
        state.disturbances[watch.name] = new
        let isAnyOn = LinkFaultSetting.isAnyOn(new)
        order(.links(isAnyOn ? .set(watch: watch.name, LinkPatch(new)) : .clear(watch: watch.name)))
    }

    /// Forgets what was set here as soon as the snapshot shows it.
    mutating func followDisturbances() {
        for watch in hub.watches {
            guard let wanted = state.disturbances[watch.name],
                LinkFaultSetting.showSame(wanted, watch.disturbance ?? LinkDisturbance())
            else { continue }
            state.disturbances[watch.name] = nil
        }
        let names = Set(hub.watches.map(\.name))
        state.disturbances = state.disturbances.filter { names.contains($0.key) }
    }
}
