/// Where the person is: the tab, the panel that fills the screen, and the focus.
struct ConsoleNavigation: Equatable, Sendable {
    private(set) var tab = ConsoleTab.dashboard
    private(set) var layout = LayoutChoice.automatic
    /// The panel that the keys go to.
    private(set) var focus = PanelID.devices
    /// The panel that fills the screen, with those it was opened from.
    private var expansions: [PanelID] = []

    /// The most expanded panels that are remembered.
    private static let expansionsMax = 8

    /// The panel that fills the screen; nil if the tab is shown.
    var expanded: PanelID? { expansions.last }

    /// The panels that can be focused now, in the order of the Tab key.
    func panels(isWide: Bool) -> [PanelID] { expanded.map { [$0] } ?? tab.panels(isWide: isWide) }

    mutating func open(_ tab: ConsoleTab, isWide: Bool) {
        expansions = []
        self.tab = tab
        focus = tab.panels(isWide: isWide).first ?? .devices
    }

    mutating func expand(_ panel: PanelID) {
        if expanded != panel { expansions.append(panel) }
        if expansions.count > Self.expansionsMax { expansions.removeFirst() }
        focus = panel
    }

    mutating func focus(_ panel: PanelID) { focus = panel }

    /// Moves the focus to the first panel.
    mutating func focusFirst(isWide: Bool) { focus = panels(isWide: isWide).first ?? .devices }

    /// Moves the focus to a panel that is shown.
    mutating func focusShown(isWide: Bool) {
        if !panels(isWide: isWide).contains(focus) { focusFirst(isWide: isWide) }
    }

    /// Moves the focus by so many panels, round in a ring.
    mutating func moveFocus(by step: Int, isWide: Bool) {
        let panels = panels(isWide: isWide)
        guard !panels.isEmpty else { return }
        let index = panels.firstIndex(of: focus) ?? 0
        focus = panels[((index + step) % panels.count + panels.count) % panels.count]
    }

    /// Goes back to the panel before, or to the dashboard.
    ///
    /// - Returns: False if the dashboard is shown already.
    mutating func goBack(isWide: Bool) -> Bool {
        if expansions.popLast() != nil {
            focusShown(isWide: isWide)
        } else if tab != .dashboard {
            open(.dashboard, isWide: isWide)
        } else {
            return false
        }
        return true
    }

    mutating func choose(_ layout: LayoutChoice) { self.layout = layout }
}

/// How the panels are arranged.
enum LayoutChoice: Sendable {
    case automatic
    case phone
    case dashboard
}

/// The five tabs.
enum ConsoleTab: Int, CaseIterable, Sendable {
    case dashboard
    case devices
    case alerts
    case history
    case hub

    var title: String {
        switch self {
        case .dashboard: "Dashboard"
        case .devices: "Devices"
        case .alerts: "Alerts"
        case .history: "History"
        case .hub: "Hub"
        }
    }

    /// The panels of the tab, the first one focused; those of the dashboard differ with the layout.
    func panels(isWide: Bool) -> [PanelID] {
        switch self {
        case .dashboard:
            isWide ? [.devices, .limits, .history, .events, .watches, .alerts] : [.gauges, .history, .watches]
        case .devices: [.devices, .limits]
        case .alerts: [.alerts, .events]
        case .history: [.history, .readings]
        case .hub: [.hub]
        }
    }
}

/// The name of a panel.
enum PanelID: String, CaseIterable, Sendable {
    case devices
    case limits
    case gauges
    case history
    case readings
    case events
    case watches
    case alerts
    case hub
}
