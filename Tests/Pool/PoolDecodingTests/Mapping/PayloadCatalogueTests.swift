import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// The catalogue of bad payloads (pool domain, section 5.4), row by row, for mapped messages.
@Suite struct PayloadCatalogueTests {
    @Test(arguments: ["nan", "NaN", "inf", "-Infinity", "1e999"])
    func `row non-finite: no reading from what is no finite number, whole or inside JSON`(text: String) throws {
        let whole = try mapped(["ph=~"], text)
        #expect(whole.readings == [])
        #expect(whole.rejection?.cause == .noReading(remarks: [.notFinite(key: "d")]))
        #expect(whole.rejection?.isFault == false)

        let inside = try mapped(["ph=ph", "orp=orp"], "{\"ph\":\(text),\"orp\":650}")
        #expect(inside.readings.map(\.values) == [[.orp: 650]])
        #expect(inside.readings[0].remarks == [.notFinite(key: "ph")])
    }

    @Test(arguments: [
        (#"{"ph":null}"#, "no_reading"), (#"{"ph":""}"#, "no_reading"), ("{}", "nothing_there"),
        (#"{"orp":650}"#, "nothing_there"), ("", "empty"), ("\r\n", "empty"), ("\0", "empty"),
    ])
    func `row null and absent: no value is not zero`(payload: String, code: String) throws {
        let outcome = try mapped(["ph=ph"], payload)
        #expect(outcome.readings == [])
        #expect(outcome.rejection?.code == code)
    }

    @Test func `row sentinels: what stands for no value is not a value, what water cannot have is kept apart`() throws {
        #expect(try mapped(["orp=~"], "-999").readings.first?.quarantined.map(\.fault) == [.silent])
        #expect(try mapped(["ph=~"], "0").readings.first?.quarantined.map(\.fault) == [.unplugged])
        #expect(try mapped(["ph=~*0.1"], "0.0").readings.first?.quarantined.map(\.fault) == [.unplugged])
        #expect(try mapped(["ph=~*0.01"], "1400").readings.first?.quarantined.map(\.fault) == [.unplugged])
        #expect(try mapped(["temperature=~ °F"], "185.0").readings.first?.quarantined.map(\.fault) == [.starting])
        #expect(try mapped(["temperature=~ °F"], "-196.6").readings.first?.quarantined.map(\.fault) == [.silent])
        #expect(try mapped(["temperature=~ °F"], "85.0").readings.first?.quarantined == [])
        #expect(try mapped(["orp=~ V"], "-0.005").readings.first?.quarantined.map(\.fault) == [.unplugged])
        #expect(try mapped(["orp=~ not 999,-1"], "999").rejection?.code == "no_usable_value")
        #expect(try mapped(["orp=~ not 999,-1"], "998").readings.first?.values == [.orp: 998])
        for number in ["-999", "-127", "85.0", "999", "65535"] {
            let reading = try mapped(["temperature=~"], number).readings.first
            #expect(reading?.values == [:])
            #expect(reading?.quarantined.map(\.value) == [try #require(Double(number))])
        }
        // 0 °C and no chlorine are valid values.
        #expect(try mapped(["temperature=~"], "0").readings.first?.values == [.temperature: 0])
        #expect(try mapped(["chlorine=~"], "0").readings.first?.values == [.chlorine: 0])
    }

    @Test(arguments: [
        (#""7.2""#, 7.2), (#"" 7,2 ""#, 7.2), (#""7.2 pH""#, 7.2), (" 7,2 ", 7.2), ("7.2 pH\r\n", 7.2), ("+07.20", 7.2),
        (".5", 0.5), ("7.2\0", 7.2), ("7.2\0\0", 7.2),
    ])
    func `row type: a number may be a text`(payload: String, number: Double) throws {
        let quantity = number < 1 ? Quantity.chlorine : .ph
        #expect(try mapped(["\(quantity.rawValue)=~"], payload).readings.first?.values == [quantity: number])
    }

    @Test(arguments: ["true", "[7.2]", #"{"value":7.2,"unit":"pH"}"#, "1,024", #""1,024""#, "7.2.1"])
    func `row type: what is not a number, or may be two, is refused`(payload: String) throws {
        #expect(try mapped(["ph=~"], payload).rejection?.code == "no_usable_value")
    }

    @Test func `row type: lists and wrapped values are read by their path`() throws {
        #expect(try mapped(["ph=[0]"], "[7.2]").readings.first?.values == [.ph: 7.2])
        #expect(try mapped(["ph=value"], #"{"value":7.2,"unit":"pH"}"#).readings.first?.values == [.ph: 7.2])
    }

    @Test func `row structure: paths are explicit, repeated keys and cases are settled, depth is limited`() throws {
        #expect(try mapped(["ph=a.b[1].c"], #"{"a":{"b":[0,{"c":7.2}]}}"#).readings.first?.values == [.ph: 7.2])
        #expect(try mapped(["ph=ph"], #"{"ph":7.2,"ph":7.9}"#).readings.first?.values == [.ph: 7.2])
        #expect(try mapped(["ph=ph"], #"{"PH":7.1,"ph":7.2}"#).readings.first?.values == [.ph: 7.2])
        #expect(try mapped(["ph=ph"], #"{"pH":7.2}"#).readings.first?.values == [.ph: 7.2])
        #expect(try mapped([#"ph=["a.b: c"]"#], #"{"a.b: c":7.2}"#).readings.first?.values == [.ph: 7.2])
        let both = try mapped(["temperature=waterTemp", "temperature=temp"], #"{"temp":31,"waterTemp":26}"#)
        #expect(both.readings.map(\.values) == [[.temperature: 26]])
        #expect(both.readings[0].remarks == [.repeatedQuantity(.temperature, key: "temp")])
        for count in [33, 10_000, 60_000] {
            let deep = try mapped(["ph=a"], String(repeating: "[", count: count))
            #expect(deep.rejection?.cause == .payload(.tooDeep(limit: 32)))
        }
    }

    @Test func `row encoding: text in other encodings is read or named, binary is recognised`() throws {
        let degrees = Array(#"{"t":"26.4 "#.utf8) + [0xB0] + Array(#"C"}"#.utf8)
        #expect(try mapped(["temperature=t"], degrees).readings.first?.values == [.temperature: 26.4])
        let marked = [0xEF, 0xBB, 0xBF] + Array(#"{"ph":7.2}"#.utf8)
        #expect(try mapped(["ph=ph"], marked).readings.first?.values == [.ph: 7.2])
        #expect(try mapped(["ph=~"], [0xFF, 0xFE, 0x37, 0, 0x2E, 0, 0x32, 0]).rejection?.cause == .utf16)
        #expect(try mapped(["ph=~"], [0x37, 0, 0x32]).rejection?.code == "binary")
        #expect(try mapped(["ph=~"], [0x1F, 0x8B, 8, 0, 1]).rejection?.cause == .binary(.compressed))
        #expect(try mapped(["ph=~"], [0xC3, 0x28, 0x01]).rejection?.code == "binary")
    }

    @Test func `row size: nothing, and more than is read`() throws {
        #expect(try mapped(["ph=ph"], []).rejection?.cause == .payload(.empty))
        let large = Array(repeating: UInt8(ascii: "7"), count: 262_144)
        #expect(
            try mapped(["ph=ph"], large).rejection?.cause == .payload(.tooLarge(byteCount: 262_144, limit: 65_536)))
    }

    @Test(arguments: [
        ("<html><body>502 Bad Gateway</body></html>", "no_usable_value"), ("err", "no_usable_value"),
        ("25,6;7,21;650", "no_usable_value"), ("ph is 7.2", "no_usable_value"), ("undefined", "no_reading"),
        ("unavailable", "no_reading"), ("unknown", "no_reading"), ("None", "no_reading"), ("--", "no_reading"),
        ("\"\"", "no_reading"), ("null", "no_reading"), ("UNDEF", "no_reading"),
    ])
    func `row text: words and pages are no measurement`(payload: String, code: String) throws {
        let rejection = try mapped(["ph=~"], payload).rejection
        #expect(rejection?.code == code && rejection?.isFault == (code != "no_reading"))
        #expect(try mapped(["ph=ph"], payload).readings == [])
    }

    @Test func `row text: the text form and pieces between separators are read by path`() throws {
        let reading = try mapped(["temperature=temp", "ph=pH"], "temp:24,5,ph:7.2").readings.first
        #expect(reading?.values == [.temperature: 24.5, .ph: 7.2])
        #expect(try mapped(["ph=[1]"], "25,6;7,21;650").readings.first?.values == [.ph: 7.21])
    }

    @Test(arguments: [
        ("1780315140", "automatic", -60_000), ("1780315140.25", "automatic", -59_750),
        ("1780315140250", "automatic", -59_750), ("1780315140250999", "automatic", -59_750),
        ("1780315140", "seconds", -60_000), ("1780315140250", "milliseconds", -59_750),
        ("1780315140250999", "microseconds", -59_750), ("\"1780315140250\"", "milliseconds", -59_750),
        ("\"2026-06-01T11:59:00Z\"", "automatic", -60_000), ("\"2026-06-01T13:59:00+0200\"", "automatic", -60_000),
        ("\"2026-06-01T13:59:00+02\"", "automatic", -60_000), ("\"2026-06-01 11:59:00Z\"", "automatic", -60_000),
        ("\"2026-06-01T11:59:00.123456789Z\"", "automatic", -59_877),
        ("\"2026-06-01T11:59:00\"", "iso8601", -60_000), ("\"2026-06-01 11:59:00.5\"", "iso8601", -59_500),
        // A clock that is five minutes ahead is accepted.
        ("\"2026-06-01T12:05:00Z\"", "automatic", 300_000),
    ])
    func `row time: each form of a time is read`(time: String, form: String, offset: Int64) throws {
        let outcome = try mapped(["ph=ph"], time: "t \(form)", "{\"ph\":7.2,\"t\":\(time)}")
        #expect(outcome.readings.first?.sampledAt == noon.advanced(byMilliseconds: offset))
        #expect(outcome.readings.first?.timeQuality == .device)
    }

    @Test(arguments: [
        ("42", "seconds", TimeQuality.corrected, "time_is_uptime"),
        ("86400000", "milliseconds", .corrected, "time_is_uptime"),
        ("1780315140", "milliseconds", .corrected, "time_is_uptime"),
        ("1e300", "seconds", .corrected, "time_absurd"), ("9223372036854775807", "seconds", .corrected, "time_absurd"),
        ("\"1970-01-01T00:00:10Z\"", "automatic", .corrected, "time_absurd"),
        ("\"2036-02-07T06:28:16Z\"", "automatic", .corrected, "time_in_future"),
        ("\"2106-02-07T06:28:15Z\"", "iso8601", .corrected, "time_in_future"),
        ("\"0000-01-01T00:00:00Z\"", "automatic", .corrected, "time_absurd"),
        ("\"06/01/2026 11:59 AM\"", "automatic", .estimated, "time_unreadable"),
        ("\"01.06.2026 11:59\"", "iso8601", .estimated, "time_unreadable"),
        ("\"2026-06-01T11:59:00\"", "automatic", .estimated, "time_without_zone"),
        ("\"2026-06-01T11:59:00Z\"", "seconds", .estimated, "time_unreadable"),
        ("1780315140", "iso8601", .estimated, "time_unreadable"), ("true", "automatic", .estimated, "time_unreadable"),
    ])
    func `row time: an unusable time costs its trust, never the reading`(
        time: String, form: String, quality: TimeQuality, code: String
    ) throws {
        let reading = try mapped(["ph=ph"], time: "t \(form)", "{\"ph\":7.2,\"t\":\(time)}").readings.first
        #expect(reading?.values == [.ph: 7.2])
        #expect(reading?.sampledAt == noon)
        #expect(reading?.timeQuality == quality)
        #expect(reading?.remarks.map(\.code) == [code])
    }

    @Test func `row unit: units are converted as the mapping or the payload says, and a double one is caught`() throws {
        #expect(try mapped(["temperature=~ °F"], "78.8").readings.first?.values == [.temperature: 26])
        #expect(try mapped(["temperature=~"], "78.8 °F").readings.first?.values == [.temperature: 26])
        #expect(try mapped(["orp=~ V"], "0.702").readings.first?.values == [.orp: 702])
        #expect(try mapped(["orp=~"], "702 V").readings.first?.quarantined.map(\.value) == [702_000])
        #expect(try mapped(["ph=~"], "72").readings.first?.quarantined.map(\.value) == [72])
        #expect(try mapped(["ph=~"], "7.2 mV").rejection?.code == "no_usable_value")
        #expect(try mapped(["chlorine=~"], "1.2 g/L").rejection?.code == "no_usable_value")
    }

    @Test(arguments: [(3.0, 0.1, 0.3), (29, 0.1, 2.9), (721, 0.01, 7.21), (583, 0.001, 0.583), (7, 2, 14), (5, -1, -5)])
    func `row unit: tenths come out as the decimal number that was meant`(
        number: Double, scale: Double, expected: Double
    ) {
        #expect(ValueSource(.orp, scale: scale).scaled(number) == expected)
    }

    @Test func `row stale: a replayed value without a time is of unknown age`() throws {
        let reading = try mapped(["ph=~"], "7.2", isRetained: true).readings.first
        #expect(reading?.isRetained == true)
        #expect(reading?.sampledAt == nil)
        #expect(reading?.timeQuality == .unknown)
    }
}
