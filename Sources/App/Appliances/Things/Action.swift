/// What an appliance is asked to do.
///
/// As text and in JSON it is one word, and its value where it has one: `on`, `press 3s`, `level 40`, `choose Eco`.
package enum Action: Hashable, Sendable {
    case on, off, toggle, stop, lock, unlock
    /// Unlatches a door, which cannot be undone.
    case open
    /// Pushes a button, and holds it for a time or as briefly as the device does.
    case press(hold: Duration?)
    /// Dims a light, in percent.
    case level(Int)
    /// Moves a cover, in percent open.
    case position(Int)
    /// Chooses one of the options of a selection.
    case choose(String)
    /// Sets a number.
    case number(Double)
    /// Moves the arm in several steps.
    case program(Program)

    private static let plain: [(word: String, action: Action)] = [
        ("on", .on), ("off", .off), ("toggle", .toggle), ("stop", .stop), ("lock", .lock), ("unlock", .unlock),
        ("open", .open), ("press", .press(hold: nil)),
    ]
    private static let withValue = ["press", "level", "position", "choose", "number", "program"]

    /// Whether a second run changes nothing: such an action may be sent at least once.
    package var isRepeatable: Bool {
        switch self {
        case .on, .off, .stop, .lock, .unlock, .level, .position, .choose, .number: true
        case .toggle, .open, .press, .program: false
        }
    }

    /// Checks the ranges that are the same for all appliances.
    package func check() throws(ModelProblem) {
        switch self {
        case .press(let hold?): try Limit.hold.check(hold)
        case .level(let percent): try Limit.level.check(percent)
        case .position(let percent): try Limit.position.check(percent)
        case .number(let value) where !value.isFinite: throw ModelProblem("\(value) is no number that can be set")
        case .on, .off, .toggle, .stop, .lock, .unlock, .open, .press, .choose, .number, .program: break
        }
    }
}

extension Action: TextCodable {
    /// Reads an action, and checks its ranges.
    package init(_ text: String) throws(ModelProblem) {
        let word = text.prefix { $0 != " " }
        let value = text.dropFirst(word.count).trimmedOfBlanks
        guard !value.isEmpty else {
            guard let row = Self.plain.first(where: { $0.word == word }) else { throw Self.unknown(word) }
            self = row.action
            return
        }
        switch word {
        case "press": self = .press(hold: try Self.read(value, "a time such as 3s", DurationText.duration))
        case "level": self = .level(try Self.read(value, "a whole number of percent") { Int($0) })
        case "position": self = .position(try Self.read(value, "a whole number of percent") { Int($0) })
        case "number": self = .number(try Self.read(value, "a number") { Double($0) })
        case "choose": self = .choose(String(value))
        case "program": self = .program(try Program(String(value)))
        default: throw Self.unknown(word)
        }
        try check()
    }

    /// The action as people write it.
    package var text: String {
        switch self {
        case .press(let hold?): "press \(DurationText.text(hold))"
        case .level(let percent): "level \(percent)"
        case .position(let percent): "position \(percent)"
        case .choose(let option): "choose \(option)"
        case .number(let value): "number \(Limit.text(value))"
        case .program(let program): "program \(program.text)"
        case .on, .off, .toggle, .stop, .lock, .unlock, .open, .press:
            Self.plain.first { $0.action == self }?.word ?? ""
        }
    }

    private static func read<Value>(
        _ text: Substring, _ expected: String, _ parse: (String) -> Value?
    ) throws(ModelProblem) -> Value {
        guard let value = parse(String(text)) else { throw ModelProblem("\(Excerpt(text)) is not \(expected)") }
        return value
    }

    private static func unknown(_ word: Substring) -> ModelProblem {
        let known = plain.map(\.word) + withValue.dropFirst()
        if withValue.contains(String(word)) { return ModelProblem("`\(word)` needs a value, such as `\(word) 40`") }
        if let near = NearMiss.nearest(to: String(word), in: known) {
            return ModelProblem("\(Excerpt(word)) is no action: did you mean `\(near)`?")
        }
        return ModelProblem("\(Excerpt(word)) is no action: give one of \(known.joined(separator: ", "))")
    }
}
