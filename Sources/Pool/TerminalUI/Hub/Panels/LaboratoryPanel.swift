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
    func fraction(of faults: LinkDisturbance) -> Double {
        switch self {
        case .cut: faults.cutUntil == nil ? 0 : 1
        case .delay: Double(faults.delayMilliseconds) / 5000
        case .drop: Double(Self.percent(faults.drop)) / 100
        case .duplicate: Double(Self.percent(faults.duplicate)) / 100
        case .reorder: Double(Self.percent(faults.reorder)) / 100
        }
    }

    func text(of faults: LinkDisturbance) -> String {
        switch self {
        case .cut: faults.cutUntil == nil ? "open" : "CUT"
        case .delay: "\(faults.delayMilliseconds) ms"
        case .drop: "\(Self.percent(faults.drop)) %"
        case .duplicate: "\(Self.percent(faults.duplicate)) %"
        case .reorder: "\(Self.percent(faults.reorder)) %"
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

    /// Turns the knob by so many notches: 5 % each, or 100 ms; a cut lasts until a person ends it.
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
    static func isAnyOn(_ faults: LinkDisturbance) -> Bool {
        allCases.contains { $0.fraction(of: faults) > 0 }
    }

    /// Whether all knobs show the same; when a cut ends is not shown.
    static func showSame(_ one: LinkDisturbance, _ other: LinkDisturbance) -> Bool {
        allCases.allSatisfy { $0.text(of: one) == $0.text(of: other) }
    }

    private static func percent(_ chance: Double) -> Int { Int((chance * 100).rounded()) }
}

/// The faults that are set on the link of a watch on purpose.
struct LaboratoryPanel: HubPanel {
    let id = PanelID.laboratory
    private(set) var selected: RowID?
    /// The faults that were set here and do not show in the snapshot yet, by the name of the watch.
    private(set) var pendingFaults: [WatchID: LinkDisturbance] = [:]

    var prefersColumn: Bool { true }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle {
        let watch = context.watch.map { " \(context.look.separator) \($0.name.sanitized)" } ?? ""
        return PanelTitle(text: "Link laboratory" + watch)
    }

    // MARK: Rows

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let look = context.look
        guard let watch = context.watch else {
            return PanelList([PanelRow(nil, [TextRun("No watch is paired yet: i invites one.", look.quiet)])])
        }
        let faults = context.faults(of: watch)
        let (status, words) = WatchesPanel.state(of: watch, in: context)
        var rows = [
            PanelRow(nil, [TextRun("Disturb this link on purpose, and watch the sync repair it.", look.faint)]),
            .blank,
            PanelRow(
                nil,
                [
                    TextRun("\(look.glyph(status)) ", look.style(status)), TextRun(watch.name.sanitized, look.strong),
                    TextRun("  \(words)", look.quiet),
                ]),
            .blank,
        ]
        for setting in LinkFaultSetting.allCases {
            rows += [row(of: setting, faults, watch, columns: columns, look: look), .blank]
        }
        let counts = watch.linkCounts ?? LinkCounts()
        rows.append(
            PanelRow(nil, [TextRun("of \(counts.messages) messages so far, both ways", look.faint)]))
        if LinkFaultSetting.isAnyOn(faults) {
            rows.append(PanelRow(nil, [TextRun("0 puts the link in order again", look.style(.warning, isBold: false))]))
        }
        return PanelList(rows)
    }

    private func row(
        of setting: LinkFaultSetting, _ faults: LinkDisturbance, _ watch: WatchConnection, columns: Int,
        look: ResolvedTheme
    ) -> PanelRow {
        let value = setting.text(of: faults)
        let fraction = setting.fraction(of: faults)
        let isOn = fraction > 0
        let style = isOn ? look.style(setting == .cut ? .critical : .warning) : look.quiet
        let happened = setting.count(in: watch.linkCounts ?? LinkCounts())
        let first = PanelLine(
            [
                TextRun(
                    setting.rawValue + String(repeating: " ", count: max(1, 11 - setting.rawValue.count)),
                    isOn ? look.strong : look.quiet),
                TextRun(setting.explanation, look.faint),
            ], trailing: [TextRun(value, style)])
        let tally = "\(happened)×"
        let bar = look.bar(fraction, columns: max(4, columns - 10), style)
        return PanelRow(
            .linkFault(setting),
            [
                first,
                PanelLine(
                    bar,
                    trailing: [TextRun(look.isASCII ? "\(happened)x" : tally, happened > 0 ? look.quiet : look.faint)]
                ),
            ])
    }

    // MARK: Keys

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let none = context.hub.watches.isEmpty ? "no watch is paired yet; i invites one" : nil
        let (less, more) = context.look.isASCII ? ("<", ">") : ("←", "→")
        return [
            KeyCommand([.left], label: less, "less", unless: none) { $0.turn(by: -1, in: $1) },
            KeyCommand([.right], label: more, "more", unless: none) { $0.turn(by: 1, in: $1) },
            KeyCommand("X", "cut", unless: none) { panel, context in
                panel.change(in: context) {
                    LinkFaultSetting.cut.turned($0, by: $0.cutUntil == nil ? 1 : -1, at: context.hub.now)
                }
            },
            KeyCommand("0", "in order", unless: none) { $0.change(in: $1) { _ in LinkDisturbance() } },
            KeyCommand([.enter, .character(" ")], label: "enter", "on, off", unless: none) { $0.toggle(in: $1) },
            KeyCommand("N", "next", unless: none) { _, context in
                let ids = context.hub.watches.map(\.id)
                guard let id = context.watch?.id, let index = ids.firstIndex(of: id) else { return [] }
                return [.select(.watch(ids[(index + 1) % ids.count]), in: .watches)]
            },
        ]
    }

    func helpHints(in context: ScreenContext) -> [KeyHint] {
        hints(in: context) + [.select(context.look)]
    }

    private func setting(in context: ScreenContext) -> LinkFaultSetting {
        if case .linkFault(let setting) = selection(in: context) { setting } else { .cut }
    }

    private mutating func turn(by notches: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        let setting = setting(in: context)
        return change(in: context) { setting.turned($0, by: notches, at: context.hub.now) }
    }

    /// Switches the selected fault off, or on at a strength that shows.
    private mutating func toggle(in context: ScreenContext) -> [ConsoleOutcome] {
        let setting = setting(in: context)
        return change(in: context) { old in
            let isOn = setting.fraction(of: old) > 0
            return setting.turned(old, by: isOn ? -100 : setting == .cut ? 1 : 6, at: context.hub.now)
        }
    }

    private mutating func change(
        in context: ScreenContext, _ change: (LinkDisturbance) -> LinkDisturbance
    ) -> [ConsoleOutcome] {
        guard let watch = context.watch else { return [] }
        let old = context.faults(of: watch)
        let new = change(old)
        guard !LinkFaultSetting.showSame(new, old) else { return [] }
        pendingFaults[watch.id] = new
        let isAnyOn = LinkFaultSetting.isAnyOn(new)
        return [
            .orderSilently(
                .links(isAnyOn ? .set(watch: watch.id, LinkPatch(new)) : .clear(watch: watch.id)))
        ]
    }

    /// Forgets what was set here as soon as the snapshot shows it.
    mutating func update(in context: ScreenContext) -> [ConsoleOutcome] {
        let watches = Dictionary(context.hub.watches.map { ($0.id, $0) }) { first, _ in first }
        pendingFaults = pendingFaults.filter { id, wanted in
            guard let watch = watches[id] else { return false }
            return !LinkFaultSetting.showSame(wanted, watch.disturbance ?? LinkDisturbance())
        }
        return []
    }
}
