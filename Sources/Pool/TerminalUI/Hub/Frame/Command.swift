import PoolControl
import PoolModel

/// Something that a key does now, or why it does not.
struct Command {
    var keys: [Key]
    /// The key as it is shown.
    var label: String
    /// What it does, in a word or two.
    var deed: String
    /// Why it does nothing now; nil if it works.
    var obstacle: String?
    var effect: (inout HubConsole) -> Void

    init(
        _ character: Character, _ deed: String, unless obstacle: String? = nil,
        effect: @escaping (inout HubConsole) -> Void
    ) {
        self.init([.character(character)], label: String(character), deed, unless: obstacle, effect: effect)
    }

    init(
        _ keys: [Key], label: String, _ deed: String, unless obstacle: String? = nil,
        effect: @escaping (inout HubConsole) -> Void
    ) {
        self.keys = keys
        self.label = label
        self.deed = deed
        self.obstacle = obstacle
        self.effect = effect
    }
}

extension HubConsole {
    /// The keys of a panel, for its hints, the help and the keys themselves.
    func commands(of zone: ConsolePanel) -> [Command] {
        switch zone {
        case .devices: deviceCommands
        case .limits: limitsCommands
        case .gauges: gaugeCommands
        case .history: historyCommands
        case .readings: readingCommands
        case .events: eventCommands
        case .watches: watchCommands
        case .alerts: alertCommands
        case .setup: setupCommands
        case .pools: poolCommands
        case .channels: channelCommands
        case .laboratory: laboratoryCommands
        case .guide: guideCommands
        }
    }

    /// The rows of a panel; none of those that draw themselves.
    func rows(of zone: ConsolePanel, columns: Int) -> [PanelRow] {
        switch zone {
        case .devices: deviceRows(columns: columns)
        case .limits: limitsRows(columns: columns)
        case .gauges: quantityRows
        case .history: []
        case .readings: readingRows(columns: columns)
        case .events: eventList(columns: columns).rows
        case .watches: watchRows(columns: columns)
        case .alerts: alertRows(columns: columns)
        case .setup: setupRows(columns: columns)
        case .pools: poolRows(columns: columns)
        case .channels: channelRows(columns: columns)
        case .laboratory: laboratoryRows(columns: columns)
        case .guide: guideRows(columns: columns)
        }
    }

    /// The rows of a panel, of which only those are made that are asked for.
    func list(of zone: ConsolePanel, columns: Int) -> PanelList {
        zone == .events ? eventList(columns: columns) : PanelList(rows(of: zone, columns: columns))
    }

    /// The title of a panel, and what stands at its right.
    func title(of zone: ConsolePanel) -> (text: String, badge: [TextRun]) {
        switch zone {
        case .devices: ("Devices", [TextRun("\(hub.devices.count)", look.faint)])
        case .limits: ("Limits" + subject, [])
        case .gauges: (currentDevice?.device.name.sanitized.nonEmpty ?? "Dashboard", freshnessBadge)
        case .history: (historyTitle, rangeBadge)
        case .readings: ("Readings" + subject, [])
        case .events: ("Events", eventBadge)
        case .watches: ("Watches", watchBadge)
        case .alerts: ("Alerts", alertBadge)
        case .setup: ("Setup", [])
        case .pools: ("Pools", [TextRun("\(hub.pools.count)", look.faint)])
        case .channels: ("Alert channels", [])
        case .laboratory:
            ("Link laboratory" + (currentWatch.map { " \(look.separator) \($0.name.sanitized)" } ?? ""), [])
        case .guide: ("First steps", [])
        }
    }

    private var subject: String {
        currentDevice.map { " \(look.separator) \($0.device.name.sanitized)" } ?? ""
    }
}
