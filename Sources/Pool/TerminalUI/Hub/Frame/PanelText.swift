/// A piece of text in one style.
struct TextRun: Equatable, Sendable {
    var text: String
    var style: Style

    init(_ text: String, _ style: Style) {
        self.text = text
        self.style = style
    }

    var columns: Int { text.displayWidth }
}

/// A line of a panel: pieces from the left, and pieces at the right end, which have precedence.
struct PanelLine: Equatable, Sendable {
    var leading: [TextRun]
    var trailing: [TextRun]
    /// The ground of the whole line, nil for that of the panel.
    var ground: AdaptiveColor?

    init(_ leading: [TextRun], trailing: [TextRun] = [], ground: AdaptiveColor? = nil) {
        self.leading = leading
        self.trailing = trailing
        self.ground = ground
    }

    init(_ text: String, _ style: Style) { self.init([TextRun(text, style)]) }

    static let blank = PanelLine([])

    /// Changes the ink of every piece that has one of some inks.
    mutating func recolor(_ inks: [AdaptiveColor], to ink: AdaptiveColor) {
        for index in leading.indices where inks.contains(leading[index].style.foreground) {
            leading[index].style.foreground = ink
        }
        for index in trailing.indices where inks.contains(trailing[index].style.foreground) {
            trailing[index].style.foreground = ink
        }
    }

    func draw(on buffer: inout CellBuffer, x: Int, y: Int, columns: Int) {
        guard columns > 0 else { return }
        if let ground {
            buffer.fill(Rect(x: x, y: y, columns: columns, rows: 1), style: Style(.terminalDefault, on: ground))
        }
        let right = min(columns, trailing.reduce(0) { $0 + $1.columns })
        var free = columns - (right == 0 ? 0 : right + 1)
        var at = x
        for (index, span) in leading.enumerated() where free > 0 {
            let rest = leading[(index + 1)...].reduce(0) { $0 + $1.columns }
            // The last piece that does not fit ends with an ellipsis.
            let text =
                span.columns + (rest > 0 ? 1 : 0) > free && span.columns > free
                ? span.text.fitted(columns: free) : span.text
            let end = buffer.write(text, x: at, y: y, style: span.style, limit: free)
            free -= end - at
            at = end
        }
        at = x + columns - right
        for span in trailing {
            at = buffer.write(span.text, x: at, y: y, style: span.style, limit: x + columns - at)
        }
    }
}

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

    var rows: [PanelRow] { ids.indices.map(make) }
}
