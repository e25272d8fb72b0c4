/// Keeps the tombstones few.
///
/// A tombstone only says who deleted a cell, and keeps away a cell that another history had. Without it nothing is lost:
/// an edit of a cell that is not there is known to be one of a deleted cell, by the write that its author saw, and the
/// identifier of a record is never used again.
extension Ledger {
    /// Drops the tombstones that are too many after a transaction.
    func limitTombstones(_ transaction: inout Transaction) {
        let nodes = Set(transaction.written.values.filter { $0.value == nil }.map(\.stamp.node))
        guard !nodes.isEmpty else { return }
        var after = index.tombstones
        for (key, cell) in transaction.written.pairs {
            if let old = head.cells[key] { after.remove(old, at: key) }
            after.add(cell, at: key)
        }
        guard nodes.contains(where: { after.isOverfull($0) }) else { return }
        for key in after.excess.prefix(Self.purgeCountMax) {
            transaction.written[key] = nil
            if head.cells[key] != nil { transaction.removed.append(key) }
        }
        transaction.removed.sort()
    }

    /// Prepares the transaction that drops the tombstones that are no longer needed, or the first of many; nil if
    /// there are none.
    ///
    /// - Parameters:
    ///   - seenByAll: The highest revision that every watch holds.
    ///   - wallMilliseconds: The wall clock, in milliseconds since 1970.
    /// - Returns: The transaction, nil if there is nothing to drop.
    public func preparePurge(seenByAll: UInt64, wallMilliseconds: Int64) -> Transaction? {
        let old = index.tombstones.left(before: wallMilliseconds &- Self.tombstoneMilliseconds)
        let veryOld = wallMilliseconds &- Self.tombstoneMillisecondsMax
        let unneeded = old.filter { key in
            guard let cell = head.cells[key] else { return false }
            // A watch in a drawer may never see it.
            return cell.written.revision <= seenByAll || cell.stamp.milliseconds < veryOld
        }
        let excess = index.tombstones.isOverfull ? index.tombstones.excess : []
        let purged = Set(unneeded + excess).sorted().prefix(Self.purgeCountMax)
        guard !purged.isEmpty else { return nil }
        var transaction = begin(stamp: clock.current)
        transaction.removed = Array(purged)
        return transaction.finished
    }
}
