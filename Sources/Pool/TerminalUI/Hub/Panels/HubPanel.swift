/// What stands in the edge of a panel.
struct PanelTitle {
    var text: String
    /// What stands at the right.
    var badge: [TextRun] = []
}

/// What happens to a panel.
enum PanelInput {
    case key(Key)
    /// A click on a row.
    case click(RowID)
    /// Text that was pasted.
    case paste(String)
    /// The wheel of the mouse: positive for down, one a notch.
    case wheel(Int)
    /// The snapshot, the size or the choices of other panels may have changed.
    case update
}

/// A panel of the hub's screens: a list with a selected row, or a picture of its own.
///
/// It keeps its own state, draws itself from a ``ScreenContext``, and turns keys and clicks into outcomes.
protocol HubPanel: Sendable {
    /// Creates the panel as it is before a person has chosen anything.
    init()

    /// The row that the person has selected; nil before, and of panels without rows.
    var selected: RowID? { get }
    /// What its rows must contain; nil for a panel without a filter.
    var filter: ListFilter? { get set }
    /// Whether its rows are easier to read in a column than across a wide screen.
    var prefersColumn: Bool { get }

    /// The commands that change what the panel shows, for its help; nil if there is nothing to change.
    var changes: String? { get }

    func title(in context: ScreenContext) -> PanelTitle

    /// What is copied of the selected row; nil if nothing is selected.
    func copyText(in context: ScreenContext) -> String?

    /// The keys of the panel.
    func commands(in context: ScreenContext) -> [KeyCommand<Self>]

    /// The keys with what they do, for the line at the bottom of the panel.
    func hints(in context: ScreenContext) -> [KeyHint]

    /// The same for the help, with the keys that move the selection.
    func helpHints(in context: ScreenContext) -> [KeyHint]

    /// The rows; none of panels that draw a picture.
    func list(columns: Int, in context: ScreenContext) -> PanelList

    /// The selected row as long as the list has it, else another one.
    func selection(in context: ScreenContext) -> RowID?

    func draw(in rect: Rect, context: ScreenContext, on picture: inout Picture)

    /// Marks the parts of the badge that the mouse can choose.
    func markBadge(endX: Int, y: Int, in context: ScreenContext, on picture: inout Picture)

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome]

    /// Handles a key.
    ///
    /// - Returns: Nil if the key is not one of the panel.
    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]?

    mutating func turnWheel(by notches: Int, in context: ScreenContext) -> [ConsoleOutcome]

    mutating func update(in context: ScreenContext) -> [ConsoleOutcome]
}

extension HubPanel {
    /// The panel's name.
    static var id: PanelID { PanelID(Self.self) }
    var id: PanelID { Self.id }

    /// How many rows the page keys move the selection.
    private static var pageRows: Int { 8 }

    var prefersColumn: Bool { false }

    var changes: String? { nil }

    var filter: ListFilter? {
        get { nil }
        set {}
    }

    /// The selected row as it is written.
    func copyText(in context: ScreenContext) -> String? {
        guard let selected = selection(in: context) else { return nil }
        let list = list(columns: 60, in: context)
        return list.ids.firstIndex(of: selected).map { list[$0].lines.map(\.words).joined(separator: " ") }
    }

    func draw(in rect: Rect, context: ScreenContext, on picture: inout Picture) {
        PanelListView(context).draw(self, in: rect, on: &picture)
    }

    func markBadge(endX: Int, y: Int, in context: ScreenContext, on picture: inout Picture) {}

    func hints(in context: ScreenContext) -> [KeyHint] { commands(in: context).map(\.hint) }

    func helpHints(in context: ScreenContext) -> [KeyHint] {
        let otherDevice = KeyHint(
            keys: [], label: context.look.isASCII ? "</>" : "←→ hl", action: "other device")
        return hints(in: context) + [.select(context.look), otherDevice]
    }

    func selection(in context: ScreenContext) -> RowID? {
        let rows = rows(in: context)
        return selected.flatMap { rows.contains($0) ? $0 : nil } ?? rows.first
    }

    mutating func press(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]? {
        pressInList(key, in: context)
    }

    mutating func turnWheel(by notches: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        moveSelection(by: notches, in: context)
    }

    mutating func update(in context: ScreenContext) -> [ConsoleOutcome] { [] }

    // MARK: The same for all panels

    /// The rows that can be selected, in their order.
    func rows(in context: ScreenContext) -> [RowID] { list(columns: 60, in: context).ids.compactMap(\.self) }

    /// Handles what happens.
    ///
    /// - Returns: Nil for a key that is not one of the panel.
    mutating func handle(_ input: PanelInput, in context: ScreenContext) -> [ConsoleOutcome]? {
        switch input {
        case .key(let key): filter?.press(key) == true ? [] : press(key, in: context)
        case .paste(let text): filter?.paste(text) == true ? [] : nil
        case .click(let row): click(row, in: context)
        case .wheel(let notches): turnWheel(by: notches, in: context)
        case .update: follow(in: context)
        }
    }

    private mutating func follow(in context: ScreenContext) -> [ConsoleOutcome] {
        // Keys go to another panel or to a dialog now.
        if context.focus != id || context.hasDialog { filter?.stopTyping() }
        return update(in: context)
    }

    /// The first click on a row selects it, the second opens it.
    private mutating func click(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        let wasSelected = selected == row
        let outcomes = select(row, in: context)
        return wasSelected ? outcomes + (runCommand(.enter, in: context) ?? []) : outcomes
    }

    /// Runs the command of a key, or moves the selection; nil for another key.
    mutating func pressInList(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]? {
        runCommand(key, in: context) ?? move(key, in: context)
    }

    /// Runs the command of a key; nil without one.
    private mutating func runCommand(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]? {
        commands(in: context).first { $0.hint.keys.contains(key) }?.run(on: &self, in: context)
    }

    private mutating func move(_ key: Key, in context: ScreenContext) -> [ConsoleOutcome]? {
        switch key {
        case .up, .character("k"): moveSelection(by: -1, in: context)
        case .down, .character("j"): moveSelection(by: 1, in: context)
        case .pageUp: moveSelection(by: -Self.pageRows, in: context)
        case .pageDown: moveSelection(by: Self.pageRows, in: context)
        case .home: moveSelection(by: .min, in: context)
        case .end: moveSelection(by: .max, in: context)
        case .left, .character("h"): [.showDevice(offset: -1)]
        case .right, .character("l"): [.showDevice(offset: 1)]
        case .character, .control, .alt, .enter, .tab, .backTab, .escape, .backspace, .delete, .insert, .function: nil
        }
    }

    /// Moves the selection by so many rows; it stops at the ends.
    private mutating func moveSelection(by steps: Int, in context: ScreenContext) -> [ConsoleOutcome] {
        let rows = rows(in: context)
        guard let selected = selection(in: context), let index = rows.firstIndex(of: selected) else { return [] }
        let (sum, overflow) = index.addingReportingOverflow(steps)
        let target = min(rows.count - 1, max(0, overflow ? (steps < 0 ? 0 : rows.count - 1) : sum))
        return select(rows[target], in: context)
    }
}

extension KeyCommand where Target: HubPanel {
    /// Begins to type what the rows must contain.
    static var filter: KeyCommand {
        KeyCommand("/", "filter") { panel, _ in
            panel.filter?.startTyping()
            return []
        }
    }
}

extension PanelLine {
    /// The line as text.
    fileprivate var words: String {
        (leading + trailing).map(\.text).joined(separator: " ").split(separator: " ").joined(separator: " ")
    }
}
