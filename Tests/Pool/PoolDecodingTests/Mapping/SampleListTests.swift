import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// Messages with several samples, each with its own time.
@Suite struct SampleListTests {
    private let list =
        #"{"samples":[{"t":1780315120,"ph":7.22,"rx":701},{"t":1780315000,"ph":7.2,"rx":699},"#
        + #"{"t":1780315060,"ph":null,"rx":700}]}"#

    private func decoder(_ values: [String], time: String?) throws -> MappingDecoder {
        let mapping = DeviceMapping(
            values: try values.map { try ValueSource(notation: $0) },
            time: try time.map { try TimeSource(notation: $0) })
        return try MappingDecoder(mapping: mapping, deviceTopic: "x/pool")
    }

    private func receive(_ payload: String, _ decoder: inout MappingDecoder) throws -> MappingOutcome {
        let outcome = decoder.receive(
            topic: "x/pool", payload: Array(payload.utf8), receivedAt: Timestamp(milliseconds: 1_780_315_200_000),
            isRetained: false)
        return try #require(outcome)
    }

    @Test func `all samples of a message are read, each with its time, the oldest first`() throws {
        var decoder = try decoder(["ph=samples[*].ph", "orp=samples[*].rx"], time: "samples[*].t")
        let outcome = try receive(list, &decoder)
        let seconds = outcome.readings.map { ($0.sampledAt?.milliseconds ?? 0) / 1000 }
        #expect(seconds == [1_780_315_000, 1_780_315_060, 1_780_315_120])
        #expect(outcome.readings.map(\.values) == [[.ph: 7.2, .orp: 699], [.orp: 700], [.ph: 7.22, .orp: 701]])
        #expect(outcome.readings.allSatisfy { $0.timeQuality == .device })
        #expect(outcome.hasSamples && outcome.rejection == nil)
    }

    @Test func `a sample has the same key in each message that has it, whatever its position`() throws {
        var first = try decoder(["orp=samples[*].rx"], time: "samples[*].t")
        var second = first
        let later = #"{"samples":[{"t":1780315180,"ph":7.3,"rx":702},"# + list.dropFirst(#"{"samples":["#.count)
        let keys = { (outcome: MappingOutcome) in Set(outcome.readings.map(\.payloadHash)) }
        let (old, new) = (keys(try receive(list, &first)), keys(try receive(later, &second)))
        #expect(old.count == 3 && new.count == 4 && old.isSubset(of: new))
        #expect(try receive(list, &first).readings.isEmpty, "known measurements are not new")
    }

    @Test(
        arguments: [
            (["ph=ph[*]"], "t[*]", #"{"t":[1780315000,1780315060],"ph":[7.2,7.3]}"#),
            (["ph=rows[*][1]"], "rows[*][0]", #"{"rows":[[1780315000,7.2],[1780315060,7.3]]}"#),
            (
                ["ph=[*].v if [*].n=ph"], "[*].t",
                #"[{"n":"ph","v":7.2,"t":1780315000},{"n":"orp","v":700,"t":1780315000},{"n":"ph","v":7.3,"t":1780315060}]"#
            ),
            (["ph=[*].ph"], "[*].ts", "{\"ts\":\"2026-06-01T11:56:40Z\",\"ph\":7.2}\n{\"ts\":1780315060,\"ph\":7.3}\n"),
        ])
    func `columns, rows, named values and lines of JSON are samples too`(
        values: [String], time: String, payload: String
    ) throws {
        var decoder = try decoder(values, time: time)
        let readings = try receive(payload, &decoder).readings
        #expect(readings.compactMap { $0.values[.ph] } == [7.2, 7.3])
        #expect(readings.map { ($0.sampledAt?.milliseconds ?? 0) / 1000 } == [1_780_315_000, 1_780_315_060])
    }

    @Test func `the last element of a list is read from its end`() throws {
        var decoder = try decoder(["ph=samples[-1].ph"], time: nil)
        #expect(try receive(#"{"samples":[{"ph":7.1},{"ph":7.3}]}"#, &decoder).readings.map(\.values) == [[.ph: 7.3]])
        #expect(try receive(#"{"samples":[]}"#, &decoder).rejection?.code == "nothing_there")
    }

    @Test func `of too many samples the last ones are read, and that is said`() throws {
        var decoder = try decoder(["ph=[*].p"], time: "[*].t")
        let samples = (0..<1030).map { #"{"t":\#(1_780_000_000 + $0),"p":7.2}"# }.joined(separator: ",")
        let outcome = try receive("[\(samples)]", &decoder)
        #expect(outcome.readings.count == 1024)
        #expect(outcome.readings.last?.sampledAt == Timestamp(milliseconds: 1_780_001_029_000))
        #expect(outcome.remarks == [.samplesDropped(count: 6)])
    }

    @Test(
        arguments: [
            ("ph=samples[*].ph", nil, "no time in each of them"), ("ph=samples[*].ph", "t", "no time in each of them"),
            ("ph=a[*].b[*].ph", "a[*].t", "has [*] twice"), ("ph=ph if s[*].ok=1", nil, "the value has none"),
        ] as [(String, String?, String)])
    func `a mapping with samples that cannot be told apart is refused`(value: String, time: String?, words: String) {
        let error = #expect(throws: MappingError.self) { try decoder([value], time: time) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["samples[*].ph", "[-1].x", "a[-2]", "v[*]"])
    func `the notation of a path is read as it is written`(text: String) throws {
        #expect("\(try ValuePath(text: text))" == text)
    }

    @Test(arguments: ["a[-0]", "a[**]", "a[-]", "a[-x]"])
    func `other brackets are refused`(text: String) {
        #expect(throws: NotationError.self) { try ValuePath(text: text) }
    }
}
