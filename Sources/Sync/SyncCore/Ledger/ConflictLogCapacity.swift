/// What is left of the conflict log for one watch.
///
/// Half of the log is divided equally among the paired watches. Of the other half, a watch may use as much as it leaves
/// free. So one watch can fill at most half of the log, and however many watches fill all that they may, each other one
/// still has its part.
struct ConflictLogCapacity: Hashable, Sendable {
    /// The most open conflicts that uploads of one watch may have caused, where at most two are paired.
    static let shareCountMax = Conflict.countMax / 2
    /// The most bytes of these conflicts.
    static let shareByteCountMax = ConfigurationSize.conflictByteCountMax / 2
    /// The most bytes of the log, for which each frame has room: one edit with the largest values, which an empty log
    /// takes, and the parts of the others.
    private static let byteCountMax = ConfigurationSize.largestEditByteCount + shareByteCountMax

    private struct Load: Hashable, Sendable {
        var count = 0
        var byteCount = 0

        mutating func add(_ other: Load, _ sign: Int = 1) {
            count += sign * other.count
            byteCount += sign * other.byteCount
        }

        /// What it has more than another one.
        func beyond(_ other: Load) -> Load {
            Load(count: max(0, count - other.count), byteCount: max(0, byteCount - other.byteCount))
        }

        func isWithin(_ other: Load) -> Bool { count <= other.count && byteCount <= other.byteCount }
    }

    /// The half that is divided among the watches, and the half that all use together.
    private static let half = Load(count: shareCountMax, byteCount: shareByteCountMax)

    /// The part of each watch in the divided half.
    private let part: Load
    private var own = Load()
    private var others = Load()
    /// What the others have of the half that all use together.
    private var commonOfOthers = Load()

    /// Measures the conflict log from the point of view of one watch.
    ///
    /// - Parameters:
    ///   - state: The ledger, with the log.
    ///   - author: The watch.
    ///   - watchCount: The number of paired watches. Those that were unpaired count as well while their conflicts are
    ///     open.
    init(_ state: LedgerState, author: PeerKey, watchCount: Int) {
        var loads: [PeerKey?: Load] = [:]
        for (id, conflict) in state.conflicts.pairs {
            loads[state.bringers[id], default: Load()].add(Self.load(conflict))
        }
        own = loads.removeValue(forKey: author) ?? own
        let count = max(2, watchCount, loads.count + 1)
        part = Load(count: Self.half.count / count, byteCount: Self.half.byteCount / count)
        for load in loads.values {
            others.add(load)
            commonOfOthers.add(load.beyond(part))
        }
    }

    /// Adds a conflict that an upload of this watch causes.
    mutating func log(_ conflict: Conflict) {
        own.add(Self.load(conflict))
    }

    /// Removes a settled conflict, which an upload of this watch or of another one caused.
    mutating func settle(_ conflict: Conflict, isOwn: Bool) {
        let load = Self.load(conflict)
        guard !isOwn else { return own.add(load, -1) }
        // Whether it was in its watch's own part is not looked up: only the next batch sees the room in the common half.
        others.add(load, -1)
    }

    private static func load(_ conflict: Conflict) -> Load {
        Load(count: 1, byteCount: ConfigurationSize.byteCount(of: conflict))
    }

    /// Whether every watch has at least as much room as in another state of the log.
    func leavesAsMuchRoom(than other: ConflictLogCapacity) -> Bool {
        own.isWithin(other.own) && others.isWithin(other.others)
    }

    /// Why the log has no room for more conflicts of this watch, with at most these values; nil if it has.
    ///
    /// An empty log takes any edit, so that none waits indefinitely; a frame has room for the largest one.
    func obstacle(toConflicts count: Int, values: [String?]) -> Conflict.Rule? {
        guard own.count + others.count > 0 else { return nil }
        var wanted = own
        wanted.add(Load(count: count, byteCount: ConfigurationSize.byteCount(ofConflicts: count, values: values)))
        guard wanted.byteCount + others.byteCount <= Self.byteCountMax else { return .logFull }
        let common = wanted.beyond(part)
        if common == Load() { return nil }
        var taken = commonOfOthers
        taken.add(common)
        // As much again must stay free.
        var twice = taken
        twice.add(common)
        if twice.isWithin(Self.half) { return nil }
        var alone = common
        alone.add(common)
        return alone.isWithin(Self.half) ? .logFull : .shareFull
    }
}
