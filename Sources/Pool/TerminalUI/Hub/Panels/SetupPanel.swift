import PoolControl
import PoolModel

/// What can be set up.
enum SetupItem: String, CaseIterable, Sendable {
    case guide
    case servers
    case pools
    case limits
    case calibration
    case watches
    case pairing
    case laboratory
    case channels
    case retention
    case export
    case autoExport
    case deletion

    var title: String {
        switch self {
        case .guide: "First steps"
        case .servers: "Servers and devices"
        case .pools: "Pools"
        case .limits: "Limits and presets"
        case .calibration: "Calibration"
        case .watches: "Watches"
        case .pairing: "Pair a watch"
        case .laboratory: "Link laboratory"
        case .channels: "Alerts and channels"
        case .retention: "How long the history is kept"
        case .export: "Export the history"
        case .autoExport: "Automatic exports"
        case .deletion: "Delete history"
        }
    }
}

/// The list of what can be set up.
struct SetupPanel: HubPanel {
    let id = PanelID.setup
    private(set) var selected: RowID?

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle { PanelTitle(text: "Setup") }

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let (hub, look) = (context.hub, context.look)
        var rows: [PanelRow] = []
        for item in SetupItem.allCases {
            if [.servers, .watches, .channels, .retention].contains(item) { rows.append(.blank) }
            rows.append(
                PanelRow(
                    .setup(item), [TextRun(item.title, look.plain)],
                    trailing: [TextRun(state(of: item, in: context), look.faint)]))
        }
        rows.append(.blank)
        rows.append(
            PanelRow(
                nil, [TextRun("watches connect to", look.faint)],
                trailing: [TextRun(hub.endpoint?.sanitized ?? "nothing listens", look.faint)]))
        rows.append(
            PanelRow(
                nil, [TextRun("configuration", look.faint)], trailing: [TextRun("version \(hub.revision)", look.faint)]
            )
        )
        return PanelList(rows)
    }

    private func state(of item: SetupItem, in context: ScreenContext) -> String {
        let hub = context.hub
        return switch item {
        case .guide: context.choices.firstRunStage == nil ? "done" : "open"
        case .servers:
            "\(FaceFormatter.count(hub.servers.count, "server")), \(FaceFormatter.count(hub.devices.count, "device"))"
        case .pools: "\(hub.pools.count)"
        case .limits, .calibration: context.device?.device.name.sanitized ?? "no device"
        case .watches: "\(hub.watches.count)"
        case .pairing: hub.endpoint == nil ? "not listening" : ""
        case .laboratory: hub.watches.contains { LinkFaultSetting.isAnyOn(context.faults(of: $0)) } ? "disturbed" : ""
        case .channels: hub.alerts.settings.isEnabled ? "on" : "off"
        case .retention: "\(hub.history.rawDays) days"
        case .export: "\(hub.storedReadings) readings"
        case .autoExport: hub.export.map { $0.period.rawValue } ?? "off"
        case .deletion: ""
        }
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        [
            KeyCommand([.enter, .character(" ")], label: "enter", "open") { panel, context in
                if case .setup(let item) = panel.selection(in: context) { Self.open(item, in: context) } else { [] }
            }
        ]
    }

    private static func open(_ item: SetupItem, in context: ScreenContext) -> [ConsoleOutcome] {
        let needsDevice: [SetupItem] = [.limits, .calibration, .export, .deletion]
        if needsDevice.contains(item), context.device == nil {
            return [.toast(.refused, "\(item.title): there is no device yet")]
        }
        switch item {
        case .guide: return [.expand(.guide)]
        case .servers: return [.expand(.devices)]
        case .pools: return [.expand(.pools)]
        case .limits: return [.expand(.limits)]
        case .calibration: return [ChoiceDialog.calibration(of: context.quantity, in: context)]
        case .watches: return [.expand(.watches)]
        case .pairing: return [InvitationForm.open(in: context)]
        case .laboratory: return [.expand(.laboratory)]
        case .channels: return [.expand(.channels)]
        case .retention: return [.open(FormDialog(RetentionForm(), in: context))]
        case .export: return [.open(FormDialog(ExportForm(), in: context))]
        case .autoExport: return [.open(FormDialog(ExportScheduleForm(), in: context))]
        case .deletion: return ChoiceDialog.deletion(in: context)
        }
    }
}
