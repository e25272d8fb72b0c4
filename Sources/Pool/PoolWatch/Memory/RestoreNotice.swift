internal import PoolModel

/// Remembers when a restore of the hub was first mentioned, so that it is not mentioned forever.
struct RestoreNotice {
    /// How long a restore is mentioned, in milliseconds.
    private static let toldMilliseconds: Int64 = 600_000

    private var count = 0
    private var since = Timestamp(milliseconds: 0)

    /// A clause about the last restore; nil if there was none or it was mentioned long enough.
    mutating func notice(of memory: WatchMemory, at now: Timestamp) -> String? {
        guard memory.restoreCount > 0 else { return nil }
        if count != memory.restoreCount { (count, since) = (memory.restoreCount, now) }
        guard now.milliseconds(since: since) < Self.toldMilliseconds else { return nil }
        switch memory.waitingAtRestore {
        case 0: return "the hub was restored"
        case 1: return "the hub was restored, 1 edit sent again"
        case let count: return "the hub was restored, \(count) edits sent again"
        }
    }
}
