import PoolControl
import PoolModel

/// The channels of alerts.
struct ChannelsPanel: HubPanel {
    let id = PanelID.channels
    private(set) var selected: RowID?

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle { PanelTitle(text: "Alert channels") }

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let (hub, look) = (context.hub, context.look)
        let settings = hub.alerts.settings
        var rows = [
            PanelRow(
                nil, [TextRun("alerts", look.faint)],
                trailing: [
                    TextRun(
                        settings.isEnabled ? "on" : "off", settings.isEnabled ? look.accentStyle : look.style(.warning))
                ]),
            PanelRow(
                nil, [TextRun("pause before a repetition", look.faint)],
                trailing: [TextRun(FaceFormatter.age(settings.cooldownSeconds), look.quiet)]),
            PanelRow(
                nil, [TextRun("quiet hours", look.faint)],
                trailing: [TextRun(quietText(settings.quietHours), look.quiet)]),
            .blank,
        ]
        for item in hub.alerts.channels {
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
            rows.append(PanelRow(.channel(item.channel), lines))
        }
        return PanelList(rows)
    }

    private func quietText(_ hours: QuietHours?) -> String {
        guard let hours else { return "none" }
        return "\(DayMinute.text(hours.startMinute)) to \(DayMinute.text(hours.endMinute))"
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let hasWebhook = context.hub.alerts.settings.channels.webhook != nil
        return [
            KeyCommand([.character("e"), .enter], label: "e", "edit") { _, context in
                [.open(FormDialog(AlertSettingsForm(), in: context))]
            },
            .alertTest,
            KeyCommand("W", "webhook secret", unless: hasWebhook ? nil : "there is no webhook") { _, context in
                [.open(FormDialog(WebhookSecretForm(), in: context))]
            },
        ]
    }
}

extension KeyCommand {
    /// Sends a test alert over all channels.
    static var alertTest: KeyCommand {
        KeyCommand("T", "test") { _, _ in [.order(.alerts(.test)), .toast(.note, "Sending a test alert…")] }
    }
}

extension AlertChannel {
    var title: String {
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

/// A minute of the day as `22:30`.
enum DayMinute {
    static func text(_ minute: Int) -> String {
        let minute = min(1439, max(0, minute))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    static func read(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute)
        else { return nil }
        return 60 * hour + minute
    }
}
