/// How a quantity changed over the last hour; the hub computes it (``TrendMemory``), and all screens show its
/// ``direction``.
public enum Trend: String, CaseIterable, Codable, Sendable {
    /// Falling fast.
    case falling
    /// Falling slowly.
    case easing
    /// Hardly changing.
    case steady
    /// Rising slowly.
    case climbing
    /// Rising fast.
    case rising

    /// What people see of a trend.
    public enum Direction: CaseIterable, Sendable {
        case falling
        case steady
        case rising
    }

    /// What people see of it: how fast it is, only programs get.
    public var direction: Direction {
        switch self {
        case .falling, .easing: .falling
        case .steady: .steady
        case .climbing, .rising: .rising
        }
    }
}

extension Trend.Direction {
    /// The arrow, the sign of a terminal without Unicode, and the words: the only place that has them.
    ///
    /// The page has a copy in `words.js`, which a test compares.
    private var facts: (arrow: Character, sign: Character, words: QuantityFacts.Words) {
        switch self {
        case .falling: ("↘", "v", QuantityFacts.Words("falling", "en baisse"))
        case .steady: ("→", "=", QuantityFacts.Words("steady", "stable"))
        case .rising: ("↗", "^", QuantityFacts.Words("rising", "en hausse"))
        }
    }

    /// The arrow: `↘`, `→` or `↗`; in ASCII `v`, `=` or `^`.
    package func arrow(isASCII: Bool = false) -> Character { isASCII ? facts.sign : facts.arrow }

    /// The word.
    package func word(in language: TextLanguage = .english) -> String { language.pick(facts.words) }
}
