import PoolControl
import PoolModel

/// The steps of the first setup.
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
        case .server: "The MQTT broker to which your pool probes publish."
        case .device: "The hub listens for some time and lists the pool probes that it finds; you choose."
        case .thresholds: "They decide when a value is a warning or critical. Start with the preset for your pool."
        case .watch: "A watch shows your pool in another terminal, here or on another machine. It needs a code once."
        }
    }
}

/// The first steps.
struct GuidePanel: HubPanel {
    let id = PanelID.guide
    private(set) var selected: RowID?
    /// The steps that the person skipped.
    private var skipped: Set<FirstRunStage> = []

    var prefersColumn: Bool { true }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    /// The first step that is neither done nor skipped; nil if there is none.
    func stage(of hub: HubState) -> FirstRunStage? { FirstRunStage(hub, skipped: skipped) }

    func title(in context: ScreenContext) -> PanelTitle { PanelTitle(text: "First steps") }

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let (hub, look) = (context.hub, context.look)
        let current = FirstRunStage(hub, skipped: skipped)
        var rows: [PanelRow] = []
        if current == .server {
            rows = [
                PanelRow(nil, [TextRun("Welcome to PoolSensors", look.strong)]),
                PanelRow(nil, [TextRun("Four steps from your broker to a watch.", look.quiet)]), .blank,
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
                    trailing: [TextRun(isDone ? "done" : skipped.contains(stage) ? "skipped" : "", look.faint)])
            ]
            if isCurrent || context.isWide {
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
            rows.append(PanelRow(nil, [TextRun("enter begins, N goes on to the next, esc leaves", look.faint)]))
        }
        return PanelList(rows)
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let current = stage(of: context.hub)
        let none = current == nil ? "all steps are done; esc shows the dashboard" : nil
        return [
            KeyCommand([.enter, .character(" ")], label: "enter", "begin", unless: none) { panel, context in
                if case .stage(let stage) = panel.selection(in: context) { Self.begin(stage, in: context) } else { [] }
            },
            KeyCommand("N", "next", unless: none) { panel, _ in
                if let current { panel.skipped.insert(current) }
                return []
            },
        ]
    }

    private static func begin(_ stage: FirstRunStage, in context: ScreenContext) -> [ConsoleOutcome] {
        switch stage {
        case .server: return [.open(FormDialog(ServerForm(id: nil), in: context))]
        case .device:
            guard let first = context.hub.servers.first else {
                return [.toast(.refused, "Add the server first: that is step 1")]
            }
            return DetectionDialog.begin(on: first.server.id, in: context)
        case .thresholds:
            guard let device = context.device?.device else {
                return [.toast(.refused, "Find your probe first: that is step 2")]
            }
            return [ChoiceDialog.presets(for: device.poolID.map { .pool($0) } ?? .device(device.id), in: context)]
        case .watch: return [InvitationForm.open(in: context)]
        }
    }

    /// Moves on to the next step as soon as one is done.
    mutating func update(in context: ScreenContext) -> [ConsoleOutcome] {
        guard context.navigation.expanded == id, let stage = stage(of: context.hub),
            case .stage(let selected) = selection(in: context),
            selected.isDone(context.hub) || skipped.contains(selected)
        else { return [] }
        self.selected = .stage(stage)
        return []
    }
}
