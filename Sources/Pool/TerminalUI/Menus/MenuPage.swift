import PoolModel

/// A page of the menus.
enum MenuPage: Equatable, Sendable {
    /// The list of everything.
    case top
    /// The pools and devices.
    case devices
    /// The open alerts.
    case alerts
    /// One alert, and what the hub said of it.
    case alert(AlertEpisodeID)
    /// How long an alert shall be quiet.
    case snooze(AlertEpisodeID)
    /// The limits of the shown device.
    case limits
    /// The limits of one quantity.
    case limitsForm(LimitsForm)
    /// What can be renamed.
    case names
    /// A new name.
    case rename(NameForm)
    /// A chart.
    case history(HistoryPage)
    /// The open conflicts.
    case conflicts
    /// One conflict, by its name.
    case conflict(String)
    /// This watch's own edits.
    case edits
    /// The keys that work now.
    case help
}

/// A chart of the history, and what is shown of it.
struct HistoryPage: Equatable, Sendable {
    let deviceID: DeviceID
    var quantity: Quantity
    var navigator = ChartNavigator()
    /// What the hub was asked for last.
    var asked: ChartQuery?

    /// What to ask for a chart on a screen.
    func query(_ facts: WatchFacts, size: Size) -> ChartQuery {
        let columns = min(200, Chart.plot(in: MenuFrame(screen: size, isWide: true).body).size.columns)
        return navigator.query(of: quantity, device: deviceID, now: facts.now, columns: columns)
    }

    /// What the facts hold for it: a course of the quantity over as much time; nil for another one.
    func state(_ facts: WatchFacts) -> WatchFacts.ChartState? {
        guard let chart = facts.chart, chart.query.deviceID == deviceID, chart.query.quantity == quantity,
            chart.query.milliseconds == navigator.range.milliseconds
        else { return nil }
        return chart
    }
}

extension ChartQuery {
    /// How much time it is about.
    fileprivate var milliseconds: Int64 { through.milliseconds(since: from) }
}

/// A page that is open, and where the person is on it.
struct MenuLevel: Equatable, Sendable {
    var page: MenuPage
    /// The selected row, among those that can be selected.
    var selection = 0
    /// The first row on pages where none can be selected.
    var offset = 0

    init(_ page: MenuPage) { self.page = page }
}

/// What a page shows, as rows of text.
struct MenuContent {
    var title: String
    /// What stands at the right of the title.
    var note = ""
    var rows: [MenuRow]
    /// The keys that work, the most important first.
    var hints: [KeyBinding]
}

/// One row of a page.
struct MenuRow {
    /// How a row, or a sign, is meant.
    enum Tone: Equatable {
        case plain
        case quiet
        case title
        case accent
        case status(Status)
        case stale
    }

    /// What stands before the text.
    var sign: (glyph: MenuSymbol, tone: Tone)?
    var text: String
    var tone: Tone
    /// What stands at the right end.
    var trailing: String
    var trailingTone = Tone.quiet
    /// Whether the row can be selected.
    var isChoice: Bool
    /// The place of the cursor in the trailing text, nil for none.
    var cursor: Int?
    /// The columns by which it stands further to the right.
    var indent = 0

    /// A row that can be selected.
    static func choice(
        _ text: String, sign: (glyph: MenuSymbol, tone: Tone)? = nil, trailing: String = "",
        trailingTone: Tone = .quiet
    ) -> MenuRow {
        MenuRow(
            sign: sign, text: text, tone: .plain, trailing: trailing, trailingTone: trailingTone, isChoice: true)
    }

    /// A row that only tells.
    static func line(
        _ text: String, _ tone: Tone = .quiet, sign: (glyph: MenuSymbol, tone: Tone)? = nil, trailing: String = "",
        indent: Int = 0
    ) -> MenuRow {
        MenuRow(sign: sign, text: text, tone: tone, trailing: trailing, isChoice: false, indent: indent)
    }

    static let blank = MenuRow.line("")
}

/// The signs of rows, each also in ASCII.
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
