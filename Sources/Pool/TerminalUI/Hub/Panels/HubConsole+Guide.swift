import PoolControl
import PoolModel

/// The steps of somebody who has nothing yet (P96).
enum FirstRunStage: Int, CaseIterable, Sendable {
    case server
    case device
    case thresholds
    case watch

    /// The first step that is neither done nor skipped, or nil.
    init?(_ hub: HubState, skipped: Set<FirstRunStage> = []) {
        let open = Self.allCases.first { !$0.isDone(hub) && !skipped.contains($0) }
        guard let open else { return nil }
        self = open
    }

    func isDone(_ hub: HubState) -> Bool {
        switch self {
        case .server: !hub.servers.isEmpty
        case .device: !hub.devices.isEmpty
        case .thresholds:
            hub.devices.contains { !$0.device.limits.isEmpty }
                || hub.pools.contains { !$0.limits.isEmpty }
        case .watch: !hub.watches.isEmpty
        }
    }

    var title: String {
        switch self {
        case .server: "Add a server"
        case .device: "Find your probe"
        case .thresholds: "Choose the limits"
        case .watch: "Pair a watch"
        }
    }

    var purpose: String {
        switch self {
        case .server: "The MQTT broker that your pool probes publish to. The hub only listens to it."
        case .device: "The hub listens for a while and lists what looks like a pool probe; you choose."
        case .thresholds: "From when on a value is a warning or critical: start from the preset for your pool."
        case .watch: "A watch shows your pool anywhere, and works offline: scan the code, or paste it."
        }
    }
}

extension HubConsole {
    func guideRows(columns: Int) -> [PanelRow] {
        let current = FirstRunStage(hub, skipped: state.skipped)
        var rows: [PanelRow] = []
        if current == .server {
            rows = [
                PanelRow(nil, [TextRun("Welcome to PoolSensors", look.strong)]),
                PanelRow(nil, [TextRun("Four steps to your pool on your wrist.", look.quiet)]), .blank,
            ]
        }
        for stage in FirstRunStage.allCases {
            let isDone = stage.isDone(hub)
            let isCurrent = stage == current
            let sign = isDone ? (look.isASCII ? "x" : "✓") : "\(stage.rawValue + 1)"
            let signStyle = isDone ? look.accentStyle : isCurrent ? look.keyStyle : look.faint
            var lines = [
                PanelLine(
                    [TextRun(" \(sign) ", signStyle), TextRun(stage.title, isCurrent ? look.strong : look.quiet)],
                    trailing: [TextRun(isDone ? "done" : state.skipped.contains(stage) ? "skipped" : "", look.faint)])
            ]
            if isCurrent || isWide {
                lines += stage.purpose.wrapped(columns: max(1, columns - 3), lines: 3).map {
                    PanelLine("   \($0)", isCurrent ? look.quiet : look.faint)
                }
            }
            rows += [PanelRow(.stage(stage), lines), .blank]
        }
        if current == nil {
            rows += [
                PanelRow(nil, [TextRun("\(look.bullet) All set.", look.accentStyle)]),
                PanelRow(nil, [TextRun("  esc shows the dashboard; ? the keys.", look.quiet)]),
            ]
        } else {
            rows.append(PanelRow(nil, [TextRun("enter begins, s skips, esc leaves", look.faint)]))
        }
        return rows
    }

    var guideCommands: [Command] {
        let current = FirstRunStage(hub, skipped: state.skipped)
        let none = current == nil ? "all steps are done; esc shows the dashboard" : nil
        return [
            Command([.enter, .character(" ")], label: "enter", "begin", unless: none) { console in
                let chosen = console.selection(of: .guide)
                if case .stage(let stage) = chosen { console.begin(stage) }
            },
            Command("s", "skip", unless: none) { console in
                if let current { console.state.skipped.insert(current) }
                console.followGuide()
            },
        ]
    }

    mutating func begin(_ stage: FirstRunStage) {
        switch stage {
        case .server: openServerForm(nil)
        case .device:
            guard let first = hub.servers.first else {
                toast(.refused, "Add the server first: that is step 1")
                return
            }
            beginDetection(on: first.server.id)
        case .thresholds:
            guard let device = currentDevice?.device else {
                toast(.refused, "Find your probe first: that is step 2")
                return
            }
            openPresets(device.poolID.map { .pool($0) } ?? .device(device.id))
        case .watch: beginPairing()
        }
    }

    /// Moves on to the next step as soon as one is done.
    mutating func followGuide() {
        guard state.expanded.last == .guide, let stage = FirstRunStage(hub, skipped: state.skipped) else { return }
        if case .stage(let selected) = selection(of: .guide),
            selected.isDone(hub) || state.skipped.contains(selected)
        {
            state.selected[.guide] = .stage(stage)
        }
    }
}
