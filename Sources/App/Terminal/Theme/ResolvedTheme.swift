package import Text

/// The look on one terminal: the theme's inks and the signs, within its capabilities.
package struct ResolvedTheme: Sendable {
    package let theme: Theme
    package let capabilities: Capabilities

    /// Joins a theme and what the terminal can show.
    package init(theme: Theme, capabilities: Capabilities) {
        self.theme = theme
        self.capabilities = capabilities
    }

    package var isASCII: Bool { capabilities.glyphs == .ascii }
    package var isMono: Bool { capabilities.depth == .mono }
    /// Whether a full cell is painted as a background colour.
    package var paintsCells: Bool { !isMono }

    /// The rung of the ring cache; nil if rings are drawn as bars.
    package var ringRung: RingCache.Rung? {
        switch capabilities.glyphs {
        case .ascii: nil
        case .braille: .braille(hasColor: !isMono)
        case .mosaic: capabilities.depth == .truecolor ? .smoothMosaic : .indexedMosaic
        }
    }

    package var outline: OutlineGlyphs { isASCII ? .ascii : .round }
    package var separator: String { isASCII ? "-" : "·" }
    package var bullet: Character { isASCII ? "*" : "•" }
    package var noValue: String { isASCII ? "--" : "––" }
    /// The sign before a count of things that wait to be sent.
    package var waitingGlyph: Character { isASCII ? "^" : "⇡" }
    /// The sign before a count of conflicts.
    package var conflictGlyph: Character { isASCII ? "#" : "≠" }
    // MARK: Status

    package func glyph(_ status: Status) -> Character {
        switch status {
        case .normal: isASCII ? "o" : "●"
        case .warning: isASCII ? "!" : "▲"
        case .critical: isASCII ? "X" : "◆"
        case .offline: isASCII ? "-" : "○"
        }
    }

    package var staleGlyph: Character { isASCII ? "?" : "◌" }

    /// Text on the colour of a status; with 16 colours never bold black, which many terminals show as grey.
    package func banner(_ status: Status) -> Style {
        switch capabilities.depth {
        case .mono:
            return Style(.terminalDefault, [.bold, .reverse])
        case .ansi16 where status == .warning:
            return Style(AdaptiveColor(rgb: nil, ansi: 0), on: AdaptiveColor(rgb: nil, ansi: 3))
        case .ansi16:
            let background: UInt8 = status == .critical ? 1 : status == .normal ? 4 : 8
            return Style(AdaptiveColor(rgb: nil, ansi: 15), on: AdaptiveColor(rgb: nil, ansi: background), .bold)
        case .indexed256, .truecolor:
            return Style(theme.bannerInk, on: theme.ink(status), .bold)
        }
    }

    package static let asciiForms: [Character: Character] = [
        "·": "-", "•": "*", "–": "-", "—": "-", "…": "~", "°": " ", "↑": "^", "↓": "v", "←": "<", "→": ">",
        "⇡": "^", "≠": "#",
    ]

    /// The buffer without characters that the terminal cannot show.
    package func finished(_ buffer: CellBuffer) -> CellBuffer {
        guard isASCII else { return buffer }
        return buffer.asciiOnly(Self.asciiForms)
    }
}
