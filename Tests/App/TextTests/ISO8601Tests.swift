import TestSupport
import Testing

@testable import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct ISO8601Tests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_780_315_200_250, "2026-06-01T12:00:00.250Z"), (951_827_696_789, "2000-02-29T12:34:56.789Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func `a moment is written and read back`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
        #expect(Timestamp(iso8601: text) == Timestamp(milliseconds: milliseconds))
    }

    @Test(arguments: [
        "", "2026", "2026-06-01", "2026-06-01T", "2026-06-01T12", "2026-06-01T12:0Z", "2026-6-1T12:00:00Z",
        "2026-13-01T12:00:00Z", "2026-00-01T12:00:00Z", "2026-06-31T12:00:00Z", "2026-06-00T12:00:00Z",
        "2025-02-29T12:00:00Z", "2100-02-29T12:00:00Z", "2026-06-01T24:00:00Z", "2026-06-01T12:60:00Z",
        "2026-06-01T23:59:60Z", "2026-06-01T12:00:00.Z", "2026-06-01T12:00:00+", "2026-06-01T12:00:00+2",
        "2026-06-01T12:00:00+24:00", "2026-06-01T12:00:00+02:60", "2026-06-01T12:00:00+02:0", "2026-06-01T12:00:00ZZ",
        "2026-06-01T12:00:00Z ", "-2026-06-01T12:00:00Z", "2026-06-01X12:00:00Z", "2026-06-01T12:00:00+02:00:00",
        "２026-06-01T12:00:00Z", "20260601T120000Z", "2026-06-01T12:00:00 Z",
    ])
    func `what is no real moment is not read`(text: String) {
        #expect(ISO8601Text.read(text) == .unreadable)
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test func `a local time without a zone is known as such`() {
        #expect(ISO8601Text.read("2026-06-01T12:00:00.5") == .withoutZone)
        #expect(ISO8601Text.read("2026-06-01 12:00") == .withoutZone)
        #expect(Timestamp(iso8601: "2026-06-01T12:00:00") == nil)
    }

    @Test(arguments: ["2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2400-02-29T00:00:00Z"])
    func `leap days exist in leap years`(text: String) {
        #expect(Timestamp(iso8601: text) != nil)
    }

    // From 1590 on: before 1582 Foundation uses the Julian calendar, which ISO 8601 does not.
    @Test func `the calendar agrees with Foundation's over ten thousand random moments`() throws {
        var generator = SplitMix64(seed: 3)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<10_000 {
            let moment = Timestamp(
                milliseconds: Int64.random(in: -12_000_000_000_000..<250_000_000_000_000, using: &generator))
            let days = moment.milliseconds.flooredDivision(by: 86_400_000)
            let date = CivilDate(daysSince1970: Int(days))
            #expect(date.daysSince1970 == Int(days))
            #expect(Timestamp(iso8601: moment.iso8601) == moment)
            let whole = Timestamp(milliseconds: moment.milliseconds.flooredDivision(by: 1000) * 1000)
            let expected = Date(timeIntervalSince1970: Double(whole.milliseconds / 1000)).formatted(style)
            #expect(whole.iso8601 == expected)
        }
    }

    @Test func `the ends of time do not trap`() {
        for milliseconds in [Int64.min, Int64.max] {
            #expect(Timestamp(milliseconds: milliseconds).iso8601.hasSuffix("Z"))
        }
    }
}
