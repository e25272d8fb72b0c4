/// Where the panels are, for a tab and a size.
struct ConsoleLayout: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// All panels side by side, in boxes.
        case wide
        /// An upright screen with a bezel.
        case phone
        /// As much as there is room for, without a frame.
        case small
    }

    struct Panel: Equatable, Sendable {
        var id: PanelID
        var rect: Rect
    }

    var kind: Kind
    /// The screen, of a phone with its bezel.
    var frame: Rect
    var panels: [Panel]

    init(size: Size, navigation: ConsoleNavigation) {
        kind = Self.kind(size: size, choice: navigation.layout)
        let whole = Rect(x: 0, y: 0, columns: size.columns, rows: size.rows)
        frame = kind == .phone ? Self.phoneFrame(in: size) : whole
        let area: Rect
        switch kind {
        case .wide: area = Rect(x: 0, y: 1, columns: size.columns, rows: size.rows - 2)
        case .phone:
            area = Rect(x: frame.x + 2, y: frame.y + 3, columns: frame.size.columns - 4, rows: frame.size.rows - 6)
        case .small:
            let margin = size.rows >= 6 ? 2 : size.rows >= 2 ? 1 : 0
            area = Rect(x: 0, y: size.rows >= 2 ? 1 : 0, columns: size.columns, rows: size.rows - margin)
        }
        let ids = navigation.panels(isWide: kind == .wide)
        switch kind {
        case .wide: panels = Self.widePanels(ids, in: area, tab: navigation.tab, isExpanded: navigation.expanded != nil)
        case .phone: panels = Self.phonePanels(ids, in: area)
        case .small: panels = Self.smallPanels(ids, focus: navigation.focus, in: area)
        }
    }

    private static func kind(size: Size, choice: LayoutChoice) -> Kind {
        let hasDashboard = size.contains(HubConsole.dashboardSize)
        let hasPhone = size.contains(HubConsole.phoneSize)
        switch choice {
        case .dashboard where hasDashboard: return .wide
        case .phone where hasPhone: return .phone
        case .automatic, .dashboard, .phone: return hasDashboard ? .wide : hasPhone ? .phone : .small
        }
    }

    private static func phoneFrame(in size: Size) -> Rect {
        let columns = min(size.columns, 60)
        let rows = min(size.rows, 48)
        return Rect(x: (size.columns - columns) / 2, y: (size.rows - rows) / 2, columns: columns, rows: rows)
    }

    private static func widePanels(_ ids: [PanelID], in area: Rect, tab: ConsoleTab, isExpanded: Bool) -> [Panel] {
        guard tab == .dashboard, !isExpanded else { return columns(ids, in: area, gap: 0) }
        let (left, right) = (27, 31)
        let middle = area.size.columns - left - right
        let rows = area.size.rows
        let limits = min(20, max(17, rows - 14))
        let gauges = 11
        let events = max(7, (rows - gauges) * 2 / 5)
        let watches = min(16, max(8, rows / 2))
        func panel(_ id: PanelID, _ x: Int, _ y: Int, _ columns: Int, _ rows: Int) -> Panel {
            Panel(id: id, rect: Rect(x: x, y: area.y + y, columns: columns, rows: rows))
        }
        return [
            panel(DevicesPanel.id, 0, 0, left, rows - limits), panel(LimitsPanel.id, 0, rows - limits, left, limits),
            panel(GaugesPanel.id, left, 0, middle, gauges),
            panel(HistoryPanel.id, left, gauges, middle, rows - gauges - events),
            panel(EventsPanel.id, left, rows - events, middle, events),
            panel(WatchesPanel.id, left + middle, 0, right, watches),
            panel(AlertsPanel.id, left + middle, watches, right, rows - watches),
        ]
    }

    private static func columns(_ ids: [PanelID], in area: Rect, gap: Int) -> [Panel] {
        let count = max(1, ids.count)
        let width = (area.size.columns - gap * (count - 1)) / count
        return ids.enumerated().map { index, id in
            let x = area.x + index * (width + gap)
            let columns = index == count - 1 ? area.endX - x : width
            return Panel(id: id, rect: Rect(x: x, y: area.y, columns: columns, rows: area.size.rows))
        }
    }

    /// One above the other, with an empty row between them.
    private static func phonePanels(_ ids: [PanelID], in area: Rect) -> [Panel] {
        let rows = area.size.rows - (ids.count - 1)
        let heights: [Int]
        switch ids {
        case [GaugesPanel.id, HistoryPanel.id, WatchesPanel.id]:
            let watches = 5 + max(0, (rows - 28) / 3)
            heights = [14, rows - 14 - watches, watches]
        case _ where ids.count == 2: heights = [rows * 11 / 20, rows - rows * 11 / 20]
        default: heights = ids.map { _ in rows / max(1, ids.count) }
        }
        var y = area.y
        return zip(ids, heights).map { id, height in
            defer { y += height + 1 }
            return Panel(id: id, rect: Rect(x: area.x, y: y, columns: area.size.columns, rows: height))
        }
    }

    /// Two panels where there is room for two, else the focused one alone.
    private static func smallPanels(_ ids: [PanelID], focus: PanelID, in area: Rect) -> [Panel] {
        let focused = ids.contains(focus) ? focus : ids.first ?? DevicesPanel.id
        guard area.size.columns >= 76, ids.count > 1 else {
            let inset = area.size.columns >= 20 ? 1 : 0
            return [Panel(id: focused, rect: area.inset(columns: inset, rows: 0))]
        }
        let first = ids[0]
        let second = focused == first ? ids[1] : focused
        return columns([first, second], in: area.inset(columns: 1, rows: 0), gap: 3)
    }
}
