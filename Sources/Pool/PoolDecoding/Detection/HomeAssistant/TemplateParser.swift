import PoolModel

/// Parses the expression of a template by the grammar of Jinja, as long as it is a linear function.
struct TemplateParser {
    private typealias Refusal = ValueTemplate.Refusal

    /// A linear function: the number at a path, times a factor, plus a constant.
    ///
    /// Without a path it is the constant.
    private struct Line {
        var path: ValuePath?
        var scale = 1.0
        var offset = 0.0
        var isRounded = false

        static func constant(_ number: Double) -> Line { Line(path: nil, scale: 0, offset: number) }
    }

    private static let depthMax = 16
    private let tokens: [TemplateToken]
    private var position = 0
    private var depth = 0

    init(_ tokens: [TemplateToken]) { self.tokens = tokens }

    mutating func template() throws(ValueTemplate.Refusal) -> ValueTemplate {
        let line = try sum()
        guard position == tokens.count else { throw unexpected() }
        guard let path = line.path else { throw Refusal(reason: "it does not use the payload") }
        guard line.scale.isFinite, line.offset.isFinite, line.scale != 0 else {
            throw Refusal(reason: "its factor is 0 or too large")
        }
        return ValueTemplate(path: path, scale: line.scale, offset: line.offset, isRounded: line.isRounded)
    }

    private mutating func sum() throws(ValueTemplate.Refusal) -> Line {
        var line = try product()
        while true {
            if skip("+") {
                line = try Self.sum(line, try product(), sign: 1)
            } else if skip("-") {
                line = try Self.sum(line, try product(), sign: -1)
            } else {
                return line
            }
        }
    }

    private mutating func product() throws(ValueTemplate.Refusal) -> Line {
        var line = try signed()
        while true {
            if skip("*") {
                line = try Self.product(line, try signed())
            } else if skip("/") {
                let divisor = try signed()
                guard divisor.path == nil else { throw Refusal(reason: "it divides by a value of the payload") }
                guard divisor.offset != 0 else { throw Refusal(reason: "it divides by 0") }
                line.scale /= divisor.offset
                line.offset /= divisor.offset
            } else {
                return line
            }
        }
    }

    private mutating func signed() throws(ValueTemplate.Refusal) -> Line {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax else { throw Refusal(reason: "it is nested too deep") }
        if skip("-") { return try Self.product(try signed(), .constant(-1)) }
        if skip("+") { return try signed() }
        return try filtered()
    }

    /// An operand with its filters, which bind more tightly than arithmetic.
    private mutating func filtered() throws(ValueTemplate.Refusal) -> Line {
        var line = try primary()
        while skip("|") {
            guard case .name(let filter) = take() else { throw unexpected() }
            line = try apply(filter, arguments: try arguments(), to: line)
        }
        return line
    }

    private mutating func primary() throws(ValueTemplate.Refusal) -> Line {
        switch take() {
        case .number(let number): return .constant(number)
        case .name("value"): return Line(path: .whole)
        case .name("value_json"): return Line(path: try path())
        case .name("float"), .name("int"):
            // Functions with the names of filters: float(value_json.ph).
            let name = tokens[position - 1]
            guard skip("(") else { throw unexpected() }
            var line = try sum()
            if skip(",") { _ = try sum() }
            guard skip(")") else { throw unexpected() }
            line.isRounded = line.isRounded || name == .name("int")
            return line
        case .sign("("):
            let line = try sum()
            guard skip(")") else { throw unexpected() }
            return line
        case .name(let name): throw Refusal(reason: "it uses \(name.shortened)")
        case .string: throw Refusal(reason: "it uses a text")
        case .sign, nil:
            position -= 1
            throw unexpected()
        }
    }

    private mutating func path() throws(ValueTemplate.Refusal) -> ValuePath {
        var steps: [ValuePath.Step] = []
        while steps.count <= Self.depthMax {
            if skip(".") {
                guard case .name(let key) = take() else { throw unexpected() }
                if case .sign("(") = peek { throw Refusal(reason: "it calls \(key.shortened)()") }
                steps.append(.key(key))
            } else if skip("[") {
                switch take() {
                case .string(let key): steps.append(.key(key))
                case .number(let number):
                    guard let index = Int(exactly: number), index <= ValuePath.indexMax else {
                        throw Refusal(reason: "a place in a list is broken")
                    }
                    steps.append(.index(index))
                case .name, .sign, nil: throw unexpected()
                }
                guard skip("]") else { throw unexpected() }
            } else {
                return ValuePath(steps)
            }
        }
        throw Refusal(reason: "its place lies too deep")
    }

    private mutating func arguments() throws(ValueTemplate.Refusal) -> [TemplateToken] {
        guard skip("(") else { return [] }
        var arguments: [TemplateToken] = []
        while let token = take(), token != .sign(")") {
            switch token {
            case .sign("("), .sign("|"), .sign("["): throw Refusal(reason: "a filter has an expression")
            case .sign(","), .sign("="): break
            case .number, .string, .name, .sign: arguments.append(token)
            }
        }
        guard position > 0, tokens[position - 1] == .sign(")") else { throw unexpected() }
        return arguments
    }

    private func apply(
        _ filter: String, arguments: [TemplateToken], to line: Line
    ) throws(ValueTemplate.Refusal) -> Line {
        var line = line
        switch filter {
        case "float", "default", "d", "is_defined", "string", "trim": return line
        case "int", "round":
            guard line.path != nil || line.offset == line.offset.rounded() else {
                throw Refusal(reason: "it rounds a constant")
            }
            line.isRounded = true
            return line
        case "multiply": return try Self.product(line, .constant(try Self.number(arguments, of: filter)))
        case "add": return try Self.sum(line, .constant(try Self.number(arguments, of: filter)), sign: 1)
        default: throw Refusal(reason: "it uses the filter \(filter.shortened)")
        }
    }

    private static func number(_ arguments: [TemplateToken], of filter: String) throws(ValueTemplate.Refusal) -> Double
    {
        guard case .number(let number) = arguments.last,
            arguments.count == 1 || arguments == [.sign("-"), .number(number)]
        else { throw Refusal(reason: "the filter \(filter) has no constant") }
        return arguments.count == 1 ? number : -number
    }

    private static func sum(_ left: Line, _ right: Line, sign: Double) throws(ValueTemplate.Refusal) -> Line {
        guard left.path == nil || right.path == nil else { throw Refusal(reason: "it uses two values") }
        let other = Line(
            path: right.path, scale: sign * right.scale, offset: sign * right.offset, isRounded: right.isRounded)
        let base = left.path == nil ? other : left
        return Line(
            path: base.path, scale: base.scale, offset: left.offset + other.offset, isRounded: base.isRounded)
    }

    private static func product(_ left: Line, _ right: Line) throws(ValueTemplate.Refusal) -> Line {
        let (line, factor) = right.path == nil ? (left, right) : (right, left)
        guard factor.path == nil else { throw Refusal(reason: "it multiplies two values") }
        return Line(
            path: line.path, scale: line.scale * factor.offset, offset: line.offset * factor.offset,
            isRounded: line.isRounded)
    }

    private var peek: TemplateToken? { position < tokens.count ? tokens[position] : nil }

    private mutating func take() -> TemplateToken? {
        guard position < tokens.count else {
            position = tokens.count + 1
            return nil
        }
        position += 1
        return tokens[position - 1]
    }

    private mutating func skip(_ sign: Character) -> Bool {
        guard peek == .sign(sign) else { return false }
        position += 1
        return true
    }

    private func unexpected() -> ValueTemplate.Refusal {
        Refusal(
            reason: position < tokens.count ? "it has something else than a value and numbers" : "it ends too early")
    }
}
