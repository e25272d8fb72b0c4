import PoolControl
import PoolModel
import SyncCore
import SyncStore
import SyncTransport

/// Why the configuration of a revision is unknown.
enum RevisionError: Error, CustomStringConvertible {
    /// The revision does not exist yet.
    case inTheFuture(UInt64, now: UInt64)
    /// The log begins later.
    case forgotten(UInt64, oldest: UInt64)

    /// The error, and which revisions are known.
    var description: String {
        switch self {
        case .inTheFuture(let revision, let now):
            "there is no revision \(revision) yet: the configuration is at \(now), see `poolsensors config log`"
        case .forgotten(let revision, let oldest):
            "the log does not reach back to revision \(revision) any more: the oldest one that it has is \(oldest)"
        }
    }
}

/// The history of the configuration: its log, and its contents at a revision.
struct RevisionHistory: Sendable {
    let ledger: any HubLedger
    let store: HubStore

    /// The last changes, oldest first.
    func log(last count: Int, watches: [PairedWatch]) async throws -> [ConfigurationLogEntry] {
        let contents = try await ledger.contents()
        let words = EntryFormatter(contents.entries)
        let names = Dictionary(watches.map { ($0.key, $0.name) }) { $1 }
        let transactions = try store.loggedTransactions(last: count)
        let authors = try store.authors(of: transactions.lazy.flatMap(\.conflicts))
        return transactions.map { logged in
            ConfigurationLogEntry(
                revision: logged.version.revision, epoch: Hexadecimal.text(logged.version.epoch.number),
                at: Timestamp(milliseconds: logged.stamp.milliseconds),
                author: logged.author
                    ?? logged.watch.map { names[$0] ?? "a former watch (\($0.hexadecimal.prefix(8)))" } ?? "hub",
                changes: logged.changes.compactMap { ConfigurationLogEntry.Change($0, words) },
                conflicts: logged.conflicts.map {
                    ConflictSummary($0, words, exists: $0.key.isRecord(in: contents.cells), authors: authors)
                },
                settled: logged.settled.map(ConflictID.init))
        }
    }

    /// The differences between two revisions, sorted by subject; nil is the current revision.
    ///
    /// - Throws: ``RevisionError``, and the errors of the store.
    func differences(from first: UInt64, to second: UInt64?) async throws -> [ConfigurationDifference] {
        let contents = try await ledger.contents()
        let before = try entries(at: first, contents)
        let after = try second.map { try entries(at: $0, contents) } ?? contents.entries
        let (old, new) = (EntryFormatter(before), EntryFormatter(after))
        let values = Dictionary(before.map { ($0.key, $0.value) }) { $1 }
        return ConfigurationChange.changes(from: before, to: after).map { change in
            let words = values[change.key] == nil ? new : old
            return ConfigurationDifference(
                subject: words.subject(of: change.key), before: old.value(values[change.key], of: change.key),
                after: new.value(change.newValue, of: change.key))
        }
    }

    /// Restores the configuration of a revision in one transaction.
    ///
    /// - Throws: ``RevisionError``, and the errors of the store.
    func restore(revision: UInt64) async throws -> HubReply {
        let contents = try await ledger.contents()
        let changes = ConfigurationChange.changes(
            from: contents.entries, to: try entries(at: revision, contents))
        guard !changes.isEmpty else { return .done("the configuration is what it was at revision \(revision)") }
        do {
            try await ledger.transact(changes.map(\.cellChange), expected: contents.version)
        } catch LinkError.refused(.versionMoved) {
            return .refused("the configuration has changed; check it and try again")
        }
        return .done("the configuration is again what it was at revision \(revision): \(changes.count) changes")
    }

    /// The entries of a revision, computed from the log of changes.
    private func entries(at revision: UInt64, _ contents: LedgerContents) throws -> [ConfigurationEntry] {
        let now = contents.version.revision
        guard revision <= now else { throw RevisionError.inTheFuture(revision, now: now) }
        let log = try store.loggedTransactions(last: .max).withoutWhatIsBeforeGaps
        let oldest = log.first?.version.revision ?? now
        let isWhole = oldest <= 1
        guard isWhole || revision >= oldest else { throw RevisionError.forgotten(revision, oldest: oldest) }
        let touched = Set(log.flatMap { $0.changes.map(\.key) })
        // Cells that are not in the log have not changed.
        var values = Dictionary(
            contents.cells.pairs.filter { !touched.contains($0.key) }.map { ($0.key, $0.value.value) }
        ) { $1 }
        for step in log {
            for change in step.changes {
                if step.version.revision <= revision {
                    values.updateValue(change.value, forKey: change.key)
                } else if values[change.key] == nil, !isWhole, !contents.isYounger(change.key, than: revision) {
                    // It existed before, and its value is no longer in the log.
                    throw RevisionError.forgotten(revision, oldest: step.version.revision)
                }
            }
        }
        return values.compactMap { key, value in
            guard !key.kind.hasPrefix("sync."), let value else { return nil }
            return ConfigurationEntry(key: ConfigurationEntry.Key(key), value: Array(value.utf8))
        }
    }
}

extension [LoggedTransaction] {
    /// The last transactions without a gap: the log may have dropped older ones of one watch, and kept those of others.
    fileprivate var withoutWhatIsBeforeGaps: [LoggedTransaction] {
        let gap = indices.dropFirst().last { self[$0].version.revision != self[$0 - 1].version.revision + 1 }
        return Array(self[(gap ?? 0)...])
    }
}

extension LedgerContents {
    /// Whether a cell was created after a revision.
    fileprivate func isYounger(_ key: CellKey, than revision: UInt64) -> Bool {
        cells[key].map { $0.created.revision > revision } ?? false
    }
}

extension ConfigurationChange {
    /// The value after the change; nil after a deletion.
    fileprivate var newValue: [UInt8]? {
        if case .upsert(let entry) = self { entry.value } else { nil }
    }
}

extension ConfigurationLogEntry.Change {
    /// Describes a change in words; nil for cells that only the engine uses.
    fileprivate init?(_ change: CellChange, _ words: EntryFormatter) {
        switch change.key.kind {
        case "sync.watch": self.init(subject: "a watch", value: change.value == nil ? nil : "paired")
        case "sync.invitation": self.init(subject: "an invitation", value: change.value == nil ? nil : "given out")
        case let kind where kind.hasPrefix("sync."): return nil
        default:
            let key = ConfigurationEntry.Key(change.key)
            self.init(
                subject: words.subject(of: key), value: words.value(change.value.map { Array($0.utf8) }, of: key))
        }
    }
}
