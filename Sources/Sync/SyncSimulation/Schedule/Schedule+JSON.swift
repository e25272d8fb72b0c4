public import SyncCore

/// Why a text is no schedule.
public enum ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is no JSON, or JSON with fractions; with the line in which that shows, nil if it shows in none.
    case json(JSONError, line: Int?)
    /// A member is missing, or has a value that it cannot have.
    case member(name: String, value: String, expected: String)
    /// There is no such member.
    case unknown(name: String, known: [String])

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .json(let fault, let line): Self.words(fault, line: line ?? 1)
        case .member(let name, let value, let expected): "\"\(name)\" is \(value), expected \(expected)"
        case .unknown(let name, let known):
            "\"\(name)\" is no member of a schedule; there are \(known.joined(separator: ", "))"
        }
    }

    private static func words(_ fault: JSONError, line: Int) -> String {
        switch fault {
        case .truncated: "its JSON ends too soon, in line \(line): add what is missing"
        case .unexpected(let offset):
            "its JSON breaks off at \(place(offset, line)): mend what stands there"
        case .notWhole(let offset):
            "the number at \(place(offset, line)) is no whole number of 64 bits: write fractions as texts, "
                + "such as \"0.5\""
        case .notText(let offset): "the text at \(place(offset, line)) is not in UTF-8: write it anew"
        case .duplicateName(let name): "\"\(name)\" stands twice in one object: leave one of them out"
        case .tooDeep:
            "it is nested deeper than \(JSONValue.depthLimit) levels, and a schedule has two: leave the rest out"
        }
    }

    /// A place in the file as editors count, from 1.
    private static func place(_ offset: Int, _ line: Int) -> String { "line \(line), byte \(offset + 1) of the file" }

    /// A fault with the line of the text in which it shows.
    fileprivate static func unreadable(_ fault: JSONError, in bytes: [UInt8]) -> ScheduleError {
        let end: Int
        switch fault {
        case .unexpected(let offset), .notWhole(let offset), .notText(let offset): end = offset
        case .truncated: end = max(0, bytes.count - 1)
        case .duplicateName, .tooDeep: return .json(fault, line: nil)
        }
        return .json(fault, line: 1 + bytes.prefix(end).count { $0 == UInt8(ascii: "\n") })
    }
}

extension Schedule {
    private static let members = [
        "sentence", "seed", "watches", "options", "only", "without", "breaks",
    ]

    /// Reads a schedule as ``json`` writes it; blanks do not matter.
    ///
    /// - Throws: ``ScheduleError``.
    public init(json text: String) throws(ScheduleError) {
        let bytes = Array(text.utf8)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(decoding: bytes)
        } catch {
            throw ScheduleError.unreadable(error, in: bytes)
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
        if let only = object["only"] {
            guard object["without"] == nil else {
                throw .member(name: "without", value: "there", expected: "either \"only\" or \"without\"")
            }
            selection = .only(try Self.occurrences("only", only))
        } else if let without = object["without"] {
            selection = .without(try Self.occurrences("without", without))
        }
    }

    private static func occurrences(_ name: String, _ value: JSONValue) throws(ScheduleError) -> Set<Occurrence> {
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
    ) throws(ScheduleError) -> Value {
        guard let value else { throw .member(name: name, value: "missing", expected: expected) }
        guard let result = read(value) else { throw .member(name: name, value: value.text, expected: expected) }
        return result
    }

    private static func optional<Value>(
        _ name: String, _ value: JSONValue?, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(ScheduleError) -> Value? {
        guard let value else { return nil }
        return try Self.read(name, value, expected, read)
    }

    /// The schedule as JSON for people: one member a line, options only where they differ from the usual run.
    public var json: String {
        var lines: [String] = []
        if !sentence.isEmpty { lines.append("\"sentence\": \(JSONValue.string(sentence).text)") }
        lines.append("\"seed\": \"\(seed)\"")
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
