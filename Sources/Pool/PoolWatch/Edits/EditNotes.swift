public import PoolModel
internal import SyncCore

/// An edit of this watch that waits for its hub, in words.
public struct PendingEditSummary: Hashable, Codable, Sendable {
    /// One change of an edit.
    public struct Change: Hashable, Codable, Sendable {
        /// The changed cell, such as `name of the device "Lagoon"`.
        public var subject: String
        /// The new value; nil if it is removed.
        public var value: String?
        /// The value before the change; nil if there was none.
        public var before: String?
    }

    /// The identifier of the edit: 32 hexadecimal digits.
    public var id: String
    /// When it was made, by this watch's clock.
    public var at: Timestamp
    /// The changes; empty if the edit only dismisses a conflict.
    public var changes: [Change]
    /// The conflict that it settles; nil for none.
    public var settles: String?

    /// The edit in one sentence.
    public var sentence: String {
        let parts = changes.map { "\($0.subject): \($0.value ?? "back to the standard")" }
        let way = changes.isEmpty ? "dismisses the conflict" : "restores"
        let end = settles.map { "\(way) \($0.prefix(8))" }
        return (parts + [end].compactMap(\.self)).joined(separator: "; ")
    }
}

/// The result of an edit of this watch that its hub has received.
public struct EditOutcomeSummary: Hashable, Codable, Sendable {
    /// The edit.
    public var edit: PendingEditSummary
    /// Whether it took effect; if not, it is an open conflict until somebody settles that.
    public var isInEffect: Bool
    /// Why it did not take effect, one word; nil if it did.
    public var rule: String?
    /// The rule in words.
    public var reason: String?
    /// The changes of others in the meantime and how they were merged, in words; nil if there were none.
    public var merge: String?

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

extension PendingEditSummary {
    init(_ edit: Edit, _ words: EditFormatter) {
        self.init(
            id: edit.id.hexadecimal, at: edit.madeAt,
            changes: edit.changes.map { change in
                Change(
                    subject: words.subject(of: change.key, value: change.value, before: change.seen),
                    value: words.value(change.value, of: change.key, at: edit.madeAt),
                    before: words.value(change.seen, of: change.key, at: edit.madeAt))
            }, settles: edit.resolves?.hexadecimal)
    }
}

extension Edit {
    /// When it was made, by its author's clock.
    fileprivate var madeAt: Timestamp { Timestamp(milliseconds: stamp.milliseconds) }
}

extension EditOutcomeSummary {
    init(_ confirmed: ConfirmedEdit, _ finding: MergeResult?, _ words: EditFormatter) {
        let rule = confirmed.rule?.rawValue
        self.init(
            edit: PendingEditSummary(confirmed.edit, words), isInEffect: rule == nil, rule: rule,
            reason: rule.map(ConflictSummary.reason), merge: rule == nil ? finding?.sentence(words) : nil)
    }
}

extension MergeResult {
    /// The merged changes in words; nil if there were none.
    fileprivate func sentence(_ words: EditFormatter) -> String? {
        if isSame { return "the same was entered elsewhere: both agree" }
        if let conflict = beaten.first {
            let lost = words.value(
                conflict.loser.value, of: conflict.key, at: Timestamp(milliseconds: conflict.loser.stamp.milliseconds))
            return "kept yours; \(conflict.loser.author) had entered \(lost ?? "its removal"), see the conflicts"
        }
        guard !neighbours.isEmpty else { return nil }
        let subjects = neighbours.prefix(2).map { words.subject(of: $0, value: nil) }
        let more = neighbours.count > 2 ? " and \(neighbours.count - 2) more" : ""
        return "kept both: \(subjects.joined(separator: ", "))\(more) changed too"
    }
}

extension ConflictSummary {
    /// Describes a conflict in words for a watch.
    init(_ conflict: Conflict, _ words: EditFormatter, in contents: ReplicaContents) {
        let key = ConfigurationEntry.Key(conflict.key)
        func side(_ side: Conflict.Side) -> Side {
            let moment = Timestamp(milliseconds: side.stamp.milliseconds)
            return Side(
                value: words.value(side.value, of: conflict.key, at: moment), author: side.author, at: moment)
        }
        let exists = contents.cells.keys.contains { $0.kind == key.kind && $0.record == conflict.key.record }
        let isHubs = !ConfigurationEntry.isEditableOnWatches(kind: key.kind, group: key.group)
        self.init(
            id: conflict.id.hexadecimal, subject: words.subject(of: conflict.key, value: conflict.loser.value),
            base: words.value(
                conflict.base, of: conflict.key, at: Timestamp(milliseconds: conflict.loser.stamp.milliseconds)),
            loser: side(conflict.loser),
            winner: conflict.winner.map(side), rule: conflict.rule.rawValue,
            obstacle: isHubs
                ? "only the hub can change this: restore it there with `poolsensors conflicts restore`"
                : Self.obstacle(to: conflict.loser.value.map { Array($0.utf8) }, at: key, exists: exists))
    }
}
