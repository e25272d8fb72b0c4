package import Text

extension ResolvedTheme {
    /// The background of screens with panels, slightly lighter than the glass of a watch.
    package var panelsGround: AdaptiveColor {
        theme.appearance == .dark ? AdaptiveColor(rgb: RGB(0x0B111B), indexed: 233, ansi: 0) : theme.background
    }

    package var plain: Style { Style(theme.text) }
    package var strong: Style { Style(theme.text, .bold) }
    package var quiet: Style { Style(theme.secondaryText) }
    package var faint: Style { Style(theme.tertiaryText) }
    package var keyStyle: Style { Style(theme.ink(.normal), .bold) }
    package var accentStyle: Style { Style(theme.accent) }
    package var lineStyle: Style { Style(theme.line) }

    package func style(_ status: Status, isBold: Bool = true) -> Style { Style(theme.ink(status), isBold ? .bold : []) }

    /// The background of a selected row; nil if the terminal has too few colours for one.
    package var selectionGround: AdaptiveColor? {
        guard capabilities.depth >= .indexed256 else { return nil }
        // As strong as possible while every ink on it is readable.
        if theme.isDim { return theme.panel }
        var ink = panelsGround.mixed(with: theme.ink(.normal), amount: theme.appearance == .dark ? 0.15 : 0.08)
        ink.indexed = theme.appearance == .dark ? 236 : 255
        return ink
    }

    /// The background of headers and text fields; nil if faint text would be unreadable on it.
    package var panelGround: AdaptiveColor? { capabilities.depth >= .indexed256 ? theme.panel : nil }

    package var selectionMark: Character { isASCII ? ">" : "▌" }
    package var rangeDash: String { isASCII ? "-" : "–" }

    /// A thin bar whose first part is filled, such as a backlog or a countdown.
    package func bar(_ fraction: Double, columns: Int, _ style: Style) -> [TextRun] {
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
