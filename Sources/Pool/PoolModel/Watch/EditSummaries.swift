/// An edit of a watch that waits for its hub, in words.
public struct PendingEditSummary: Hashable, Codable, Sendable {
    /// One change of an edit.
    public struct Change: Hashable, Codable, Sendable {
        /// The changed cell, such as `name of the device "Lagoon"`.
        public var subject: String
        /// The new value; nil if it is removed.
        public var value: String?
        /// The value before the change; nil if there was none.
        public var before: String?

        /// Creates a change.
        public init(subject: String, value: String?, before: String?) {
            self.subject = subject
            self.value = value
            self.before = before
        }
    }

    /// The identifier of the edit: 32 hexadecimal digits.
    public var id: String
    /// When it was made, by the watch's clock.
    public var at: Timestamp
    /// The changes; empty if the edit only dismisses a conflict.
    public var changes: [Change]
    /// The conflict that it settles; nil for none.
    public var settles: ConflictID?

    /// Creates a summary.
    public init(id: String, at: Timestamp, changes: [Change], settles: ConflictID? = nil) {
        self.id = id
        self.at = at
        self.changes = changes
        self.settles = settles
    }

    /// The edit in one sentence.
    public var sentence: String {
        let parts = changes.map { "\($0.subject): \($0.value ?? "back to the standard")" }
        let way = changes.isEmpty ? "dismisses the conflict" : "restores"
        let end = settles.map { "\(way) \($0.short)" }
        return (parts + [end].compactMap(\.self)).joined(separator: "; ")
    }
}

/// The result of an edit of a watch that its hub has received.
public struct EditOutcomeSummary: Hashable, Codable, Sendable {
    /// The edit, as it was made on the watch.
    public var edit: PendingEditSummary
    /// Whether it took effect; if not, it is an open conflict until somebody settles that.
    public var isInEffect: Bool
    /// Why it did not take effect, one word; nil if it did.
    public var rule: String?
    /// The rule in words.
    public var reason: String?
    /// The changes of others in the meantime and how they were merged, in words; nil if there were none.
    public var merge: String?

    /// Creates a summary.
    ///
    /// - Parameters:
    ///   - edit: The edit.
    ///   - rule: Why it did not take effect, one word; nil if it did.
    ///   - merge: How the changes of others were merged, in words.
    public init(edit: PendingEditSummary, rule: String? = nil, merge: String? = nil) {
        self.edit = edit
        isInEffect = rule == nil
        self.rule = rule
        reason = rule.map { ConflictSummary.reason(of: $0) }
        self.merge = merge
    }

    /// The kind of result.
    public var kind: Kind {
        guard let rule else { return merge == nil ? .accepted : .merged }
        return ["readOnly", "schema", "invalid", "tooLarge"].contains(rule) ? .rejected : .conflicting
    }

    /// The possible results of an edit.
    public enum Kind: String, Codable, Sendable {
        /// The edit is part of the configuration.
        case accepted
        /// The edit is part of the configuration, next to or in place of what others entered in the meantime.
        case merged
        /// Another edit won, and this one is an open conflict until somebody settles it.
        case conflicting
        /// The hub rejected the edit; it is an open conflict too.
        case rejected
    }
}
