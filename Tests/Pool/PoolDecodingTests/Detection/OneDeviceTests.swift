import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// A device that can be found in several ways is proposed once, in the best one.
@Suite struct OneDeviceTests {
    private func report(_ lines: [(topic: String, payload: String)]) -> DetectionReport {
        var detection = Detection()
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    private func values(_ proposal: DeviceProposal?) -> [Double] { proposal?.preview.compactMap(\.value) ?? [] }

    @Test(arguments: ["pool/summary", "pool/all", "pool/state"])
    func `a summary with fewer digits does not outrank single topics`(summary: String) {
        let report = report([
            (summary, #"{"ph":7.2,"temp":26,"orp":700}"#), ("pool/ph", "7.23"), ("pool/temp", "26.41"),
            ("pool/orp", "702"),
        ])
        #expect(report.proposals.map(\.topic) == ["pool"])
        #expect(values(report.proposals.first) == [26.41, 7.23, 702])
        #expect(report.proposals.first?.skipped.isEmpty == true)
    }

    @Test func `two devices with equal values stay two`() {
        let payload = #"{"ph":7.21,"orp":702,"temp":26.4}"#
        #expect(report([("pools/a", payload), ("pools/b", payload)]).proposals.count == 2)
    }

    @Test func `what names tell is added to a profile that knows a part`() throws {
        let payload = #"{"temperature":26.4,"ph":7.21,"orp":702,"chlorine":0.8,"linkquality":96}"#
        let proposal = try #require(report([("zigbee2mqtt/pool", payload)]).proposals.first)
        #expect(proposal.profile == "zigbee2mqtt")
        #expect(values(proposal) == [26.4, 7.21, 0.8, 702])
        let cloud = try #require(
            report([
                ("blueriiot/pool_1/ph/state", "7.4"),
                ("blueriiot/pool_1/last_measurement/state", "2026-06-01T11:12:09Z"),
                ("blueriiot/pool_1/chlorine/state", "0.8"),
            ]).proposals.first)
        #expect(cloud.profile == "blueriiot" && values(cloud) == [7.4, 0.8])
    }

    @Test func `sensors that announce no device are one, by their topics`() throws {
        let lines = [("ph", ""), ("orp", "mV"), ("temperature", "°C")].map { id, unit in
            (
                topic: "homeassistant/sensor/pool_\(id)/config",
                payload: #"{"name":"Pool \#(id)","stat_t":"my/pool/\#(id)","unit_of_meas":"\#(unit)"}"#
            )
        }
        let report = report(lines + [("my/pool/ph", "7.2"), ("my/pool/orp", "701"), ("my/pool/temperature", "26.4")])
        #expect(report.proposals.map(\.name) == ["my pool"])
        #expect(values(report.proposals.first) == [26.4, 7.2, 701])
    }

    private let gateways = ["gw1", "gw2"].map { gateway in
        (
            topic: "home/\(gateway)/BTtoMQTT/494208001122",
            payload: #"{"id":"49:42:08:00:11:22","model_id":"IBS-P01B","tempc":26.92,"tempf":80.456,"rssi":-70}"#
        )
    }

    @Test func `one probe over two gateways is one device`() throws {
        let announcement = (
            topic: "homeassistant/sensor/49/tempc/config",
            payload:
                #"{"name":"tempc","stat_t":"+/+/BTtoMQTT/494208001122","dev_cla":"temperature","unit_of_meas":"°C","#
                + #""val_tpl":"{{ value_json.tempc | is_defined }}","dev":{"ids":["49"],"name":"IBS-P01B"}}"#
        )
        #expect(report(gateways).proposals.count == 1)
        let report = report(gateways + [announcement])
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1 && proposal.topic == "home/gw1/BTtoMQTT/494208001122")
        let mapping = try #require(proposal.mapping)
        #expect(mapping.values.map(\.notation) == ["temperature=+/+/BTtoMQTT/494208001122#tempc"])
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: proposal.topic)
        var readings: [DecodedPayload] = []
        for (offset, message) in [(0, gateways[0]), (300, gateways[1]), (60_000, gateways[1])] {
            let outcome = decoder.receive(
                topic: message.topic, payload: Array(message.payload.utf8),
                receivedAt: noon.advanced(byMilliseconds: Int64(offset)), isRetained: false)
            readings += outcome?.readings ?? []
        }
        #expect(readings.count == 2, "the second gateway repeats the first one")
    }

    @Test func `an availability with a template that is not understood takes no other part away`() throws {
        let announcement =
            #"{"name":"pH","stat_t":"x/pool","val_tpl":"{{ value_json.a + value_json.ph }}","dev":{"ids":"1","name":"P"},"#
            + #""avty":[{"t":"x/lwt"},{"t":"y/state","val_tpl":"{{ states('x') }}"}]}"#
        let proposal = try #require(
            report([
                ("homeassistant/sensor/x/ph/config", announcement), ("x/pool", #"{"ph":7.2}"#), ("y/state", "online"),
            ]).proposals.first)
        #expect(values(proposal) == [7.2])
        #expect(proposal.mapping?.availability.map(\.topic) == ["x/lwt", "y/state"])
    }

    @Test func `a template with a fallback makes no reading of a missing value`() throws {
        let announcement =
            #"{"name":"pH","stat_t":"x/pool","val_tpl":"{{ value_json.ph if value_json.ph is defined else 7 }}","#
            + #""avty_t":"x/s","avty_tpl":"{{ 'online' if value_json.s == 'up' else 'offline' }}"}"#
        let proposal = try #require(
            report([
                ("homeassistant/sensor/x/ph/config", announcement), ("x/pool", #"{"ph":7.2}"#), ("x/s", #"{"s":"up"}"#),
            ]).proposals.first)
        #expect(proposal.confidence == .high)
        let mapping = try #require(proposal.mapping)
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: proposal.topic)
        let receive = { (topic: String, text: String) in
            decoder.receive(topic: topic, payload: Array(text.utf8), receivedAt: noon, isRetained: false)
        }
        #expect(receive("x/pool", #"{"orp":700}"#)?.readings == [])
        #expect(receive("x/s", #"{"s":"up"}"#)?.isAvailable == true)
        #expect(receive("x/s", #"{"s":"anything"}"#)?.isAvailable == false)
    }

    @Test func `a house on one topic, with values as text, gives the pool`() throws {
        let lines = [("Pool Temperatur", "26.3 °C"), ("Pool pH", "7,21"), ("Aussentemperatur", "31.0 °C")].map {
            (topic: "loxone/event", payload: #"{"name":"\#($0.0)","value":"\#($0.1)"}"#)
        }
        let event = try #require(report(lines).proposals.first)
        #expect(values(event) == [26.3, 7.21])
        let items = [("Pool_pH", "7.24"), ("Pool_Temp", "26.4"), ("Kitchen_Temp", "20.4")].map { item, value in
            (
                topic: "openhab/events",
                payload: #"{"topic":"openhab/items/\#(item)/state","payload":"{\"value\":\"\#(value)\"}"}"#
            )
        }
        #expect(values(report(items).proposals.first) == [26.4, 7.24])
        let line = report([("house/all", "pool_temp=26.3;pool_ph=7.21;outside_temp=31;pool_orp=702i")])
        #expect(values(line.proposals.first) == [26.3, 7.21, 702])
    }

    @Test func `the probes of a thermometer are a choice, because its profile knows one`() throws {
        let proposal = try #require(
            report([
                ("shellyplus1-a/status/temperature:100", #"{"id":100,"tC":31.2,"tF":88.2}"#),
                ("shellyplus1-a/status/temperature:101", #"{"id":101,"tC":26.4,"tF":79.5}"#),
            ]).proposals.first)
        #expect(proposal.openQuantities == [.temperature])
        #expect(proposal.suggestions.compactMap(\.value) == [31.2, 26.4])
    }

    @Test(
        arguments: [
            (#"{"samples":[{"t":1780315000,"ph":7.2},{"t":1780315060,"ph":7.3}]}"#, "ph=samples[*].ph", "samples[*].t"),
            (
                #"[{"n":"ph","v":7.2,"t":1780315000},{"n":"ph","v":7.3,"t":1780315060}]"#, "ph=[*].v if [*].n=ph",
                "[*].t"
            ),
            (#"{"time":[1780315000,1780315060],"ph":[7.2,7.3]}"#, "ph=ph[*]", "time[*]"),
            (#"{"samples":[{"ph":7.2},{"ph":7.3}]}"#, "ph=samples[-1].ph", nil),
            (
                #"{"acid":{"ph":7.3},"history":[{"t":1780315000,"ph":7.2},{"t":1780315060,"ph":7.3}]}"#, "ph=acid.ph",
                nil
            ),
        ] as [(String, String, String?)])
    func `samples are proposed with their times`(payload: String, value: String, time: String?) throws {
        let proposal = try #require(report([("pool/x", payload)]).proposals.first)
        #expect(proposal.mapping?.values.map(\.notation) == [value])
        #expect(proposal.mapping?.time?.notation == time)
        #expect(values(proposal) == [7.3])
    }
}
