import PoolModel

/// A page of the menus.
enum MenuPage: Equatable, Sendable {
    /// The list of all pages.
    case top
    /// The pools and devices.
    case devices
    /// The open alerts.
    case alerts
    /// One alert, and its notices.
    case alert(AlertEpisodeID)
    /// The durations for snoozing an alert.
    case snooze(AlertEpisodeID)
    /// The limits of the device on the face.
    case limits
    /// The limits of one quantity.
    case limitsForm(LimitsForm)
    /// The list of devices and pools that can be renamed.
    case names
    /// The form for a new name.
    case rename(NameForm)
    /// A chart.
    case history(HistoryPage)
    /// The open conflicts.
    case conflicts
    /// One conflict, by its name.
    case conflict(ConflictID)
    /// The edits of this watch.
    case edits
    /// The keys of the present page.
    case help
}

/// A chart of the history, and the part of it that is shown.
struct HistoryPage: Equatable, Sendable {
    let deviceID: DeviceID
    var quantity: Quantity
    var navigator = ChartNavigator()
    /// The last query to the hub.
    var asked: ChartQuery?

    /// The query for a chart on a screen of a given size.
    func query(_ facts: WatchFacts, size: Size) -> ChartQuery {
        let columns = min(200, Chart.plot(in: MenuFrame(screen: size, isWide: true).body).size.columns)
        return navigator.query(of: quantity, device: deviceID, now: facts.now, columns: columns)
    }

    /// The chart in the facts, if it has the same quantity and range; nil otherwise.
    func state(_ facts: WatchFacts) -> ChartState? {
        guard let chart = facts.chart, chart.query.deviceID == deviceID, chart.query.quantity == quantity,
            chart.query.milliseconds == navigator.range.milliseconds
        else { return nil }
        return chart
    }
}

extension ChartQuery {
    /// The length of its time range.
    fileprivate var milliseconds: Int64 { through.milliseconds(since: from) }
}

/// An open page, with its selection and its scroll position.
struct MenuLevel: Equatable, Sendable {
    var page: MenuPage
    /// The selected row, counted among the selectable ones.
    var selection = 0
    /// The first shown row, on pages without selectable rows.
    var offset = 0
    /// What the rows must contain, on the pages of devices and alerts.
    var filter = ListFilter()
    /// Whether the last key would have lost what was typed into a form, so that the same key again does it.
    var isAskedToLeave = false

    /// Whether the page has a filter.
    var hasFilter: Bool { page == .devices || page == .alerts }

    init(_ page: MenuPage) { self.page = page }
}

/// The content of a page, as rows of text.
struct MenuContent {
    var title: String
    /// The text at the right of the title.
    var note = ""
    var rows: [MenuRow]
    /// The keys of the page, the most important first.
    var hints: [KeyBinding]

    /// The selected row as text; nil on a page without selectable rows.
    func selectedText(_ selection: Int) -> String? {
        let choices = rows.filter(\.isChoice)
        guard !choices.isEmpty else { return nil }
        let row = choices[min(max(0, selection), choices.count - 1)]
        return [row.text, row.trailing].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// One row of a page.
struct MenuRow {
    /// The meaning of a row or a sign, which determines its colour.
    enum Tone: Equatable {
        case plain
        case quiet
        case title
        case accent
        case status(Status)
        case stale
    }

    /// The sign before the text.
    var sign: (glyph: MenuSymbol, tone: Tone)?
    var text: String
    var tone: Tone
    /// The text at the right end.
    var trailing: String
    var trailingTone = Tone.quiet
    /// Whether the row is selectable.
    var isChoice: Bool
    /// The position of the cursor in the trailing text; nil for none.
    var cursor: Int?
    /// The indentation, in columns.
    var indent = 0

    /// A selectable row.
    static func choice(
        _ text: String, sign: (glyph: MenuSymbol, tone: Tone)? = nil, trailing: String = "",
        trailingTone: Tone = .quiet
    ) -> MenuRow {
        MenuRow(
            sign: sign, text: text, tone: .plain, trailing: trailing, trailingTone: trailingTone, isChoice: true)
    }

    /// A row that is not selectable.
    static func line(
        _ text: String, _ tone: Tone = .quiet, sign: (glyph: MenuSymbol, tone: Tone)? = nil, trailing: String = "",
        indent: Int = 0
    ) -> MenuRow {
        MenuRow(sign: sign, text: text, tone: tone, trailing: trailing, isChoice: false, indent: indent)
    }

    static let blank = MenuRow.line("")
}

/// The signs of rows, each with an ASCII form.
enum MenuSymbol {
    case status(Status)
    case stale
    case waiting
    case done
    case conflict
    case chosen
    case none

    func glyph(_ look: ResolvedTheme) -> Character {
        switch self {
        case .status(let status): look.glyph(status)
        case .stale: look.staleGlyph
        case .waiting: look.waitingGlyph
        case .done: look.isASCII ? "o" : "●"
        case .conflict: look.conflictGlyph
        case .chosen: look.isASCII ? ">" : "▸"
        case .none: " "
        }
    }
}
