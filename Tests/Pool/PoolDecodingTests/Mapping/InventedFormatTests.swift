import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// Formats without a profile are decoded correctly by a mapping, or rejected with topic, position and value.
@Suite struct InventedFormatTests {
    struct Format: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var values: [String]
        var time: String?
        var topic: String
        var payload: String
        var expected: QuantityMap<Double>
        var sampledAt: Int64 = 0
    }

    static let formats = [
        Format(
            testDescription: "a list of named sensors",
            values: ["ph=sensors[1].value", "temperature=sensors[0].value"],
            time: "ts milliseconds", topic: "d",
            payload: #"{"ts":1780315199500,"sensors":[{"n":"t","value":26.1},{"n":"ph","value":"7,24"}]}"#,
            expected: [.temperature: 26.1, .ph: 7.24], sampledAt: -500),
        Format(
            testDescription: "keys with blanks, dots and umlauts",
            values: [
                #"temperature=["Wasser.Temperatur °C"]"#, #"ph=["pH-Wert"]"#, #"chlorine=Büro["freies Chlor (mg/l)"]"#,
            ], topic: "d",
            payload: #"{"Wasser.Temperatur °C":26,"pH-Wert":7.1,"Büro":{"freies Chlor (mg/l)":0.9}}"#,
            expected: [.temperature: 26, .ph: 7.1, .chlorine: 0.9]),
        Format(
            testDescription: "volts, Kelvin and hundredths",
            values: ["orp=redox V", "temperature=T*0.1 K", "ph=p*0.01+-0.5"], topic: "d",
            payload: #"{"redox":0.702,"T":2991.5,"p":772}"#, expected: [.temperature: 26, .ph: 7.22, .orp: 702]),
        Format(
            testDescription: "units behind the numbers", values: ["temperature=t", "orp=o", "chlorine=c"], topic: "d",
            payload: #"{"t":"78.8 °F","o":"0.65V","c":"1.2 ppm"}"#,
            expected: [.temperature: 26, .chlorine: 1.2, .orp: 650]),
        Format(
            testDescription: "semicolons and decimal commas", values: ["temperature=[0]", "ph=[1]", "orp=[2]"],
            topic: "d",
            payload: "25,6;7,21;650\r\n", expected: [.temperature: 25.6, .ph: 7.21, .orp: 650]),
        Format(
            testDescription: "line protocol", values: ["temperature=temp", "ph=ph"], topic: "d",
            payload: "pool,site=garden temp=26.4,ph=7.31 1780315200000000000",
            expected: [.temperature: 26.4, .ph: 7.31]),
        Format(
            testDescription: "a query string", values: ["ph=PH", "orp=ORP"], time: "time seconds", topic: "d",
            payload: "id=7&ph=7.31&orp=690&time=1780315140", expected: [.ph: 7.31, .orp: 690], sampledAt: -60_000),
        Format(
            testDescription: "JSON inside JSON", values: ["ph=payload.m[0].ph"], topic: "d",
            payload: #"{"payload":"{\"m\":[{\"ph\":7.31}]}"}"#, expected: [.ph: 7.31]),
        Format(
            testDescription: "a list of lists, with a time in local form",
            values: ["ph=[0][1]", "orp=[1][1]"], time: "[2] iso8601", topic: "d",
            payload: #"[["ph",7.3],["orp",655],"2026-06-01 11:59:00"]"#, expected: [.ph: 7.3, .orp: 655],
            sampledAt: -60_000),
        Format(
            testDescription: "an empty first level and a wildcard", values: ["ph=/+/pool/+/ph#val.cur"],
            topic: "/site9/pool/a b/ph", payload: #"{"val":{"cur":7.25,"min":6}}"#, expected: [.ph: 7.25]),
    ]

    @Test(arguments: formats)
    func `a format that nobody listed comes out right`(format: Format) throws {
        let outcome = try mapped(
            format.values, time: format.time, Array(format.payload.utf8), topic: format.topic, deviceTopic: "d")

        let reading = try #require(outcome.readings.first, "\(outcome)")
        #expect(reading.values.pairs.map(\.quantity) == format.expected.pairs.map(\.quantity))
        for (quantity, value) in format.expected.pairs {
            #expect(abs((reading.values[quantity] ?? .nan) - value) < 1e-9)
        }
        #expect(reading.sampledAt == noon.advanced(byMilliseconds: format.sampledAt))
        #expect(reading.timeQuality == (format.time == nil ? .estimated : .device))
        #expect(reading.format == .mapped)
    }

    @Test(arguments: [
        ("ph=a.ph", #"{"b":1,"c":2}"#, "nothing_there", ["\"pool/x\"", "\"a.ph\"", "\"b\", \"c\""]),
        ("ph=ph", #"{"ph":"sour"}"#, "no_usable_value", ["\"pool/x\"", "\"ph\"", "\"sour\""]),
        ("ph=ph", #"{"ph":{"value":7.2}}"#, "no_usable_value", ["\"ph\" is an object"]),
        ("ph=ph", #"{"ph":7.2"#, "not_json", ["{\"ph\":7.2", "ends too early"]),
        ("ph=~", "sour", "no_usable_value", ["\"pool/x\" is \"sour\""]),
        ("ph=ph", #"{"ph":"76 °F"}"#, "no_usable_value", ["\"ph\" is in \"°F\""]),
        ("ph=ph if ok=yes", #"{"ph":7.2,"ok":"no"}"#, "filtered", ["\"ok\" is \"no\""]),
        ("ph=ph if ok=yes", #"{"ph":7.2}"#, "filtered", ["\"ok\" is missing"]),
    ])
    func `what cannot be read is refused with its topic, place and value`(
        value: String, payload: String, code: String, words: [String]
    ) throws {
        let outcome = try mapped([value], Array(payload.utf8), topic: "pool/x", deviceTopic: "pool/x")
        let rejection = try #require(outcome.rejection)
        #expect(rejection.code == code)
        for word in words { #expect(rejection.description.contains(word), "\(rejection)") }
    }
}
