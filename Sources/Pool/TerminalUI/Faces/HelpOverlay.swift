/// A key and what it does in the present state, for the help and for hints.
public struct KeyBinding: Hashable, Sendable {
    /// The key as it is printed, such as `a` or `↑↓`.
    public var keys: String
    /// What it does, in a few words.
    public var action: String

    /// Creates a binding.
    public init(_ keys: String, _ action: String) {
        self.keys = keys
        self.action = action
    }
}

/// A panel over a screen that lists the keys that work now.
public struct HelpOverlay: Sendable {
    /// The title of the panel.
    public var title: String
    /// The keys, in the order of the list.
    public var bindings: [KeyBinding]

    /// Creates a panel.
    public init(title: String = "Keys", _ bindings: [KeyBinding]) {
        self.title = title
        self.bindings = bindings
    }

    /// Draws the panel into the middle of a buffer; keys that do not fit are left out, with an ellipsis at the end.
    ///
    /// If a frame does not fit, the list alone fills the buffer.
    public func draw(on buffer: inout CellBuffer, theme: Theme, capabilities: Capabilities) {
        let look = ResolvedTheme(theme: theme, capabilities: capabilities)
        let keyColumns = bindings.map(\.keys.displayWidth).max() ?? 0
        let actionColumns = max(bindings.map(\.action.displayWidth).max() ?? 0, title.displayWidth)
        let hasFrame = buffer.size.columns >= 20 && buffer.size.rows >= 6
        let margin = hasFrame ? 2 : 0
        let columns = min(buffer.size.columns, keyColumns + 2 + actionColumns + 2 * margin)
        let rows = min(buffer.size.rows, bindings.count + (hasFrame ? 2 : 0))
        let panel = Rect(
            x: (buffer.size.columns - columns) / 2, y: (buffer.size.rows - rows) / 2, columns: columns, rows: rows)
        buffer.fill(panel, style: Style(theme.text, on: theme.panel))
        if hasFrame {
            buffer.outline(panel, style: Style(theme.tertiaryText, on: theme.panel), glyphs: look.outline)
            buffer.write(
                " \(title) ".fitted(columns: columns - 4), x: panel.x + 2, y: panel.y,
                style: Style(theme.text, on: theme.panel, .bold))
        }
        let inner = panel.inset(columns: margin, rows: hasFrame ? 1 : 0)
        for (row, binding) in bindings.prefix(inner.size.rows).enumerated() {
            let y = inner.y + row
            let isCut = row == inner.size.rows - 1 && bindings.count > inner.size.rows
            if isCut {
                buffer.write("…", x: inner.x, y: y, style: Style(theme.secondaryText, on: theme.panel))
                continue
            }
            let keyEnd = buffer.write(
                binding.keys, x: inner.x, y: y, style: Style(theme.accent, on: theme.panel, .bold),
                limit: inner.size.columns)
            let x = max(inner.x + keyColumns + 2, keyEnd + 1)
            buffer.write(
                binding.action.fitted(columns: max(0, inner.endX - x)), x: x, y: y,
                style: Style(theme.text, on: theme.panel))
        }
        buffer = look.finished(buffer)
    }
}
