import PoolControl
import PoolModel
import SyncCore
import SyncStore

extension ConfigurationEditor {
    /// The last steps of the history, oldest first.
    func log(last count: Int, of store: HubStore, watches: [PairedWatch]) async throws -> [ConfigurationLogEntry] {
        let contents = try await ledger.contents()
        let words = EntryFormatter(contents.entries)
        let names = Dictionary(watches.map { ($0.key, $0.name) }) { $1 }
        return try store.loggedTransactions(last: count).map { logged in
            ConfigurationLogEntry(
                revision: logged.version.revision, epoch: Hexadecimal.text(logged.version.epoch.number),
                at: Timestamp(milliseconds: logged.stamp.milliseconds),
                author: logged.watch.map { names[$0] ?? "a former watch (\($0.hexadecimal.prefix(8)))" } ?? "hub",
                changes: logged.changes.compactMap { ConfigurationLogEntry.Change($0, words) },
                conflicts: logged.conflicts.map {
                    ConflictSummary($0, words, exists: $0.key.isRecord(in: contents.cells))
                },
                settled: logged.settled.map(\.hexadecimal))
        }
    }
}

extension ConfigurationLogEntry.Change {
    /// What people understand of a change; nil for what the engine writes down for itself.
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
