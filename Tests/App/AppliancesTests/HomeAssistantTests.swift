import Testing
import Text

@testable import Appliances

@Suite struct HomeAssistantTests {
    private func discover(_ file: String, _ component: String) throws -> [Discovery<HomeAssistantBinding>] {
        HomeAssistantReader.read(topic: "homeassistant/\(component)/x1/config", payload: try payload(file)).found
    }

    private func home(_ file: String, _ component: String) throws -> Home<HomeAssistantBinding> {
        try Home(try #require(try discover(file, component).first), dialect: .homeAssistant)
    }

    private func found(_ component: String, _ text: String) -> Discovery<HomeAssistantBinding>? {
        HomeAssistantReader.read(topic: "homeassistant/\(component)/x1/config", payload: Array(text.utf8)).found.first
    }

    @Test func `a light of Zigbee2MQTT is dimmed in JSON, and all of its availabilities count`() throws {
        var light = try home("zigbee2mqtt-light.json", "light")
        #expect(light.appliance.name == "Hall")
        #expect(light.appliance.abilities == [.onOff, .toggle, .level])
        #expect(try light.send(.on).topic == "zigbee2mqtt/Hall/set")
        #expect(try light.send(.off).payload == #"{"state":"OFF"}"#)
        let message = try light.send(.level(50))
        #expect(message.payload == #"{"state":"ON","brightness":127}"#)
        #expect(
            light.hear(
                "zigbee2mqtt/Hall", #"{"brightness":127,"color_mode":"color_temp","linkquality":116,"state":"ON"}"#
            )
            .contains(.confirmed(light.lastID)))
        #expect(light.link.state.level == 50)
        #expect(light.link.presence == .unknown)
        light.hear("zigbee2mqtt/bridge/state", #"{"state":"online"}"#, isRetained: true)
        #expect(light.link.presence == .unknown)
        light.hear("zigbee2mqtt/Hall/availability", #"{"state":"online"}"#, isRetained: true)
        #expect(light.link.presence == .online)
        light.hear("zigbee2mqtt/bridge/state", #"{"state":"offline"}"#)
        #expect(light.link.presence == .offline)
    }

    @Test func `a discovered retain is not followed, with a notice`() throws {
        let plug = try #require(try discover("zigbee2mqtt-plug.json", "switch").first)
        #expect(plug.notes == ["`retain` is not followed: a kept command would run again at each reconnect"])
        var home = try Home(plug, dialect: .homeAssistant)
        let message = try home.send(.on)
        #expect(message.topic == "zigbee2mqtt/Fan plug/set")
        #expect(message.payload == "ON")
        #expect(
            home.hear("zigbee2mqtt/Fan plug", #"{"power":0,"state":"ON","power_outage_memory":"restore"}"#)
                == [.state, .confirmed(home.lastID)])
    }

    @Test func `a selection is chosen among its options`() throws {
        var home = try home("zigbee2mqtt-select.json", "select")
        #expect(home.appliance.kind == .select)
        #expect(home.appliance.name == "Fan plug Power outage memory")
        let message = try home.send(.choose("restore"))
        #expect(message.topic == "zigbee2mqtt/Fan plug/set/power_outage_memory")
        #expect(message.payload == "restore")
        #expect(throws: Unsendable.self) { try home.send(.choose("sometimes")) }
        #expect(
            home.hear("zigbee2mqtt/Fan plug", #"{"power_outage_memory":"off"}"#) == [.state])
        _ = try home.send(.choose("restore"))
        let before = home.lastID
        #expect(
            home.hear("zigbee2mqtt/Fan plug", #"{"power_outage_memory":"restore"}"#).contains(.confirmed(before)))
    }

    @Test func `a blind of Zigbee2MQTT goes to a position in the words of its template`() throws {
        let blind = try #require(try discover("zigbee2mqtt-cover.json", "cover").first)
        #expect(blind.abilities == [.onOff, .stop, .position])
        #expect(blind.notes == [])
        var home = try Home(blind, dialect: .homeAssistant)
        #expect(try home.send(.position(30)).payload == #"{ "position": 30 }"#)
        #expect(try home.send(.on).payload == "OPEN")
        #expect(
            home.hear("zigbee2mqtt/Blind", #"{"position":100,"state":"OPEN"}"#) == [.state, .confirmed(home.lastID)])
        #expect(home.link.state.position == 100)
    }

    @Test(arguments: [
        ("{{ value }}", "GO"), ("{{value}}", "GO"), ("start", "start"), ("", "GO"),
        (#"{\"do\": \"{{ value }}\"} "#, #"{"do": "GO"}"#), ("{{ value | upper }}", nil),
        ("{{ value }}{{ value }}", nil),
        ("{% if value %}x{% endif %}", nil), ("{% if value %}{{ value }}{% endif %}", nil),
    ])
    func `a template of a command is a constant, or the value with constant text around it`(
        template: String, payload: String?
    ) {
        let button = found("button", #"{"cmd_t":"a/b","pl_prs":"GO","cmd_tpl":"\#(template)"}"#)
        let order = button?.binding.order(
            for: .press(hold: nil), id: commandID(1), until: Timestamp(milliseconds: 0))
        #expect(order?.payload == payload)
    }

    @Test(arguments: [("", "ON"), (#","on_cmd_type":"first""#, "ON"), (#","on_cmd_type":"brightness""#, nil)])
    func `a light that is off is lit by a level, unless its level does it`(type: String, after: String?) throws {
        var lamp = try Home(
            try #require(
                found("light", #"{"cmd_t":"l/set","stat_t":"l","bri_cmd_t":"l/bri/set","bri_stat_t":"l/bri"\#(type)}"#)),
            dialect: .homeAssistant)
        lamp.hear("l", "OFF")
        let message = try lamp.send(.level(40))
        #expect([message.topic, message.payload] == ["l/bri/set", "102"])
        #expect(message.after == after.map { Order(topic: "l/set", payload: $0) })
        #expect(try lamp.send(.level(0)).after == nil && lamp.send(.on).after == nil)
    }

    @Test func `a garage door of ESPHome opens, stops and goes to a position`() throws {
        var garage = try home("esphome-cover.json", "cover")
        #expect(garage.appliance.name == "Gate Garage")
        #expect(garage.appliance.abilities == [.onOff, .stop, .position])
        let message = try garage.send(.position(25))
        #expect([message.topic, message.payload] == ["gate/cover/garage/position/command", "25"])
        #expect(garage.hear("gate/cover/garage/position/state", "25") == [.state, .confirmed(garage.lastID)])
        #expect(try garage.send(.stop).payload == "STOP")
        #expect(try garage.send(.off).payload == "CLOSE")
        #expect(garage.hear("gate/cover/garage/state", "closed") == [.state, .confirmed(garage.lastID)])
        garage.hear("gate/status", "offline")
        #expect(garage.link.presence == .offline)
    }

    @Test func `a lock unlatches only if it says so`() throws {
        var lock = try home("esphome-lock.json", "lock")
        #expect(lock.appliance.abilities == [.lock, .open])
        let message = try lock.send(.open)
        #expect([message.topic, message.payload] == ["gate/lock/latch/command", "OPEN"])
        #expect(message.qualityOfService == 0)
        _ = try lock.send(.lock)
        #expect(lock.hear("gate/lock/latch/state", "LOCKED") == [.state, .confirmed(lock.lastID)])
        #expect(found("lock", #"{"cmd_t":"a/b"}"#)?.abilities == [.lock])
    }

    @Test func `a button is pressed, and a scene begins`() throws {
        var bell = try home("esphome-button.json", "button")
        let message = try bell.send(.press(hold: nil))
        #expect([message.topic, message.payload] == ["gate/button/ring/command", "PRESS"])
        #expect(message.qualityOfService == 0)
        #expect(throws: Unsendable.self) { try bell.send(.press(hold: .seconds(1))) }
    }

    @Test func `the device form gives each component, with what they share`() throws {
        let found = try discover("device-form.json", "device")
        #expect(
            found.map(\.name) == ["Kitchen Lamp", "Kitchen Heat", "Kitchen Blue", "Kitchen Dry", "Kitchen Temperature"])
        #expect(found.map(\.kind) == [.switch, .number, .light, .scene, .sensor])
        #expect(found[1].abilities == [.number(minimum: 5, maximum: 29.5, step: 0.5)])
        var heat = try Home(found[1], dialect: .homeAssistant)
        #expect(try heat.send(.number(21.5)).payload == "21.5")
        #expect(try heat.send(.number(21)).payload == "21")
        #expect(heat.hear("kitchen/bla/heat", "21.0") == [.state, .confirmed(heat.lastID)])

        let blue = found[2]
        #expect(blue.abilities == [.onOff, .toggle, .level])
        #expect(blue.binding.order(for: .level(40), id: commandID(1), until: .init(milliseconds: 0))?.payload == "40")
        // It is optimistic: its state is what was sent, so it confirms nothing.
        #expect(!blue.binding.confirms(.on))
        #expect(found[0].binding.confirms(.on))

        var temperature = try Home(found[4], dialect: .homeAssistant)
        #expect(temperature.appliance.abilities == [])
        temperature.hear("kitchen/bla/state", #"{"temperature":21.4}"#)
        #expect(temperature.link.state.value == "21.4 °C")
    }

    @Test(
        arguments: [
            ("any", [(0, "online")], .online), ("any", [(0, "offline")], .unknown),
            ("any", [(0, "offline"), (1, "down")], .offline), ("any", [(0, "offline"), (1, "up")], .online),
            ("all", [(0, "online")], .unknown), ("all", [(0, "online"), (1, "up")], .online),
            ("all", [(1, "down")], .offline), ("all", [(0, "offline"), (1, "up")], .offline),
            ("latest", [(0, "online"), (1, "down")], .offline),
            ("latest", [(1, "down"), (0, "online")], .online), ("latest", [], .unknown),
            ("latest", [(0, "perhaps")], .unknown),
        ] as [(String, [(Int, String)], Surroundings.Presence)])
    func `the availabilities are one by all, any or the latest`(
        mode: String, said: [(Int, String)], presence: Surroundings.Presence
    ) throws {
        let text = String(decoding: try payload("device-form.json"), as: UTF8.self)
            .replacing("\"any\"", with: "\"\(mode)\"")
        let found = HomeAssistantReader.read(
            topic: "homeassistant/device/x/config", payload: Array(text.utf8)
        ).found
        var home = try Home(try #require(found.first), dialect: .homeAssistant)
        for (topic, word) in said { home.hear(["kitchen/bla/status", "bridge/status"][topic], word) }
        #expect(home.link.presence == presence)
    }

    @Test func `a toggle goes the way that the state tells, and without a state nothing goes out`() throws {
        var plug = try home("zigbee2mqtt-plug.json", "switch")
        #expect(throws: Unsendable.self) { try plug.send(.toggle) }
        plug.hear("zigbee2mqtt/Fan plug", #"{"state":"ON"}"#)
        #expect(try plug.send(.toggle).payload == "OFF")
        // It tells changes only, so what it told long ago still holds.
        #expect(plug.link.resolved(.toggle, at: later(4000)) == .off)
    }

    @Test(arguments: [
        ("camera", #"{"t":"a/b"}"#), ("switch", "{}"), ("switch", ""), ("switch", "[]"),
        ("switch", ##"{"cmd_t":"a/#","stat_t":"b/+"}"##), ("number", #"{"name":"x"}"#),
    ])
    func `what cannot be acted on or shown is not announced`(component: String, text: String) {
        #expect(found(component, text) == nil)
    }

    @Test func `a binding survives its JSON`() throws {
        for (file, component) in [("device-form.json", "device"), ("zigbee2mqtt-light.json", "light")] {
            for found in try discover(file, component) {
                let bytes = try CanonicalJSON.encode(found.binding)
                #expect(try CanonicalJSON.decode(HomeAssistantBinding.self, from: bytes) == found.binding)
            }
        }
    }
}
