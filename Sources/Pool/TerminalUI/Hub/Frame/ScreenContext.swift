import PoolControl
import PoolModel

/// What panels and dialogs read: the hub, the appearance, and what the person has chosen.
struct ScreenContext: Sendable {
    /// The constants of a console.
    struct Settings: Sendable {
        var capabilities: Capabilities
        /// What ends with `q`.
        var quits: QuitEffect
    }

    let snapshot: HubSnapshot
    let settings: Settings
    let theme: Theme
    let look: ResolvedTheme
    let size: Size
    let layout: ConsoleLayout
    let navigation: ConsoleNavigation
    let choices: PanelChoices
    /// Whether a dialog lies over the panels.
    let hasDialog: Bool
    /// The keys that work now; empty unless the help is open.
    var keys: [KeySection] = []

    init(
        snapshot: HubSnapshot, settings: Settings, theme: Theme, size: Size, navigation: ConsoleNavigation,
        choices: PanelChoices, hasDialog: Bool
    ) {
        self.snapshot = snapshot
        self.settings = settings
        self.theme = theme
        look = ResolvedTheme(theme: theme, capabilities: settings.capabilities)
        self.size = size
        self.navigation = navigation
        layout = ConsoleLayout(size: size, navigation: navigation)
        self.choices = choices
        self.hasDialog = hasDialog
    }

    var hub: HubState { snapshot.hub }
    var isWide: Bool { layout.kind == .wide }
    /// The panel that the keys go to.
    var focus: PanelID { navigation.focus }
    /// The device that all panels are about; nil without a device.
    var device: DeviceState? { choices.device }
    /// The quantity that the chart shows.
    var quantity: Quantity { choices.quantity }

    /// What follows a title that is about the device: a separator and its name.
    var deviceSuffix: String { device.map { " \(look.separator) \($0.device.name.sanitized)" } ?? "" }

    /// The sign of a conflict.
    var conflictGlyph: Character { look.isASCII ? "%" : "⇄" }

    func glance(of device: DeviceState) -> Glance { snapshot.glance(of: device) }

    /// The worst assessment, and whether to name its pool because there are several.
    var assessment: (assessment: PoolAssessment, isNamed: Bool) {
        let all = hub.assessments(at: hub.now, glance: glance)
        return (PoolAssessment.worst(of: all) ?? PoolAssessment(without: .linked), all.count > 1)
    }

    func clock(_ moment: Timestamp) -> ClockText { ClockText(moment, utcOffsetSeconds: snapshot.utcOffsetSeconds) }

    /// The value of the quantity that the chart shows, with its unit; nil without a value.
    var shownValue: String? {
        let gauges = device.map(glance)?.gauges ?? []
        return gauges.first { $0.quantity == quantity }?.shownValue.map { quantity.textWithUnit($0) }
    }
}

/// What the person has chosen in one panel and others show, too.
struct PanelChoices: Sendable {
    var device: DeviceState?
    var quantity: Quantity
    /// Whether values are shown as the device sent them.
    var showsRaw: Bool
    /// Whether the list of events stands still.
    var isPaused: Bool
}
