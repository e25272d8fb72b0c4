/// A piece of text in one style.
package struct TextRun: Equatable, Sendable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style) {
        self.text = text
        self.style = style
    }

    package var columns: Int { text.displayWidth }
}

/// A line of a panel: pieces from the left, and pieces at the right end, which have precedence.
package struct PanelLine: Equatable, Sendable {
    package var leading: [TextRun]
    package var trailing: [TextRun]
    /// The background of the whole line; nil for that of the panel.
    package var ground: AdaptiveColor?

    package init(_ leading: [TextRun], trailing: [TextRun] = [], ground: AdaptiveColor? = nil) {
        self.leading = leading
        self.trailing = trailing
        self.ground = ground
    }

    package init(_ text: String, _ style: Style) { self.init([TextRun(text, style)]) }

    package static let blank = PanelLine([])

    /// Changes the ink of every piece whose ink is in a list.
    package mutating func recolor(_ inks: [AdaptiveColor], to ink: AdaptiveColor) {
        for index in leading.indices where inks.contains(leading[index].style.foreground) {
            leading[index].style.foreground = ink
        }
        for index in trailing.indices where inks.contains(trailing[index].style.foreground) {
            trailing[index].style.foreground = ink
        }
    }

    package func draw(on buffer: inout CellBuffer, x: Int, y: Int, columns: Int) {
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
