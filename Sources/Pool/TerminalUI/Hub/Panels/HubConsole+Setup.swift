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
        case .autoExport: "Export by itself"
        case .deletion: "Delete history"
        }
    }
}

extension HubConsole {
    func setupRows(columns: Int) -> [PanelRow] {
        var rows: [PanelRow] = []
        for item in SetupItem.allCases {
            if [.servers, .watches, .channels, .retention].contains(item) { rows.append(.blank) }
            rows.append(
                PanelRow(
                    .setup(item), [TextRun(item.title, look.plain)], trailing: [TextRun(state(of: item), look.faint)]))
        }
        rows.append(.blank)
        rows.append(
            PanelRow(
                nil, [TextRun("watches connect to", look.faint)],
                trailing: [TextRun(hub.endpoint?.sanitized ?? "nothing listens", look.faint)]))
        rows.append(
            PanelRow(
                nil, [TextRun("configuration", look.faint)], trailing: [TextRun("rev \(hub.revision)", look.faint)]
            )
        )
        return rows
    }

    private func state(of item: SetupItem) -> String {
        switch item {
        case .guide: FirstRunStage(hub, skipped: state.skipped) == nil ? "done" : "open"
        case .servers:
            "\(FaceFormatter.count(hub.servers.count, "server")), \(FaceFormatter.count(hub.devices.count, "device"))"
        case .pools: "\(hub.pools.count)"
        case .limits, .calibration: currentDevice?.device.name.sanitized ?? "no device"
        case .watches: "\(hub.watches.count)"
        case .pairing: hub.endpoint == nil ? "not listening" : ""
        case .laboratory: hub.watches.contains { LinkFaultSetting.isAnyOn(disturbance(of: $0)) } ? "disturbed" : ""
        case .channels: hub.alerts.settings.isEnabled ? "on" : "off"
        case .retention: "\(hub.history.rawDays) days"
        case .export: "\(hub.storedReadings) readings"
        case .autoExport: hub.export.map { $0.period.rawValue } ?? "off"
        case .deletion: ""
        }
    }

    var setupCommands: [Command] {
        [
            Command([.enter, .character(" ")], label: "enter", "open") { console in
                if case .setup(let item) = console.selection(of: .setup) { console.open(item) }
            }
        ]
    }

    mutating func open(_ item: SetupItem) {
        let needsDevice: [SetupItem] = [.limits, .calibration, .export, .deletion]
        if needsDevice.contains(item), currentDevice == nil {
            toast(.refused, "\(item.title): there is no device yet")
            return
        }
        switch item {
        case .guide: expand(.guide)
        case .servers: expand(.devices)
        case .pools: expand(.pools)
        case .limits: expand(.limits)
        case .calibration: openCalibration(of: currentQuantity)
        case .watches: expand(.watches)
        case .pairing: beginPairing()
        case .laboratory: expand(.laboratory)
        case .channels: expand(.channels)
        case .retention: openRetentionForm()
        case .export: openExportForm()
        case .autoExport: openAutoExportForm()
        case .deletion: openDeletion()
        }
    }
}
