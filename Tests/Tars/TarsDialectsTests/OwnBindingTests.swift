import TarsModel
import Testing
import Text

@testable import TarsDialects

@Suite struct OwnBindingTests {
    private func binding() throws -> OwnBinding { OwnBinding(try Serial(short: "0042A1")) }

    private func home(_ mode: DeviceMode) throws -> Home<OwnBinding> {
        try Home(
            Discovery(key: "0042A1", name: "Coffee", kind: .bot, abilities: mode.abilities, binding: binding()),
            dialect: .own)
    }

    @Test func `T1 T16 T17 a command is the same bytes on both routes, and the device reads them`() throws {
        var home = try home(.press)
        let message = try home.send(.press(hold: .seconds(3)))
        let serial = try binding().serial.text
        #expect(message.topic == "tars/\(serial)/set")
        #expect(
            message.payload == #"{"do":"press 3s","id":"\#(home.lastID)","until":1780315205000}"#)
        #expect(home.lastID.digits.utf8.count == 32)

        let request = try CanonicalJSON.decode(OwnBinding.Request.self, from: Array(message.payload.utf8))
        var moved: [String] = []
        var core = DeviceCore(
            record: DeviceRecord(settings: DeviceSettings(mode: .press)), movementTime: .zero)
        for origin in [Movement.Origin.short, .bridge] {
            core.handle(.command(request.id, request.order, until: request.until, origin: origin), at: noon)
        }
        while let output = core.nextOutput() {
            if case .move(let movement) = output { moved.append("\(movement.id) \(movement.text)") }
        }
        #expect(moved == ["\(home.lastID) push 3s"])
    }

    @Test func `T36 what a device does not know of a command is no order, and bytes without an id are no command`()
        throws
    {
        func request(_ text: String) throws -> OwnBinding.Request {
            try CanonicalJSON.decode(OwnBinding.Request.self, from: Array(text.utf8))
        }
        let start = #"{"id":"\#(commandID(1))","until":5"#
        #expect(try request(start + #","do":"on"}"#).order == .act(.on))
        for unknown in [#","do":"fly"}"#, #","do":"level 101"}"#, #","do":""}"#, "}"] {
            #expect(try request(start + unknown).order == nil)
        }
        #expect(throws: CanonicalJSON.Failure.self) { try request(#"{"do":"on","until":5}"#) }
        let settings = DeviceSettings(mode: .custom, program: try Program("push, 2s off"))
        let kept = OwnBinding.Request(id: commandID(1), until: Timestamp(milliseconds: 5), .configure(settings))
        #expect(try request(String(decoding: CanonicalJSON.encode(kept), as: UTF8.self)).order == .configure(settings))
    }

    @Test func `T7 T43 T46 state, battery, signal and presence come with retained messages`() throws {
        var home = try home(.switch)
        let binding = try binding()
        var record = DeviceRecord(settings: DeviceSettings(mode: .switch))
        let info = OwnBinding.DeviceInfo(record, battery: 87, rssi: -62, firmware: "1.0")
        let text = String(decoding: try CanonicalJSON.encode(info), as: UTF8.self)
        #expect(home.link.presence == .unknown)
        #expect(home.hear(binding.infoTopic, text, isRetained: true) == [.state])
        #expect(home.link.state.isOn == false)
        #expect(home.link.state.battery == 87)
        #expect(home.link.state.rssi == -62)
        home.hear(binding.statusTopic, "online", isRetained: true)
        #expect(home.link.presence == .online)
        home.hear(binding.statusTopic, "offline")
        #expect(home.link.presence == .offline)
        #expect(!home.link.isStateKnown(at: later(0)))
        record.energy.movements = 1
        #expect(home.hear("tars/other/info", text) == [])
        #expect(home.hear(binding.infoTopic, "{") == [])
    }

    @Test func `T34 an answer confirms its own command only, and a busy device stays asked`() throws {
        var home = try home(.press)
        let binding = try binding()
        _ = try home.send(.press(hold: nil))
        let first = home.lastID
        _ = try home.send(.press(hold: nil))
        let second = home.lastID
        func answer(_ id: Command.ID, _ result: DeviceAnswer) throws -> String {
            String(
                decoding: try CanonicalJSON.encode(OwnBinding.Acknowledgement(id: id, result: result)), as: UTF8.self)
        }
        #expect(home.hear(binding.ackTopic, try answer(second, .refused(.busy))) == [.denied(second, .refused(.busy))])
        #expect(home.hear(binding.ackTopic, try answer(second, .done)) == [.confirmed(second)])
        #expect(home.hear(binding.ackTopic, try answer(second, .done)) == [])
        #expect(home.hear(binding.ackTopic, try answer(first, .expired)) == [.denied(first, .expired)])
    }
}
