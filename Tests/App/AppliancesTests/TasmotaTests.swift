import Testing
import Text

@testable import Appliances

@Suite struct TasmotaTests {
    private func discover(_ file: String) throws -> [Discovery<TasmotaBinding>] {
        TasmotaBinding.discover(topic: "tasmota/discovery/C82B9690A811/config", payload: try payload(file))
    }

    private func order(_ found: Discovery<TasmotaBinding>, _ action: Action) -> [String] {
        let order = found.binding.order(for: action, id: commandID(1), until: Timestamp(milliseconds: 0))
        return order.map { [$0.topic, $0.payload] } ?? []
    }

    @Test func `a plug announces itself, is switched and says so`() throws {
        let plug = try #require(try discover("tasmota-plug.json").first)
        #expect(plug.name == "Kettle")
        #expect(plug.kind == .switch)
        #expect(plug.abilities == [.onOff, .toggle])
        #expect(order(plug, .on) == ["cmnd/tasmota_3F21A0/POWER", "ON"])
        #expect(order(plug, .off) == ["cmnd/tasmota_3F21A0/POWER", "OFF"])
        #expect(order(plug, .toggle) == ["cmnd/tasmota_3F21A0/POWER", "TOGGLE"])
        #expect(order(plug, .level(3)) == [])

        var home = try Home(plug, dialect: .tasmota)
        home.hear("tele/tasmota_3F21A0/LWT", "Online", isRetained: true)
        #expect(home.link.presence == .online)
        _ = try home.send(.on)
        #expect(home.hear("stat/tasmota_3F21A0/RESULT", #"{"POWER":"ON"}"#) == [.state, .confirmed(home.lastID)])
        _ = try home.send(.off)
        #expect(home.hear("stat/tasmota_3F21A0/POWER", "OFF") == [.state, .confirmed(home.lastID)])
        home.hear(
            "tele/tasmota_3F21A0/STATE",
            #"{"Time":"2026-06-01T12:00:00","Uptime":"0T01:10:08","UptimeSec":4208,"Heap":26,"SleepMode":"Dynamic","Sleep":50,"LoadAvg":19,"MqttCount":1,"POWER":"ON","Wifi":{"AP":1,"SSId":"home","BSSId":"9C:C7:A6:11:22:33","Channel":6,"Mode":"11n","RSSI":78,"Signal":-61,"LinkCount":1,"Downtime":"0T00:00:03"}}"#
        )
        #expect(home.link.state.isOn == true)
        #expect(home.hear("stat/tasmota_3F21A0/STATUS10", #"{"StatusSNS":{"Time":"2026-06-01T12:00:00"}}"#) == [])
    }

    @Test func `two shutters and a light of one device keep their numbers, words and full topic`() throws {
        let found = try discover("tasmota-shutters.json")
        #expect(found.map(\.name) == ["Left", "Right", "Porch"])
        #expect(found.map(\.kind) == [.cover, .cover, .light])
        #expect(order(found[1], .position(30)) == ["home/south/cmnd/ShutterPosition2", "30"])
        #expect(order(found[1], .on) == ["home/south/cmnd/ShutterOpen2", ""])
        #expect(order(found[0], .off) == ["home/south/cmnd/ShutterClose1", ""])
        #expect(order(found[0], .stop) == ["home/south/cmnd/ShutterStop1", ""])
        #expect(order(found[2], .on) == ["home/south/cmnd/POWER5", "ON"])
        #expect(order(found[2], .level(40)) == ["home/south/cmnd/Dimmer", "40"])

        var right = try Home(found[1], dialect: .tasmota)
        _ = try right.send(.position(30))
        #expect(
            right.hear(
                "home/south/stat/RESULT", #"{"Shutter1":{"Position":30,"Direction":0,"Target":30,"Tilt":0}}"#) == [])
        #expect(
            right.hear(
                "home/south/stat/RESULT", #"{"Shutter2":{"Position":30,"Direction":0,"Target":30,"Tilt":0}}"#)
                == [.state, .confirmed(right.lastID)])
        right.hear("home/south/tele/LWT", "gone")
        #expect(right.link.presence == .offline)

        var porch = try Home(found[2], dialect: .tasmota)
        _ = try porch.send(.level(40))
        #expect(
            porch.hear("home/south/stat/RESULT", #"{"POWER5":"AN","Dimmer":40}"#) == [.state, .confirmed(porch.lastID)])
    }

    @Test func `a result under the name of its command is read, too`() throws {
        var home = try Home(try #require(try discover("tasmota-plug.json").first), dialect: .tasmota)
        _ = try home.send(.on)
        #expect(home.hear("stat/tasmota_3F21A0/POWER", #"{"POWER":"ON"}"#) == [.state, .confirmed(home.lastID)])
    }

    @Test(arguments: [
        ("tasmota/discovery/A4CF123F21A0/sensors", "{}"), ("tasmota/discovery/A4CF123F21A0/config", ""),
        ("tasmota/discovery/A4CF123F21A0/config", "{}"), ("tasmota/discovery/A4CF123F21A0/config", "[1]"),
        ("tasmota/discovery/A4CF123F21A0/config", #"{"t":"a/#","ft":"%prefix%/%topic%/","tp":["c","s","t"],"rl":[1]}"#),
        ("other/discovery/A4CF123F21A0/config", #"{"t":"a","ft":"%prefix%/%topic%/","tp":["c","s","t"],"rl":[1]}"#),
    ])
    func `what is no announcement announces nothing`(topic: String, text: String) {
        #expect(TasmotaBinding.discover(topic: topic, payload: Array(text.utf8)) == [])
    }

    @Test(arguments: [
        ("kitchen/#", "\"kitchen/#\" is no Tasmota topic: leave out + and #"),
        ("+", "\"+\" is no Tasmota topic: leave out + and #"), ("", "\"\" is no Tasmota topic: give 1 to 256 bytes"),
        ("plug/", "\"plug/\" is no Tasmota topic: leave out the / at its end"),
        ("pl\u{202E}ug", "\"pl\\u{202e}ug\" is no Tasmota topic: leave out what cannot be seen"),
    ])
    func `a topic that cannot be is refused in a sentence`(text: String, sentence: String) {
        let problem = #expect(throws: ModelProblem.self) { try TasmotaBinding(topic: text) }
        #expect(problem?.description == sentence)
    }
}
