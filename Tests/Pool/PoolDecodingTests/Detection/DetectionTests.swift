import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct DetectionTests {
    /// The report after messages with these topics and payloads, a minute apart.
    private func report(_ lines: [(String, String)], rounds: Int = 1, isRetained: Bool = false) -> DetectionReport {
        var detection = Detection()
        for round in 0..<rounds {
            for (topic, payload) in lines {
                detection.absorb(
                    topic: topic, payload: Array(payload.utf8), isRetained: isRetained,
                    receivedAt: noon.advanced(byMilliseconds: seconds(Int64(round) * 60)))
            }
        }
        return detection.report()
    }

    /// The values of the preview, rounded to millionths.
    private func values(_ proposal: DeviceProposal) -> [Quantity: Double] {
        let pairs = proposal.preview.compactMap { preview in
            preview.value.map { (preview.quantity, ($0 * 1e6).rounded() / 1e6) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func `an unknown format is proposed by its names, with units, time, availability and interval`() throws {
        let report = report(
            [
                (
                    "garden/poolbox/telemetry",
                    #"{"meta":{"fw":"2.1","sampledAt":"2026-06-01T12:00:00Z"},"water":{"wassertemperatur":26.5,"pHWert":7.31,"#
                        + #""redox_mV":702,"freiesChlor":{"value":0.8,"unit":"mg/l"}},"luft":{"temperatur":31.2},"#
                        + #""soll":{"pH":7.2},"pH_max":7.6,"ec":1200,"rssi":-70}"#
                ),
                ("garden/poolbox/status", "online"),
            ], rounds: 3)
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1)
        #expect(proposal.topic == "garden/poolbox/telemetry")
        #expect(proposal.source == .names)
        #expect(proposal.confidence == .medium)
        #expect(
            values(proposal) == [.temperature: 26.5, .ph: 7.31, .chlorine: 0.8, .orp: 702, .conductivity: 1200])
        #expect(proposal.expectedIntervalSeconds == 60)
        #expect(proposal.mapping?.time == TimeSource(path: ValuePath([.key("meta"), .key("sampledAt")])))
        #expect(proposal.mapping?.availability.map(\.topic) == ["garden/poolbox/status"])
        #expect(
            proposal.remarks.contains { $0.contains("not taken") && $0.contains("pH_max") && $0.contains("soll.pH") })
        #expect(proposal.suggestions.isEmpty)
        #expect(proposal.evidence == ["garden/poolbox/telemetry"])
    }

    @Test func `a topic for each value is one device`() throws {
        let report = report([
            ("bauer/sensor/water_temp/state", "26.1"), ("bauer/sensor/ph/state", "7.2"),
            ("bauer/sensor/orp/state", "688 mV"),
            ("bauer/sensor/ph_min/state", "6.8"), ("bauer/sensor/ph/set", "7.4"), ("bauer/sensor/air_temp/state", "33"),
            ("bauer/status", "online"), ("bauer/debug", "[I] ph 7.2"),
        ])
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1)
        #expect(proposal.topic == "bauer")
        #expect(values(proposal) == [.temperature: 26.1, .ph: 7.2, .orp: 688])
        #expect(
            proposal.mapping?.values.map(\.topic) == [
                "~/sensor/water_temp/state", "~/sensor/ph/state", "~/sensor/orp/state",
            ])
        #expect(proposal.mapping?.availability.map(\.topic) == ["~/status"])
    }

    @Test(
        arguments: [
            (#"{"pool_temp":81}"#, .temperature, "°F", 27.2222), (#"{"pool_temp":271}"#, .temperature, "×10", 27.1),
            (#"{"pool_temp":2650}"#, .temperature, "×100", 26.5), (#"{"ph":72}"#, .ph, "×10", 7.2),
            (#"{"ph":721}"#, .ph, "×100", 7.21), (#"{"orp":0.702}"#, .orp, "V", 702),
            (#"{"chlorine":130}"#, .chlorine, "×100", 1.3),
        ] as [(String, Quantity, String, Double)])
    func `a scale is suspected, suggested and never applied`(
        payload: String, quantity: Quantity, word: String, corrected: Double
    ) throws {
        let proposal = try #require(report([("x/y", payload)]).proposals.first)
        let suggestion = try #require(proposal.suggestions.first)
        #expect(proposal.confidence == .low)
        #expect(proposal.remarks.contains { $0.contains("\(word) suspected") })
        #expect(proposal.mapping?.values.first?.scale == 1)
        #expect(proposal.mapping?.values.first?.unit == quantity.facts.unit)
        #expect(abs((suggestion.value ?? 0) - corrected) < 0.001)
        let taken = try #require(proposal.mapping(taking: [suggestion])?.values.first)
        #expect(taken.scale == suggestion.source.scale && taken.unit == suggestion.source.unit)
    }

    @Test func `the same temperature in °C and in °F is taken once`() throws {
        let proposal = try #require(report([("x/pool", #"{"tF":80.456,"tC":26.92}"#)]).proposals.first)
        #expect(values(proposal) == [.temperature: 26.92])
        #expect(proposal.remarks.contains { $0.contains("the same in °F") })
    }

    @Test func `a unit in a name or beside a value is applied`() throws {
        let one = try #require(report([("x/pool", #"{"temp_f":80.6}"#)]).proposals.first)
        #expect(values(one) == [.temperature: 27])
        let two = try #require(report([("x/pool", #"{"TempUnit":"F","sensor":{"Temperature":80.6}}"#)]).proposals.first)
        #expect(values(two) == [.temperature: 27])
        #expect(two.mapping?.values.first?.unitPlace == UnitPlace(path: ValuePath([.key("TempUnit")])))
    }

    @Test(arguments: ["name", "tag", "variable", "Param"])
    func `a list of named values is read by its names`(key: String) throws {
        let payload = #"{"sensors":[{"\#(key)":"ph","value":7.3},{"\#(key)":"orp","value":690}]}"#
        let proposal = try #require(report([("p/1", payload)]).proposals.first)
        #expect(values(proposal) == [.ph: 7.3, .orp: 690])
        // Found by name, because the order of the list may change.
        #expect(
            proposal.mapping?.values.map(\.notation)
                == ["ph=sensors[\(key)=ph].value", "orp=sensors[\(key)=orp].value"])
    }

    @Test func `a list of measures with their type is read whatever its order, each with its own time`() throws {
        // Ondilo ICO: GET /pools/{id}/lastmeasures, as bridges forward it.
        let list = [
            #"{"data_type":"tds","value":1200,"value_time":"2026-06-01 10:00:00","is_valid":true}"#,
            #"{"data_type":"ph","value":7.24,"value_time":"2026-06-01T10:00:00Z","is_valid":true}"#,
            #"{"data_type":"orp","value":690,"value_time":"2026-06-01T10:01:00Z","is_valid":true}"#,
            #"{"data_type":"temperature","value":26.5,"value_time":"2026-06-01T10:02:00Z","is_valid":true}"#,
            #"{"data_type":"battery","value":88,"value_time":"2026-06-01T10:00:00Z","is_valid":true}"#,
        ]
        let proposal = try #require(report([("ondilo/1", "[\(list.joined(separator: ","))]")]).proposals.first)
        #expect(values(proposal) == [.temperature: 26.5, .ph: 7.24, .orp: 690, .battery: 88])
        let mapping = try #require(proposal.mapping)
        #expect(
            mapping.values.map(\.notation) == [
                "temperature=[data_type=temperature].value if [data_type=temperature].is_valid!=false",
                "ph=[data_type=ph].value if [data_type=ph].is_valid!=false",
                "orp=[data_type=orp].value if [data_type=orp].is_valid!=false",
                "battery=[data_type=battery].value if [data_type=battery].is_valid!=false",
            ])
        #expect(
            mapping.values.map { $0.time?.notation } == [
                "[data_type=temperature].value_time", "[data_type=ph].value_time", "[data_type=orp].value_time",
                "[data_type=battery].value_time",
            ])
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: "ondilo/1")
        let payload = Array("[\(list.reversed().joined(separator: ","))]".utf8)
        let received = decoder.receive(
            topic: "ondilo/1", payload: payload, receivedAt: Timestamp(milliseconds: 1_780_315_300_000),
            isRetained: false)
        let outcome = try #require(received)
        let read = outcome.readings.flatMap { reading in reading.values.pairs.map { ($0, $1, reading.sampledAt) } }
        #expect(read.count == 4 && Set(read.map(\.2)).count == 3, "\(outcome)")
    }

    @Test(
        arguments: [
            (#"{"temp":{"value":80.6,"unit":"F"}}"#, "temperature=temp.value °F unit temp.unit"),
            (#"{"temp":80.6,"unit":"F"}"#, "temperature=temp °F unit unit"),
            (#"{"temp":80.6,"ph":7.2,"unit":"F"}"#, "temperature=temp °F unit unit"),
            (#"{"temp":27,"temp_uom":"C"}"#, "temperature=temp unit temp_uom"),
        ])
    func `a device that names its unit is proposed with the place of the unit`(payload: String, notation: String) throws
    {
        let proposal = try #require(report([("x/pool", payload)]).proposals.first)
        #expect(values(proposal)[.temperature] == 27)
        #expect(values(proposal)[.ph] == (payload.contains("ph") ? 7.2 : nil))
        #expect(proposal.mapping?.values.first?.notation == notation)
    }

    @Test func `JSON inside a text, and units behind numbers, are read`() throws {
        let proposal = try #require(
            report([("gw/1", #"{"node":"pool","msg":"{\"ph\":\"7,31\",\"temp\":\"79.7 °F\",\"Redox\":\"0.7 V\"}"}"#)])
                .proposals.first)
        #expect(values(proposal) == [.temperature: 26.5, .ph: 7.31, .orp: 700])
        #expect(proposal.mapping?.values.map { "\($0.path)" } == ["msg.temp", "msg.ph", "msg.Redox"])
        #expect(proposal.suggestions.isEmpty)
    }

    @Test func `the temperature of a house is not that of the pool in it`() {
        let report = report([("home/temperature", "21.5"), ("home/pool/ph", "7.2"), ("home/pool/orp", "690")])
        #expect(report.proposals.map(\.topic) == ["home/pool", "home"])
        #expect(report.proposals.map(\.confidence) == [.medium, .low])
    }

    @Test func `an announced sensor of which nothing is understood cannot be taken as it is`() throws {
        let report = report([
            (
                "homeassistant/sensor/x/config",
                #"{"name":"Pool pH","stat_t":"x/pool","val_tpl":"{{ states('sensor.ph') }}"}"#
            )
        ])
        let proposal = try #require(report.proposals.first)
        #expect(proposal.confidence == .low)
        #expect(proposal.mapping?.values == [])
        #expect(proposal.remarks.contains { $0.contains("cannot be taken as it is") })
    }

    @Test func `a device that publishes under the name of this program is still one`() throws {
        let report = report([("poolsensors/main", #"{"ph":7.2,"orp":650}"#)])
        #expect(report.proposals.map(\.topic) == ["poolsensors/main"])
        #expect(report.counts.ownHubs == 0)
    }

    @Test func `a temperature of who knows what is only a guess`() throws {
        let proposal = try #require(report([("home/sensor1", #"{"temperature":21.5,"humidity":50}"#)]).proposals.first)
        #expect(proposal.confidence == .low)
        #expect(proposal.remarks.contains { $0.contains("nothing says that it is of water") })
    }

    @Test func `a time since the start of the device is told and not used`() throws {
        let proposal = try #require(report([("x/pool", #"{"ph":7.2,"time":8123}"#)]).proposals.first)
        #expect(proposal.mapping?.time == nil)
        #expect(proposal.remarks.contains { $0.contains("counts from the start") })
    }

    @Test func `replayed messages give no interval and a remark`() throws {
        let proposal = try #require(report([("x/pool", #"{"ph":7.2}"#)], rounds: 3, isRetained: true).proposals.first)
        #expect(proposal.expectedIntervalSeconds == nil)
        #expect(proposal.remarks.contains { $0.contains("only replayed") })
    }

    @Test func `two devices of the same kind stay two, sorted, in any order of arrival`() {
        let lines = [("b/pool2", #"{"ph":7.1,"orp":650}"#), ("b/pool1", #"{"ph":7.2,"orp":651}"#)]
        let report = report(lines)
        #expect(report.proposals.map(\.topic) == ["b/pool1", "b/pool2"])
        #expect(self.report(lines.reversed()).proposals == report.proposals)
    }

    @Test func `an announced device wins over names, and its unit is believed`() throws {
        let report = report([
            (
                "homeassistant/sensor/x/config",
                #"{"name":"Pool temperature","dev_cla":"temperature","unit_of_meas":"°F","stat_t":"x/pool","#
                    + #""val_tpl":"{{ value_json.temp }}","dev":{"ids":"1","name":"Poolbox"}}"#
            ),
            ("x/pool", #"{"temp":80.6,"ph":7.2}"#),
        ])
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1)
        #expect(proposal.source == .homeAssistant)
        #expect(proposal.name == "Poolbox")
        #expect(proposal.confidence == .high)
        #expect(values(proposal) == [.temperature: 27])
    }

    @Test func `an announced sensor with a template of another kind is offered by its name, and says so`() throws {
        let report = report([
            (
                "homeassistant/sensor/x/config",
                #"{"name":"Pool pH","stat_t":"x/pool","val_tpl":"{{ value_json.ph + value_json.offset }}"}"#
            ),
            ("x/pool", #"{"ph":7.2,"offset":0}"#),
        ])
        let proposal = try #require(report.proposals.first)
        #expect(proposal.confidence == .low)
        #expect(proposal.remarks.contains { $0.contains("template not understood") })
        #expect(values(proposal) == [.ph: 7.2])
    }

    @Test func `what hubs publish is no device`() throws {
        let topics = try #require(HubTopics(hubID: "h"))
        let announcement = HomeAssistantAnnouncement(
            topics: topics, device: lagoon.id, name: "Pool", expectedIntervalSeconds: 60, softwareVersion: "1")
        var detection = Detection()
        for message in [announcement.message(), topics.valuesMessage(of: lagoon.id, values: [.ph: 7], sampledAt: nil)] {
            detection.absorb(topic: message.topic, payload: message.payload, isRetained: true, receivedAt: noon)
        }
        detection.absorb(
            topic: "$SYS/broker/temperature", payload: Array("20".utf8), isRetained: true, receivedAt: noon)
        let report = detection.report()
        #expect(report.proposals.isEmpty)
        #expect(report.counts.ownHubs == 1)
        #expect(report.counts.system == 1)
    }

    @Test func `S20 binary payloads are named and counted`() {
        var detection = Detection()
        let sparkplug: [UInt8] = [0x08, 0xC4, 0x89, 0x89, 0x83, 0xD3, 0x30, 0x12, 0x05, 0x10, 0x01]
        for _ in 0..<3 {
            detection.absorb(
                topic: "spBv1.0/g/DDATA/edge/pool", payload: sparkplug, isRetained: false, receivedAt: noon)
        }
        detection.absorb(topic: "a/gzip", payload: [0x1F, 0x8B, 8, 0], isRetained: false, receivedAt: noon)
        detection.absorb(topic: "a/nul", payload: [0x37, 0, 0x37], isRetained: false, receivedAt: noon)
        let report = detection.report()
        #expect(report.binaryTopics.map(\.kind) == [.compressed, .unknown, .sparkplugB])
        #expect(report.binaryTopics.last?.messageCount == 3)
        #expect(report.counts.binary == 5)
        #expect(report.textLines().contains { $0.contains("Sparkplug B, 3 messages") })
    }
}
