import PoolControl
import PoolModel

/// One or more lines of a panel that belong together, and can be selected if they have a name.
struct PanelRow: Equatable, Sendable {
    var id: RowID?
    var lines: [PanelLine]

    init(_ id: RowID? = nil, _ lines: [PanelLine]) {
        self.id = id
        self.lines = lines
    }

    init(_ id: RowID? = nil, _ leading: [TextRun], trailing: [TextRun] = []) {
        self.init(id, [PanelLine(leading, trailing: trailing)])
    }

    static let blank = PanelRow(nil, [PanelLine.blank])

    /// The row of a list in which a filter leaves nothing.
    static func noMatch(_ look: ResolvedTheme) -> PanelRow {
        PanelRow(nil, [TextRun("nothing matches; esc shows all", look.faint)])
    }
}

/// The rows of a panel; each is made when it is asked for.
struct PanelList {
    let ids: [RowID?]
    /// How many lines each row has.
    let heights: [Int]
    private let make: (Int) -> PanelRow

    init(ids: [RowID?], heights: [Int], make: @escaping (Int) -> PanelRow) {
        self.ids = ids
        self.heights = heights
        self.make = make
    }

    init(_ rows: [PanelRow]) {
        self.init(ids: rows.map(\.id), heights: rows.map(\.lines.count)) { rows[$0] }
    }

    subscript(index: Int) -> PanelRow { make(index) }
}

/// The name of a row that can be selected.
enum RowID: Hashable, Sendable {
    case server(ServerID)
    case device(DeviceID)
    case quantity(Quantity)
    case calibration(Quantity)
    case pool(PoolID)
    case watch(WatchID)
    case alert(AlertEpisodeID)
    case conflict(ConflictID)
    case event(UInt64)
    case reading(HistoryPlace)
    case channel(AlertChannel)
    case cooldown
}
