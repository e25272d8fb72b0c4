import Text

/// The meaning of an expression in a template, as far as a mapping can say it.
indirect enum TemplateTerm {
    /// A number of the payload, changed linearly; or a constant.
    case line(TemplateLine)
    case text(String)
    /// `None`, an empty text, or a state that Home Assistant had before: there is no value.
    case nothing
    /// True or false, as something in the payload decides.
    case test(TemplateTest)
    case list([TemplateTerm])
    /// The first term if the test holds, otherwise the second.
    case choice(TemplateTest, TemplateTerm, TemplateTerm)
    /// Something that a mapping cannot say, in words.
    case foreign(String)

    /// Whether it only stands in for a value that is not there.
    var isFallback: Bool {
        switch self {
        case .nothing, .text, .foreign: true
        case .line(let line): line.path == nil
        case .choice(_, let first, let second): first.isFallback && second.isFallback
        case .test, .list: false
        }
    }

    /// The text or number of a constant, as a word.
    var word: String? {
        switch self {
        case .text(let text): text
        case .line(let line) where line.path == nil: NumberFormat.shortest(line.offset)
        case .nothing: "null"
        case .line, .test, .list, .choice, .foreign: nil
        }
    }

    /// The place, if the term is just what is there.
    var place: ValuePath? {
        if case .line(let line) = self, line.scale == 1, line.offset == 0 { line.path } else { nil }
    }
}

/// A linear function: the number at a path, times a factor, plus a constant; without a path the constant.
struct TemplateLine {
    var path: ValuePath?
    var scale = 1.0
    var offset = 0.0
    var isRounded = false

    static func constant(_ number: Double) -> TemplateLine { TemplateLine(path: nil, scale: 0, offset: number) }
}

/// What the payload must contain for a template to take one of two branches; all of the checks must hold.
struct TemplateTest {
    /// One check of what is at a path.
    struct Check {
        enum Kind {
            /// It is one of these words, or a number that satisfies a comparison.
            case isAny([String])
            /// It is none of these words.
            case isNone([String])
            /// It is there.
            case isThere
            /// It is not there.
            case isMissing
        }

        var path: ValuePath
        var kind: Kind

        /// Null or an empty text is false, and so is the number 0.
        static let falseWords = ["false", "0", "null"]
    }

    var checks: [Check]

    init(_ path: ValuePath, _ kind: Check.Kind) { checks = [Check(path: path, kind: kind)] }

    init(all tests: [TemplateTest]) { checks = tests.flatMap(\.checks) }

    /// The opposite; nil if a mapping cannot say it.
    var negated: TemplateTest? {
        guard checks.count == 1 else { return nil }
        let path = checks[0].path
        switch checks[0].kind {
        case .isAny(let words):
            if words.count == 1, let opposite = Self.opposite(of: words[0]) {
                return TemplateTest(path, .isAny([opposite]))
            }
            return words.contains { NumberComparison($0) != nil } ? nil : TemplateTest(path, .isNone(words))
        case .isNone(let words): return TemplateTest(path, .isAny(words))
        case .isThere: return TemplateTest(path, .isMissing)
        case .isMissing: return TemplateTest(path, .isThere)
        }
    }

    private static func opposite(of word: String) -> String? {
        let signs = [(">=", "<"), ("<=", ">"), (">", "<="), ("<", ">=")]
        return signs.first { word.hasPrefix($0.0) }.map { $0.1 + word.dropFirst($0.0.count) }
    }

    /// The conditions of a mapping for a value at a path.
    ///
    /// Whether the value itself is there needs no condition: without it there is no reading.
    func conditions(for value: ValuePath) throws(ValueTemplate.Refusal) -> [PayloadCondition] {
        var conditions: [PayloadCondition] = []
        for check in checks {
            let isOwn = value.steps.starts(with: check.path.steps)
            switch check.kind {
            case .isThere where isOwn: break
            case .isNone(let words) where isOwn && words.allSatisfy(Self.meansNothing): break
            case .isAny(let words): conditions.append(PayloadCondition(check.path, isOneOf: words))
            case .isNone(let words):
                let words = words.filter { !$0.isEmpty }
                if !words.isEmpty { conditions.append(PayloadCondition(check.path, isNoneOf: words)) }
            case .isThere, .isMissing:
                throw ValueTemplate.Refusal(
                    reason: "it depends on whether \(check.path == .whole ? "the payload" : "\(check.path)") is there")
            }
        }
        return conditions
    }

    private static func meansNothing(_ word: String) -> Bool {
        MappingWord.isNoValue(word) || TemplateTest.Check.falseWords.contains(word)
    }
}

extension TemplateTerm {
    /// The place and the linear function of a value.
    func value() throws(ValueTemplate.Refusal) -> ValueTemplate {
        switch self {
        case .line(let line):
            guard let path = line.path else { throw ValueTemplate.Refusal(reason: "it does not use the payload") }
            guard line.scale.isFinite, line.offset.isFinite, line.scale != 0 else {
                throw ValueTemplate.Refusal(reason: "its factor is 0 or too large")
            }
            return ValueTemplate(path: path, scale: line.scale, offset: line.offset, isRounded: line.isRounded)
        case .choice(let test, let first, let second):
            if second.isFallback { return try first.value().with(test) }
            guard first.isFallback else { throw ValueTemplate.Refusal(reason: "it chooses between two values") }
            guard let negated = test.negated else {
                throw ValueTemplate.Refusal(reason: "its value depends on several things at once")
            }
            return try second.value().with(negated)
        case .text, .nothing: throw ValueTemplate.Refusal(reason: "it does not use the payload")
        case .test: throw ValueTemplate.Refusal(reason: "it is true or false, not a number")
        case .list: throw ValueTemplate.Refusal(reason: "it is a list")
        case .foreign(let words): throw ValueTemplate.Refusal(reason: words)
        }
    }

    /// The place and the words of an availability, for the words that the announcement uses.
    func availability(
        online: String, offline: String
    ) throws(ValueTemplate.Refusal) -> (path: ValuePath, online: [String], offline: [String]) {
        if let place { return (place, [online], [offline]) }
        switch self {
        case .test(let test): return try Self.availability(test, means: "True", online: online, offline: offline)
        case .choice(let test, let first, let second):
            if case .choice = second, let word = first.word, MappingWord.isAny(word, of: [online]) {
                // "online" for one word, and otherwise for another one.
                let own = try Self.availability(test, means: online, online: online, offline: offline)
                let rest = try second.availability(online: online, offline: offline)
                if own.path == rest.path, own.offline.isEmpty, rest.offline.isEmpty {
                    return (own.path, own.online + rest.online, [])
                }
                throw ValueTemplate.Refusal(reason: "it depends on several things at once")
            }
            if let word = first.word, MappingWord.isAny(word, of: [online, offline]) {
                return try Self.availability(test, means: word, online: online, offline: offline)
            }
            guard let word = second.word, MappingWord.isAny(word, of: [online, offline]), let negated = test.negated
            else { throw ValueTemplate.Refusal(reason: "it gives other words than \(online) and \(offline)") }
            return try Self.availability(negated, means: word, online: online, offline: offline)
        default:
            _ = try value()
            throw ValueTemplate.Refusal(reason: "it computes a number")
        }
    }

    /// The words with which a test holds mean the given word, all others the opposite.
    private static func availability(
        _ test: TemplateTest, means word: String, online: String, offline: String
    ) throws(ValueTemplate.Refusal) -> (path: ValuePath, online: [String], offline: [String]) {
        guard test.checks.count == 1 else {
            throw ValueTemplate.Refusal(reason: "it depends on several things at once")
        }
        let check = test.checks[0]
        let isOnline = MappingWord.isAny(word, of: [online])
        switch check.kind {
        case .isAny(let words): return (check.path, isOnline ? words : [], isOnline ? [] : words)
        case .isNone(let words):
            let words = words.filter { !$0.isEmpty }
            return (check.path, isOnline ? [] : words, isOnline ? words : [])
        case .isThere, .isMissing:
            throw ValueTemplate.Refusal(
                reason: "it depends on whether \(check.path == .whole ? "the payload" : "\(check.path)") is there")
        }
    }
}

extension ValueTemplate {
    fileprivate func with(_ test: TemplateTest) throws(Refusal) -> ValueTemplate {
        var template = self
        template.conditions = try test.conditions(for: path) + conditions
        return template
    }
}
