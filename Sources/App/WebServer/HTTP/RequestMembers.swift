package import Text

/// Reads the members of a request's JSON: each once, none that is unknown.
package struct RequestMembers {
    private let members: [String: JSONValue]
    /// The path of the object in the body, such as `points[0].`; empty for the body itself.
    private let place: String

    /// The members of a body.
    ///
    /// - Throws: ``Problem`` if the body is no JSON object, or has a member twice or one that is not allowed.
    package init(_ body: [UInt8], allowed: Set<String>) throws(Problem) {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Problem(.badRequest, "the body is not UTF-8: send JSON in UTF-8")
        }
        let value: JSONValue
        do {
            value = try JSONScanner.scan(Array(text.utf8), depthMax: 8)
        } catch {
            throw Problem(.badRequest, "the body is not JSON: \(error)")
        }
        try self.init(value, at: "", allowed: allowed)
    }

    private init(_ value: JSONValue, at place: String, allowed: Set<String>) throws(Problem) {
        guard case .object(let found) = value else {
            throw Problem(
                .wrongMember, "\(place.isEmpty ? "the body" : place) is no object: send one in braces",
                member: place.isEmpty ? nil : place)
        }
        let prefix = place.isEmpty ? "" : place + "."
        var members: [String: JSONValue] = [:]
        for member in found {
            let name = prefix + member.key
            guard allowed.contains(member.key) else {
                let shown = Excerpt(name)
                throw Problem(
                    .wrongMember,
                    "there is no member \(shown): the members are \(allowed.sorted().joined(separator: ", "))",
                    member: name.shortened, value: Self.shown(member.value))
            }
            guard members.updateValue(member.value, forKey: member.key) == nil else {
                throw Problem(.wrongMember, "the member \(name) stands twice: send it once", member: name)
            }
        }
        self.members = members
        self.place = prefix
    }

    /// Whether a member is there.
    package func has(_ name: String) -> Bool { members[name] != nil }

    /// Whether a member is null.
    package func isNull(_ name: String) -> Bool { members[name] == .null }

    // MARK: - Members that must be there

    package func text(_ name: String) throws(Problem) -> String {
        guard let text = try optionalText(name) else { throw lacks(name) }
        return text
    }

    package func integer(_ name: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = try optionalInteger(name, range) else { throw lacks(name) }
        return number
    }

    package func number(_ name: String) throws(Problem) -> Double {
        guard let number = try optionalNumber(name) else { throw lacks(name) }
        return number
    }

    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(Problem) -> Choice {
        guard let choice = try optionalChoice(name, type) else { throw lacks(name) }
        return choice
    }

    // MARK: - Members that may be absent

    package func optionalText(_ name: String) throws(Problem) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text): return text
        case let other: throw wrong(name, other, "a text in quotes")
        }
    }

    package func optionalInteger(_ name: String, _ range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = members[name] else { return nil }
        guard case .number(let text) = value, let number = Int(text), range.contains(number) else {
            throw wrong(name, value, "a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func optionalNumber(_ name: String) throws(Problem) -> Double? {
        guard let value = members[name] else { return nil }
        guard case .number(let text) = value, let number = Double(text), number.isFinite else {
            throw wrong(name, value, "a number")
        }
        return number
    }

    package func optionalFlag(_ name: String) throws(Problem) -> Bool? {
        switch members[name] {
        case nil: return nil
        case .bool(let truth): return truth
        case let other: throw wrong(name, other, "true or false")
        }
    }

    package func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(Problem) -> Choice? {
        guard let value = members[name] else { return nil }
        guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
            throw wrong(name, value, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// A time with a zone.
    package func optionalTime(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = try optionalText(name) else { return nil }
        switch ISO8601Text.read(text) {
        case .moment(let moment) where moment.hasFourDigits: return moment
        case .withoutZone: throw wrong(name, .string(text), "a time with a zone, such as 2026-06-01T12:00:00Z")
        case .moment, .unreadable: throw wrong(name, .string(text), "a time such as 2026-06-01T12:00:00Z")
        }
    }

    package func optionalID<Thing: Identified>(_ name: String) throws(Problem) -> Identifier<Thing>? {
        guard let text = try optionalText(name) else { return nil }
        guard let id = Identifier<Thing>(text) else { throw wrong(name, .string(text), "an id as the lists show it") }
        return id
    }

    /// The objects of a list.
    package func optionalObjects(
        _ name: String, _ counts: ClosedRange<Int>, allowed: Set<String>
    ) throws(Problem) -> [RequestMembers]? {
        guard let values = try optionalList(name, counts) else { return nil }
        var objects: [RequestMembers] = []
        for (index, value) in values.enumerated() {
            objects.append(try RequestMembers(value, at: "\(place)\(name)[\(index)]", allowed: allowed))
        }
        return objects
    }

    /// The whole numbers of a list.
    package func optionalIntegers(
        _ name: String, _ counts: ClosedRange<Int>, _ range: ClosedRange<Int>
    ) throws(Problem) -> [Int]? {
        guard let values = try optionalList(name, counts) else { return nil }
        var numbers: [Int] = []
        for value in values {
            guard case .number(let text) = value, let number = Int(text), range.contains(number) else {
                throw wrong(name, value, "whole numbers, \(range.lowerBound) to \(range.upperBound)")
            }
            numbers.append(number)
        }
        return numbers
    }

    /// The choices of a list.
    package func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(Problem) -> [Choice] {
        guard let values = try optionalList(name, 1...Choice.allCases.count) else { throw lacks(name) }
        return try choices(name, values)
    }

    /// The choices of a list that may be empty or absent.
    package func optionalChoices<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(Problem) -> [Choice] {
        try choices(name, try optionalList(name, 0...Choice.allCases.count) ?? [])
    }

    private func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ values: [JSONValue]
    ) throws(Problem) -> [Choice] {
        var choices: [Choice] = []
        for value in values {
            guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
                throw wrong(name, value, "some of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
            }
            choices.append(choice)
        }
        return choices
    }

    /// An object.
    package func optionalObject(_ name: String, allowed: Set<String>) throws(Problem) -> RequestMembers? {
        guard let value = members[name] else { return nil }
        return try RequestMembers(value, at: place + name, allowed: allowed)
    }

    private func optionalList(_ name: String, _ counts: ClosedRange<Int>) throws(Problem) -> [JSONValue]? {
        guard let value = members[name] else { return nil }
        guard case .array(let values) = value, counts.contains(values.count) else {
            throw wrong(name, value, "a list of \(counts.lowerBound) to \(counts.upperBound)")
        }
        return values
    }

    // MARK: - Problems

    package func lacks(_ name: String) -> Problem {
        Problem(.wrongMember, "the member \(place)\(name) is missing: add it", member: place + name)
    }

    /// A member is wrong; `right` says what would be right.
    package func wrong(_ name: String, _ right: String) -> Problem { wrong(name, members[name], right) }

    private func wrong(_ name: String, _ value: JSONValue?, _ right: String) -> Problem {
        let shown = value.flatMap(Self.shown) ?? "nothing"
        return Problem(
            .wrongMember, "\(place)\(name) is \(Excerpt(shown)), expected \(right)", member: place + name, value: shown)
    }

    private static func shown(_ value: JSONValue) -> String? {
        switch value {
        case .null: "null"
        case .nonFinite: "no number"
        case .array: "a list"
        case .object: "an object"
        case .bool, .number, .string: value.scalarText
        }
    }
}
