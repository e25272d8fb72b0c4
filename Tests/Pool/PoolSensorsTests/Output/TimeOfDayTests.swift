import Foundation
import PoolModel
import Testing

@testable import poolsensors

@Suite struct TimeOfDayTests {
    @Test(arguments: [
        (Int64(0), 0, "00:00", "00:00:00"), (36_570_999, 0, "10:09", "10:09:30"), (-1000, 0, "23:59", "23:59:59"),
        (82_800_000, 7200, "01:00", "01:00:00"), (0, -3600, "23:00", "23:00:00"),
    ])
    func `a moment is shown as the clock on the wall`(
        milliseconds: Int64, offset: Int, minutes: String, seconds: String
    ) throws {
        let zone = try #require(TimeZone(secondsFromGMT: offset))
        let time = TimeOfDay(Timestamp(milliseconds: milliseconds), in: zone)

        #expect(time.minutes == minutes)
        #expect(time.seconds == seconds)
    }

    @Test func `a moment of another day is shown with its date`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 7200))
        let now = Timestamp(milliseconds: 1_780_315_200_000)  // 2026-06-01 14:00 there
        #expect(MomentText.near(now.advanced(byMilliseconds: 3_600_000), to: now, in: zone) == "15:00")
        #expect(MomentText.near(now.advanced(byMilliseconds: 36_000_000), to: now, in: zone) == "2026-06-02 00:00")
        #expect(MomentText.near(now.advanced(byMilliseconds: 604_800_000), to: now, in: zone) == "2026-06-08 14:00")
    }
}
