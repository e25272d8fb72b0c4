import Text

/// Parses the expression of a template by the grammar of Jinja, as far as a mapping can say what it means.
struct TemplateParser {
    private typealias Refusal = ValueTemplate.Refusal

    private static let depthMax = 16
    private let tokens: [TemplateToken]
    private let variables: [String: TemplateTerm]
    private var position = 0
    private var depth = 0

    /// Creates a parser; `variables` are those that statements have set.
    init(_ tokens: [TemplateToken], variables: [String: TemplateTerm] = [:]) {
        self.tokens = tokens
        self.variables = variables
    }

    /// The whole expression.
    mutating func term() throws(ValueTemplate.Refusal) -> TemplateTerm {
        let term = try conditional()
        guard position == tokens.count else { throw unexpected() }
        return term
    }

    /// The whole expression as a test: what is there and not false.
    mutating func test() throws(ValueTemplate.Refusal) -> TemplateTest { try TemplateTest.of(try term()) }

    // MARK: - Choices and tests

    private mutating func conditional() throws(ValueTemplate.Refusal) -> TemplateTerm {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax else { throw Refusal(reason: "it is nested too deep") }
        let first = try disjunction()
        guard skip(name: "if") else { return first }
        let test = try TemplateTest.of(try disjunction())
        return .choice(test, first, skip(name: "else") ? try conditional() : .nothing)
    }

    private mutating func disjunction() throws(ValueTemplate.Refusal) -> TemplateTerm {
        var term = try conjunction()
        while skip(name: "or") {
            let other = try TemplateTest.of(try conjunction())
            guard let both = TemplateTest.either(try TemplateTest.of(term), other) else {
                throw Refusal(reason: "it has an \"or\" of different things")
            }
            term = .test(both)
        }
        return term
    }

    private mutating func conjunction() throws(ValueTemplate.Refusal) -> TemplateTerm {
        var term = try negation()
        while skip(name: "and") {
            let other = try TemplateTest.of(try negation())
            term = .test(TemplateTest(all: [try TemplateTest.of(term), other]))
        }
        return term
    }

    private mutating func negation() throws(ValueTemplate.Refusal) -> TemplateTerm {
        guard skip(name: "not") else { return try comparison() }
        guard let negated = try TemplateTest.of(try negation()).negated else {
            throw Refusal(reason: "it has a \"not\" of several things")
        }
        return .test(negated)
    }

    private mutating func comparison() throws(ValueTemplate.Refusal) -> TemplateTerm {
        let left = try sum()
        for sign in ["==", "!=", ">=", "<=", ">", "<"] where skip(sign) {
            return try TemplateTest.compare(left, sign, try sum())
        }
        if skip(name: "is") { return try tested(left, isNegative: skip(name: "not")) }
        let isNegative = skip(name: "not")
        if skip(name: "in") { return try member(left, of: try sum(), isNegative: isNegative) }
        if isNegative { throw unexpected() }
        return left
    }

    /// `is defined`, `is number`, `is not none`.
    private mutating func tested(
        _ term: TemplateTerm, isNegative: Bool
    ) throws(ValueTemplate.Refusal) -> TemplateTerm {
        guard case .name(let name) = take() else { throw unexpected() }
        guard let path = term.place else { throw Refusal(reason: "it tests something else than a place") }
        let test: TemplateTest
        switch name {
        case "defined", "number", "integer", "float", "string", "mapping", "iterable":
            test = TemplateTest(path, .isThere)
        case "undefined", "none": test = TemplateTest(path, .isMissing)
        case "true": test = TemplateTest(path, .isAny(["true"]))
        case "false": test = TemplateTest(path, .isAny(["false"]))
        default: throw Refusal(reason: "it uses the test \(name.shortened)")
        }
        return .test(isNegative ? test.negated ?? test : test)
    }

    /// `'level' in value_json`, `value in ['on', 'ok']`.
    private mutating func member(
        _ term: TemplateTerm, of whole: TemplateTerm, isNegative: Bool
    ) throws(ValueTemplate.Refusal) -> TemplateTerm {
        if let key = term.word, let path = whole.place {
            let place = ValuePath(path.steps + [.key(key)])
            return .test(TemplateTest(place, isNegative ? .isMissing : .isThere))
        }
        guard let path = term.place, case .list(let terms) = whole, terms.allSatisfy({ $0.word != nil }) else {
            throw Refusal(reason: "it looks for something else than a word in a list")
        }
        let words = terms.compactMap(\.word)
        return .test(TemplateTest(path, isNegative ? .isNone(words) : .isAny(words)))
    }

    // MARK: - Arithmetic

    private mutating func sum() throws(ValueTemplate.Refusal) -> TemplateTerm {
        var term = try product()
        while true {
            if skip("~") { throw Refusal(reason: "it joins texts") }
            if skip("+") {
                term = .line(
                    try TemplateLine.sum(try TemplateLine.of(term), try TemplateLine.of(try product()), sign: 1))
            } else if skip("-") {
                term = .line(
                    try TemplateLine.sum(try TemplateLine.of(term), try TemplateLine.of(try product()), sign: -1))
            } else {
                return term
            }
        }
    }

    private mutating func product() throws(ValueTemplate.Refusal) -> TemplateTerm {
        var term = try signed()
        while true {
            if skip("*") {
                term = .line(try TemplateLine.product(try TemplateLine.of(term), try TemplateLine.of(try signed())))
            } else if skip("/") {
                var line = try TemplateLine.of(term)
                let divisor = try TemplateLine.of(try signed())
                guard divisor.path == nil else { throw Refusal(reason: "it divides by a value of the payload") }
                guard divisor.offset != 0 else { throw Refusal(reason: "it divides by 0") }
                line.scale /= divisor.offset
                line.offset /= divisor.offset
                term = .line(line)
            } else {
                return term
            }
        }
    }

    private mutating func signed() throws(ValueTemplate.Refusal) -> TemplateTerm {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax else { throw Refusal(reason: "it is nested too deep") }
        if skip("-") { return .line(try TemplateLine.product(try TemplateLine.of(try signed()), .constant(-1))) }
        if skip("+") { return try signed() }
        return try filtered()
    }

    /// An operand with its filters, which bind more tightly than arithmetic.
    private mutating func filtered() throws(ValueTemplate.Refusal) -> TemplateTerm {
        var term = try places(of: try primary())
        while skip("|") {
            guard case .name(let filter) = take() else { throw unexpected() }
            term = try apply(filter, arguments: try arguments(), to: term)
            term = try places(of: term)
        }
        return term
    }

    // MARK: - Operands

    private mutating func primary() throws(ValueTemplate.Refusal) -> TemplateTerm {
        switch take() {
        case .number(let number): return .line(.constant(number))
        case .string(let text): return MappingWord.isNoValue(text) ? .nothing : .text(text)
        case .name("value"), .name("value_json"): return .line(TemplateLine(path: .whole))
        case .name("none"), .name("None"): return .nothing
        case .name("true"), .name("True"): return .text("true")
        case .name("false"), .name("False"): return .text("false")
        case .name("float"), .name("int"):
            // Functions with the names of filters: float(value_json.level).
            let name = tokens[position - 1]
            guard skip("(") else { throw unexpected() }
            var line = try TemplateLine.of(try conditional())
            while skip(",") {
                if case .name = peek, position + 1 < tokens.count, tokens[position + 1] == .sign("=") { position += 2 }
                _ = try conditional()
            }
            guard skip(")") else { throw unexpected() }
            line.isRounded = line.isRounded || name == .name("int")
            return .line(line)
        case .name("iif"):
            guard skip("(") else { throw unexpected() }
            let test = try TemplateTest.of(try conditional())
            guard skip(",") else { throw unexpected() }
            let first = try conditional()
            let second = skip(",") ? try conditional() : .nothing
            guard skip(")") else { throw unexpected() }
            return .choice(test, first, second)
        case .sign("("):
            let term = try conditional()
            if peek == .sign(",") { return try list(from: term, to: ")") }
            guard skip(")") else { throw unexpected() }
            return term
        case .sign("["):
            if skip("]") { return .list([]) }
            return try list(from: try conditional(), to: "]")
        case .name(let name):
            if let variable = variables[name] { return variable }
            try skipCall()
            return .foreign("it uses \(name.shortened)")
        case .sign, nil:
            position -= 1
            throw unexpected()
        }
    }

    private mutating func list(from first: TemplateTerm, to end: String) throws(ValueTemplate.Refusal) -> TemplateTerm {
        var terms = [first]
        while skip(",") {
            if peek == .sign(end) { break }
            terms.append(try conditional())
        }
        guard skip(end) else { throw unexpected() }
        return .list(terms)
    }

    /// Skips the arguments and members behind a name whose meaning is not known.
    private mutating func skipCall() throws(ValueTemplate.Refusal) {
        while true {
            if skip(".") {
                guard case .name = take() else { throw unexpected() }
            } else if skip("(") || skip("[") {
                var open = 1
                while open > 0 {
                    switch take() {
                    case .sign("("), .sign("["): open += 1
                    case .sign(")"), .sign("]"): open -= 1
                    case nil: throw unexpected()
                    default: break
                    }
                }
            } else {
                return
            }
        }
    }

    /// The keys and indexes behind an operand.
    private mutating func places(of term: TemplateTerm) throws(ValueTemplate.Refusal) -> TemplateTerm {
        guard peek == .sign(".") || peek == .sign("[") else { return term }
        guard let start = term.place else {
            if case .foreign = term {
                try skipCall()
                return term
            }
            throw unexpected()
        }
        var steps = start.steps
        while steps.count <= Self.depthMax {
            if skip(".") {
                guard case .name(let key) = take() else { throw unexpected() }
                guard peek == .sign("(") else {
                    steps.append(.key(key))
                    continue
                }
                let arguments = try arguments()
                switch key {
                case "get":
                    guard case .string(let key) = arguments.first else { throw Refusal(reason: "it calls get()") }
                    steps.append(.key(key))
                case "lower", "upper", "strip", "title", "capitalize": break
                case "replace" where arguments == Self.decimalPoint: break
                case "split" where steps.isEmpty && arguments.count == 1:
                    // A text that is not JSON is split at the strongest of these, as a mapping does.
                    guard case .string(let separator) = arguments[0], [";", "|", ","].contains(separator),
                        peek == .sign("[")
                    else { throw Refusal(reason: "it calls split()") }
                default: throw Refusal(reason: "it calls \(key.shortened)()")
                }
            } else if skip("[") {
                steps.append(try bracketedStep())
            } else {
                return .line(TemplateLine(path: ValuePath(steps)))
            }
        }
        throw Refusal(reason: "its place lies too deep")
    }

    private mutating func bracketedStep() throws(ValueTemplate.Refusal) -> ValuePath.Step {
        let isNegative = skip("-")
        let step: ValuePath.Step
        switch take() {
        case .string(let key) where !isNegative: step = .key(key)
        case .number(let number):
            guard let index = Int(exactly: number), index <= ValuePath.indexMax, index > 0 || !isNegative else {
                throw Refusal(reason: "a place in a list is broken")
            }
            step = .index(isNegative ? -index : index)
        case .name, .sign, .string, nil: throw unexpected()
        }
        guard skip("]") else { throw unexpected() }
        return step
    }

    // MARK: - Filters

    private mutating func arguments() throws(ValueTemplate.Refusal) -> [TemplateToken] {
        guard skip("(") else { return [] }
        var arguments: [TemplateToken] = []
        var open = 1
        while open > 0 {
            guard let token = take() else { throw unexpected() }
            switch token {
            case .sign("("), .sign("["): open += 1
            case .sign(")"), .sign("]"): open -= 1
            case .sign(","), .sign("="): break
            case .number, .string, .name, .sign: arguments.append(token)
            }
        }
        return arguments
    }

    private func apply(
        _ filter: String, arguments: [TemplateToken], to term: TemplateTerm
    ) throws(ValueTemplate.Refusal) -> TemplateTerm {
        if case .foreign = term { return term }
        switch filter {
        // Whatever stands in for a value that is missing is not a reading.
        case "float", "default", "d", "is_defined", "string", "trim", "lower", "upper", "title", "capitalize",
            "from_json":
            return term
        case "replace" where arguments == Self.decimalPoint: return term
        case "first", "last":
            guard let path = term.place else { throw Refusal(reason: "it uses the filter \(filter)") }
            return .line(TemplateLine(path: ValuePath(path.steps + [.index(filter == "first" ? 0 : -1)])))
        case "int", "round":
            if case .text = term { return term }
            var line = try TemplateLine.of(term)
            guard line.path != nil || line.offset == line.offset.rounded() else {
                throw Refusal(reason: "it rounds a constant")
            }
            line.isRounded = true
            return .line(line)
        case "multiply":
            return .line(
                try TemplateLine.product(try TemplateLine.of(term), .constant(try Self.number(arguments, of: filter))))
        case "add":
            return .line(
                try TemplateLine.sum(
                    try TemplateLine.of(term), .constant(try Self.number(arguments, of: filter)), sign: 1))
        case "bool": return .test(try TemplateTest.of(term))
        case "is_number":
            guard let path = term.place else { throw Refusal(reason: "it tests something else than a place") }
            return .test(TemplateTest(path, .isThere))
        case "iif":
            let words = arguments.compactMap { if case .string(let text) = $0 { text } else { nil } }
            guard words.count == arguments.count, let first = words.first else {
                throw Refusal(reason: "it uses the filter iif")
            }
            let test = try TemplateTest.of(term)
            return .choice(test, .text(first), words.count > 1 ? .text(words[1]) : .nothing)
        default: throw Refusal(reason: "it uses the filter \(filter.shortened)")
        }
    }

    /// `replace(',', '.')`: a mapping reads a decimal comma itself.
    private static let decimalPoint: [TemplateToken] = [.string(","), .string(".")]

    private static func number(_ arguments: [TemplateToken], of filter: String) throws(ValueTemplate.Refusal) -> Double
    {
        guard case .number(let number) = arguments.last,
            arguments.count == 1 || arguments == [.sign("-"), .number(number)]
        else { throw Refusal(reason: "the filter \(filter) has no constant") }
        return arguments.count == 1 ? number : -number
    }

    // MARK: - Tokens

    private var peek: TemplateToken? { position < tokens.count ? tokens[position] : nil }

    private mutating func take() -> TemplateToken? {
        guard position < tokens.count else {
            position = tokens.count + 1
            return nil
        }
        position += 1
        return tokens[position - 1]
    }

    private mutating func skip(_ sign: String) -> Bool { skip(.sign(sign)) }

    private mutating func skip(name: String) -> Bool { skip(.name(name)) }

    private mutating func skip(_ token: TemplateToken) -> Bool {
        guard peek == token else { return false }
        position += 1
        return true
    }

    private func unexpected() -> ValueTemplate.Refusal {
        Refusal(
            reason: position < tokens.count ? "it has something else than a value and numbers" : "it ends too early")
    }
}
