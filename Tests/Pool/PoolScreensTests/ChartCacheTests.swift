import PoolModel
import TerminalUI
import Testing

@testable import PoolScreens

/// The charts that a watch keeps to show them without its hub.
@Suite struct ChartCacheTests {
    private func query(_ device: Int) -> ChartQuery {
        ChartQuery(
            deviceID: DeviceID(high: 1, low: UInt64(device)), quantity: .ph, from: Timestamp(milliseconds: 0),
            through: Timestamp(milliseconds: 3_600_000), points: 20)
    }

    @Test func `of too many charts the one that came first goes`() {
        var cache = ChartCache()
        // The first one comes again, and so is not the oldest.
        for (moment, device) in (Array(1...ChartCache.countMax) + [1, ChartCache.countMax + 1]).enumerated() {
            let query = query(device)
            let series = TimeSeries(quantity: query.quantity, first: query.from, last: query.through, points: [])
            cache.keep(series, of: query, at: Timestamp(milliseconds: Int64(moment)))
        }
        let kept = (1...ChartCache.countMax + 1).filter { cache.state(of: query($0), isAsking: false).series != nil }
        #expect(kept == [1] + Array(3...ChartCache.countMax + 1))
    }
}
