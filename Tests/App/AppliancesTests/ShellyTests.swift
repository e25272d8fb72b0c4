import Testing
import Text

@testable import Appliances

@Suite struct ShellyTests {
    private func relay() throws -> Discovery<ShellyBinding> {
        let binding = try ShellyBinding(prefix: "boiler", hub: "h001")
        let found = binding.discover(
            info: try payload("shelly-plus1-info.json"), status: try payload("shelly-plus1-status.json"))
        #expect(found.count == 1)
        return try #require(found.first)
    }

    @Test func `a device is asked what it is, and answers`() throws {
        let binding = try ShellyBinding(prefix: "boiler", hub: "h001")
        #expect(
            binding.questions.map(\.payload) == [
                #"{"id":1,"src":"tars-h001","method":"Shelly.GetDeviceInfo","params":{}}"#,
                #"{"id":2,"src":"tars-h001","method":"Shelly.GetStatus","params":{}}"#,
            ])
        #expect(binding.questions.allSatisfy { $0.topic == "boiler/rpc" })
        let relay = try relay()
        #expect(relay.name == "Boiler")
        #expect(relay.kind == .switch)
        #expect(relay.abilities == [.onOff, .toggle])
        #expect(
            relay.binding.topics == ["tars-h001/rpc", "boiler/status/switch:0", "boiler/events/rpc", "boiler/online"])
        #expect(binding.discover(info: Array("{}".utf8), status: Array("{}".utf8)) == [])
    }

    @Test func `a relay is set by a call, confirmed by its answer, and shown by its status`() throws {
        var home = try Home(try relay(), dialect: .shelly)
        let message = try home.send(.on)
        let number = CommandReference.number(of: home.lastID)
        #expect(message.topic == "boiler/rpc")
        #expect(
            message.payload
                == #"{"id":\#(number),"src":"tars-h001","method":"Switch.Set","params":{"id":0,"on":true}}"#)
        func answer(_ number: Int, from source: String) -> String {
            #"{"id":\#(number),"src":"\#(source)","dst":"tars-h001","result":{"was_on":false}}"#
        }
        // Another device answers a call of the same number.
        #expect(home.hear("tars-h001/rpc", answer(number, from: "shellyplus1-000000000000")) == [])
        #expect(home.hear("tars-h001/rpc", answer(number + 1, from: "shellyplus1-a8032abe54dc")) == [])
        #expect(
            home.hear("tars-h001/rpc", answer(number, from: "shellyplus1-a8032abe54dc")) == [.confirmed(home.lastID)])
        home.hear(
            "boiler/status/switch:0", #"{"id":0,"source":"MQTT","output":true,"temperature":{"tC":52.1,"tF":125.8}}"#)
        #expect(home.link.state.isOn == true)
        home.hear("boiler/online", "true", isRetained: true)
        #expect(home.link.presence == .online)
        home.hear("boiler/online", "false")
        #expect(home.link.presence == .offline)
    }

    @Test(
        arguments: [
            (-103, .unsupported), (404, .unsupported), (-108, .busy), (-114, .busy), (-104, .timeout), (-109, .denied),
            (401, .denied),
        ]
            as [(Int, Reason)])
    func `T41 an error says why`(code: Int, reason: Reason) throws {
        var home = try Home(try relay(), dialect: .shelly)
        _ = try home.send(.off)
        let number = CommandReference.number(of: home.lastID)
        let text =
            #"{"id":\#(number),"src":"shellyplus1-a8032abe54dc","dst":"tars-h001","error":{"code":\#(code),"message":"x"}}"#
        #expect(home.hear("tars-h001/rpc", text) == [.denied(home.lastID, .refused(reason))])
    }

    @Test func `a cover goes to a position`() throws {
        let binding = try ShellyBinding(prefix: "shellyplus2pm-5443b23d81f8", hub: "h001")
        let info = String(decoding: try payload("shelly-plus1-info.json"), as: UTF8.self)
            .replacing("shellyplus1-a8032abe54dc", with: "shellyplus2pm-5443b23d81f8")
        let found = binding.discover(info: Array(info.utf8), status: try payload("shelly-cover-status.json"))
        var cover = try Home(try #require(found.first), dialect: .shelly)
        #expect(
            try cover.send(.position(30)).payload.hasSuffix(
                #""method":"Cover.GoToPosition","params":{"id":0,"pos":30}}"#))
        #expect(try cover.send(.on).payload.hasSuffix(#""method":"Cover.Open","params":{"id":0}}"#))
        #expect(try cover.send(.stop).payload.hasSuffix(#""method":"Cover.Stop","params":{"id":0}}"#))
        cover.hear(
            "shellyplus2pm-5443b23d81f8/status/cover:0",
            #"{"id":0,"source":"limit_switch","state":"stopped","apower":0.0,"current_pos":30,"pos_control":true}"#)
        #expect(cover.link.state.position == 30)
        #expect(cover.link.state.isOn == true)
    }

    @Test func `a prefix with a wildcard is refused`() {
        let problem = #expect(throws: ModelProblem.self) { try ShellyBinding(prefix: "a/+", hub: "h") }
        #expect(problem?.description == "\"a/+\" is no Shelly topic: leave out + and #")
    }

    @Test func `the number of a command comes from the end of its id, and stays exact in JSON`() {
        #expect(CommandReference.number(of: Command.ID(high: 0, low: 0xFFFF_FFFF)) == 0xFFF_FFFF)
        #expect(CommandReference.number(5).means(Command.ID(high: 9, low: 5)))
    }
}
