import PoolModel

/// The look on one terminal: the theme's inks and the signs, within its capabilities.
struct ResolvedTheme: Sendable {
    let theme: Theme
    let capabilities: Capabilities

    var isASCII: Bool { capabilities.glyphs == .ascii }
    var isMono: Bool { capabilities.depth == .mono }
    /// Whether a full cell is painted as a background colour.
    var paintsCells: Bool { !isMono }

    /// The rung of the ring cache; nil if rings are drawn as bars.
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
    /// The sign before a count of edits that wait for the hub.
    var waitingGlyph: Character { isASCII ? "^" : "⇡" }
    /// The sign before a count of conflicts.
    var conflictGlyph: Character { isASCII ? "#" : "≠" }
    /// The unit of a quantity, in signs that the terminal has.
    func unit(_ quantity: Quantity) -> String {
        isASCII ? quantity.asciiUnit : quantity.unit
    }

    /// An age; without seconds when dimmed, so that the screen stays still for a minute.
    func age(_ seconds: Int) -> String { theme.isDim ? FaceFormatter.quietAge(seconds) : FaceFormatter.age(seconds) }

    /// The notice of a glance, with ages in the form of this look.
    func notice(_ glance: Glance) -> Notice { Notice(glance, age: age) }

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
    func ink(_ mark: GaugeMark) -> AdaptiveColor {
        switch mark {
        case .judged(let status): theme.ink(status)
        case .outdated: theme.legibleTint(.warning, 0.75)
        case .offline, .missing: theme.ink(.offline)
        }
    }

    /// The ink of a gauge's value: plain when normal, grey when old, highlighted when out of range.
    func valueInk(_ mark: GaugeMark) -> AdaptiveColor {
        switch mark {
        case .judged(.normal): theme.text
        case .judged(let status): theme.ink(status)
        case .outdated: theme.secondaryText
        case .offline: theme.ink(.offline)
        case .missing: theme.tertiaryText
        }
    }

    /// Text on the colour of a status; with 16 colours never bold black, which many terminals show as grey.
    func banner(_ status: Status) -> Style {
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

    // MARK: Headline

    func glyph(_ headline: Headline) -> Character {
        switch headline.weight {
        case .status(let status): glyph(status)
        case .stale: staleGlyph
        }
    }

    func ink(_ headline: Headline) -> AdaptiveColor {
        switch headline.weight {
        case .status(let status): theme.ink(status)
        case .stale: theme.ink(.warning)
        }
    }

    /// The sentence of an assessment with its sign, harmless for screens.
    func line(_ assessment: PoolAssessment, isNamed: Bool) -> String {
        // What was critical has the sign of old values, as everywhere.
        let sign = assessment.isFormer ? staleGlyph : glyph(assessment.status)
        return "\(sign) \(assessment.sentence(in: .english, isNamed: isNamed).sanitized)"
    }

    func style(_ assessment: PoolAssessment) -> Style {
        Style(theme.ink(assessment.isFormer ? .warning : assessment.status), .bold)
    }

    /// The ink of the edge of the glass: neutral when all is well, else the colour of the headline.
    func bezelInk(_ headline: Headline, isLinked: Bool) -> AdaptiveColor {
        switch headline.weight {
        case .status(.normal): isLinked ? theme.line : theme.tint(.warning, 0.6)
        case .stale: theme.tint(.warning, 0.6)
        case .status(.warning), .status(.critical), .status(.offline): ink(headline)
        }
    }

    /// The style of a notice that does not fill its line with colour.
    func style(_ kind: Notice.Kind) -> Style {
        switch kind {
        case .alarm(let status): banner(status)
        case .calm, .news: Style(theme.accent)
        case .outdated: Style(theme.ink(.warning))
        case .problem: Style(theme.ink(.offline))
        case .refusal: Style(theme.ink(.critical))
        }
    }

    /// The signs beside the headline of a face: a lost link, pending edits, conflicts.
    ///
    /// Facts in the notice are left out.
    /// - Parameters:
    ///   - glance: What is known.
    ///   - notice: The notice.
    ///   - isAlone: Whether the notice is not shown, and the link is shown elsewhere.
    /// - Returns: The marks, the most important first.
    func marks(_ glance: Glance, beside notice: Notice, isAlone: Bool = false) -> [(text: String, ink: AdaptiveColor)] {
        var marks: [(String, AdaptiveColor)] = []
        if !isAlone, !glance.link.isLinked, !notice.isAboutLink, glance.link != .unpaired {
            marks.append(("no link", theme.ink(.warning)))
        }
        if !glance.conflicts.isEmpty, isAlone || !notice.isAboutConflicts {
            marks.append(("\(conflictGlyph)\(glance.conflicts.count)", theme.ink(.warning)))
        }
        if !glance.pendingEdits.isEmpty {
            let isStuck = glance.uploadObstacle != nil
            marks.append(
                ("\(waitingGlyph)\(glance.pendingEdits.count)", isStuck ? theme.ink(.warning) : theme.accent))
        }
        return marks
    }

    // MARK: Trend

    func arrow(_ trend: Trend) -> Character { trend.direction.arrow(isASCII: isASCII) }

    static let asciiForms: [Character: Character] = [
        "·": "-", "•": "*", "–": "-", "—": "-", "…": "~", "°": " ", "↑": "^", "↓": "v", "←": "<", "→": ">",
        "⇡": "^", "≠": "#",
    ]

    /// The buffer without characters that the terminal cannot show.
    func finished(_ buffer: CellBuffer) -> CellBuffer {
        guard isASCII else { return buffer }
        return buffer.asciiOnly(Self.asciiForms)
    }
}

extension Headline {
    /// The severity of a headline's look: its sign and its colour.
    enum Weight {
        /// Like a device with this status.
        case status(Status)
        /// Like values that were good once.
        case stale
    }

    var weight: Weight {
        switch self {
        case .judged(let status): .status(status)
        case .formerly, .partlyStale, .stale, .lastKnown: .stale
        case .refused: .status(.critical)
        case .offline, .noReading, .noDevice, .waiting, .connecting, .linkLost, .unpaired: .status(.offline)
        }
    }
}
