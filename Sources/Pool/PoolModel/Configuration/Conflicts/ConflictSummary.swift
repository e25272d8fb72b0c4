/// A value that a person entered and that is not shown, in words: what lost against what, why and when.
public struct ConflictSummary: Hashable, Codable, Sendable {
    /// One of the two values.
    public struct Side: Hashable, Codable, Sendable {
        /// The value in words, nil if it is a deletion.
        public var value: String?
        /// Who wrote it: a watch's name, or `hub`.
        public var author: String
        /// When it was written, by its author's clock.
        public var at: Timestamp

        /// Creates a side.
        public init(value: String?, author: String, at: Timestamp) {
            self.value = value
            self.author = author
            self.at = at
        }
    }

    /// The name of the conflict: 32 hexadecimal digits, of which a beginning that fits no other is enough.
    public var id: String
    /// What it is about, such as `name of the device "Lagoon"`.
    public var subject: String
    /// The value that the loser's author had seen, nil if there was none or it is not known.
    public var base: String?
    /// What lost.
    public var loser: Side
    /// What stood there when it was logged, nil if there was nothing.
    public var winner: Side?
    /// The rule by which it lost, one word.
    public var rule: String
    /// The rule in words.
    public var reason: String
    /// Why it cannot be restored here, with the way out; nil if it can.
    public var obstacle: String?

    /// Creates a note.
    public init(
        id: String, subject: String, base: String?, loser: Side, winner: Side?, rule: String, obstacle: String?
    ) {
        self.id = id
        self.subject = subject
        self.base = base
        self.loser = loser
        self.winner = winner
        self.rule = rule
        self.reason = Self.reason(of: rule)
        self.obstacle = obstacle
    }

    /// The first digits of the name, as lists show them.
    public var shortID: String { String(id.prefix(8)) }

    /// A rule in words.
    public static func reason(of rule: String) -> String {
        switch rule {
        case "newest": "both were entered without knowing of each other; the newer one is shown"
        case "owner": "both were entered without knowing of each other; the owner's is shown"
        case "deleted": "it was removed meanwhile by somebody who did not know this value"
        case "unseen": "it was to be removed, but its author had not seen the value that stands there"
        case "together": "another part of the same edit could not be taken"
        case "readOnly": "only the hub may change this"
        case "schema": "the watch's program is too old to change this"
        case "invalid": "the hub cannot take this value"
        case "tooLarge": "the configuration would become too large"
        case "lostInRestore": "the hub was put back to an earlier state without it; a watch still knew it"
        case "deletionLostInRestore": "it was removed, and came back when the hub was put back to an earlier state"
        default: rule
        }
    }

    /// Why a value cannot be restored, no matter who does it; nil if it can.
    ///
    /// - Parameters:
    ///   - value: The value that lost.
    ///   - key: What it is about.
    ///   - exists: Whether a record of the key's kind is there.
    /// - Returns: The reason with the way out.
    public static func obstacle(
        to value: [UInt8]?, at key: ConfigurationEntry.Key, exists: Bool
    ) -> String? {
        if key.kind != EntryGroup.preferenceKind, !exists {
            return "the \(key.kind) does not exist any more: add it anew at the hub, and dismiss this"
        }
        if value == nil, EntryGroup(kind: key.kind, group: key.group)?.isRequired == true {
            return "remove the whole \(key.kind) at the hub with `poolsensors \(key.kind) remove`, and dismiss this"
        }
        return ConfigurationEntry.objection(to: value, at: key)
    }
}

extension ConflictSummary {
    private enum Key: String, CodingKey {
        case id
        case subject
        case base
        case loser
        case winner
        case rule
        case reason
        case obstacle
    }

    /// Writes every key; what is not there is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(subject, forKey: .subject)
        try container.encode(base, forKey: .base)
        try container.encode(loser, forKey: .loser)
        try container.encode(winner, forKey: .winner)
        try container.encode(rule, forKey: .rule)
        try container.encode(reason, forKey: .reason)
        try container.encode(obstacle, forKey: .obstacle)
    }
}

extension ConflictSummary.Side {
    private enum Key: String, CodingKey {
        case value
        case author
        case at
    }

    /// Writes every key; what is not there is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: .value)
        try container.encode(author, forKey: .author)
        try container.encode(at, forKey: .at)
    }
}

/// A text that should name a conflict does not.
public enum ConflictNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No open conflict has a name that begins so; so many are open.
    case notFound(String, openCount: Int)
    /// Several open conflicts have names that begin so.
    case ambiguous(String, candidates: [String])

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .notFound(let text, 0): "There is no conflict \(Excerpt(text)): none is open."
        case .notFound(let text, let count):
            "No open conflict begins with \(Excerpt(text)): the list shows the \(count) that \(count == 1 ? "is" : "are")."
        case .ambiguous(let text, let candidates):
            "\(Excerpt(text)) fits more than one conflict: \(candidates.prefix(8).joined(separator: ", ")). Give more of it."
        }
    }

    /// The one name that begins with a text, in any case.
    public static func match(_ text: String, among names: [String]) throws(ConflictNameError) -> String {
        let start = text.lowercased()
        let found = start.isEmpty ? [] : names.filter { $0.hasPrefix(start) }
        guard found.count < 2 else { throw .ambiguous(text, candidates: found) }
        guard let name = found.first else { throw .notFound(text, openCount: names.count) }
        return name
    }
}
