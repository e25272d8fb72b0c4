/// What is left in the log of conflicts for one watch: each may fill a half of it, so that others' edits go on.
struct ConflictLogCapacity: Hashable, Sendable {
    /// The open conflicts that uploads of one watch may have brought.
    static let shareCountMax = Conflict.countMax / 2
    /// The bytes that they take at most.
    static let shareByteCountMax = ConfigurationSize.conflictByteCountMax / 2

    private struct Load: Hashable, Sendable {
        var count = 0
        var byteCount = 0

        mutating func add(_ conflict: Conflict, _ sign: Int = 1) {
            count += sign
            byteCount += sign * ConfigurationSize.byteCount(of: conflict)
        }

        /// What counts against others: an edit that an empty log took, however large it was, leaves them their half.
        var capped: Int { min(byteCount, ConflictLogCapacity.shareByteCountMax) }
    }

    private var own = Load()
    private var otherCount = 0
    private var otherByteCount = 0

    /// Measures the log of a history for a watch.
    init(_ state: LedgerState, author: PeerKey) {
        var others: [PeerKey?: Load] = [:]
        for (id, conflict) in state.conflicts.pairs {
            let bringer = state.bringers[id]
            if bringer == author { own.add(conflict) } else { others[bringer, default: Load()].add(conflict) }
        }
        for load in others.values {
            otherCount += load.count
            otherByteCount += load.capped
        }
    }

    /// The watch's upload logs a conflict.
    mutating func log(_ conflict: Conflict) {
        own.add(conflict)
    }

    /// A conflict is settled, one that this watch's uploads brought or another one.
    mutating func settle(_ conflict: Conflict, isOwn: Bool) {
        guard !isOwn else { return own.add(conflict, -1) }
        otherCount -= 1
        otherByteCount = max(0, otherByteCount - ConfigurationSize.byteCount(of: conflict))
    }

    /// Whether nobody has less room than in another state of the log.
    func isNoFuller(than other: ConflictLogCapacity) -> Bool {
        own.count <= other.own.count && own.byteCount <= other.own.byteCount
            && otherCount <= other.otherCount && otherByteCount <= other.otherByteCount
    }

    /// Why the log does not take some more conflicts of this watch that hold these values at most; nil if it does.
    ///
    /// An empty log takes any edit, so that none waits forever; a frame has room for the largest one.
    func obstacle(toConflicts count: Int, values: [String?]) -> Conflict.Rule? {
        guard own.count + otherCount > 0 else { return nil }
        let byteCount = own.byteCount + ConfigurationSize.byteCount(ofConflicts: count, values: values)
        let isFull =
            own.count + otherCount + count > Conflict.countMax
            || min(byteCount, Self.shareByteCountMax) + otherByteCount > ConfigurationSize.conflictByteCountMax
        if isFull { return .logFull }
        return own.count + count > Self.shareCountMax || byteCount > Self.shareByteCountMax ? .shareFull : nil
    }
}
