import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct SampleTimeTests {
    private let decoder = PayloadDecoder()

    private func decode(_ time: String, isRetained: Bool = false) throws -> DecodedPayload {
        try #require(decoder.decode("{\"ph\":7.2,\"timestamp\":\(time)}", isRetained: isRetained).decoded)
    }

    @Test(
        arguments: [
            // P43: ISO 8601 with a fraction, exact to the millisecond.
            ("\"2026-06-01T12:00:00.250Z\"", 250), ("\"2026-06-01T14:00:00.250+02:00\"", 250),
            ("\"2026-06-01T12:00:00.001Z\"", 1), ("\"2026-06-01T12:00:00.9999999Z\"", 999),
            ("\"2026-06-01 12:00:00,5Z\"", 500), ("\"2026-06-01T12:00:00.0000000Z\"", 0),
            // P44: without a fraction.
            ("\"2026-06-01T12:00:00Z\"", 0), ("\"2026-06-01T12:00:00+02:00\"", -7_200_000),
            ("\"2026-06-01T07:30:00-0430\"", 0), ("\"2026-06-01T14:00+02\"", 0), ("\" 2026-06-01t12:00:00z \"", 0),
            // P45: seconds as a double.
            ("1780315200.25", 250), ("1780315200.250999", 250), ("1.7803152e9", 0), ("\"1780315200.25\"", 250),
            ("1780315200.001", 1), ("1780315200.007", 7),
            // P46: seconds as an integer.
            ("1780315200", 0), ("\"1780315200\"", 0), ("1780315199", -1000),
            // X19: milliseconds, and the further thousandths that bridges send.
            ("1780315200250", 250), ("1780315200250.9", 250), ("1780315200250999", 250), ("1780315200250999999", 250),
        ] as [(String, Int64)])
    func `P43 P44 P45 P46 X19 each form of a time is read to the millisecond`(time: String, offset: Int64) throws {
        let decoded = try decode(time)
        #expect(decoded.sampledAt == noon.advanced(byMilliseconds: offset))
        #expect(decoded.timeQuality == .device)
        #expect(decoded.remarks == [])
    }

    @Test(arguments: [
        // P47: missing or unreadable.
        ("null", TimeQuality.estimated, nil), ("\"\"", .estimated, nil), ("\"soon\"", .estimated, "time_unreadable"),
        ("true", .estimated, "time_unreadable"), ("NaN", .estimated, "time_unreadable"),
        ("{\"s\":1}", .estimated, "time_unreadable"), ("\"2026-02-30T12:00:00Z\"", .estimated, "time_unreadable"),
        ("\"01/06/2026 12:00\"", .estimated, "time_unreadable"), ("\"1780315200 s\"", .estimated, "time_unreadable"),
        ("\"2026-06-01T12:00:00\"", .estimated, "time_without_zone"),
        // X19: more than 24 h ahead.
        ("\"2026-06-02T12:00:00.001Z\"", .corrected, "time_in_future"), ("4291747200", .corrected, "time_in_future"),
        ("\"2106-02-07T06:28:15Z\"", .corrected, "time_in_future"), ("99999999999", .corrected, "time_in_future"),
        // Before any pool probe existed, or relative to the device's start.
        ("\"1970-01-01T00:00:12Z\"", .corrected, "time_absurd"),
        ("\"0000-01-01T00:00:00Z\"", .corrected, "time_absurd"),
        ("\"2000-01-01T00:00:00Z\"", .corrected, "time_absurd"), ("1420070399", .corrected, "time_absurd"),
        ("-1", .corrected, "time_absurd"), ("1e30", .corrected, "time_absurd"),
        ("99999999999999999999999999", .corrected, "time_absurd"), ("100000000001", .corrected, "time_absurd"),
        ("0", .corrected, "time_is_uptime"), ("4711", .corrected, "time_is_uptime"),
        ("12.75", .corrected, "time_is_uptime"), ("999999999", .corrected, "time_is_uptime"),
    ])
    func `P47 X19 an unusable time costs its trust, not the reading`(
        time: String, quality: TimeQuality, code: String?
    ) throws {
        let decoded = try decode(time)
        #expect(decoded.values == [.ph: 7.2])
        #expect(decoded.sampledAt == noon)
        #expect(decoded.timeQuality == quality)
        #expect(decoded.remarks.map(\.code) == [code].compactMap { $0 })

        // X18: the time of receipt of a replayed message says nothing about its age.
        let retained = try decode(time, isRetained: true)
        #expect(retained.values == [.ph: 7.2])
        #expect(retained.sampledAt == nil)
        #expect(retained.timeQuality == .unknown)
    }

    @Test func `P38 P47 without a time the receipt stands in, except for a replayed message`() throws {
        let live = try #require(decoder.decode("{\"ph\":7.2}").decoded)
        #expect(live.sampledAt == noon)
        #expect(live.timeQuality == .estimated)

        let retained = try #require(decoder.decode("{\"ph\":7.2}", isRetained: true).decoded)
        #expect(retained.sampledAt == nil)
        #expect(retained.timeQuality == .unknown)
        #expect(retained.isRetained)
    }

    @Test func `X19 a clock up to 24 h ahead is believed, and one of 2015 too`() throws {
        #expect(try decode("\"2026-06-02T12:00:00Z\"").timeQuality == .device)
        #expect(try decode("1420070400").timeQuality == .device)
    }

    @Test func `X18 a replayed message keeps the time that its device gave it`() throws {
        let retained = try decode("\"2026-06-01T11:00:00Z\"", isRetained: true)
        #expect(retained.sampledAt == noon.advanced(byMilliseconds: -3_600_000))
        #expect(retained.timeQuality == .device)
    }

    @Test func `X18 a replayed message from the future is of unknown age`() throws {
        // The device's clock is ahead: if its time were accepted, the value would look new at each reconnect.
        let retained = try decode("\"2026-06-01T12:00:00.001Z\"", isRetained: true)
        #expect(retained.sampledAt == nil)
        #expect(retained.timeQuality == .unknown)
        #expect(retained.remarks.map(\.code) == ["time_ahead_of_replay"])
        #expect(try decode("\"2026-06-01T12:00:00Z\"", isRetained: true).timeQuality == .device)
    }

    @Test func `the text form may carry a time`() throws {
        let iso = try #require(decoder.decode("ph:7.2,timestamp:2026-06-01T12:00:00.250Z").decoded)
        #expect(iso.sampledAt == noon.advanced(byMilliseconds: 250))
        let epoch = try #require(decoder.decode("time:1780315200,ph:7.2").decoded)
        #expect(epoch.timeQuality == .device)
    }

    @Test func `of two times the first counts`() throws {
        let decoded = try #require(
            decoder.decode(#"{"Timestamp":1780315200,"ph":7.2,"time":1780315100}"#).decoded)
        #expect(decoded.sampledAt == noon)
        #expect(decoded.remarks == [.repeatedTime(key: "time")])
    }

    @Test func `an extreme moment of receipt does not trap`() {
        for moment in [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            for isRetained in [false, true] {
                let outcome = decoder.decode(
                    "{\"ph\":7.2,\"time\":1780315200}", receivedAt: moment, isRetained: isRetained)
                #expect(outcome.decoded != nil)
            }
        }
    }

    @Test(
        arguments: [
            ("at Europe/Paris", "2026-06-01T13:59:59", -1000),
            ("at Europe/Paris", "2026-01-15 12:00:00", -11_840_400_000),
            ("at iso8601", "2026-06-01T11:59:59", -1000), ("at America/New_York", "2026-06-01 08:00", 0),
            // The device sends its own time zone.
            ("at Europe/Paris", "2026-06-01T11:59:59Z", -1000),
        ] as [(String, String, Int64)])
    func `a local time gets its zone`(source: String, text: String, offset: Int64) throws {
        let reading = try #require(try mapped(["ph=ph"], time: source, #"{"ph":7.2,"at":"\#(text)"}"#).readings.first)
        #expect(reading.sampledAt == noon.advanced(byMilliseconds: offset))
        #expect(reading.timeQuality == .device)
        #expect(reading.remarks == [])
    }

    @Test(arguments: [
        // Clocks are set back at 3:00 on 2025-10-26: it is the later 2:30, unless that is in the future.
        ("2025-10-26T02:30:00", "2025-10-26T01:40:00Z", "2025-10-26T01:30:00Z"),
        ("2025-10-26T02:30:00", "2025-10-26T00:40:00Z", "2025-10-26T00:30:00Z"),
        // Clocks are set forward at 2:00 on 2026-03-29: there is no 2:30.
        ("2026-03-29T02:30:00", "2026-03-29T01:31:00Z", "2026-03-29T01:30:00Z"),
    ])
    func `a local time around the change of the clocks is the one that was`(
        text: String, received: String, moment: String
    ) throws {
        let clock = try #require(LocalClock("Europe/Paris"))
        let shown = try #require(Timestamp(iso8601: text + "Z"))
        let receivedAt = try #require(Timestamp(iso8601: received))
        #expect(clock.moment(showing: shown, receivedAt: receivedAt) == Timestamp(iso8601: moment))
    }

    @Test func `a time ahead is marked, and from a day on not stored`() throws {
        #expect(try decode("\"2026-06-01T12:04:59Z\"").remarks == [])
        let hours = try decode("\"2026-06-01T14:00:00Z\"")
        #expect(hours.timeQuality == .device)
        #expect(hours.remarks.map(\.code) == ["time_ahead"])
        let days = try decode("\"2026-06-03T12:00:00Z\"")
        #expect(days.sampledAt == noon && days.timeQuality == .corrected)
        #expect(days.remarks.map(\.code) == ["time_in_future"])
    }

    @Test func `a zone that nobody knows costs the time, not the reading`() throws {
        let mapping = DeviceMapping(
            values: [ValueSource(.ph, path: .keys("ph"))], time: TimeSource(path: .keys("at"), zone: "Mars/Olympus"))
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: "d")
        let outcome = decoder.receive(
            topic: "d", payload: Array(#"{"ph":7.2,"at":"2026-06-01T12:00:00"}"#.utf8), receivedAt: noon,
            isRetained: false)
        #expect(outcome?.readings.first?.timeQuality == .estimated)
        #expect(outcome?.readings.first?.remarks.map(\.code) == ["time_without_zone"])
    }
}
