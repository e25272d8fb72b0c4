import Testing

@testable import PoolModel

@Suite struct HomeAssistantAnnouncementTests {
    private func topics() throws -> HubTopics { try #require(HubTopics(hubID: "hub-1_A")) }

    private func announcement(_ quantities: [Quantity] = Quantity.allCases) throws -> HomeAssistantAnnouncement {
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
                == .array(["normal", "warning", "critical", "offline"].map(JSONValue.string)))
        #expect(member("ph_alert", "platform") == "binary_sensor")
        #expect(member("ph_alert", "device_class") == "problem")
        #expect(member("ph_alert", "state_topic") == "poolsensors/hub-1_A/\(lagoon.id)/alerts/ph")
        // What the device does not have is taken back: a component with its platform only.
        #expect(
            components.member(named: "chlorine")
                == .object([JSONValue.Member(key: "platform", value: .string("sensor"))]))
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
        #expect(text(topics.availabilityMessage(isOnline: false).payload) == "offline")
        let alert = topics.alertMessage(of: lagoon.id, .ph, text: "pH 8.1 is above 7.6")
        #expect(text(alert.payload) == #"{"state":"ON","text":"pH 8.1 is above 7.6"}"#)
        #expect(text(topics.alertMessage(of: lagoon.id, .ph, text: nil).payload) == #"{"state":"OFF","text":""}"#)
        let status = topics.statusMessage(of: lagoon.id, headline: .judged(.warning), quantities: [.ph: .warning])
        #expect(text(status.payload) == #"{"quantities":{"ph":"warning"},"status":"warning"}"#)
    }

    @Test(arguments: ["", "a/b", "ä", "a b", "+", String(repeating: "x", count: 65)])
    func `an id that is no level of a topic is refused`(id: String) {
        #expect(HubTopics(hubID: id) == nil)
    }
}
