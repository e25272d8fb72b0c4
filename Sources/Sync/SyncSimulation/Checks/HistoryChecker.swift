import SyncCore

/// What a transaction and a record may change in the durable state; the rules are written a second time here.
enum HistoryChecker {
    /// A transaction is durable: the history has changed as the transaction says, and in nothing else.
    static func finding(_ transaction: Transaction, from before: LedgerState, to after: LedgerState) -> Checks.Finding?
    {
        let difference =
            versionDifference(transaction, before, after) ?? contentDifference(transaction, before, after)
            ?? uploadDifference(transaction, before, after)
        return difference.map { Checks.Finding(.history, "\($0) after \(transaction.after.traceText)") }
    }

    private static func versionDifference(
        _ transaction: Transaction, _ before: LedgerState, _ after: LedgerState
    ) -> String? {
        let (old, new) = (before.version, after.version)
        guard transaction.before == old, transaction.after == new, new.revision == old.revision + 1 else {
            return "the version is not the next one"
        }
        guard after.lastStamp == transaction.stamp else { return "the last stamp is another one" }
        var lineage = before.lineage
        if new.epoch != old.epoch {
            guard lineage[new.epoch] == nil else { return "an epoch comes a second time" }
            lineage[old.epoch] = old.revision
        }
        let forgotten = lineage.pairs.filter { after.lineage[$0.key] != $0.value }
        let isFull = after.lineage.count == LedgerState.lineageCountMax && lineage.count > after.lineage.count
        let oldest = lineage.values.min() ?? 0
        guard after.lineage.count + forgotten.count == lineage.count,
            forgotten.isEmpty || isFull && forgotten.allSatisfy({ $0.value == oldest && after.lineage[$0.key] == nil })
        else { return "the epochs that were left are other ones, or end elsewhere" }
        var chain = new.epoch == old.epoch ? before.chain : SortedMap()
        chain[new.revision] = new.chain
        while chain.count > LedgerState.chainCountMax, let first = chain.keys.first { chain[first] = nil }
        return after.chain == chain ? nil : "the digests of the revisions are other ones"
    }

    private static func contentDifference(
        _ transaction: Transaction, _ before: LedgerState, _ after: LedgerState
    ) -> String? {
        var (cells, conflicts) = (before.cells, before.conflicts)
        let place = Cell.Place(epoch: before.version.epoch, revision: after.version.revision)
        for (key, cell) in transaction.written.pairs {
            guard cell.written == place else { return "\(key.kind)/\(key.group) says that it was written elsewhere" }
            guard cell.stamp.node == 0 || cell.stamp.node == transaction.progress?.peer.node else {
                return "\(key.kind)/\(key.group) has the stamp of somebody else"
            }
            if cell.stamp.node == 0, let last = before.lastStamp, cell.stamp <= last {
                return "the hub's write of \(key.kind)/\(key.group) is not stamped later than all before"
            }
            cells[key] = cell
        }
        for key in transaction.removed { cells[key] = nil }
        for (id, conflict) in transaction.logged.pairs { conflicts[id] = conflict }
        for id in transaction.settled { conflicts[id] = nil }
        guard after.cells == cells else { return "the cells are other ones" }
        return after.conflicts == conflicts ? nil : "the open conflicts are other ones"
    }

    private static func uploadDifference(
        _ transaction: Transaction, _ before: LedgerState, _ after: LedgerState
    ) -> String? {
        var peers = Set(before.uploads.keys)
        if let progress = transaction.progress {
            peers.remove(progress.peer)
            guard let mark = after.uploads[progress.peer], mark.incarnation == progress.incarnation,
                mark.highest == progress.highest, mark.last == progress.last
            else { return "the uploads of a watch are counted otherwise" }
            guard progress.outcomes.allSatisfy(mark.outcomes.contains) else {
                return "what became of a watch's uploads is forgotten"
            }
        }
        for peer in transaction.released where peers.remove(peer) != nil && after.uploads[peer] != nil {
            return "the uploads of a watch are not forgotten"
        }
        return peers.allSatisfy { after.uploads[$0] == before.uploads[$0] } ? nil : "uploads of another watch change"
    }

    /// A record of a watch is durable: it contains the epochs that the watch has left, as many as it should.
    static func finding(_ watch: Int, from before: EpochFence, to after: EpochFence) -> Checks.Finding? {
        var left = before.abandoned
        if let epoch = before.current, epoch != after.current { left.append(epoch) }
        let forgotten = left.filter { !after.abandoned.contains($0) }
        let isFull = after.abandoned.count == EpochFence.abandonedCountMax
        guard forgotten.isEmpty || isFull && forgotten == Array(left.prefix(forgotten.count)) else {
            return Checks.Finding(
                .history, "watch \(watch) forgets \(forgotten.count) of the \(left.count) epochs that it has left")
        }
        guard after.current.map({ !after.abandoned.contains($0) }) ?? true else {
            return Checks.Finding(.history, "watch \(watch) follows an epoch that it has left")
        }
        return nil
    }
}
