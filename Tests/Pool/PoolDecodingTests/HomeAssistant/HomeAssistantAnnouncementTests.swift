import HomeAssistantMQTT

import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct HomeAssistantAnnouncementTests {
    private func topics() throws -> HubTopics { try #require(HubTopics(hubID: "hub-1_A")) }

    private func announcement(_ quantities: [Quantity] = Quantity.listed { _ in false }) throws
        -> HomeAssistantAnnouncement
    {
        HomeAssistantAnnouncement(
            topics: try topics(), device: lagoon.id, name: "露天風呂 \"onsen\" \u{1F3CA}", poolName: "Ryokan",
            quantities: quantities, expectedIntervalSeconds: 40, softwareVersion: "1.0")
    }

    @Test func `what the hub announces, the reader understands`() throws {
        var discovery = HomeAssistantDiscovery()
        let message = try announcement().message()
        #expect(message.isRetained)
        let outcome = discovery.absorb(topic: message.topic, payload: message.payload)
        #expect(outcome == .read(entityCount: 4))
        let offer = try #require(discovery.offers.first)
        #expect(discovery.offers.count == 1)
        #expect(offer.name == "露天風呂 \"onsen\" \u{1F3CA}")
        #expect(offer.originName == "PoolSensors")
        #expect(offer.topic == "poolsensors/hub-1_A/\(lagoon.id)/values")
        #expect(offer.expectedIntervalSeconds == 40)
        let mapping = try #require(offer.mapping)
        #expect(
            mapping.values == [
                ValueSource(.temperature, path: ValuePath([.key("temperature")])),
                ValueSource(.ph, path: ValuePath([.key("ph")])),
                ValueSource(.chlorine, path: ValuePath([.key("chlorine")])),
                ValueSource(.orp, path: ValuePath([.key("orp")])),
            ])
        #expect(
            mapping.availability == [
                AvailabilitySource(topic: "poolsensors/hub-1_A/status", online: ["online"], offline: ["offline"]),
                AvailabilitySource(
                    topic: "poolsensors/hub-1_A/\(lagoon.id)/availability", online: ["online"], offline: ["offline"]),
            ])
        #expect(offer.notes.isEmpty)
        #expect(HubTopics.isOfAHub("poolsensors/hub-1_A/\(lagoon.id)/availability/ph"))
        #expect(HubTopics.isOfAHub("poolsensors/hub-1_A/alerts/\(ServerID(high: 5, low: 6))"))
        #expect(HubTopics.isOfAHub(try topics().storageAlert))
    }

    @Test func `values that the hub publishes are read through its own announcement`() throws {
        let message = try topics().valuesMessage(
            of: lagoon.id, values: [.temperature: 26.25, .ph: 7.2, .orp: .nan], sampledAt: noon)
        #expect(!message.isRetained)
        #expect(
            text(message.payload) == #"{"ph":7.2,"sampledAt":"2026-06-01T12:00:00.000Z","temperature":26.25}"#)
    }

    @Test func `the announcement holds what Home Assistant needs`() throws {
        let root = try JSONScanner.scan(try announcement([.ph, .orp]).message().payload, depthMax: 8)
        let components = try #require(root.member(named: "components"))
        func member(_ component: String, _ key: String) -> String? {
            components.member(named: component)?.member(named: key)?.scalarText
        }
        let id = "poolsensors_hub-1_A_\(lagoon.id)"
        #expect(try announcement().topic() == "homeassistant/device/\(id)/config")
        #expect(HomeAssistantTopic(try announcement().topic())?.isDevice == true)
        #expect(root.member(named: "origin")?.member(named: "name") == .string("PoolSensors"))
        #expect(root.member(named: "device")?.member(named: "identifiers") == .array([.string(id)]))
        #expect(root.member(named: "device")?.member(named: "suggested_area") == .string("Ryokan"))
        #expect(root.member(named: "availability_mode") == .string("all"))
        #expect(member("ph", "unique_id") == "\(id)_ph")
        #expect(member("ph", "device_class") == "ph")
        #expect(member("ph", "unit_of_measurement") == nil)
        #expect(member("ph", "suggested_display_precision") == "2")
        #expect(member("orp", "device_class") == "voltage")
        #expect(member("orp", "unit_of_measurement") == "mV")
        #expect(member("orp", "state_class") == "measurement")
        #expect(member("orp", "expire_after") == "120")
        #expect(member("status", "device_class") == "enum")
        #expect(
            components.member(named: "status")?.member(named: "options")
                == .array(["normal", "warning", "critical", "stale", "offline"].map(JSONValue.string)))
        #expect(member("ph_alert", "platform") == "binary_sensor")
        #expect(member("ph_alert", "device_class") == "problem")
        #expect(member("ph_alert", "state_topic") == "poolsensors/hub-1_A/\(lagoon.id)/alerts/ph")
        // Quantities that the device does not have are removed, by a component that has only a platform.
        #expect(
            components.member(named: "chlorine")
                == .object([JSONValue.Member(key: "platform", value: .string("sensor"))]))
    }

    @Test func `each announcement has only fields, classes and units that Home Assistant documents`() throws {
        var rules = HomeAssistantRules()
        try rules.check(try announcement().message())
        let hub = HubAnnouncement(
            topics: try topics(),
            servers: [
                .init(id: ServerID(high: 5, low: 6), name: "Home broker"),
                .init(id: ServerID(high: 5, low: 7), name: "B"),
            ], gone: [ServerID(high: 5, low: 8)])
        try rules.check(hub.message())
        #expect(rules.faults.isEmpty)

        // Devices with some quantities only, without a pool, with an alert of a quantity that they do not have.
        for quantities in [[], [Quantity.ph], [.temperature, .chlorine], [.orp]] {
            var other = try announcement(quantities)
            (other.poolName, other.alerting) = (nil, [.temperature])
            var rules = HomeAssistantRules()
            try rules.check(other.message())
            #expect(rules.faults.isEmpty)
        }
    }

    @Test(arguments: [
        (#""expire_after":120"#, #""expire_after":"2 min""#, "expire_after is of another type"),
        (#""unit_of_measurement":"mV""#, #""unit_of_measurement":"milliVolt""#, "voltage has no unit milliVolt"),
        (#""state_class":"measurement""#, #""state_class":"mean""#, "state_class is mean"),
        (#""device_class":"ph""#, #""device_class":"acidity""#, "device_class is acidity"),
        (#""origin":{"name":"PoolSensors","sw_version":"1.0"}"#, #""origin":{}"#, "origin.name is missing"),
        (#""availability_mode""#, #""availabilityMode""#, "availabilityMode is in no table"),
        (#""identifiers":["#, #""ids":["#, "identifiers is missing"),
        (#""device_class":"enum","#, "", "options belong"),
    ])
    func `a field that Home Assistant does not take is found`(old: String, new: String, fault: String) throws {
        var message = try announcement().message()
        let text = String(decoding: message.payload, as: UTF8.self)
        #expect(text.contains(old))
        message.payload = Array(text.replacing(old, with: new).utf8)
        var rules = HomeAssistantRules()
        try rules.check(message)
        #expect(rules.faults.contains { $0.contains(fault) }, "\(rules.faults)")
    }

    @Test func `what is published on the announced topics is what the entities take`() throws {
        let topics = try topics()
        let root = try JSONScanner.scan(try announcement().message().payload, depthMax: 16)
        let components = try #require(root.member(named: "components"))
        guard case .array(let options)? = components.member(named: "status")?.member(named: "options") else {
            Issue.record("the status has no options")
            return
        }
        for label in Headline.labels { #expect(options.contains(.string(label))) }
        // Binary sensors know ON and OFF, unless an announcement says otherwise.
        let topic = topics.alert(of: lagoon.id, .ph)
        for (alerts, state) in [([], "OFF"), ([alert(.value(lagoon.id, .ph, .high), .critical, 8.1)], "ON")] {
            let message = topics.alertMessage(on: topic, alerts)
            #expect(try JSONScanner.scan(message.payload, depthMax: 4).member(named: "state") == .string(state))
        }
        for name in ["availability", "components"] { #expect(root.member(named: name) != nil) }
        #expect(HubTopics.online == "online" && HubTopics.offline == "offline")
        #expect(text(topics.availabilityMessage(of: lagoon.id, .ph, isOnline: false).payload) == "offline")
    }

    @Test func `deleting empties the announcement and all that is retained`() throws {
        var discovery = HomeAssistantDiscovery()
        let announcement = try announcement()
        discovery.absorb(topic: announcement.topic(), payload: announcement.message().payload)
        let deletions = announcement.deletionMessages()
        for message in deletions {
            #expect(message.payload.isEmpty && message.isRetained)
            discovery.absorb(topic: message.topic, payload: message.payload)
        }
        #expect(discovery.offers.isEmpty)
        #expect(deletions.map(\.topic) == [announcement.topic()] + (try topics().retained(of: lagoon.id)))
    }

    @Test func `status, alert and availability say what they mean`() throws {
        let topics = try topics()
        #expect(text(topics.availabilityMessage(of: lagoon.id, isOnline: false).payload) == "offline")
        let topic = topics.alert(of: lagoon.id, .ph)
        let alerts = [alert(.value(lagoon.id, .ph, .high), .critical, 8.1), alert(.fault(lagoon.id, .ph), .warning)]
        #expect(
            text(topics.alertMessage(on: topic, alerts).payload)
                == #"{"severity":"critical","state":"ON","text":"pH too high; pH faulty"}"#)
        #expect(text(topics.alertMessage(on: topic, []).payload) == #"{"state":"OFF","text":""}"#)
        let status = topics.statusMessage(of: lagoon.id, headline: .judged(.warning), quantities: [.ph: .warning])
        #expect(text(status.payload) == #"{"quantities":{"ph":"warning"},"status":"warning"}"#)
    }

    private func alert(_ key: AlertKey, _ severity: AlertSeverity, _ value: Double? = nil) -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 1), key: key, name: "Lagoon", severity: severity, since: noon,
            value: value, limit: nil, isAcknowledged: false, snoozedUntil: nil)
    }

    @Test func `Home Assistant shows no value that the hub withdrew`() throws {
        let topics = try topics()
        var home = HomeAssistantModel()
        for message in [
            try announcement([.temperature, .ph]).message(),
            PublishedMessage(topic: topics.availability, text: HubTopics.online),
            topics.availabilityMessage(of: lagoon.id, isOnline: true),
            topics.valuesMessage(of: lagoon.id, values: [.temperature: 26, .ph: 7.2], sampledAt: nil),
            topics.availabilityMessage(of: lagoon.id, .temperature, isOnline: true),
            topics.availabilityMessage(of: lagoon.id, .ph, isOnline: true),
        ] { try home.receive(message) }
        #expect(home.shown("_temperature") == "26" && home.shown("_ph") == "7.2")
        #expect(home.shown("_orp") == nil && home.shown("_orp_alert") == nil)

        // The pH becomes unavailable while the temperature continues on the same topic.
        try home.receive(topics.availabilityMessage(of: lagoon.id, .ph, isOnline: false))
        for _ in 0..<10 {
            home.now += 30
            try home.receive(topics.valuesMessage(of: lagoon.id, values: [.temperature: 26.5], sampledAt: nil))
            #expect(home.shown("_temperature") == "26.5")
            #expect(home.shown("_ph") == "unavailable")
        }
        // The old value is not shown either when the quantity becomes available again.
        try home.receive(topics.availabilityMessage(of: lagoon.id, .ph, isOnline: true))
        #expect(home.shown("_ph") == "unknown")
        try home.receive(topics.valuesMessage(of: lagoon.id, values: [.ph: 7.4], sampledAt: nil))
        #expect(home.shown("_ph") == "7.4")
        home.now += 120
        #expect(home.shown("_ph") == "unavailable")
    }

    @Test func `every kind of alert is a state in Home Assistant, with words that stay`() throws {
        let topics = try topics()
        let server = ServerID(high: 5, low: 6)
        var home = HomeAssistantModel()
        for message in [
            try announcement([.temperature]).message(),
            HubAnnouncement(topics: topics, servers: [.init(id: server, name: "Home broker")]).message(),
            PublishedMessage(topic: topics.availability, text: HubTopics.online),
        ] { try home.receive(message) }
        for (suffix, topic) in [
            ("_temperature_alert", topics.alert(of: lagoon.id, .temperature)),
            ("\(lagoon.id)_alert", topics.alert(of: lagoon.id)), ("\(server)", topics.alert(of: server)),
            ("_storage", topics.storageAlert),
        ] {
            try home.receive(topics.alertMessage(on: topic, []))
            #expect(home.shown(suffix) == "OFF", "\(suffix)")
            try home.receive(topics.alertMessage(on: topic, [alert(.missing(lagoon.id, nil), .warning)]))
            #expect(home.shown(suffix) == "ON", "\(suffix)")
        }
        // A quantity that is missing from the start has an alert, although it has no value.
        var missing = try announcement([.temperature])
        missing.alerting = [.orp]
        try home.receive(missing.message())
        try home.receive(
            topics.alertMessage(on: topics.alert(of: lagoon.id, .orp), [alert(.missing(lagoon.id, .orp), .warning)]))
        #expect(home.shown("_orp_alert") == "ON" && home.shown("_orp") == nil)
        // A removed server is withdrawn, and so is the hub.
        try home.receive(HubAnnouncement(topics: topics, servers: [], gone: [server]).message())
        #expect(home.shown("\(server)") == nil)
        let texts = [8.1, 8.2].map { alert(.value(lagoon.id, .ph, .high), .critical, $0) }
        #expect(Set(texts.map { topics.alertMessage(on: "t", [$0]).payload }).count == 1)
        for message in HubAnnouncement(topics: topics, servers: [.init(id: server, name: "")]).deletionMessages() {
            #expect(message.payload.isEmpty && message.isRetained)
        }
    }

    @Test(arguments: ["", "a/b", "ä", "a b", "+", String(repeating: "x", count: 65)])
    func `an id that is no level of a topic is refused`(id: String) {
        #expect(HubTopics(hubID: id) == nil)
    }
}
