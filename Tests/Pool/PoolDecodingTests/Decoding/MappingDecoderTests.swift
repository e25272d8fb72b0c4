import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct MappingDecoderTests {
    private func log(_ mapping: DeviceMapping, topic: String = "d") throws -> MappingLog {
        MappingLog(decoder: try MappingDecoder(mapping: mapping, deviceTopic: topic))
    }

    private let paired = DeviceMapping(
        values: [ValueSource(.ph, topic: "~/ph")], time: TimeSource(topic: "~/at", path: .whole))

    @Test func `filters are resolved, each once, and tell which topics concern the device`() throws {
        let decoder = try MappingDecoder(
            mapping: DeviceMapping(
                values: [
                    ValueSource(.ph), ValueSource(.orp), ValueSource(.chlorine, topic: "~/+/cl"),
                    ValueSource(.temperature, topic: "other/#"),
                ], time: TimeSource(topic: "~/at", path: .whole),
                availability: [AvailabilitySource(topic: "~/../../LWT")], heartbeats: ["~/at", "+/tick"]),
            deviceTopic: "a/b/c")
        #expect(decoder.filters == ["a/b/c", "a/b/c/at", "a/b/c/+/cl", "other/#", "a/LWT", "+/tick"])
        for topic in ["a/b/c", "a/b/c/x/cl", "a/b/c//cl", "other", "other/x/y", "a/LWT", "x/tick"] {
            #expect(decoder.concerns(topic), "\(topic)")
        }
        for topic in ["a/b", "a/b/c/", "a/b/c/cl", "a/b/c/x/y/cl", "others", "LWT", "$SYS/tick", "tick"] {
            #expect(!decoder.concerns(topic), "\(topic)")
        }
        var copy = decoder
        #expect(copy.receive(topic: "a/b", payload: [], receivedAt: noon, isRetained: false) == nil)
    }

    @Test func `a time before or after its value is paired with it, and each value takes it once`() throws {
        var log = try log(paired)
        log.send("d/ph", Array("7.2".utf8), at: 0)
        log.send("d/at", Array("1780315100".utf8), at: 4999)
        log.send("d/at", Array("1780315200".utf8), at: 60_000)
        log.send("d/ph", Array("7.3".utf8), at: 60_100)
        log.send("d/ph", Array("7.4".utf8), at: 60_200)
        log.expire(at: 65_199)
        log.expire(at: 65_200)
        #expect(
            log.lines == [
                "4999 ph 7.2 device@-100000", "60100 ph 7.3 device@0", "65200 ph 7.4 estimated@60200",
            ])
    }

    @Test func `a value takes a time that came 5 s before, and no older one`() throws {
        var log = try log(paired)
        log.send("d/at", Array("1780315100".utf8), at: 0)
        log.send("d/ph", Array("7.2".utf8), at: 5000)
        log.send("d/at", Array("1780315200".utf8), at: 60_000)
        log.send("d/ph", Array("7.3".utf8), at: 65_001)
        #expect(log.lines == ["5000 ph 7.2 device@-100000"])
    }

    @Test func `a value without its time goes by its receipt after 5 s, at once after three, and waits again`() throws {
        var log = try log(paired)
        for number in 0..<4 {
            log.send("d/ph", Array("7.\(number)".utf8), at: Int64(number) * 10_000)
        }
        log.send("d/at", Array("1780315200".utf8), at: 40_000)
        log.send("d/ph", Array("7.5".utf8), at: 50_000)
        #expect(
            log.lines == [
                "5000 ph 7.0 estimated@0", "15000 ph 7.1 estimated@10000", "25000 ph 7.2 estimated@20000",
                "30000 ph 7.3 estimated@30000",
            ])
        #expect(log.decoder.deadline == noon.advanced(byMilliseconds: 55_000))
    }

    @Test func `a newer value of the same source lets the waiting one go, and a clock set back ends the wait`() throws {
        var log = try log(paired)
        log.send("d/ph", Array("7.1".utf8), at: 0)
        log.send("d/ph", Array("7.2".utf8), at: 100)
        log.expire(at: -3_600_000)
        #expect(log.lines == ["100 ph 7.1 estimated@0", "-3600000 ph 7.2 estimated@100"])
        #expect(log.decoder.deadline == nil)
    }

    @Test func `a live value never takes a replayed time`() throws {
        var log = try log(paired)
        log.send("d/at", Array("1780300000".utf8), at: 0, isRetained: true)
        log.send("d/ph", Array("7.2".utf8), at: 100)
        log.send("d/at", Array("1780315100".utf8), at: 200)
        #expect(log.lines == ["200 ph 7.2 device@-100000"])
    }

    @Test func `a unit that does not come in time is assumed, with a remark`() throws {
        var log = try log(
            DeviceMapping(values: [
                ValueSource(
                    .temperature, topic: "~/t", unit: .fahrenheit, unitPlace: UnitPlace(topic: "~/unit", path: .whole))
            ]))
        log.send("d/t", Array("77".utf8), at: 0)
        log.expire(at: 5000)
        log.send("d/unit", Array("°C".utf8), at: 6000)
        log.send("d/t", Array("25".utf8), at: 7000)
        log.send("d/unit", Array("bananas".utf8), at: 8000)
        log.send("d/t", Array("26".utf8), at: 9000)
        #expect(
            log.lines == [
                "5000 temperature 25.0 estimated@0 (unit_assumed)", "7000 temperature 25.0 estimated@7000",
                "8000 remark foreign_unit", "9000 remark foreign_unit",
            ])
    }

    @Test func `row identity: the same value of the same moment is one measurement, by any topic`() throws {
        var log = try log(
            DeviceMapping(
                values: [
                    ValueSource(.ph, topic: "~/a", path: .keys("ph")), ValueSource(.ph, topic: "b/#", path: .keys("p")),
                ],
                time: TimeSource(path: .keys("t"))))
        log.send("d/a", Array(#"{"ph":7.2,"t":1780315200}"#.utf8), at: 0, isRetained: true)
        log.send("d/a", Array(#"{"ph":7.2,"t":1780315200}"#.utf8), at: 10)
        log.send("b/c", Array(#"{"p":7.2,"t":1780315200}"#.utf8), at: 20)
        log.send("d/a", Array(#"{"ph":7.3,"t":1780315200}"#.utf8), at: 30)
        log.send("d/a", Array(#"{"ph":7.2,"t":1780315260}"#.utf8), at: 60_000)
        // Without a time, equal values are new measurements.
        log.send("d/a", Array(#"{"ph":7.2}"#.utf8), at: 70_000)
        log.send("d/a", Array(#"{"ph":7.2}"#.utf8), at: 80_000)
        #expect(
            log.lines == [
                "0 ph 7.2 retained device@0", "10 ph 7.2 device@0", "20 repeated ph", "30 ph 7.3 device@0",
                "60000 ph 7.2 device@60000", "70000 ph 7.2 estimated@70000", "80000 ph 7.2 estimated@80000",
            ])
    }

    @Test func `the last eight measurements are known when they are sent again`() throws {
        let mapping = DeviceMapping(values: [ValueSource(.ph, path: .keys("ph"))], time: TimeSource(path: .keys("t")))
        var log = try log(mapping)
        func send(_ number: Int64) {
            log.send("d", Array(#"{"ph":7.2,"t":\#(1_780_315_100 + number)}"#.utf8), at: Int64(log.lines.count))
        }
        for number in 0...8 as ClosedRange<Int64> { send(number) }
        for number in 1...8 as ClosedRange<Int64> { send(number) }
        send(0)
        #expect(log.lines[9..<17].allSatisfy { $0.hasSuffix(" repeated ph") })
        #expect(log.lines.last == "17 ph 7.2 device@-100000")
    }

    @Test func `what was known before a restart is not new when it is sent again`() throws {
        let mapping = DeviceMapping(values: [ValueSource(.ph, path: .keys("ph"))], time: TimeSource(path: .keys("t")))
        var log = try log(mapping)
        var readings = DeviceReadings(deviceID: lagoon.id)
        readings.absorb(message([.ph: 7.2], sampledAt: noon, receivedAt: noon))
        log.decoder.recall(readings)
        log.send("d", Array(#"{"ph":7.2,"t":1780315200}"#.utf8), at: 10)
        #expect(log.lines == ["10 repeated ph"])
    }

    @Test func `equal numbers on two topics are two readings for the history`() throws {
        let first = try mapped(["ph=~"], Array("7".utf8), topic: "d", deviceTopic: "d").readings.first
        let second = try mapped(["chlorine=~"], Array("7".utf8), topic: "e", deviceTopic: "e").readings.first
        #expect(first?.payloadHash != second?.payloadHash)
    }

    @Test(arguments: ["-0.03", "-0.1", "0"])
    func `P54 noise of a chlorine probe below zero is a measurement of zero`(text: String) throws {
        let reading = try mapped(["chlorine=~"], Array(text.utf8), topic: "d", deviceTopic: "d").readings.first
        #expect(reading?.values == [.chlorine: 0])
        #expect(reading?.quarantined.isEmpty == true)
    }

    @Test func `every availability source must say so, strange words change nothing, a replay counts`() throws {
        var log = try log(
            DeviceMapping(
                values: [ValueSource(.ph)],
                availability: [
                    AvailabilitySource(topic: "~/a"),
                    AvailabilitySource(topic: "~/b", online: [], offline: ["gone"]),
                ]))
        log.send("d/a", Array(" ONLINE\r\n".utf8), at: 0, isRetained: true)
        #expect(log.decoder.isAvailable == nil)
        log.send("d/b", Array("whatever".utf8), at: 10)
        log.send("d/a", Array("maybe".utf8), at: 20)
        log.send("d/a", Array(#"{"state":"offline"}"#.utf8), at: 30)
        log.send("d/b", Array("gone".utf8), at: 40)
        log.send("d/a", Array("true".utf8), at: 50)
        log.send("d/b", Array("1".utf8), at: 60)
        #expect(log.lines == ["10 online", "20 remark unknown_word", "30 offline", "60 online"])
    }

    @Test func `a condition needs one of its words, numbers by their value`() throws {
        for (state, isTaken) in [("1", true), ("1.0", true), ("\"1\"", true), ("true", false), ("2", false)] {
            let outcome = try mapped(["ph=ph if s=1"], "{\"ph\":7.2,\"s\":\(state)}")
            #expect(outcome.readings.isEmpty != isTaken)
        }
        #expect(try mapped(["ph=ph if s!=1"], #"{"ph":7.2}"#).readings.count == 1)
    }

    @Test func `remarks are bounded`() throws {
        let values = (0..<64).map { "ph=k\($0)" }
        let payload = "{" + (0..<64).map { "\"k\($0)\":\"bad\"" }.joined(separator: ",") + "}"
        guard case .noUsableValue(let remarks) = try mapped(values, payload).rejection?.cause else {
            Issue.record("not refused")
            return
        }
        #expect(remarks.count == 16)
    }

    @Test(
        arguments: [
            ("~/s online>0", "12", true), ("~/s online>0", "0", false), ("~/s online>0", "-1 dBm", false),
            ("~/s online>0", "fine", false), ("~/s online=up", "resting", false),
            ("~/s offline=down", "resting", true), ("~/s online=up offline=down", "resting", nil),
            ("~/s offline<10", "9.5", false), ("~/s offline<10", "10", true),
            ("~/s#age online<=60", #"{"age":60}"#, true), ("~/s#age online<=60", #"{"age":61}"#, false),
        ] as [(String, String, Bool?)])
    func `a number says whether the device is there`(source: String, payload: String, isThere: Bool?) throws {
        let mapping = DeviceMapping(
            values: [ValueSource(.ph, path: .keys("ph"))], availability: [try AvailabilitySource(notation: source)])
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: "d")
        _ = decoder.receive(topic: "d/s", payload: Array(payload.utf8), receivedAt: noon, isRetained: false)
        #expect(decoder.isAvailable == isThere)
    }

    @Test func `a condition on a number keeps still water out`() throws {
        #expect(try mapped(["ph=ph if rpm>0"], #"{"ph":7.2,"rpm":1200}"#).readings.count == 1)
        #expect(try mapped(["ph=ph if rpm>0"], #"{"ph":7.2,"rpm":0}"#).readings.isEmpty)
        #expect(try mapped(["ph=ph if rpm>0"], #"{"ph":7.2}"#).readings.isEmpty)
    }

    @Test(arguments: [
        (#"{"model":"other","ph":9}"#, "filtered", false), (#"{"rpm":1200}"#, "filtered", false),
        (#"{"model":"mine","ph":"seven"}"#, "no_usable_value", true), ("<html>", "filtered", false),
    ])
    func `a message for another device is no fault of this one`(payload: String, code: String, isFault: Bool) throws {
        let rejection = try mapped(["ph=ph if model=mine"], payload).rejection
        #expect(rejection?.code == code)
        #expect(rejection?.isFault == isFault)
    }

    @Test func `a message about something else is no fault`() throws {
        let rejection = try mapped(["ph=ph"], #"{"rpm":1200}"#).rejection
        #expect(rejection?.code == "nothing_there")
        #expect(rejection?.isFault == false)
    }
}
