public import PoolModel
internal import SyncCore

/// An edit of this watch that waits for its hub, in words.
public struct PendingNote: Hashable, Codable, Sendable {
    /// One thing that it changes.
    public struct Change: Hashable, Codable, Sendable {
        /// What, such as `name of the device "Lagoon"`.
        public var subject: String
        /// What it shall be, nil if it is to be removed.
        public var value: String?
        /// What it was when the person changed it, nil if there was nothing.
        public var before: String?
    }

    /// The name of the edit: 32 hexadecimal digits.
    public var id: String
    /// When it was made, by this watch's clock.
    public var at: Timestamp
    /// What it changes; nothing if it only dismisses a conflict.
    public var changes: [Change]
    /// The conflict that it settles, nil for none.
    public var settles: String?

    /// The edit in one sentence.
    public var sentence: String {
        let parts = changes.map { "\($0.subject): \($0.value ?? "back to the standard")" }
        let way = changes.isEmpty ? "dismisses the conflict" : "restores"
        let end = settles.map { "\(way) \($0.prefix(8))" }
        return (parts + [end].compactMap(\.self)).joined(separator: "; ")
    }
}

/// What became of an edit of this watch that its hub has taken in.
public struct OutcomeNote: Hashable, Codable, Sendable {
    /// The edit.
    public var edit: PendingNote
    /// Whether it took effect; if not, it is an open conflict until somebody settles that.
    public var isInEffect: Bool
    /// Why it did not take effect, one word; nil if it did.
    public var rule: String?
    /// The rule in words.
    public var reason: String?
}

extension PendingNote {
    init(_ edit: Edit, _ words: EntryWords) {
        self.init(
            id: edit.id.hexadecimal, at: Timestamp(milliseconds: edit.stamp.milliseconds),
            changes: edit.changes.map { change in
                let key = ConfigurationEntry.Key(change.key)
                let seen = change.seen.map { Array($0.utf8) }
                return Change(
                    subject: words.subject(of: key, before: seen),
                    value: words.value(change.value.map { Array($0.utf8) }, of: key),
                    before: words.value(seen, of: key))
            }, settles: edit.resolves?.hexadecimal)
    }
}

extension OutcomeNote {
    init(_ confirmed: ConfirmedEdit, _ words: EntryWords) {
        let rule = confirmed.rule?.rawValue
        self.init(
            edit: PendingNote(confirmed.edit, words), isInEffect: rule == nil, rule: rule,
            reason: rule.map(ConflictNote.reason))
    }
}

extension ConflictNote {
    /// A conflict in words, as a watch sees it.
    init(_ conflict: Conflict, _ words: EntryWords, in contents: ReplicaContents) {
        let key = ConfigurationEntry.Key(conflict.key)
        func side(_ side: Conflict.Side) -> Side {
            Side(
                value: words.value(side.value.map { Array($0.utf8) }, of: key), author: side.author,
                at: Timestamp(milliseconds: side.stamp.milliseconds))
        }
        let exists = contents.cells.keys.contains { $0.kind == key.kind && $0.record == conflict.key.record }
        let isHubs = !ConfigurationEntry.isEditableOnWatches(kind: key.kind, group: key.group)
        self.init(
            id: conflict.id.hexadecimal, subject: words.subject(of: key),
            base: words.value(conflict.base.map { Array($0.utf8) }, of: key), loser: side(conflict.loser),
            winner: conflict.winner.map(side), rule: conflict.rule.rawValue,
            obstacle: isHubs
                ? "only the hub can change this: restore it there with `poolsensors conflicts restore`"
                : Self.obstacle(to: conflict.loser.value.map { Array($0.utf8) }, at: key, exists: exists))
    }
}
