import Text

private typealias Refusal = ValueTemplate.Refusal

extension TemplateLine {
    /// The number of a term.
    static func of(_ term: TemplateTerm) throws(ValueTemplate.Refusal) -> TemplateLine {
        switch term {
        case .line(let line): return line
        // A choice between a value and nothing is the value: without it there is no reading.
        case .choice(let test, .line(let line), let other)
        where other.isFallback && line.path != nil
            && test.checks.allSatisfy { line.path?.steps.starts(with: $0.path.steps) == true }:
            guard let path = line.path, try test.conditions(for: path).isEmpty else {
                throw Refusal(reason: "it computes with a choice")
            }
            return line
        case .foreign(let words): throw Refusal(reason: words)
        case .text: throw Refusal(reason: "it uses a text")
        case .nothing, .test, .list, .choice: throw Refusal(reason: "it computes with something else than a number")
        }
    }

    static func sum(
        _ left: TemplateLine, _ right: TemplateLine, sign: Double
    ) throws(ValueTemplate.Refusal) -> TemplateLine {
        guard left.path == nil || right.path == nil else { throw Refusal(reason: "it uses two values") }
        let other = TemplateLine(
            path: right.path, scale: sign * right.scale, offset: sign * right.offset, isRounded: right.isRounded)
        let base = left.path == nil ? other : left
        return TemplateLine(
            path: base.path, scale: base.scale, offset: left.offset + other.offset, isRounded: base.isRounded)
    }

    static func product(
        _ left: TemplateLine, _ right: TemplateLine
    ) throws(ValueTemplate.Refusal) -> TemplateLine {
        let (line, factor) = right.path == nil ? (left, right) : (right, left)
        guard factor.path == nil else { throw Refusal(reason: "it multiplies two values") }
        return TemplateLine(
            path: line.path, scale: line.scale * factor.offset, offset: line.offset * factor.offset,
            isRounded: line.isRounded)
    }
}

extension TemplateTest {
    /// Compares a place with a constant.
    static func compare(
        _ left: TemplateTerm, _ sign: String, _ right: TemplateTerm
    ) throws(ValueTemplate.Refusal) -> TemplateTerm {
        if case .foreign(let words) = left { throw Refusal(reason: words) }
        if case .foreign(let words) = right { throw Refusal(reason: words) }
        guard let path = left.place ?? right.place, let word = left.place == nil ? left.word : right.word else {
            throw Refusal(reason: "it compares something else than a place and a constant")
        }
        switch sign {
        case "==": return .test(TemplateTest(path, .isAny([word])))
        case "!=": return .test(TemplateTest(path, .isNone([word])))
        default:
            guard NumberGrammar.isDecimalNumber(word) else { throw Refusal(reason: "it compares texts by their order") }
            let turned = [">": "<", "<": ">", ">=": "<=", "<=": ">="]
            return .test(TemplateTest(path, .isAny([(left.place == nil ? turned[sign] ?? sign : sign) + word])))
        }
    }

    /// What counts as true: something that is there and neither false nor 0.
    static func of(_ term: TemplateTerm) throws(ValueTemplate.Refusal) -> TemplateTest {
        if let path = term.place { return TemplateTest(path, .isNone(TemplateTest.Check.falseWords)) }
        switch term {
        case .test(let test): return test
        case .foreign(let words): throw Refusal(reason: words)
        case .line, .text, .nothing, .list, .choice: throw Refusal(reason: "it tests something else than a place")
        }
    }

    /// Either of two tests, if both are about the same place.
    static func either(_ left: TemplateTest, _ right: TemplateTest) -> TemplateTest? {
        guard left.checks.count == 1, right.checks.count == 1, left.checks[0].path == right.checks[0].path,
            case .isAny(let words) = left.checks[0].kind, case .isAny(let others) = right.checks[0].kind
        else { return nil }
        return TemplateTest(left.checks[0].path, .isAny(words + others))
    }
}
