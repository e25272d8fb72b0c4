import PoolControl
import PoolModel

/// What there is besides values: the hub itself, its pools, and where alerts are sent.
struct HubFactsPanel: HubPanel {
    private(set) var selected: RowID?

    var prefersColumn: Bool { true }
    var changes: String? { "pool, alerts, history" }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle { PanelTitle(text: "Hub") }

    // MARK: Rows

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let look = context.look
        var rows = hubRows(in: context) + [.blank, heading("Pools", look: look)]
        rows += context.hub.pools.map { row(of: $0, in: context) }
        if context.hub.pools.isEmpty { rows.append(PanelRow(nil, [TextRun("no pool", look.faint)])) }
        rows += [.blank, heading("Alerts", look: look)] + alertRows(in: context)
        rows += context.hub.alerts.channels.map { row(of: $0, columns: columns, look: look) }
        rows += [.blank]
        rows += "All of it is set up on the page, or with poolsensors pool, alerts, history."
            .wrapped(columns: max(1, columns), lines: 3).map { PanelRow(nil, [TextRun($0, look.faint)]) }
        return PanelList(rows)
    }

    private func heading(_ text: String, look: ResolvedTheme) -> PanelRow {
        PanelRow(nil, [TextRun(text, Style(look.theme.secondaryText, .bold))])
    }

    private func fact(_ name: String, _ text: String, _ style: Style, look: ResolvedTheme) -> PanelRow {
        PanelRow(nil, [TextRun(name, look.faint)], trailing: [TextRun(text, style)])
    }

    private func hubRows(in context: ScreenContext) -> [PanelRow] {
        let (hub, look) = (context.hub, context.look)
        let facts = [
            ("watches connect to", hub.endpoint?.sanitized ?? "nothing listens"),
            ("configuration", "version \(hub.revision)"), ("history", "\(hub.storedReadings) readings"),
            ("kept for", "\(hub.history.rawDays) days"),
            ("automatic exports", hub.export?.period.rawValue ?? "off"),
        ]
        return facts.map { fact($0, $1, look.quiet, look: look) }
    }

    private func row(of pool: Pool, in context: ScreenContext) -> PanelRow {
        let (hub, look) = (context.hub, context.look)
        let devices = hub.devices(of: pool.id).map(\.name.sanitized)
        let volume = pool.volume.map { DisplayUnits.current.text(volume: $0, decimals: $0 < 100 ? 1 : 0) } ?? ""
        let limits = pool.limits.ranges(dash: look.rangeDash)
        return PanelRow(
            .pool(pool.id),
            [
                PanelLine([TextRun(pool.name.sanitized, look.strong)], trailing: [TextRun(volume, look.quiet)]),
                PanelLine("  " + (devices.isEmpty ? "no device" : devices.joined(separator: ", ")), look.faint),
                PanelLine("  " + (limits.isEmpty ? "standard limits" : limits), look.faint),
            ])
    }

    private func alertRows(in context: ScreenContext) -> [PanelRow] {
        let look = context.look
        let settings = context.hub.alerts.settings
        let quiet = settings.quietHours.map { "\(Self.clock($0.startMinute)) to \(Self.clock($0.endMinute))" }
        return [
            fact(
                "alerts", settings.isEnabled ? "on" : "off",
                settings.isEnabled ? look.accentStyle : look.style(.warning), look: look),
            fact("pause before a repetition", FaceFormatter.age(settings.cooldownSeconds), look.quiet, look: look),
            fact("quiet hours", quiet ?? "none", look.quiet, look: look),
        ]
    }

    /// A minute of the day as `22:30`.
    private static func clock(_ minute: Int) -> String {
        let minute = min(1439, max(0, minute))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    private func row(of item: AlertReport.Channel, columns: Int, look: ResolvedTheme) -> PanelRow {
        var lines = [
            PanelLine(
                [
                    TextRun(
                        "\(look.glyph(item.isEnabled ? .normal : .offline)) ",
                        item.isEnabled ? look.accentStyle : look.faint),
                    TextRun(item.channel.title, item.isEnabled ? look.plain : look.quiet),
                ],
                trailing: [
                    TextRun(
                        item.isEnabled ? item.authorization.words : "off",
                        item.authorization == .denied && item.isEnabled ? look.style(.warning) : look.faint)
                ])
        ]
        if let trouble = item.trouble {
            lines += trouble.sanitized.wrapped(columns: max(1, columns - 2), lines: 2).map {
                PanelLine("  \($0)", look.style(.warning, isBold: false))
            }
        }
        return PanelRow(.channel(item.channel), lines)
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] { [] }
}

extension AlertChannel {
    fileprivate var title: String {
        switch self {
        case .terminal: "this screen"
        case .desktop: "desktop"
        case .mqtt: "MQTT topic"
        case .webhook: "webhook"
        case .ntfy, .pushover, .telegram: phoneService?.name ?? rawValue
        case .watchUserInfo: "watches"
        case .watchComplication: "complications"
        }
    }
}

extension AlertAuthorization {
    fileprivate var words: String {
        switch self {
        case .unknown: "not asked yet"
        case .denied: "not permitted"
        case .granted: "on"
        }
    }
}
