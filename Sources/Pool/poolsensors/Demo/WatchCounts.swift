import PoolModel
import PoolWatch

/// What one watch received over all its lives: each kill and restart begins a new life with counts from zero.
struct WatchCounts: Equatable, Sendable {
    private struct Counts: Equatable {
        var delivered: UInt64 = 0
        var newest: UInt64?
    }

    /// The counts of the lives that have ended.
    private var past: [DeviceID: Counts] = [:]
    /// What the present life said last.
    private var present: [WatchStatus.DeviceCount] = []

    /// The present life told its numbers.
    mutating func heard(_ status: WatchStatus) {
        present = status.devices
    }

    /// The present life has ended.
    mutating func lifeEnded() {
        past = sums
        present = []
    }

    /// The different readings of a device that arrived.
    func delivered(of device: DeviceID) -> UInt64 { sums[device]?.delivered ?? 0 }

    /// The number of the newest reading of a device that the watch holds, nil for none.
    func newest(of device: DeviceID) -> UInt64? { sums[device]?.newest }

    private var sums: [DeviceID: Counts] {
        var sums = past
        for count in present {
            var sum = sums[count.id] ?? Counts()
            // What the last life took in but could not keep may come again; no more can be new than there are orders
            // beyond its newest.
            let room = sum.newest.map { count.newestOrder > $0 ? count.newestOrder - $0 : 0 } ?? .max
            sum.delivered += min(count.receivedCount, room)
            sum.newest = max(sum.newest ?? 0, count.newestOrder)
            sums[count.id] = sum
        }
        return sums
    }
}
