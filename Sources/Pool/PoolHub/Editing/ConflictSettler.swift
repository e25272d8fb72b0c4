import PoolControl
import PoolModel
import SyncCore
import SyncStore

/// Lists the open conflicts, and settles them.
struct ConflictSettler: Sendable {
    let ledger: any HubLedger

    /// The open conflicts in words, in the order of their identities; the log of a store names who wanted the hub's
    /// own writes.
    func summaries(naming store: HubStore) async throws -> [ConflictSummary] {
        let contents = try await ledger.contents()
        let words = EntryFormatter(contents.entries)
        let authors = try store.authors(of: contents.conflicts)
        return contents.conflicts.map {
            ConflictSummary($0, words, exists: $0.key.isRecord(in: contents.cells), authors: authors)
        }
    }

    /// Settles a conflict.
    func settle(_ id: ConflictID, restoring: Bool) async throws -> HubReply {
        let contents = try await ledger.contents()
        guard let conflict = contents.conflicts.first(where: { ConflictID($0.id) == id }) else {
            return .refused("the conflict \(id) has just been settled")
        }
        let words = EntryFormatter(contents.entries)
        // The cells of one edit are settled together.
        let together = contents.conflicts.ofEdit(with: conflict.id).map {
            ConflictSummary($0, words, exists: $0.key.isRecord(in: contents.cells))
        }
        if restoring, let obstacle = together.lazy.compactMap(\.obstacle).first {
            return .refused("The \(together[0].subject) cannot be restored: \(obstacle).")
        }
        try await ledger.settle(conflict.id, restoring: restoring)
        let what = together.map { "\($0.subject): \($0.loser.value ?? "nothing")" }.joined(separator: "; ")
        return .done(restoring ? "restored \(what)" : "dismissed \(what)")
    }
}

extension ConflictSummary {
    /// Describes a conflict in words.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - words: Describes its subject and its values.
    ///   - exists: Whether a record of its kind exists.
    ///   - authors: Who wanted the hub's own writes, by their stamps; `hub` stands for the others.
    init(_ conflict: Conflict, _ words: EntryFormatter, exists: Bool, authors: [Stamp: String] = [:]) {
        let key = ConfigurationEntry.Key(conflict.key)
        func side(_ side: Conflict.Side) -> Side {
            Side(
                value: words.value(side.value.map { Array($0.utf8) }, of: key),
                author: authors[side.stamp] ?? side.author,
                at: Timestamp(milliseconds: side.stamp.milliseconds))
        }
        self.init(
            id: ConflictID(conflict.id), subject: words.subject(of: key),
            base: words.value(conflict.base.map { Array($0.utf8) }, of: key), loser: side(conflict.loser),
            winner: conflict.winner.map(side), rule: conflict.rule.rawValue,
            obstacle: Self.obstacle(to: conflict.loser.value.map { Array($0.utf8) }, at: key, exists: exists))
    }
}

extension HubStore {
    /// Who wanted the hub's own writes in some conflicts, by the stamps of these writes.
    func authors(of conflicts: some Sequence<Conflict>) throws -> [Stamp: String] {
        let sides = conflicts.flatMap { [$0.loser] + ($0.winner.map { [$0] } ?? []) }
        return try loggedAuthors(of: Set(sides.map(\.stamp).filter { $0.node == 0 }))
    }
}

extension HexadecimalID {
    /// The identity of a thing of the engine.
    init(_ id: RandomID) {
        self.init(high: id.high, low: id.low)
    }
}

extension CellKey {
    /// Whether a cell of the key's record exists.
    func isRecord(in cells: SortedMap<CellKey, Cell>) -> Bool {
        // The cells of a record lie side by side; there may be thousands of others, and a hundred conflicts.
        cells.suffix(from: CellKey(kind: kind, record: record, group: ""))
            .prefix { $0.key.kind == kind && $0.key.record == record }
            .contains { $0.value.value != nil }
    }
}
