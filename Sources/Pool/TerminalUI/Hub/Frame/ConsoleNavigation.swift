/// Where the person is: the tab, the panel that fills the screen, and the focus.
struct ConsoleNavigation: Equatable, Sendable {
    private(set) var tab = ConsoleTab.dashboard
    private(set) var layout = LayoutChoice.automatic
    /// The panel that the keys go to.
    private(set) var focus = DevicesPanel.id
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
        focus = tab.panels(isWide: isWide).first ?? DevicesPanel.id
    }

    mutating func expand(_ panel: PanelID) {
        if expanded != panel { expansions.append(panel) }
        if expansions.count > Self.expansionsMax { expansions.removeFirst() }
        focus = panel
    }

    mutating func focus(_ panel: PanelID) { focus = panel }

    /// Moves the focus to the first panel.
    mutating func focusFirst(isWide: Bool) { focus = panels(isWide: isWide).first ?? DevicesPanel.id }

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

/// A tab: its title and its panels.
struct ConsoleTab: Equatable, Sendable {
    let title: String
    private let panels: [PanelID]
    /// The panels of the wide layout; nil if they are the same.
    private let widePanels: [PanelID]?

    private init(
        _ title: String, _ panels: [any HubPanel.Type], wide: [any HubPanel.Type]? = nil
    ) {
        self.title = title
        self.panels = panels.map { PanelID($0) }
        widePanels = wide?.map { PanelID($0) }
    }

    /// The tabs, in the order of the function keys.
    static let all = [
        dashboard,
        ConsoleTab("Devices", [DevicesPanel.self, LimitsPanel.self]),
        ConsoleTab("Alerts", [AlertsPanel.self, EventsPanel.self]),
        ConsoleTab("History", [HistoryPanel.self, ReadingsPanel.self]),
        hub,
    ]
    /// The tab that is shown first.
    static let dashboard = ConsoleTab(
        "Dashboard", [GaugesPanel.self, HistoryPanel.self, WatchesPanel.self],
        wide: [
            DevicesPanel.self, LimitsPanel.self, HistoryPanel.self, EventsPanel.self, WatchesPanel.self,
            AlertsPanel.self,
        ])
    /// The tab of the hub itself, which has a digit in the wide layout, too.
    static let hub = ConsoleTab("Hub", [HubFactsPanel.self])

    /// The panels of the tab, the first one focused.
    func panels(isWide: Bool) -> [PanelID] { isWide ? widePanels ?? panels : panels }
}
