import PoolModel

/// A page of the menus: its content, and what its keys do.
///
/// It keeps what is typed on it; its selection, its scroll position and its filter are in its ``MenuLevel``. A page that
/// the first page lists has its ``MenuEntry`` there.
protocol MenuPage: Sendable {
    /// Whether its rows can be filtered.
    var hasFilter: Bool { get }
    /// Whether letters are text on it, and not commands.
    var isTyping: Bool { get }

    /// Whether what it is about does not exist any more.
    func isLost(_ facts: WatchFacts) -> Bool

    func content(_ menus: WatchMenus, _ facts: WatchFacts) -> MenuContent

    /// Handles a key while it is the front page.
    ///
    /// - Returns: Nil if the key is not one of the page.
    func press(_ key: Key, on menus: inout WatchMenus, _ facts: WatchFacts, size: Size) -> [MenuOutcome]?

    mutating func paste(_ text: String)

    /// Handles a click on a selectable row.
    ///
    /// - Returns: False if it opens the row as Enter does.
    mutating func click(_ choice: Int) -> Bool
}

extension MenuPage {
    var hasFilter: Bool { false }

    var isTyping: Bool { false }

    func isLost(_ facts: WatchFacts) -> Bool { false }

    mutating func paste(_ text: String) {}

    mutating func click(_ choice: Int) -> Bool { false }
}

/// An open page, with its selection and its scroll position.
struct MenuLevel: Sendable {
    var page: any MenuPage
    /// The selected row, counted among the selectable ones.
    var selection = 0
    /// The first shown row, on pages without selectable rows.
    var offset = 0
    /// What the rows must contain, on pages with a filter.
    var filter = ListFilter()
    /// Whether the last key would have lost what was typed into a form, so that the same key again does it.
    var isAskedToLeave = false

    init(_ page: any MenuPage) { self.page = page }
}

extension Key {
    /// Whether the key opens the selected row.
    var opensRow: Bool { [.enter, .character(" "), .right].contains(self) }
}

extension KeyBinding {
    static let moving = KeyBinding("↑↓", "select")
    static let filter = KeyBinding("/", "filter")
    static let back = KeyBinding("esc", "back")
}

extension ListFilter {
    /// What follows the title of a page: the filter, with a cursor while it is typed.
    var words: String { isShown ? " /\(text)\(isTyping ? "_" : "")" : "" }
}

/// The content of a page, as rows of text.
struct MenuContent {
    var title: String
    /// The text at the right of the title.
    var note: String
    var rows: [MenuRow]
    /// The keys of the page, the most important first.
    var hints: [KeyBinding]

    init(title: String, note: String = "", rows: [MenuRow], hints: [KeyBinding]) {
        self.title = title
        self.note = note
        self.rows = rows
        self.hints = hints
    }

    /// The content of the front page.
    init(_ menus: WatchMenus, _ facts: WatchFacts) {
        self = (menus.levels.last?.page ?? HelpPage()).content(menus, facts)
    }

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
    static let noMatch = MenuRow.line("Nothing matches; esc shows all.")
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
