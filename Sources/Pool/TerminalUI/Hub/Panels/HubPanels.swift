import PoolControl
import PoolModel

/// The panels with their states.
struct HubPanels: Sendable {
    var devices = DevicesPanel()
    var limits = LimitsPanel()
    var gauges = GaugesPanel()
    var history = HistoryPanel()
    var readings = ReadingsPanel()
    var events = EventsPanel()
    var watches = WatchesPanel()
    var alerts = AlertsPanel()
    var hub = HubFactsPanel()

    /// A panel, to be drawn.
    subscript(id: PanelID) -> any HubPanel {
        switch id {
        case .devices: devices
        case .limits: limits
        case .gauges: gauges
        case .history: history
        case .readings: readings
        case .events: events
        case .watches: watches
        case .alerts: alerts
        case .hub: hub
        }
    }

    /// Passes an input on to a panel.
    ///
    /// - Returns: Nil for a key that is not one of the panel.
    mutating func handle(_ input: PanelInput, in id: PanelID, context: ScreenContext) -> [ConsoleOutcome]? {
        switch id {
        case .devices: devices.handle(input, in: context)
        case .limits: limits.handle(input, in: context)
        case .gauges: gauges.handle(input, in: context)
        case .history: history.handle(input, in: context)
        case .readings: readings.handle(input, in: context)
        case .events: events.handle(input, in: context)
        case .watches: watches.handle(input, in: context)
        case .alerts: alerts.handle(input, in: context)
        case .hub: hub.handle(input, in: context)
        }
    }

    /// What the person has chosen in one panel and others show, too.
    func choices(for snapshot: HubSnapshot) -> PanelChoices {
        let device = devices.device(in: snapshot.hub)
        return PanelChoices(
            device: device, quantity: gauges.quantity(of: device.map(snapshot.glance)), showsRaw: history.showsRaw,
            isPaused: events.isPaused)
    }
}
