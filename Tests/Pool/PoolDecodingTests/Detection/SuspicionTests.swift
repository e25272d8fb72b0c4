import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// Values that are no readings of water as they are: they are asked for or left out, never added in silence.
@Suite struct SuspicionTests {
    private func report(_ lines: [(topic: String, payload: String)]) -> DetectionReport {
        var detection = Detection()
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    @Test(arguments: ["orp_v", "redoxV", "ORP (V)", "redox_volt"])
    func `a redox potential whose name says volts is read in volts`(key: String) throws {
        let proposal = try #require(report([("x/pool", #"{"\#(key)":0.711}"#)]).proposals.first)
        #expect(proposal.preview.map(\.value) == [711])
        #expect(proposal.openQuantities.isEmpty && proposal.leftOut.isEmpty)
        #expect(proposal.mapping?.values.first?.unit == .volts)
    }

    @Test(arguments: [
        (#"{"orp":0.711}"#, Quantity.orp), (#"{"ph":721}"#, .ph), (#"{"temp":81,"ph":7.2}"#, .temperature),
    ])
    func `a value that another scale makes usual must be asked for`(payload: String, quantity: Quantity) throws {
        let proposal = try #require(report([("x/pool", payload)]).proposals.first)
        #expect(proposal.openQuantities == [quantity])
        #expect(proposal.openReasons[quantity]?.contains("suspected") == true)
        #expect(proposal.suggestions.first { $0.quantity == quantity }?.isAsItIs == false)
    }

    @Test(
        arguments: [
            #"{"temperature":0,"ph":7.2}"#, #"{"temperature":85,"ph":7.2}"#, #"{"temperature":-127,"ph":7.2}"#,
            #"{"temperature":2,"ph":7.2}"#, #"{"orp":-5,"ph":7.2}"#, #"{"chlorine":60,"ph":7.2}"#,
        ])
    func `a code, a fault or a percent is left out, unless a person wants it`(payload: String) throws {
        let proposal = try #require(report([("x/pool", payload)]).proposals.first)
        #expect(proposal.mapping?.values.map(\.quantity) == [.ph])
        #expect(proposal.leftOut.count == 1 && proposal.openQuantities.isEmpty)
        let wanted = try #require(proposal.suggestions.first)
        #expect(wanted.isAsItIs && proposal.suggestions.count == 1)
        #expect(proposal.mapping(taking: [wanted])?.values.count == 2)
        #expect(proposal.remarks.contains { $0.contains("is left out, unless you take its suggestion") })
    }

    @Test func `a fault that is the only value must be asked for`() throws {
        let proposal = try #require(report([("x/pool", #"{"temperature":-127}"#)]).proposals.first)
        #expect(proposal.openQuantities == [.temperature] && proposal.leftOut.isEmpty)
    }

    @Test func `cold water is no fault`() throws {
        let proposal = try #require(report([("x/pool", #"{"temperature":0.4,"ph":7.2}"#)]).proposals.first)
        #expect(proposal.mapping?.values.count == 2 && proposal.openQuantities.isEmpty)
    }

    @Test func `the proposal of which the most was found is the first one`() {
        let report = report([
            ("a/temp/state", "0"), ("pool/sensor/water_temp/state", "26.4"), ("pool/sensor/ph/state", "7.2"),
        ])
        #expect(report.proposals.map(\.topic) == ["pool", "a"])
    }

    @Test func `a bare number on a status topic is a code`() throws {
        let report = report([("pool/temperature/status", "0"), ("pool/temperature/value", "26.4")])
        #expect(report.proposals.map { $0.preview.map(\.value) } == [[26.4]])
        #expect(report.proposals.first?.openQuantities == [])
    }

    @Test(
        arguments: [
            [("homeassistant/sensor/x/cl/config", #"{"name":"Chlorine","stat_t":"x/chlorine","unit_of_meas":"mV"}"#)],
            [("x/chlorine/unit", "mV")], [("x/chlorine/$unit", "mV")],
        ])
    func `a unit that contradicts the name is never taken in silence`(lines: [(topic: String, payload: String)]) {
        let report = report(lines + [("x/chlorine", "0.802"), ("x/ph", "7.2")])
        #expect(report.proposals.map { $0.preview.map(\.quantity) } == [[.ph]])
        let numbers = report.skipped + report.proposals.flatMap(\.skipped)
        #expect(numbers.contains { $0.raw == "0.802" && $0.reason.contains("which is no unit of Chlorine") })
    }

    @Test func `a unit of something else on its topic refuses the value when it is read`() throws {
        let mapping = DeviceMapping(
            values: [try ValueSource(notation: "chlorine=~/cl unit ~/cl/unit"), try ValueSource(notation: "ph=~/ph")])
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: "x")
        var readings: [DecodedPayload] = []
        var remarks: [PayloadWarning] = []
        for (topic, text) in [("x/cl/unit", "mV"), ("x/cl", "0.802"), ("x/cl/unit", "mW"), ("x/cl", "0.8")] {
            let outcome = decoder.receive(topic: topic, payload: Array(text.utf8), receivedAt: noon, isRetained: false)
            readings += outcome?.readings ?? []
            remarks += outcome?.remarks ?? []
        }
        readings += decoder.expire(at: noon.advanced(byMilliseconds: 60_000))
        #expect(readings.isEmpty)
        #expect(remarks.map(\.code) == ["foreign_unit", "foreign_unit", "foreign_unit"])
        #expect(remarks.last == .foreignUnit(key: "x/cl", unit: "mW"))
    }
}
