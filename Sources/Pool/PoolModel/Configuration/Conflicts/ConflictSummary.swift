/// The identity of an open conflict.
public typealias ConflictID = HexadecimalID<ConflictSummary>

/// A conflict in words: a value that a person entered and that is not shown, the winning value, the reason and the
/// time.
public struct ConflictSummary: Identified, Hashable, Codable, Sendable {
    /// One of the two values.
    public struct Side: Hashable, Codable, Sendable {
        /// The value in words, nil if it is a deletion.
        public var value: String?
        /// The author: a watch's name, what the log of changes names such as `web:Ada`, or `hub`.
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

    /// The identity of the conflict; a person may name it by a unique prefix.
    public var id: ConflictID
    /// The subject, such as `name of the device "Lagoon"`.
    public var subject: String
    /// The value that the loser's author had seen; nil if there was none or it is unknown.
    public var base: String?
    /// The losing value.
    public var loser: Side
    /// The contents when the conflict was logged; nil if there were none.
    public var winner: Side?
    /// The rule by which it lost, one word.
    public var rule: String
    /// The rule in words.
    public var reason: String
    /// Why it cannot be restored here, and what to do; nil if it can.
    public var obstacle: String?

    /// Creates a summary.
    public init(
        id: ConflictID, subject: String, base: String?, loser: Side, winner: Side?, rule: String, obstacle: String?
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

    /// A rule in words.
    public static func reason(of rule: String, in language: TextLanguage = .english) -> String {
        let words = words(of: rule)
        return language.pick(words.english, words.french)
    }

    private static func words(of rule: String) -> (english: String, french: String) {
        switch rule {
        case "newest":
            (
                "both were entered without knowing of each other; the newer one is shown",
                "les deux valeurs ont été saisies sans que l'une tienne compte de l'autre ; la plus récente est affichée"
            )
        case "owner":
            (
                "both were entered without knowing of each other; the owner's is shown",
                "les deux valeurs ont été saisies sans que l'une tienne compte de l'autre ; celle du propriétaire est affichée"
            )
        case "deleted":
            (
                "it was removed by someone who had not seen this value",
                "quelqu'un qui n'avait pas vu cette valeur l'a supprimée"
            )
        case "unseen":
            (
                "it was to be removed, but its author had not seen the present value",
                "elle devait être supprimée, mais l'auteur n'avait pas vu la valeur actuelle"
            )
        case "together":
            (
                "another part of the same edit could not be taken",
                "une autre partie de la même modification n'a pas pu être reprise"
            )
        case "readOnly":
            (
                "only the hub may change this",
                "seul le hub peut modifier ceci"
            )
        case "schema":
            (
                "the watch's program is too old to change this",
                "le programme de la montre est trop ancien pour modifier ceci"
            )
        case "invalid":
            (
                "the hub cannot take this value",
                "le hub ne peut pas reprendre cette valeur"
            )
        case "tooLarge":
            (
                "the configuration would become too large",
                "la configuration deviendrait trop grande"
            )
        case "lostInRestore":
            (
                "the hub was restored to an earlier state without it; a watch still had it",
                "le hub a été rétabli dans un état antérieur qui ne l'avait pas ; une montre l'avait encore"
            )
        case "deletionLostInRestore":
            (
                "it was removed, and came back when the hub was restored to an earlier state",
                "elle avait été supprimée, et est revenue quand le hub a été rétabli dans un état antérieur"
            )
        default: (rule, rule)
        }
    }

    /// Why nobody can restore a value; nil if it can be restored.
    ///
    /// - Parameters:
    ///   - value: The losing value.
    ///   - key: What it is about.
    ///   - exists: Whether a record of the key's kind exists.
    /// - Returns: The reason, and what to do.
    public static func obstacle(
        to value: [UInt8]?, at key: ConfigurationEntry.Key, exists: Bool
    ) -> String? {
        if key.kind != EntryGroup.preferenceKind, !exists {
            return key.kind == EntryGroup.alertKind
                ? "the alert has ended: dismiss this"
                : "the \(key.kind) does not exist any more: add it again at the hub, and dismiss this"
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

    /// Writes every key; null for a missing value.
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

    /// Writes every key; null for a missing value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: .value)
        try container.encode(author, forKey: .author)
        try container.encode(at, forKey: .at)
    }
}

/// A text does not refer to exactly one conflict.
public enum ConflictNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No open conflict has an identifier with this prefix; with the number of open conflicts.
    case notFound(String, openCount: Int)
    /// Several open conflicts have identifiers with this prefix.
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

    /// The only identity with a prefix; case is ignored.
    public static func match(_ text: String, among ids: [ConflictID]) throws(ConflictNameError) -> ConflictID {
        let start = text.lowercased()
        let found = start.isEmpty ? [] : ids.filter { $0.digits.hasPrefix(start) }
        guard found.count < 2 else { throw .ambiguous(text, candidates: found.map(\.digits)) }
        guard let id = found.first else { throw .notFound(text, openCount: ids.count) }
        return id
    }
}
