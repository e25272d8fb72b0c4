import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// The expected result for each file in Fixtures/payloads.
@Suite struct PayloadFixtureTests {
    struct Expected: Sendable, CustomTestStringConvertible {
        var file: String
        var values: QuantityMap<Double>
        var format = DecodedPayload.Format.json
        var quality = TimeQuality.estimated
        var sampledAt = noon
        var quarantined: QuantityMap<Double> = [:]
        var remarks: [String] = []

        var testDescription: String { file }
    }

    private static let four: QuantityMap<Double> = [.temperature: 25.5, .ph: 7.2, .chlorine: 1.5, .orp: 650]

    static let decoded: [Expected] = [
        // X1: test no. 1, the example of the original app's manual, which its own decoder could not read.
        Expected(file: "readme.json", values: four),
        // P40 and P43.
        Expected(
            file: "lower-case.json", values: [.temperature: 24.9, .ph: 7.31, .chlorine: 1.42, .orp: 702],
            quality: .device, sampledAt: noon.advanced(byMilliseconds: 250)),
        // P49.
        Expected(file: "pretty-crlf.json", values: four),
        Expected(file: "byte-order-mark.json", values: four),
        // P46 and X2.
        Expected(file: "partial.json", values: [.temperature: 26.1, .orp: 690], quality: .device),
        Expected(file: "strings.json", values: four),
        Expected(
            file: "holes.json", values: [.temperature: 25.5], remarks: ["no_value", "not_finite", "not_a_number"]),
        // P54.
        Expected(
            file: "out-of-range.json", values: [.temperature: 25.5, .chlorine: 1.5, .orp: 650], quarantined: [.ph: 72]),
        // X19.
        Expected(
            file: "milliseconds.json", values: four, quality: .device, sampledAt: noon.advanced(byMilliseconds: 250)),
        // P50 and P51.
        Expected(
            file: "text-form.txt", values: [.temperature: 24.5, .ph: 7.2, .chlorine: 1.8, .orp: 685], format: .text),
        Expected(
            file: "text-form-spaced.txt", values: [.temperature: 24.5, .ph: 7.2, .chlorine: 1.8, .orp: 685],
            format: .text),
        Expected(file: "text-form-comma.txt", values: [.temperature: 24.5, .ph: 7.2], format: .text),
        Expected(
            file: "flat-bridge.json",
            values: [
                .temperature: 24.6, .ph: 7.21, .chlorine: 0.8, .orp: 701, .salinity: 0.649, .conductivity: 1180,
            ], quality: .device, remarks: Array(repeating: "unknown_key", count: 9)),
        Expected(
            file: "scaled-integers.json", values: [.orp: 583], quarantined: [.ph: 321],
            remarks: ["unknown_key", "unknown_key", "unknown_key"]),
    ]

    @Test(arguments: decoded)
    func `P37 X1 X2 a sample message gives its values`(expected: Expected) throws {
        let outcome = PayloadDecoder().decode(try payload(expected.file), receivedAt: noon, isRetained: false)

        let decoded = try #require(outcome.decoded)
        #expect(decoded.values == expected.values)
        #expect(decoded.format == expected.format)
        #expect(decoded.timeQuality == expected.quality)
        #expect(decoded.sampledAt == expected.sampledAt)
        #expect(decoded.quarantined.map(\.quantity) == expected.quarantined.pairs.map(\.quantity))
        #expect(decoded.quarantined.map(\.value) == expected.quarantined.pairs.map(\.value))
        #expect(decoded.remarks.map(\.code) == expected.remarks)
        #expect(decoded.receivedAt == noon)
        #expect(!decoded.isRetained)
    }

    @Test(arguments: [
        ("not-utf8.bin", "not_text"), ("latin1.bin", "not_text"), ("utf16.bin", "not_text"),
        ("truncated.json", "not_readable"), ("html-error.txt", "not_readable"), ("unavailable.txt", "not_readable"),
        ("nested.json", "no_known_quantity"), ("empty.txt", "empty"),
    ])
    func `P52 P53 a file that is no message gives a reason`(file: String, code: String) throws {
        for isRetained in [false, true] {
            let outcome = PayloadDecoder().decode(try payload(file), receivedAt: noon, isRetained: isRetained)
            #expect(outcome.rejection?.code == code)
            #expect(outcome.rejection?.description.isEmpty == false)
        }
    }
}
