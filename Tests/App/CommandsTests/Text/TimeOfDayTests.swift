import Foundation
import Testing
import Text

@testable import Commands

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

    @Test(arguments: [
        (0, "2026-06-01 12:00:00+00:00"), (7200, "2026-06-01 14:00:00+02:00"), (-12_600, "2026-06-01 08:30:00-03:30"),
        (20_700, "2026-06-01 17:45:00+05:45"),
    ])
    func `a moment is shown in local time with its offset, and what is shown can be typed`(
        offset: Int, text: String
    ) throws {
        let zone = try #require(TimeZone(secondsFromGMT: offset))
        let moment = Timestamp(milliseconds: 1_780_315_200_000)
        #expect(MomentText.of(moment, in: zone) == text)
        #expect(MomentText.moment(text) == moment)
    }

    @Test(
        arguments: [
            ("2026-06-01T12:00:00Z", 1_780_315_200_000), ("2026-06-01T12:00:00+02:00", 1_780_308_000_000),
            ("2026-06-01T14:00", 1_780_315_200_000), ("2026-06-01 14:00:00.5", 1_780_315_200_500),
            ("2026-06-01", 1_780_264_800_000), ("2026-12-01", 1_796_079_600_000),
            // The hour that the clocks of spring leave out, and the day of autumn that has 25 hours.
            ("2026-03-29T03:00", 1_774_746_000_000), ("2026-10-25", 1_792_879_200_000),
            ("2026-10-26", 1_792_969_200_000),
        ] as [(String, Int64)])
    func `a moment that is typed is local, unless it names a zone`(text: String, milliseconds: Int64) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(MomentText.moment(text, in: zone) == Timestamp(milliseconds: milliseconds))
    }

    @Test(arguments: ["", "soon", "2026-02-30", "2026-06-01T25:00", "12:00", "1780315200"])
    func `other texts are no moment`(text: String) {
        #expect(MomentText.moment(text) == nil)
    }
}
