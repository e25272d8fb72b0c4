import PoolModel
import TestSupport
import Testing

@testable import TerminalUI

struct ChartNavigatorTests {
    private let now = Timestamp(milliseconds: 1_795_255_781_000)
    private let device = DeviceID(high: 0, low: 1)

    @Test func `zooming goes from an hour to a year and stops there`() {
        var navigator = ChartNavigator()
        var seen: [String] = []
        for _ in 0..<8 {
            navigator.press(.character("+"), now: now)
        }
        for _ in 0..<8 {
            seen.append(navigator.range.label)
            navigator.press(.character("-"), now: now)
        }
        #expect(seen == ["1h", "6h", "24h", "7d", "30d", "1y", "1y", "1y"])
    }

    @Test func `a chart of now is asked for anew only when it has moved on by a column or so`() {
        let navigator = ChartNavigator(range: .day)
        let queries = (0..<600).map { second in
            navigator.query(
                of: .ph, device: device, now: now.advanced(byMilliseconds: Int64(second) * 1000), columns: 50)
        }
        #expect(Set(queries).count <= 3)
        #expect(queries.allSatisfy { $0.through >= now && $0.points == 100 })
    }

    @Test func `panning goes back a quarter, and forward to now`() {
        var navigator = ChartNavigator(range: .day)
        navigator.press(.left, now: now)
        let end = navigator.end
        #expect(end.map { now.milliseconds(since: $0) / 3_600_000 } == 5)
        navigator.press(.right, now: now)
        navigator.press(.right, now: now)
        #expect(navigator.end == nil)
    }

    @Test func `the cursor stays in the window, whatever is pressed`() {
        var navigator = ChartNavigator(range: .hour)
        let keys: [Key] = [
            .character(","), .character("."), .left, .right, .character("+"), .character("-"), .home, .end,
            .character("w"), .character("z"),
        ]
        var generator = SplitMix64(seed: 7)
        for _ in 0..<2000 {
            navigator.press(keys[Int(generator.next() % UInt64(keys.count))], now: now)
            let window = navigator.window(now: now)
            #expect(navigator.cursor.map(window.contains) ?? true)
            #expect(window.upperBound.milliseconds(since: window.lowerBound) == navigator.range.milliseconds)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func `no clock traps`(milliseconds: Int64) {
        let now = Timestamp(milliseconds: milliseconds)
        var navigator = ChartNavigator(range: .year)
        for key in [Key.left, .character(","), .character("-"), .home, .right, .end] { navigator.press(key, now: now) }
        navigator.pick(0.5, now: now)
        let query = navigator.query(of: .orp, device: device, now: now, columns: 10_000)
        #expect(query.from <= query.through)
        #expect(query.points == 2000)
    }
}
