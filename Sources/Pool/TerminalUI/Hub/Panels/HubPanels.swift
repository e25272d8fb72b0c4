import PoolControl
import PoolModel

/// The panels with their states.
///
/// A panel is a type of ``HubPanel``, and stands in a row of ``ConsoleTab/all``.
struct HubPanels: Sendable {
    /// All panels, in the order of the tabs.
    static let ids = ConsoleTab.all.reduce(into: [PanelID]()) { ids, tab in
        for id in tab.panels(isWide: true) + tab.panels(isWide: false) where !ids.contains(id) { ids.append(id) }
    }

    /// The panels that have handled something; the others are as they are created.
    private var changed: [PanelID: any HubPanel] = [:]

    /// A panel by its name.
    subscript(id: PanelID) -> any HubPanel {
        get { changed[id] ?? id.panel() }
        set { changed[id] = newValue }
    }

    /// A panel by its type.
    subscript<Panel: HubPanel>(type: Panel.Type) -> Panel {
        get { changed[Panel.id] as? Panel ?? Panel() }
        set { changed[Panel.id] = newValue }
    }

    /// What the person has chosen in one panel and others show, too.
    func choices(for snapshot: HubSnapshot) -> PanelChoices {
        let device = self[DevicesPanel.self].device(in: snapshot.hub)
        return PanelChoices(
            device: device, quantity: self[GaugesPanel.self].quantity(of: device.map(snapshot.glance)),
            showsRaw: self[HistoryPanel.self].showsRaw, isPaused: self[EventsPanel.self].isPaused)
    }
}

/// The name of a panel: its type.
struct PanelID: Hashable, Sendable {
    private let type: any HubPanel.Type

    init(_ type: any HubPanel.Type) { self.type = type }

    /// Creates the panel.
    func panel() -> any HubPanel { type.init() }

    static func == (left: PanelID, right: PanelID) -> Bool { left.type == right.type }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
