import Appliances
import Testing
import Text

@Suite struct ApplianceCatalogueTests {
    private func announcement(_ name: String, topic: String = "a") -> [UInt8] {
        Array(#"{"name":"\#(name)","unique_id":"plug","command_topic":"\#(topic)/set","state_topic":"\#(topic)"}"#.utf8)
    }

    private static let sensor = Array(#"{"name":"Power","unique_id":"plug","state_topic":"a/power"}"#.utf8)
    private static let (switchTopic, sensorTopic) = (
        "homeassistant/switch/plug/config", "homeassistant/sensor/plug/config"
    )

    @Test(arguments: [false, true])
    func `two things of one identity have the same keys in whichever order they come`(isSensorFirst: Bool) throws {
        var catalogue = ApplianceCatalogue()
        let all = [(Self.switchTopic, announcement("Plug")), (Self.sensorTopic, Self.sensor)]
        for (topic, payload) in isSensorFirst ? all.reversed() : all {
            #expect(catalogue.take(topic: topic, payload: payload).count == 1)
        }
        let names = catalogue.entries.map { catalogue.name(of: $0) }
        #expect(names == ["plug switch", "plug sensor"])
        #expect(names.map { catalogue.entry(named: $0)?.kind } == [.switch, .sensor])
        // The short key still means one of them, always the same.
        #expect(catalogue.entry(named: "plug")?.kind == catalogue.entries.first?.kind)
        _ = catalogue.take(topic: Self.sensorTopic, payload: [])
        #expect(catalogue.entries.map { catalogue.name(of: $0) } == ["plug"])
    }

    @Test func `an announcement is that of the thing that was taken in by it, before and after this version`() throws {
        var catalogue = ApplianceCatalogue()
        _ = catalogue.take(topic: Self.sensorTopic, payload: Self.sensor)
        let first = try #require(catalogue.take(topic: Self.switchTopic, payload: announcement("Plug")).first)
        let appliance = try Appliance(
            id: .init(high: 0, low: 1), name: "Heater", kind: .switch, abilities: first.abilities,
            dialect: .homeAssistant)
        let moved = try #require(
            catalogue.take(topic: Self.switchTopic, payload: announcement("Plug", topic: "b")).first)
        #expect(moved.binding != first.binding)
        for key in ["plug", "plug switch"] {
            let one = ForeignAppliance(appliance: appliance, binding: first.binding, key: key)
            #expect(moved.isAnnouncement(of: one), "\(key)")
        }
        // What was taken in without a key is known by how it is reached.
        let keyless = ForeignAppliance(appliance: appliance, binding: first.binding)
        #expect(first.isAnnouncement(of: keyless))
        #expect(!moved.isAnnouncement(of: keyless))
        var other = appliance
        other.kind = .sensor
        #expect(!moved.isAnnouncement(of: ForeignAppliance(appliance: other, binding: first.binding, key: "plug")))
    }

    @Test func `what announces itself at two topics stands there once, as the first of them says`() throws {
        for topics in [["a", "b"], ["b", "a"]] {
            var catalogue = ApplianceCatalogue()
            for topic in topics {
                _ = catalogue.take(
                    topic: "homeassistant/switch/\(topic)/config", payload: announcement("At \(topic)", topic: topic))
            }
            #expect(catalogue.entries.map(\.name) == ["At a"])
        }
    }
}

/// An app on this floor alone: it takes in what announces itself, and switches it.
@Suite struct SwitchingAppTests {
    @Test func `forty lines switch a plug and believe only its own word`() throws {
        var catalogue = ApplianceCatalogue()
        let found = try #require(
            catalogue.take(topic: "tasmota/discovery/A4CF123F21A0/config", payload: try payload("tasmota-plug.json"))
                .first)
        let plug = try Appliance(
            id: .init(high: 0, low: 7), name: found.name, kind: found.kind, abilities: found.abilities,
            dialect: found.dialect)
        var control = ApplianceControl()
        control.use([ForeignAppliance(appliance: plug, binding: found.binding, key: found.key)])
        control.use(BrokerReach(isConnected: true))
        var asked = AskedCommands<String>()
        var published: [String] = []
        func drain() {
            while let output = control.nextOutput() {
                switch output {
                case .publish(let topic, let payload, _, let seconds):
                    published.append("\(topic) \(String(decoding: payload, as: UTF8.self)) \(seconds)s")
                case .status(let id, let status): _ = asked.settle(id, status)
                case .changed: break
                }
            }
        }
        asked.insert(commandID(1), by: "Ada", .asked)
        let until = Timestamp(milliseconds: noon.wallMilliseconds + 5000)
        control.act(Command(id: commandID(1), appliance: plug.id, action: .on, until: until), at: noon)
        drain()
        let topic = try #require(published.first?.split(separator: " ").first.map(String.init))
        #expect(published == ["\(topic) ON 5s"])
        #expect(asked.status(of: commandID(1)) == .sent)
        #expect(asked.isOpen(commandID(1), control.isUnderWay))
        let answer = topic.replacing("cmnd/", with: "stat/")
        control.take(topic: answer, Array("ON".utf8), isRetained: false, at: noon)
        drain()
        #expect(asked.status(of: commandID(1)) == .confirmed(milliseconds: 0))
        #expect(!asked.isOpen(commandID(1), control.isUnderWay))
        // The same command again moves nothing.
        control.act(Command(id: commandID(1), appliance: plug.id, action: .on, until: until), at: noon)
        drain()
        #expect(published.count == 1)
        #expect(asked.last(8, of: "Ada").map(\.id) == [commandID(1)])
    }
}
