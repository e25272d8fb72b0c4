import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// Several temperatures, of which one is the pool's.
@Suite struct WaterChoiceTests {
    private func report(_ lines: [(topic: String, payload: String)]) -> DetectionReport {
        var detection = Detection()
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    /// Two temperatures of one device, announced to Home Assistant.
    private func announced(_ first: String, _ second: String) -> [(topic: String, payload: String)] {
        let sensor = { (id: String, name: String) in
            (
                topic: "homeassistant/sensor/monitor/\(id)/config",
                payload: #"{"name":"\#(name)","dev_cla":"temperature","unit_of_meas":"°C","stat_t":"monitor/\#(id)","#
                    + #""uniq_id":"pool_\#(id)","dev":{"ids":"1","name":"Pool monitor"}}"#
            )
        }
        return [
            sensor("t1", first), sensor("t2", second), (topic: "monitor/t1", payload: "41.2"),
            (topic: "monitor/t2", payload: "26.3"),
        ]
    }

    @Test(arguments: [
        ("Temperature", "Water temperature"), ("Box temperature", "Temperature"), ("Electronics", "Pool"),
        ("ESP32 temperature", "Wassertemperatur"), ("Temperature", "Température de l'eau"),
    ])
    func `of two announced temperatures that of the water is proposed`(box: String, water: String) throws {
        let proposal = try #require(report(announced(box, water)).proposals.first)
        #expect(proposal.preview.map(\.value) == [26.3])
        #expect(proposal.openQuantities == [])
        #expect(proposal.confidence == .high)
    }

    @Test func `where names do not tell, nothing is sure, and each one can be chosen`() throws {
        let proposal = try #require(report(announced("Temperature 1", "Temperature 2")).proposals.first)
        #expect(proposal.confidence == .low)
        #expect(proposal.openQuantities == [.temperature])
        #expect(proposal.suggestions.map(\.title) == ["Temperature 1 (41.2 °C)", "Temperature 2 (26.3 °C)"])
        #expect(proposal.remarks.contains { $0.contains("stays open: Temperature 1 (41.2 °C) or Temperature 2") })
        let second = try #require(proposal.suggestions.dropFirst().first)
        let chosen = proposal.mapping(taking: [second])
        #expect(chosen?.values.map(\.notation) == ["temperature=~/t2"])
    }

    @Test func `two temperatures of one payload are a choice too, unless their names tell`() throws {
        let open = try #require(
            report([("tele/x/SENSOR", #"{"DS18B20-1":{"Temperature":26.3},"DS18B20-2":{"Temperature":31.4}}"#)])
                .proposals.first)
        #expect(open.openQuantities == [.temperature])
        #expect(open.suggestions.map(\.value) == [26.3, 31.4])
        let told = try #require(
            report([("tele/x/SENSOR", #"{"Pool":{"Temperature":26.3},"Attic":{"Temperature":31.4}}"#)]).proposals.first)
        #expect(told.openQuantities == [] && told.preview.map(\.value) == [26.3])
    }

    @Test func `two temperatures of a Homie device are a choice too`() throws {
        let lines = ["n1", "n2"].flatMap { node in
            [
                ("homie/box/\(node)/temperature/$datatype", "float"), ("homie/box/\(node)/temperature/$unit", "°C"),
                ("homie/box/\(node)/temperature", node == "n1" ? "41.2" : "26.3"),
            ]
        }
        let proposal = try #require(report([("homie/box/$homie", "4.0")] + lines).proposals.first)
        #expect(proposal.openQuantities == [.temperature])
    }

    @Test func `the status and the events of one component are one sensor`() throws {
        let lines = [
            (topic: "shellyplus-pool/status/temperature:100", payload: #"{"id":100,"tC":26.4,"tF":79.5}"#),
            (
                topic: "shellyplus-pool/events/rpc",
                payload: #"{"src":"shellyplus-pool","method":"NotifyStatus","params":{"ts":1780315199.5,"#
                    + #""temperature:100":{"id":100,"tC":26.9,"tF":80.4}}}"#
            ),
        ]
        let proposals = report(lines).proposals
        #expect(proposals.map(\.openQuantities) == [[]])
    }

    @Test func `the same reading twice is no choice`() throws {
        let proposal = try #require(
            report([("x/pool", #"{"a":{"temp":26.3},"b":{"temp":26.3},"ph":7.2}"#)]).proposals.first)
        #expect(proposal.openQuantities == [] && proposal.suggestions.isEmpty)
    }

    @Test func `suggestions for several quantities are taken together`() throws {
        let proposal = try #require(report([("x/pool", #"{"temp":81,"ph":721,"orp":0.69}"#)]).proposals.first)
        let rescaled = proposal.suggestions.filter { !$0.isAsItIs }
        #expect(rescaled.map(\.quantity) == [.temperature, .ph, .orp])
        let mapping = try #require(proposal.mapping(taking: rescaled))
        #expect(mapping.values.map(\.notation) == ["temperature=temp °F", "ph=ph * 0.01", "orp=orp V"])
    }

    @Test func `a choice in American units can be taken as such`() throws {
        let proposal = try #require(
            report([("x/pool", #"{"waterTemp":82,"spaTemp":98,"airTemp":77,"ph":7.2}"#)]).proposals.first)
        #expect(proposal.openQuantities == [.temperature])
        let fahrenheit = try #require(proposal.suggestions.first { $0.title?.contains("waterTemp in °F") == true })
        #expect(
            proposal.mapping(taking: [fahrenheit])?.values.map(\.notation) == ["temperature=waterTemp °F", "ph=ph"])
    }

    @Test func `what a profile of a thermometer does not know is not lost`() throws {
        // A probe through Theengs or OpenMQTTGateway.
        let payload = #"{"id":"49:42:08:00:AA:BB","model_id":"YC01","ph":7.21,"orp":690,"tempc":26.1,"tempf":78.98}"#
        let proposal = try #require(report([("home/OMG/BTtoMQTT/49420800AABB", payload)]).proposals.first)
        #expect(proposal.preview.compactMap(\.value) == [26.1, 7.21, 690])
    }
}

extension DeviceProposal {
    /// The mapping after a person has taken these suggestions, one after the other.
    func mapping(taking suggestions: [Suggestion]) -> DeviceMapping? {
        suggestions.reduce(mapping) { $0?.reading($1.quantity, as: values(of: $1)) }
    }
}
