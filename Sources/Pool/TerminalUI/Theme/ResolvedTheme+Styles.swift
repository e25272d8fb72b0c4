import PoolModel

extension ResolvedTheme {
    /// The ground of the hub's screens, a little lighter than the glass of a watch.
    var hubGround: AdaptiveColor {
        theme.appearance == .dark ? AdaptiveColor(rgb: RGB(0x0B111B), indexed: 233, ansi: 0) : theme.background
    }

    var plain: Style { Style(theme.text) }
    var strong: Style { Style(theme.text, .bold) }
    var quiet: Style { Style(theme.secondaryText) }
    var faint: Style { Style(theme.tertiaryText) }
    var keyStyle: Style { Style(theme.ink(.normal), .bold) }
    var accentStyle: Style { Style(theme.accent) }
    var lineStyle: Style { Style(theme.line) }

    func style(_ status: Status, isBold: Bool = true) -> Style { Style(theme.ink(status), isBold ? .bold : []) }

    /// The ground of a selected row; nil where there are too few colours for one.
    var selectionGround: AdaptiveColor? {
        guard capabilities.depth >= .indexed256 else { return nil }
        // As strong as every ink on it can still be read.
        if theme.isDim { return theme.panel }
        var ink = hubGround.mixed(with: theme.ink(.normal), amount: theme.appearance == .dark ? 0.15 : 0.08)
        ink.indexed = theme.appearance == .dark ? 236 : 255
        return ink
    }

    /// The ground of headers and of what can be typed into; nil where it would swallow faint text.
    var panelGround: AdaptiveColor? { capabilities.depth >= .indexed256 ? theme.panel : nil }

    /// What is typed into: on a ground of its own, or on a line.
    var inputStyle: Style { Style(theme.text, on: panelGround, panelGround == nil ? .underline : []) }

    var selectionMark: Character { isASCII ? ">" : "▌" }
    var ellipsis: String { isASCII ? "~" : "…" }
    var rangeDash: String { isASCII ? "-" : "–" }

    /// A thin bar whose first part is filled, such as a backlog or a countdown.
    func bar(_ fraction: Double, columns: Int, _ style: Style) -> [TextRun] {
        let columns = max(0, columns)
        let part = fraction.isFinite ? min(1, max(0, fraction)) : 0
        let filled = part > 0 ? max(1, Int((part * Double(columns)).rounded())) : 0
        let count = min(columns, filled)
        return [
            TextRun(String(repeating: isASCII ? "=" : "━", count: count), style),
            TextRun(String(repeating: isASCII ? "-" : "─", count: columns - count), Style(theme.track)),
        ]
    }
}
