/// What is left of the conflict log for one watch.
///
/// Each watch may fill at most half of it, so that edits of others can go on.
struct ConflictLogCapacity: Hashable, Sendable {
    /// The most open conflicts that uploads of one watch may have caused.
    static let shareCountMax = Conflict.countMax / 2
    /// The most bytes of these conflicts.
    static let shareByteCountMax = ConfigurationSize.conflictByteCountMax / 2

    private struct Load: Hashable, Sendable {
        var count = 0
        var byteCount = 0

        mutating func add(_ conflict: Conflict, _ sign: Int = 1) {
            count += sign
            byteCount += sign * ConfigurationSize.byteCount(of: conflict)
        }

        /// The bytes that count against other watches: at most half of the log, even if an empty log took an edit
        /// that is larger.
        var capped: Int { min(byteCount, ConflictLogCapacity.shareByteCountMax) }
    }

    private var own = Load()
    private var otherCount = 0
    private var otherByteCount = 0

    /// Measures the conflict log from the point of view of one watch.
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

    /// Adds a conflict that an upload of this watch causes.
    mutating func log(_ conflict: Conflict) {
        own.add(conflict)
    }

    /// Removes a settled conflict, which an upload of this watch or of another one caused.
    mutating func settle(_ conflict: Conflict, isOwn: Bool) {
        guard !isOwn else { return own.add(conflict, -1) }
        otherCount -= 1
        otherByteCount = max(0, otherByteCount - ConfigurationSize.byteCount(of: conflict))
    }

    /// Whether every watch has at least as much room as in another state of the log.
    func leavesAsMuchRoom(than other: ConflictLogCapacity) -> Bool {
        own.count <= other.own.count && own.byteCount <= other.own.byteCount
            && otherCount <= other.otherCount && otherByteCount <= other.otherByteCount
    }

    /// Why the log has no room for more conflicts of this watch, with at most these values; nil if it has.
    ///
    /// An empty log takes any edit, so that none waits indefinitely; a frame has room for the largest one.
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
