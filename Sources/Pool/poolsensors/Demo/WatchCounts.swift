import PoolModel
import PoolWatch

/// What one watch received in all its runs: each restart begins a new run with counts from zero.
struct WatchCounts: Equatable, Sendable {
    private struct Counts: Equatable {
        var delivered: UInt64 = 0
        var newest: UInt64?
    }

    /// The counts of the runs that have ended.
    private var past: [DeviceID: Counts] = [:]
    /// The last report of the present run.
    private var present: [WatchStatus.DeviceCount] = []

    /// Notes a report of the present run.
    mutating func heard(_ status: WatchStatus) {
        present = status.devices
    }

    /// Notes that the present run has ended.
    mutating func lifeEnded() {
        past = sums
        present = []
    }

    /// The different readings of a device that arrived.
    func delivered(of device: DeviceID) -> UInt64 { sums[device]?.delivered ?? 0 }

    /// The number of the newest reading of a device that the watch has; nil for none.
    func newest(of device: DeviceID) -> UInt64? { sums[device]?.newest }

    private var sums: [DeviceID: Counts] {
        var sums = past
        for count in present {
            var sum = sums[count.id] ?? Counts()
            // Readings that the last run received but could not store may come again; the new ones cannot be more than
            // the orders beyond its newest.
            let room = sum.newest.map { count.newestOrder > $0 ? count.newestOrder - $0 : 0 } ?? .max
            sum.delivered += min(count.receivedCount, room)
            sum.newest = max(sum.newest ?? 0, count.newestOrder)
            sums[count.id] = sum
        }
        return sums
    }
}
