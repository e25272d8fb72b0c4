import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// The expected detection of a known format, S01…S19.
@Suite struct FormatDetectionTests {
    struct Expectation: CustomTestStringConvertible {
        var id: String
        var topic: String
        var profile: String?
        var values: [Quantity: Double]
        var confidence = DeviceProposal.Confidence.high
        var testDescription: String { id }
    }

    static let expectations: [Expectation] = [
        Expectation(
            id: "S01", topic: "pool/sensor/main", profile: "flat",
            values: [.temperature: 25.5, .ph: 7.2, .chlorine: 1.5, .orp: 650], confidence: .medium),
        Expectation(
            id: "S02", topic: "zigbee2mqtt/garden/Pool", profile: "zigbee2mqtt",
            values: [
                .temperature: 27.4, .ph: 7.31, .chlorine: 1.3, .orp: 702, .salinity: 0.54, .conductivity: 1024,
                .battery: 88,
            ]),
        Expectation(
            id: "S03", topic: "tele/pool", profile: "tasmota-neopool",
            values: [.temperature: 23.5, .ph: 7.2, .chlorine: 0.7, .orp: 752]),
        Expectation(
            id: "S04", topic: "pool-monitor", profile: "esphome", values: [.temperature: 26.4, .ph: 7.23, .orp: 688]),
        Expectation(
            id: "S05", topic: "PoolMaster_3532313237161307", profile: "poolmaster",
            values: [.temperature: 27.18, .ph: 7.21, .orp: 683]),
        Expectation(
            id: "S06", topic: "blueriiot/pool_20d3be3a", profile: "blueriiot",
            values: [.temperature: 26.1, .ph: 7.4, .chlorine: 1.2, .orp: 690, .salinity: 3.2]),
        Expectation(
            id: "S07", topic: "d02/23ASE2-06017", profile: "bayrol", values: [.temperature: 18.5, .ph: 7.4, .orp: 750]),
        Expectation(
            id: "S08", topic: "homie/pool-controller", profile: "homie-pool-controller", values: [.temperature: 26.44]),
        Expectation(id: "S09", topic: "pool", profile: "njspc", values: [.temperature: 27.222, .ph: 7.42, .orp: 681]),
        Expectation(
            id: "S10", topic: "aqualinkd", profile: "aqualinkd", values: [.temperature: 31.67, .ph: 7.4, .orp: 680]),
        Expectation(
            id: "S11", topic: "/esp32/sensor/ble-yc01", profile: "ble-yc01",
            values: [
                .temperature: 24.6, .ph: 7.21, .chlorine: 0.8, .orp: 701, .salinity: 0.649, .conductivity: 1180,
            ]),
        Expectation(
            id: "S12", topic: "home/pool", profile: "pool-monitor-webapp",
            values: [.temperature: 28.4, .ph: 7.2, .chlorine: 0.7]),
        Expectation(
            id: "S13", topic: "home/TheengsGateway/BTtoMQTT/494208001122", profile: "theengs",
            values: [.temperature: 26.92, .battery: 96], confidence: .low),
        Expectation(
            id: "S14", topic: "shellies/shelly1-A4CF12", profile: "shelly-gen1", values: [.temperature: 25.3],
            confidence: .low),
        Expectation(id: "S14b", topic: "shellyplus1-pool", profile: "shelly-gen2", values: [.temperature: 25.3]),
        Expectation(id: "S15", topic: "pool", profile: "espeasy", values: [.temperature: 26, .ph: 7.2]),
        Expectation(
            id: "S16", topic: "application/5a0e/device/0102030405060708", profile: "chirpstack",
            values: [.temperature: 26.1, .ph: 7.28, .orp: 694]),
        Expectation(
            id: "S17", topic: "tuya/bf3c", profile: "tuya-dps",
            values: [
                .temperature: 19.4, .ph: 7.21, .orp: 216, .salinity: 0.66, .conductivity: 1208,
            ]),
        Expectation(
            id: "S18", topic: "nodered/iopool", profile: "iopool", values: [.temperature: 25.5, .ph: 7.2, .orp: 750]),
        Expectation(
            id: "S19", topic: "homeassistant", profile: nil, values: [.temperature: 26.3, .ph: 7.24, .orp: 690],
            confidence: .medium),
    ]

    private func sample(_ id: String) throws -> FormatSamples.Sample {
        try #require(FormatSamples.all.first { $0.id == id })
    }

    private func report(_ sample: FormatSamples.Sample) -> DetectionReport {
        var detection = Detection()
        for message in sample.messages {
            detection.absorb(
                topic: message.topic, payload: Array(message.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    @Test(arguments: expectations)
    func `a known format gives one device with the right values`(expected: Expectation) throws {
        let report = report(try sample(expected.id))
        #expect(report.proposals.count == 1)
        let proposal = try #require(report.proposals.first)
        #expect(proposal.topic == expected.topic)
        #expect(proposal.profile == expected.profile)
        #expect(proposal.confidence == expected.confidence)
        #expect(proposal.suggestions.isEmpty)
        let values = proposal.preview.compactMap { preview in
            preview.value.map { (preview.quantity, ($0 * 1000).rounded() / 1000) }
        }
        #expect(Dictionary(uniqueKeysWithValues: values) == expected.values)
    }

    @Test(arguments: expectations)
    func `a proposed mapping is valid, and the decoder reads the previewed values with it`(expected: Expectation) throws
    {
        let sample = try sample(expected.id)
        let proposal = try #require(report(sample).proposals.first)
        guard let mapping = proposal.mapping else {
            #expect(expected.profile == "flat")
            return
        }
        var decoder = try MappingDecoder(mapping: mapping, deviceTopic: proposal.topic)
        var read: [Quantity: Double] = [:]
        var readings: [DecodedPayload] = []
        // The unit or the time of a value may arrive after it.
        for message in sample.messages + sample.messages {
            let outcome = decoder.receive(
                topic: message.topic, payload: Array(message.payload.utf8), receivedAt: noon, isRetained: false)
            readings += outcome?.readings ?? []
        }
        readings += decoder.expire(at: noon.advanced(byMilliseconds: seconds(60)))
        for reading in readings {
            for (quantity, value) in reading.values.pairs { read[quantity] = (value * 1000).rounded() / 1000 }
        }
        #expect(read == expected.values)
    }

    @Test func `all known devices on one broker are found side by side`() {
        var detection = Detection()
        let samples = FormatSamples.all.filter { $0.id != "S15" }
        for message in samples.flatMap(\.messages) {
            detection.absorb(
                topic: message.topic, payload: Array(message.payload.utf8), isRetained: false, receivedAt: noon)
        }
        let found = Set(detection.report().proposals.map { "\($0.topic) \($0.profile ?? "")" })
        let expected = Set(
            Self.expectations.filter { $0.id != "S15" }.map { "\($0.topic) \($0.profile ?? "")" })
        #expect(found == expected)
    }

    @Test func `S01 the text form needs no mapping`() throws {
        let sample = FormatSamples.Sample(
            id: "text", messages: [("pool/sensor/main", "temp:24.5,ph:7.2,chlorine:1.8,orp:685\r\n")])
        let proposal = try #require(report(sample).proposals.first)
        #expect(proposal.mapping == nil && proposal.profile == "flat")
        #expect(proposal.preview.compactMap(\.value) == [24.5, 7.2, 1.8, 685])
    }

    @Test func `S19 entities with the names of the profile are its, and a house in °F is believed`() throws {
        let named = try #require(
            report(
                FormatSamples.Sample(
                    id: "",
                    messages: [
                        ("homeassistant/sensor/pool_ph/state", "7.24"), ("homeassistant/sensor/pool_orp/state", "690"),
                    ])
            ).proposals.first)
        #expect(named.profile == "ha-statestream")
        let fahrenheit = try #require(
            report(
                FormatSamples.Sample(
                    id: "",
                    messages: [
                        ("homeassistant/sensor/water_temperature/state", "80.6"),
                        ("homeassistant/sensor/water_temperature/unit_of_measurement", "\"°F\""),
                    ])
            ).proposals.first)
        #expect(abs((fahrenheit.preview.first?.value ?? 0) - 27) < 1e-9)
        #expect(fahrenheit.suggestions.isEmpty)
    }

    @Test func `what a device calls otherwise than its profile is found by its name`() throws {
        let proposal = try #require(
            report(
                FormatSamples.Sample(
                    id: "",
                    messages: [
                        (
                            "application/3/device/a84041/event/up",
                            #"{"deviceInfo":{"deviceName":"probe"},"object":{"TempC_DS18B20":"25.9","PH1":"7.12","orp":701}}"#
                        )
                    ])
            ).proposals.first)
        #expect(proposal.profile == "chirpstack" && proposal.confidence == .high)
        let values = proposal.preview.map { "\($0.quantity.rawValue) \($0.value.map { "\($0)" } ?? "-")" }
        #expect(values == ["temperature 25.9", "ph 7.12", "chlorine -", "orp 701.0"])
        #expect(proposal.remarks.contains("pH: the place object.PH1 is guessed from its name"))
    }

    @Test func `a profile that reads the same wins over the announcement, and takes its name`() throws {
        var sample = try sample("S02")
        let device = #""dev":{"ids":["z1"],"name":"Pool Probe"},"o":{"name":"Zigbee2MQTT"}"#
        for (key, unit) in [("temperature", "°C"), ("ph", "pH")] {
            sample.messages.append(
                (
                    "homeassistant/sensor/z1/\(key)/config",
                    #"{"name":"\#(key)","stat_t":"zigbee2mqtt/garden/Pool","unit_of_meas":"\#(unit)","#
                        + #""val_tpl":"{{ value_json.\#(key) }}",\#(device)}"#
                ))
        }
        let report = report(sample)
        #expect(report.proposals.count == 1)
        #expect(report.proposals.first?.profile == "zigbee2mqtt")
        #expect(report.proposals.first?.name == "Pool Probe")
        sample.messages.append(
            (
                "homeassistant/sensor/z1/ph/config",
                #"{"name":"ph","stat_t":"zigbee2mqtt/garden/Pool","val_tpl":"{{ value_json.ph / 10 }}",\#(device)}"#
            ))
        let other = try #require(self.report(sample).proposals.first)
        #expect(other.source == .homeAssistant)
        #expect(other.remarks.contains { $0.contains("would read other values") })
    }
}
