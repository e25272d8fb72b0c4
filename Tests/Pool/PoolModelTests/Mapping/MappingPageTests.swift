import Testing

@testable import PoolModel

/// The examples of Docs/guide/mappings.md.
@Suite struct MappingPageTests {
    @Test func `hundredths and a state`() throws {
        let values = ["temperature=v[0]*0.01 if st!=0", "ph=v[1]*0.01 if st!=0", "orp=v[2] if st!=0"]
        let reading = try mapped(values, #"{"st":2,"v":[2612,731,688]}"#).readings.first
        #expect(reading?.values == [.temperature: 26.12, .ph: 7.31, .orp: 688])
        #expect(try mapped(values, #"{"st":0,"v":[2612,731,688]}"#).readings == [])
    }

    @Test func `one topic for each value, in American units, with a bridge`() throws {
        let mapping = DeviceMapping(
            values: [try ValueSource(notation: "temperature=~/T °F"), try ValueSource(notation: "orp=~/redox V")],
            availability: [try AvailabilitySource(notation: "~/../bridge online=up offline=down")])
        var log = MappingLog(decoder: try MappingDecoder(mapping: mapping, deviceTopic: "attic/pool water"))
        log.send("attic/pool water/T", Array("78.8".utf8), at: 0)
        log.send("attic/pool water/redox", Array("0.702".utf8), at: 1)
        log.send("attic/bridge", Array("down".utf8), at: 2)
        #expect(log.lines == ["0 temperature 26.0 estimated@0", "1 orp 702.0 estimated@1", "2 offline"])
    }

    @Test func `a list of named sensors and a time in milliseconds`() throws {
        let values = ["temperature=sensors[0].x if sensors[0].n=t", "ph=sensors[1].x if sensors[1].n=ph"]
        let payload = #"{"ts":1780315199500,"sensors":[{"n":"t","x":26.1},{"n":"ph","x":"7,24"}]}"#
        let reading = try mapped(values, time: "ts milliseconds", payload).readings.first
        #expect(reading?.values == [.temperature: 26.1, .ph: 7.24])
        #expect(reading?.sampledAt == noon.advanced(byMilliseconds: -500))
        let byName = ["temperature=sensors[n=t].x", "ph=sensors[n=ph].x"]
        #expect(try mapped(byName, payload).readings.first?.values == [.temperature: 26.1, .ph: 7.24])
        let exchanged = #"{"ts":1780315199500,"sensors":[{"n":"ph","x":"7,24"},{"n":"t","x":26.1}]}"#
        #expect(try mapped(values, exchanged).readings == [])
        #expect(try mapped(byName, exchanged).readings.first?.values == [.temperature: 26.1, .ph: 7.24])
        #expect(try mapped(["ph=sensors[n=redox].x"], exchanged).rejection?.code == "nothing_there")
    }

    @Test func `the sentences of the page are those of the program`() throws {
        let error = #expect(throws: NotationError.self) { try ValueSource(notation: "ph=~/Meas1#pH*O.01") }
        #expect(
            error?.description
                == #"In "ph=~/Meas1#pH*O.01" at character 15: expected a number after *, found "O.01"."#)
        let outcome = try mapped(
            ["ph=~#NeoPool.ph.Data"], Array(#"{"Time":"x","TempUnit":"C"}"#.utf8), topic: "tele/neopool/SENSOR",
            deviceTopic: "tele/neopool/SENSOR")
        #expect(
            outcome.rejection?.description
                == #"On the topic "tele/neopool/SENSOR": There is nothing at "NeoPool.ph.Data"; "#
                + #"the payload has the keys "Time", "TempUnit"."#)
    }
}
