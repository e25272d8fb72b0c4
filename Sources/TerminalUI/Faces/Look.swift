import PoolModel

/// How things look on one terminal: the theme's inks and the signs, as far as its capabilities reach.
struct Look: Sendable {
    let theme: Theme
    let capabilities: Capabilities

    var isASCII: Bool { capabilities.glyphs == .ascii }
    var isMono: Bool { capabilities.depth == .mono }
    /// Whether a full cell is painted as a background colour.
    var paintsCells: Bool { !isMono }

    /// The rung of the ring cache, nil where rings are drawn as bars.
    var ringRung: RingCache.Rung? {
        switch capabilities.glyphs {
        case .ascii: nil
        case .braille: .braille(hasColor: !isMono)
        case .mosaic: capabilities.depth == .truecolor ? .smoothMosaic : .indexedMosaic
        }
    }

    var outline: OutlineGlyphs { isASCII ? .ascii : .round }
    var separator: String { isASCII ? "-" : "·" }
    var bullet: Character { isASCII ? "*" : "•" }
    var noValue: String { isASCII ? "--" : "––" }

    // MARK: Status

    func glyph(_ status: Status) -> Character {
        switch status {
        case .normal: isASCII ? "o" : "●"
        case .warning: isASCII ? "!" : "▲"
        case .critical: isASCII ? "X" : "◆"
        case .offline: isASCII ? "-" : "○"
        }
    }

    var staleGlyph: Character { isASCII ? "?" : "◌" }

    /// The sign of a gauge; the one for normal only if the value is fresh.
    func glyph(_ mark: GaugeMark) -> Character {
        switch mark {
        case .judged(let status): glyph(status)
        case .outdated: staleGlyph
        case .offline, .missing: glyph(Status.offline)
        }
    }

    /// The ink of a gauge's sign and, when it is out of range, of its label.
    func ink(_ mark: GaugeMark) -> Ink {
        switch mark {
        case .judged(let status): theme.ink(status)
        case .outdated: theme.tint(.warning, 0.75)
        case .offline, .missing: theme.ink(.offline)
        }
    }

    /// The ink of a gauge's value: plain when normal, grey when old, loud when out of range.
    func valueInk(_ mark: GaugeMark) -> Ink {
        switch mark {
        case .judged(.normal): theme.text
        case .judged(let status): theme.ink(status)
        case .outdated: theme.secondaryText
        case .offline: theme.tint(.offline, 0.8)
        case .missing: theme.tertiaryText
        }
    }

    /// Text on the colour of a status; of 16 colours never bold black, which many terminals show as grey.
    func banner(_ status: Status) -> Style {
        switch capabilities.depth {
        case .mono:
            return Style(.terminalDefault, [.bold, .reverse])
        case .ansi16 where status == .warning:
            return Style(Ink(rgb: nil, ansi: 0), on: Ink(rgb: nil, ansi: 3))
        case .ansi16:
            let background: UInt8 = status == .critical ? 1 : status == .normal ? 4 : 8
            return Style(Ink(rgb: nil, ansi: 15), on: Ink(rgb: nil, ansi: background), .bold)
        case .indexed256, .truecolor:
            return Style(theme.bannerInk, on: theme.ink(status), .bold)
        }
    }

    // MARK: Headline

    func glyph(_ headline: Headline) -> Character {
        switch headline {
        case .judged(let status): glyph(status)
        case .partlyStale, .stale, .lastKnown: staleGlyph
        case .refused: glyph(Status.critical)
        default: glyph(Status.offline)
        }
    }

    func ink(_ headline: Headline) -> Ink {
        switch headline {
        case .judged(let status): theme.ink(status)
        case .partlyStale, .stale, .lastKnown: theme.ink(.warning)
        case .refused: theme.ink(.critical)
        default: theme.ink(.offline)
        }
    }

    /// The edge of the glass: calm when all is well, else in the colour of the headline.
    func bezelInk(_ headline: Headline, isLinked: Bool) -> Ink {
        switch headline {
        case .judged(.normal): isLinked ? theme.line : theme.tint(.warning, 0.6)
        case .partlyStale, .stale, .lastKnown: theme.tint(.warning, 0.6)
        default: ink(headline)
        }
    }

    // MARK: Trend

    func arrow(_ trend: Glance.Trend) -> Character {
        switch trend {
        case .falling: isASCII ? "v" : "↓"
        case .easing: isASCII ? "v" : "↘"
        case .steady: isASCII ? "=" : "→"
        case .climbing: isASCII ? "^" : "↗"
        case .rising: isASCII ? "^" : "↑"
        }
    }

    /// The buffer with nothing left that the terminal cannot show.
    func finished(_ buffer: CellBuffer) -> CellBuffer {
        guard isASCII else { return buffer }
        return buffer.asciiOnly(["·": "-", "•": "*", "–": "-", "—": "-", "…": "~", "°": " "])
    }
}
