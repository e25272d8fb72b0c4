internal import PoolModel
internal import SyncCore

extension PendingEditSummary {
    init(_ edit: Edit, _ words: EditFormatter) {
        self.init(
            id: edit.id.hexadecimal, at: edit.madeAt,
            changes: edit.changes.map { change in
                Change(
                    subject: words.subject(of: change.key, value: change.value, before: change.seen),
                    value: words.value(change.value, of: change.key, at: edit.madeAt),
                    before: words.value(change.seen, of: change.key, at: edit.madeAt))
            }, settles: edit.resolves.map(ConflictID.init))
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
            edit: PendingEditSummary(confirmed.edit, words), rule: rule,
            merge: rule == nil ? finding?.sentence(words) : nil)
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
            id: ConflictID(conflict.id), subject: words.subject(of: conflict.key, value: conflict.loser.value),
            base: words.value(
                conflict.base, of: conflict.key, at: Timestamp(milliseconds: conflict.loser.stamp.milliseconds)),
            loser: side(conflict.loser),
            winner: conflict.winner.map(side), rule: conflict.rule.rawValue,
            obstacle: isHubs
                ? "only the hub can change this: restore it there with `poolsensors conflicts restore`"
                : Self.obstacle(to: conflict.loser.value.map { Array($0.utf8) }, at: key, exists: exists))
    }
}

extension ConflictID {
    /// The identity of a conflict of the engine.
    init(_ id: RandomID) {
        self.init(high: id.high, low: id.low)
    }
}
