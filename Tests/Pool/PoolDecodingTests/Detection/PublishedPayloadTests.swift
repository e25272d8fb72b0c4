import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// Payloads as people publish them, of which detection took something wrong, or missed something.
@Suite struct PublishedPayloadTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        var name: String
        var lines: [(topic: String, payload: String)]
        /// The values that are read, in the order of `Quantity`.
        var values: [Double]
        /// Numbers that are listed as not taken, each with a part of the reason.
        var skipped: [String: String] = [:]

        var testDescription: String { name }
    }

    private static func report(_ lines: [(topic: String, payload: String)]) -> DetectionReport {
        var detection = Detection()
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    static let samples = [
        Sample(
            name: "decimal commas between semicolons",
            lines: [("garden/pool/csv", "T:26.3;pH:7,41;ORP:702;Cl:0,8")], values: [26.3, 7.41, 0.8, 702]),
        Sample(
            name: "Ultralight 2.0", lines: [("ul/4jggokgpepnvsb2uv4s40d59ov/pool1/attrs", "t|26.4#ph|7.21#orp|702")],
            values: [26.4, 7.21, 702]),
        Sample(
            name: "values between bars, without names", lines: [("pool/bars", "26.4|7.21")], values: [],
            skipped: ["26.4": "says no quantity", "7.21": "says no quantity"]),
        Sample(
            name: "an observation of SensorThings",
            lines: [
                (
                    "v1.1/Datastreams(5)/Observations",
                    #"{"phenomenonTime":"2026-06-01T12:00:00Z","result":7.21,"Datastream":{"name":"Pool pH"}}"#
                )
            ], values: [7.21]),
        Sample(
            name: "Domoticz",
            lines: [
                (
                    "domoticz/out",
                    #"{"idx":12,"name":"Pool temperature","nvalue":0,"svalue":"26.4","dtype":"Temp","unit":1}"#
                ),
                ("domoticz/out", #"{"idx":13,"name":"Pool pH","nvalue":0,"svalue":"7.21","dtype":"General","unit":1}"#),
            ], values: [26.4, 7.21]),
        Sample(
            name: "a line of a log",
            lines: [("poolpi/log", "2026-06-01 12:00:00 water=26.4C pH=7.22 orp=701mV air=31.0C")],
            values: [26.4, 7.22, 701], skipped: ["31.0C": "not that of the water"]),
        Sample(
            name: "lines of pairs", lines: [("y/pool", "ph: 7.2\ntemp: 26.1\norp: 700\n")], values: [26.1, 7.2, 700]),
        Sample(
            name: "the redox potential as rx",
            lines: [
                (
                    "vistapool/1",
                    #"{"main.temperature":26.4,"modules.ph.current":"7.31","modules.rx.current":"688","#
                        + #""modules.rx.status.value":"700","wifi.rx":9321}"#
                )
            ], values: [26.4, 7.31, 688], skipped: ["700": "status"]),
        Sample(
            name: "the redox potential as rx around a value",
            lines: [("aquarite/1", #"{"modules":{"ph":{"current":"7.31"},"rx":{"current":"688"}}}"#)],
            values: [7.31, 688]),
        Sample(
            name: "the redox potential on a topic rx",
            lines: [("p/pool/ph", "7.31"), ("p/pool/rx", "688"), ("p/pool/mv", "12"), ("net/eth/rx", "700")],
            values: [7.31, 688], skipped: ["12": "says no quantity"]),
        Sample(
            name: "what a shadow desires",
            lines: [
                (
                    "things/pool/shadow/update",
                    #"{"state":{"desired":{"water_temp":28.0,"ph":7.2},"reported":{"water_temp":26.2,"ph":7.35}}}"#
                )
            ], values: [26.2, 7.35], skipped: ["28.0": "set points", "7.2": "set points"]),
        Sample(
            name: "millivolts in words",
            lines: [("d/pool1", #"{"waterTemperatureC":26.2,"orpMilliVolts":671}"#)], values: [26.2, 671]),
        Sample(
            name: "JSON in the topics of Sparkplug",
            lines: [
                (
                    "spBv1.0/pool/DDATA/edge/plc",
                    #"{"seq":12,"metrics":[{"name":"Pool/pH","value":7.28},{"name":"Pool/pH Setpoint","value":7.2},"#
                        + #"{"name":"Air Temp","value":33.1}]}"#
                )
            ], values: [7.28], skipped: ["7.2": "a set point", "33.1": "not that of the water"]),
        Sample(
            name: "current and target in one word",
            lines: [
                ("bwa/spa/currenttemperature", "101"), ("bwa/spa/targettemperature", "102"),
                ("bwa/spa/temperaturescale", "fahrenheit"),
            ], values: [Quantity.temperature.standardValue(101, in: .fahrenheit)], skipped: ["102": "a set point"]),
        Sample(
            name: "the scale on a topic", lines: [("aqua/pool_temp", "84"), ("aqua/temp_scale", "F")],
            values: [Quantity.temperature.standardValue(84, in: .fahrenheit)]),
        Sample(
            name: "curr and avg",
            lines: [("seneye/1", #"{"exps":{"temperature":{"avg":24.9,"curr":25.1},"ph":{"avg":7.9,"curr":7.96}}}"#)],
            values: [25.1, 7.96], skipped: ["24.9": "avg", "7.9": "avg"]),
        Sample(
            name: "calibration liquids",
            lines: [("p/2", #"{"ph":7.31,"ph4":4.01,"ph7":6.98,"ph10":10.02,"orp225":225}"#)], values: [7.31],
            skipped: ["4.01": "a calibration point", "225": "a calibration point"]),
        Sample(
            name: "flags and doses",
            lines: [("p/3", #"{"ph":7.31,"temp_ok":1,"pH_ok":1,"cl_ok":1,"cl_dosed":40}"#)], values: [7.31],
            skipped: ["1": "\"ok\"", "40": "\"dosed\""]),
        Sample(
            name: "the meter of a house",
            lines: [("wmbusmeters/water", #"{"flow_temperature_c":12,"external_temperature_c":22}"#)], values: [],
            skipped: ["22": "not that of the water"]),
        Sample(
            name: "numbers without names", lines: [("atlas/kit", "26.31,7.412,702.5")], values: [],
            skipped: ["26.31": "no known name", "7.412": "no known name", "702.5": "no known name"]),
        Sample(
            name: "nothing now",
            lines: [("pool/e", #"{"waterTemp":26.2,"pHValue":null,"redox_mv":"unavailable","salt":"n/a"}"#)],
            values: [26.2], skipped: ["null": "no value now", "unavailable": "no value now"]),
        Sample(
            name: "a wish in Swedish", lines: [("hem/pool", #"{"vattentemperatur":25.5,"ph":7.3,"bör_ph":7.2}"#)],
            values: [25.5, 7.3], skipped: ["7.2": "a limit"]),
        Sample(
            name: "a pool out of doors", lines: [("hotel/pools", #"{"outdoor":{"temp":25.2,"ph":7.4}}"#)],
            values: [25.2, 7.4]),
    ]

    @Test(arguments: samples)
    func `each number is read as what it is`(sample: Sample) {
        let report = Self.report(sample.lines)
        let values = report.proposals.first?.preview.compactMap(\.value) ?? []
        #expect(values.count == sample.values.count, "\(report.textLines())")
        #expect(zip(values, sample.values).allSatisfy { abs($0 - $1) < 1e-9 }, "\(report.textLines())")
        #expect(report.proposals.count <= 1)
        #expect(report.proposals.allSatisfy { $0.openQuantities.isEmpty && $0.leftOut.isEmpty })
        let numbers = report.skipped + report.proposals.flatMap(\.skipped)
        for (raw, reason) in sample.skipped {
            #expect(numbers.contains { $0.raw == raw && $0.reason.contains(reason) }, "\(raw): \(report.textLines())")
        }
    }

    @Test func `a chlorine of 0 is left out, unless a person wants it`() throws {
        let payload = #"{"temp":26.1,"ph":7.2,"orp":640,"cl":0.0}"#
        let proposal = try #require(Self.report([("pool/esp2", payload)]).proposals.first)
        #expect(proposal.leftOut == [.chlorine])
        #expect(proposal.mapping?.values.map(\.quantity) == [.temperature, .ph, .orp])
        #expect(proposal.suggestions.map(\.isAsItIs) == [true])
        #expect(proposal.remarks.contains("Chlorine is 0: no probe, no value yet, or none in the water"))
    }

    @Test func `what a device says of itself in its payload is its availability`() throws {
        for (payload, path) in [
            (#"{"ph":7.2,"temp":26.1,"status":"online"}"#, "status"), (#"{"ph":7.2,"connected":true}"#, "connected"),
        ] {
            let proposal = try #require(Self.report([("q/pool", payload)]).proposals.first)
            #expect(proposal.mapping?.availability.map { "\($0.path)" } == [path])
        }
        let other = try #require(Self.report([("q/pool", #"{"ph":7.2,"status":"ok"}"#)]).proposals.first)
        #expect(other.mapping == nil)
    }

    @Test func `topics of a device about itself are not numbers of the water`() {
        let lines = [
            ("devices/pool/$homie", "3.0"), ("devices/pool/$stats/uptime", "3600"), ("devices/pool/$fw/version", "1.2"),
            ("devices/pool/temperature/$name", "Temperature"), ("devices/pool/temperature/degrees/$unit", "°C"),
            ("devices/pool/temperature/degrees/$datatype", "float"), ("devices/pool/temperature/degrees", "23.56"),
        ]
        let report = Self.report(lines)
        #expect(report.proposals.map { $0.preview.map(\.value) } == [[23.56]])
        #expect(report.unreadTopics.isEmpty && report.skipped.isEmpty)
    }

    @Test func `a name that a flat message does not know is not read in it`() throws {
        let payload = #"{"temp":26.1,"ph":7.2,"redox":null}"#
        let proposal = try #require(Self.report([("pool/e", payload)]).proposals.first)
        #expect(proposal.mapping == nil)
        #expect(proposal.skipped.map(\.raw) == ["null"])
    }

    @Test func `more numbers than are listed are counted`() throws {
        let members = (0..<60).map { #""x\#($0)a":5"# }.joined(separator: ",")
        let proposal = try #require(Self.report([("pool/e", "{\"ph\":7.2,\(members)}")]).proposals.first)
        #expect(proposal.skipped.count == 48)
        #expect(proposal.remarks.contains("12 more numbers are not taken, and not listed"))
    }

    @Test(arguments: [
        ("v3/app@ttn/devices/float-7x/up", "float-7x"), ("devices/tank9/messages/events", "tank9"),
        ("things/pool/shadow/update", "pool"),
    ])
    func `a level that says what a message is names no device`(topic: String, name: String) throws {
        #expect(try #require(Self.report([(topic, #"{"ph":7.2}"#)]).proposals.first).name.hasSuffix(name))
    }

    @Test func `an availability is not a topic of which nothing could be read`() {
        let config = #"{"name":"pH","stat_t":"pool7/state","val_tpl":"{{ value_json.x }}","avty_t":"pool7/lwt","#
        let report = Self.report([
            ("homeassistant/sensor/p/ph/config", config + #""pl_avail":"1","pl_not_avail":"0"}"#),
            ("pool7/lwt", "1"), ("pool7/state", #"{"x":7.2}"#),
        ])
        #expect(report.proposals.count == 1 && report.unreadTopics.isEmpty)
    }
}
