public import PoolModel
import SyncCore
import SyncLink

extension Timestamp {
    /// What the wall clock shows.
    public static var now: Timestamp { Timestamp(milliseconds: Moment.now.wallMilliseconds) }
}
