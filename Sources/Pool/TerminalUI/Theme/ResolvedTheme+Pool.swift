import PoolModel

/// The look of what a pool is.
extension ResolvedTheme {
    /// The unit of a quantity, in signs that the terminal has.
    func unit(_ quantity: Quantity) -> String {
        isASCII ? quantity.asciiUnit : quantity.unit
    }

    /// An age; without seconds when dimmed, so that the screen stays still for a minute.
    func age(_ seconds: Int) -> String { theme.isDim ? FaceFormatter.quietAge(seconds) : FaceFormatter.age(seconds) }

    /// The notice of a glance, with ages in the form of this look.
    func notice(_ glance: Glance) -> Notice { Notice(glance, age: age) }

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
