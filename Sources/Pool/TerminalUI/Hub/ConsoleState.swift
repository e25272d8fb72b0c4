import PoolControl
import PoolModel

/// What the console remembers beside the snapshot: where the person is, and what is open.
struct ConsoleState: Sendable {
    var hasSnapshot = false
    var tab = ConsoleTab.dashboard
    var layout = LayoutChoice.automatic
    /// The panel that the keys go to.
    var focus = ConsolePanel.devices
    /// The panel that fills the screen, with those it was opened from.
    var expanded: [ConsolePanel] = []
    /// The selected row of each panel; without one it is the first.
    var selected: [ConsolePanel: RowID] = [:]
    /// The quantity that the chart shows.
    var quantity: Quantity?
    var navigator = ChartNavigator()
    var eventTopic: EventTopic?
    /// The events that are shown while the log is paused.
    var pausedEvents: [EventSummary]?
    /// The dialogs, the topmost last.
    var dialogs: [Dialog] = []
    var toast: Toast?
    /// The steps of the first run that the person skipped.
    var skipped: Set<FirstRunStage> = []
    /// The orders without an answer, with what they were for.
    var pending: [Int: Pending] = [:]
    var lastOrder = 0
    var askedChart: ChartQuery?
    var askedChartAt: Timestamp?
    var askedReadings: ReadingQuery?
    /// The disturbances that were set here and do not show in the snapshot yet.
    var disturbances: [String: LinkDisturbance] = [:]
}

/// How the panels are arranged.
enum LayoutChoice: Sendable {
    case automatic
    case phone
    case dashboard
}

/// The five tabs (P92).
enum ConsoleTab: Int, CaseIterable, Sendable {
    case dashboard
    case devices
    case alerts
    case history
    case setup

    var title: String {
        switch self {
        case .dashboard: "Dashboard"
        case .devices: "Devices"
        case .alerts: "Alerts"
        case .history: "History"
        case .setup: "Setup"
        }
    }

    /// The panels of the tab, the first one focused; those of the dashboard differ with the layout.
    func zones(isWide: Bool) -> [ConsolePanel] {
        switch self {
        case .dashboard:
            isWide ? [.devices, .limits, .history, .events, .watches, .alerts] : [.gauges, .history, .watches]
        case .devices: [.devices, .limits]
        case .alerts: [.alerts, .events]
        case .history: [.history, .readings]
        case .setup: [.setup]
        }
    }
}

/// A panel.
enum ConsolePanel: String, CaseIterable, Sendable {
    case devices
    case limits
    case gauges
    case history
    case readings
    case events
    case watches
    case alerts
    case setup
    case pools
    case channels
    case laboratory
    case guide
}

/// A row of a panel that can be selected.
enum RowID: Hashable, Sendable {
    case server(ServerID)
    case device(DeviceID)
    case quantity(Quantity)
    case calibration(Quantity)
    case pool(PoolID)
    case watch(String)
    case alert(AlertEpisodeID)
    case conflict(String)
    case event(UInt64)
    case reading(HistoryPlace)
    case setup(SetupItem)
    case knob(LinkFaultSetting)
    case stage(FirstRunStage)
    case channel(AlertChannel)
    case cooldown
}

/// A short message at the bottom of the screen.
struct Toast: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case done
        case refused
        case note
    }

    var kind: Kind
    var text: String
    var until: Timestamp
}

/// What an order without an answer was for.
enum Pending: Equatable, Sendable {
    /// The form on top of the dialogs: it closes when it is done.
    case form
    /// Nothing but to be told.
    case toast
    /// The removal of a server, which may have devices.
    case serverRemoval(ServerID)
    /// The count of the readings that a deletion would take.
    case deletionCount(DeviceID?, through: Timestamp)
}

/// What was asked of the list of readings.
struct ReadingQuery: Equatable, Sendable {
    var deviceID: DeviceID
    var olderThan: HistoryPlace?
}
