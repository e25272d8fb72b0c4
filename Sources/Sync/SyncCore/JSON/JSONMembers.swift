/// The members of a JSON object: each name occurs once, in the order of the names' bytes.
public struct JSONMembers: ExpressibleByDictionaryLiteral, Sendable {
    /// The members in ascending order of the bytes of their names.
    public var pairs: [(key: String, value: JSONValue)] { members.map { (key: $0.0, value: $0.1) } }

    /// The names in ascending order of their bytes.
    public var keys: [String] { members.map(\.0) }

    /// In ascending order of the bytes of the names; without labels, as in a literal.
    private(set) var members: [(String, JSONValue)]

    /// Creates members; of several pairs with the same name, the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }

    /// Creates members; of several pairs with the same name, the last one counts.
    ///
    /// - Complexity: O(*n*) if they come in order, else O(*n* log *n*).
    public init(_ elements: [(String, JSONValue)]) {
        members = elements
        guard !isSorted else { return }
        // The sort is stable, so the last pair of a name stays the last.
        members.sort { Self.precedes($0.0, $1.0) }
        guard !isSorted else { return }
        var unique: [(String, JSONValue)] = []
        for member in members {
            if let last = unique.last, !Self.precedes(last.0, member.0) { unique.removeLast() }
            unique.append(member)
        }
        members = unique
    }

    /// The value of a member, nil if there is no such name.
    public subscript(name: String) -> JSONValue? {
        members.first { $0.0.utf8.elementsEqual(name.utf8) }?.1
    }

    private var isSorted: Bool {
        for position in members.indices.dropFirst() where !Self.precedes(members[position - 1].0, members[position].0) {
            return false
        }
        return true
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        // Most names differ in the first byte.
        if let one = left.utf8.first, let other = right.utf8.first, one != other { return one < other }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension JSONMembers: Hashable {
    /// Whether both have the same members.
    public static func == (left: JSONMembers, right: JSONMembers) -> Bool {
        left.members.elementsEqual(right.pairs) { $0.0 == $1.0 && $0.1 == $1.1 }
    }

    /// Feeds the members in order.
    public func hash(into hasher: inout Hasher) {
        for (name, value) in members {
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}
