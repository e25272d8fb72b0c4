public import PoolModel
import SyncCore
import SyncTransport

extension Timestamp {
    /// What the wall clock shows.
    public static var now: Timestamp { Timestamp(milliseconds: Moment.now.wallMilliseconds) }
}
