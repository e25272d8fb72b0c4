import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// The expected results for each file in Fixtures/payloads/formats: the readings, with the source of their time and its
/// difference from noon in milliseconds, and all other events, each with its time.
@Suite struct FormatFixtureTests {
    static let expected: [String: [String]] = [
        "S02-zigbee2mqtt": [
            "0 online", "10 temperature 27.4 ph 7.31 chlorine 1.3 orp 702.0 device@-27000",
            "5000 repeated temperature,ph,chlorine,orp",
            "600000 temperature 27.5 ph 7.31 chlorine 1.3 orp 702.0 device@590000", "700000 offline",
        ],
        "S03-tasmota-neopool": [
            "0 online", "10 temperature 23.5 ph 7.2 chlorine 0.7 orp 752.0 device@-60000",
            "60000 temperature 23.5 ph 7.2 orp 752.0 device@0 (no_value)", "70000 offline",
        ],
        "S04-esphome": [
            "0 online", "10 temperature 26.4 estimated@10", "20 ph 7.23 estimated@20", "30 orp 688.0 estimated@30",
            "60000 rejected no_reading", "60010 rejected no_reading", "70000 offline",
        ],
        "S05-poolmaster": ["0 online", "10 temperature 26.18 ph 7.28 orp 683.0 estimated@10", "40000 offline"],
        "S06-blueriiot": [
            "200 ph 7.4 device@-2871000", "400 temperature 26.5 device@-2871000", "600100 repeated ph",
            "4800100 ph 7.5 device@4320000",
        ],
        "S07-bayrol": [
            "0 ph 7.4 estimated@0", "10 orp 750.0 estimated@10", "20 temperature 18.5 estimated@20",
            "60000 rejected no_usable_value",
        ],
        "S08-homie-pool-controller": [
            "30 temperature 26.31 retained unknown@?", "50 online", "30000 temperature 26.44 estimated@30000",
            "60000 offline",
        ],
        "S09-njspc": [
            "0 online", "200 temperature 27.222 estimated@10", "220 ph 7.42 estimated@220",
            "230 orp 681.0 estimated@230", "60000 heartbeat", "62000 temperature 27.0 estimated@62000",
            "70000 offline",
        ],
        "S10-aqualinkd": [
            "0 online", "10 temperature 31.67 estimated@10", "20 ph 7.4 estimated@20", "30 orp 680.0 estimated@30",
            "60000 rejected no_usable_value", "60010 rejected no_usable_value", "60020 rejected no_usable_value",
            "70000 offline",
        ],
        "S11-ble-yc01": [
            "0 temperature 24.6 ph 7.21 chlorine 0.8 orp 701.0 device@-10000", "900000 rejected filtered",
            "1800000 rejected filtered",
            "2700000 temperature 24.6 ph 7.21 chlorine 0.8 orp 701.0 corrected@2700000 (time_is_uptime)",
        ],
        "S12-pool-monitor-webapp": [
            "0 temperature 28.4 ph 7.2 chlorine 0.7 device@-100000",
            "20 temperature 24.6 ph 7.21 chlorine 0.8 orp 701.0 device@0",
        ],
        "S13-theengs": ["0 online", "10 temperature 26.92 estimated@10"],
        "S14-shelly-gen1": ["0 online", "10 temperature 25.3 estimated@10", "60000 rejected no_usable_value"],
        "S14-shelly-gen2": ["0 online", "10 temperature 25.3 estimated@10", "60000 rejected no_reading"],
        "S15-espeasy": ["0 online", "10 temperature 25.8 estimated@10", "20 ph 7.2 estimated@20", "30 offline"],
        "S16-chirpstack": [
            "0 temperature 26.1 ph 7.28 orp 694.0 device@-50518", "300 repeated temperature,ph,orp",
        ],
        "S17-tuya-dps": [
            "0 temperature 19.4 ph 7.21 orp 216.0 estimated@0",
            "60000 temperature 19.5 estimated@60000 (sentinel) (sentinel)",
        ],
        "S18-iopool": [
            "0 temperature 25.5 ph 7.2 orp 750.0 device@-900000", "60000 rejected filtered",
            "120000 rejected nothing_there",
        ],
        "S19-ha-statestream": [
            "100 ph 7.24 device@-50518", "300 temperature 26.1 device@-50000", "60000 rejected no_reading",
            "60100 rejected no_reading",
        ],
    ]

    @Test(arguments: expected.keys.sorted())
    func `S02…S19 the profile of a format takes its readings and falls into none of its traps`(name: String) throws {
        let fixture = try FormatFixture(name)
        var log = MappingLog(decoder: try fixture.decoder())
        log.play(fixture)

        #expect(log.lines == Self.expected[name])
    }

    @Test func `S01 the flat format needs no mapping`() throws {
        #expect(try BuiltInProfile.named("flat").mapping == nil)
        let messages = try FormatFixture("S01-flat").messages
        let values = messages.map { message in
            PayloadDecoder().decode(message.payload, receivedAt: noon, isRetained: false).decoded?.values
        }
        #expect(
            values == [
                [.temperature: 25.5, .ph: 7.2, .chlorine: 1.5, .orp: 650],
                [.temperature: 24.5, .ph: 7.2, .chlorine: 1.8, .orp: 685],
            ])
    }

    @Test func `S20 Sparkplug B is recognised as binary and said so`() throws {
        let message = try #require(try FormatFixture("S20-sparkplug-b").messages.first)
        var decoder = try MappingDecoder(
            mapping: DeviceMapping(values: [ValueSource(.ph, path: .keys("ph"))]), deviceTopic: message.topic)
        let outcome = decoder.receive(
            topic: message.topic, payload: message.payload, receivedAt: noon, isRetained: false)
        #expect(outcome?.rejection?.cause == .binary(.sparkplugB))
        #expect(outcome?.rejection?.description.contains("binary (Sparkplug B), which is not supported") == true)
    }
}
