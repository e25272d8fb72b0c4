public import SyncCore

/// Why a text is no schedule.
public enum ScheduleFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is no JSON, or JSON with fractions.
    case json(JSONFault)
    /// A member is missing, or has a value that it cannot have.
    case member(name: String, value: String, expected: String)
    /// There is no such member.
    case unknown(name: String, known: [String])

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .json(let fault): "it is no JSON that a schedule can be: \(fault)"
        case .member(let name, let value, let expected): "\"\(name)\" is \(value), expected \(expected)"
        case .unknown(let name, let known):
            "\"\(name)\" is no member of a schedule; there are \(known.joined(separator: ", "))"
        }
    }
}

extension Schedule {
    private static let members = [
        "sentence", "seed", "watches", "options", "only", "without", "breaks", "mutant",
    ]

    /// Reads a schedule as ``json`` writes it; blanks do not matter.
    ///
    /// - Throws: ``ScheduleFault``.
    public init(json text: String) throws(ScheduleFault) {
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONValue(decoding: Array(text.utf8))
        } catch {
            throw .json(error)
        }
        guard case .object(let object) = value else {
            throw .member(name: "schedule", value: value.text, expected: "an object with a seed")
        }
        for name in object.keys where !Self.members.contains(name) {
            throw .unknown(name: name, known: Self.members)
        }
        let seed = try Self.read("seed", object["seed"], "a number from 0 as text") {
            $0.string.flatMap { UInt64($0) }
        }
        self.init(seed: seed)
        sentence = try Self.optional("sentence", object["sentence"], "a text") { $0.string } ?? ""
        watchCount = try Self.optional("watches", object["watches"], "a number from 1 to 16") {
            $0.integer.flatMap { (1...16).contains($0) ? Int($0) : nil }
        }
        options = try SimulationOptions(json: object["options"])
        breaks = try Self.optional("breaks", object["breaks"], Self.list(Violation.Rule.allCases.map(\.rawValue))) {
            $0.string.flatMap { Violation.Rule(rawValue: $0) }
        }
        mutant = try Self.optional("mutant", object["mutant"], Self.list(Mutant.allCases.map(\.rawValue))) {
            $0.string.flatMap { Mutant(rawValue: $0) }
        }
        if let only = object["only"] {
            guard object["without"] == nil else {
                throw .member(name: "without", value: "there", expected: "either \"only\" or \"without\"")
            }
            selection = .only(try Self.occurrences("only", only))
        } else if let without = object["without"] {
            selection = .without(try Self.occurrences("without", without))
        }
    }

    private static func occurrences(_ name: String, _ value: JSONValue) throws(ScheduleFault) -> Set<Occurrence> {
        guard let elements = value.array else {
            throw .member(name: name, value: value.text, expected: "a list of names such as \"hubCrash 1\"")
        }
        var occurrences: Set<Occurrence> = []
        for element in elements {
            guard let occurrence = element.string.flatMap({ Occurrence($0) }) else {
                throw .member(
                    name: name, value: element.text,
                    expected: "a name such as \"hubCrash 1\" or \"reset 2 of watch 0\"; the kinds are "
                        + list(Occurrence.Kind.allCases.map(\.rawValue)))
            }
            occurrences.insert(occurrence)
        }
        return occurrences
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    private static func read<Value>(
        _ name: String, _ value: JSONValue?, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(ScheduleFault) -> Value {
        guard let value else { throw .member(name: name, value: "missing", expected: expected) }
        guard let result = read(value) else { throw .member(name: name, value: value.text, expected: expected) }
        return result
    }

    private static func optional<Value>(
        _ name: String, _ value: JSONValue?, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(ScheduleFault) -> Value? {
        guard let value else { return nil }
        return try Self.read(name, value, expected, read)
    }

    /// The schedule as JSON for people: one member a line, options only where they differ from the usual run.
    public var json: String {
        var lines: [String] = []
        if !sentence.isEmpty { lines.append("\"sentence\": \(JSONValue.string(sentence).text)") }
        lines.append("\"seed\": \"\(seed)\"")
        if let mutant { lines.append("\"mutant\": \"\(mutant.rawValue)\"") }
        if let breaks { lines.append("\"breaks\": \"\(breaks.rawValue)\"") }
        if let watchCount { lines.append("\"watches\": \(watchCount)") }
        let differing = options.json
        if !differing.isEmpty {
            let members = differing.pairs.map { "    \(JSONValue.string($0.key).text): \($0.value.text)" }
            lines.append("\"options\": {\n\(members.joined(separator: ",\n"))\n  }")
        }
        switch selection {
        case .all: break
        case .only(let some): lines.append(Self.list("only", some))
        case .without(let some): lines.append(Self.list("without", some))
        }
        return "{\n" + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
    }

    private static func list(_ name: String, _ occurrences: Set<Occurrence>) -> String {
        guard !occurrences.isEmpty else { return "\"\(name)\": []" }
        return "\"\(name)\": [\n" + occurrences.sorted().map { "    \"\($0)\"" }.joined(separator: ",\n") + "\n  ]"
    }
}

extension JSONValue {
    /// The canonical bytes as text.
    var text: String { String(decoding: encoded, as: UTF8.self) }
}
