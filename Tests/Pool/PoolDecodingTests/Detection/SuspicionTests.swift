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

    /// The values that would be read without a question, by quantity.
    private func taken(_ topic: String, _ payload: String, in lines: [(topic: String, payload: String)] = [])
        -> [Quantity: Double]
    {
        let proposals = report(lines + [(topic, payload)]).proposals
        var values: [Quantity: Double] = [:]
        for proposal in proposals {
            for preview in proposal.preview
            where !proposal.openQuantities.contains(preview.quantity) && !proposal.leftOut.contains(preview.quantity) {
                values[preview.quantity] = preview.value
            }
        }
        return values
    }

    @Test func `flags of modules beside a profile are no chlorine`() {
        let modules = { (flag: Int) in
            #"{"NeoPool":{"Type":"Oxilife","Module":{"pH":1,"Redox":1,"Hydrolysis":1,"Chlorine":\#(flag),"Conductivity":0,"#
                + #""Ionization":0},"Temperature":26.4,"pH":{"Data":7.2,"State":0,"Pump":1},"Redox":{"Data":702}}}"#
        }
        for flag in [0, 1] {
            #expect(
                taken("tele/neopool/SENSOR", modules(flag)) == [.temperature: 26.4, .ph: 7.2, .orp: 702], "flag \(flag)"
            )
        }
    }

    @Test(arguments: [
        #"{"pH_value":7.21,"orp_value":712,"DOS_1_CL":2}"#, #"{"ph":7.21,"orp":712,"features":{"chlorine":1}}"#,
        #"{"ph":7.21,"orp":712,"has_chlorine":1}"#, #"{"ph":7.21,"orp":712,"chlorine_type":2}"#,
        #"{"ph":7.21,"orp":712,"chlorine_tablets":2}"#, #"{"ph":7.21,"orp":712,"chlorine_kg":2.5}"#,
        #"{"ph":7.21,"orp":712,"chlorine_speed":3}"#, #"{"ph":7.21,"orp":712,"CL_1":1}"#,
        #"{"ph":7.21,"orp":712,"cl_sec":12}"#, #"{"ph":7.21,"orp":712,"orp_24h":650}"#,
        #"{"ph":7.21,"orp":712,"ph_1h_ago":7.4}"#, #"{"ph":7.21,"orp":712,"chlorine":99.99}"#,
    ])
    func `states, amounts and what was are no readings of now`(payload: String) {
        #expect(taken("x/pool", payload) == [.ph: 7.21, .orp: 712])
    }

    @Test(arguments: [
        "device_temperature", "cell_temperature", "temp_diff", "temp_rise", "temp_comp", "compensation_temperature",
        "feels_like_temp", "return_temp", "heat_temp",
    ])
    func `a temperature of something else is left out`(key: String) {
        #expect(taken("x/pool", #"{"ph":7.21,"\#(key)":36.4}"#) == [.ph: 7.21])
    }

    @Test(arguments: [
        #"{"ph":7.2,"chlorine":2}"#, #"{"data":{"ph":7.2,"free_chlorine":2}}"#, #"{"ph":7.2,"cl_ppm":2}"#,
    ])
    func `a whole number of chlorine with a clear name is read`(payload: String) {
        #expect(taken("x/pool", payload) == [.ph: 7.2, .chlorine: 2])
    }

    @Test func `what ESPHome offers to set is no reading`() {
        let lines = [
            (topic: "esp-pool/number/ph/state", payload: "7.2"), (topic: "esp-pool/number/orp/state", payload: "700"),
            (topic: "esp-pool/switch/chlorine/state", payload: "1"),
        ]
        #expect(taken("esp-pool/sensor/pool_temp/state", "26.4", in: lines) == [.temperature: 26.4])
    }

    @Test(arguments: [
        (#"{"ph":{"value":7.2,"expired":false}}"#, #"{"ph":{"value":7.6,"expired":true}}"#),
        (#"{"ph":7.2,"stale":false}"#, #"{"ph":7.6,"stale":true}"#),
        (#"{"ph":{"value":7.2,"status":"ok"}}"#, #"{"ph":{"value":7.6,"status":"error"}}"#),
        (#"{"ph":{"value":7.2,"quality":"GOOD"}}"#, #"{"ph":{"value":7.6,"quality":"BAD"}}"#),
    ])
    func `what the device itself doubts is no reading`(good: String, bad: String) throws {
        let proposal = try #require(report([("x/pool", good)]).proposals.first)
        var decoder = try MappingDecoder(mapping: try #require(proposal.mapping), deviceTopic: proposal.topic)
        let outcomes = [good, bad].map { payload in
            decoder.receive(topic: "x/pool", payload: Array(payload.utf8), receivedAt: noon, isRetained: false)
        }
        #expect(outcomes.map { $0?.readings.map { $0.values[.ph] } ?? [] } == [[7.2], []])
    }

    @Test func `of samples that count down the first one is the newest`() {
        #expect(
            taken("x/pool", #"{"readings":[{"n":3,"ph":7.6},{"n":2,"ph":7.2},{"n":1,"ph":7.1}]}"#) == [.ph: 7.6])
        #expect(
            taken("x/pool", #"{"readings":[{"n":1,"ph":7.6},{"n":2,"ph":7.2},{"n":3,"ph":7.1}]}"#) == [.ph: 7.1])
    }

    @Test func `a number with a fraction near 300 may be in kelvin, a whole one in tenths`() throws {
        for (number, value) in [("299.2", 26.05), ("285", 28.5)] {
            let proposal = try #require(report([("x/pool", #"{"ph":7.2,"water_temp":\#(number)}"#)]).proposals.first)
            let suggested = proposal.suggestions.first { !$0.isAsItIs }?.value
            #expect(suggested.map { abs($0 - value) < 0.01 } == true, "\(number): \(suggested ?? .nan)")
        }
        #expect(taken("x/pool", #"{"ph":7.2,"bat":2850}"#) == [.ph: 7.2])
    }

    @Test func `what a flat message has and nobody can read is told`() throws {
        let proposal = try #require(
            report([("x/pool", #"{"ph":7.2,"orp":"690 mW","salt":"3,200","chlorine":null}"#)]).proposals.first)
        #expect(proposal.skipped.contains { $0.raw == "690 mW" && $0.reason.contains("mW") })
    }

    @Test(arguments: [
        (#"{"orp":72,"unit":"%","ph":7.2}"#, [Quantity.ph: 7.2]),
        (#"{"chlorine":850,"unit":"ppb","ph":7.2}"#, [.ph: 7.2]),
        (#"{"temp":26.4,"unit":"°C","ph":7.2}"#, [.temperature: 26.4, .ph: 7.2]),
        (#"{"temp":"26.1°","ph":7.2}"#, [.temperature: 26.1, .ph: 7.2]),
        (#"{"ph":{"pv":7.24,"sp":7.2},"orp":{"pv":712,"sp":700}}"#, [.ph: 7.24, .orp: 712]),
        (
            #"{"temperatures":[{"name":"Luft","value":19.5,"unit":"C"},{"name":"Becken","value":25.9,"unit":"C"}],"ph":7.2}"#,
            [.temperature: 25.9, .ph: 7.2]
        ),
    ])
    func `a unit, a process value and a name are those of their numbers`(payload: String, values: [Quantity: Double]) {
        #expect(taken("x/pool", payload) == values)
    }
}
