import BrokerFixture
import Brokers
import CommandSupport
import Foundation
import MQTT
import ProgramFixture
import TestSupport
import Testing

/// A phone and its devices as processes: what a demo does not show.
@Suite(.timeLimit(.minutes(20))) struct HomeProgramTests: HomeSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `T9 T10 a device opens at its button, and pairs without a PIN then`() async throws {
        let (device, button) = try device()
        let phone = try await phone("--air", folder.path("air"))
        let refused = try await tars("add", "Lamp", "--serial", "42")
        #expect(refused.end != .exited(0))
        #expect(refused.lines.joined().contains("wants its PIN: give it with --pin, or press its button first"))
        try button.write(contentsOf: Data("\n".utf8))
        let paired = try await tars("add", "Lamp", "--serial", "42")
        #expect(paired.end == .exited(0), "\(paired.lines)")
        try await act("Lamp", "on", moves: 1)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("s"))
        for name in files where !name.contains("/link/") {
            let text = FileManager.default.contents(atPath: folder.path("s/\(name)")).map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(text?.contains(#""secret""#) != true, "\(name) holds a key in clear")
        }
        await end(phone, device)
    }

    @Test func `T29 a link that comes while the phone is down runs once at its start, or is too late`() async throws {
        let (device, _) = try device()
        var phone = try await phone("--air", folder.path("air"))
        #expect(try await tars("add", "Lamp", "--serial", "42", "--pin", "314159").end == .exited(0))
        #expect(try await tars("shortcut", "Bright", "Lamp", "on").end == .exited(0))
        let link = try #require(try await tars("shortcut", "Bright", "--link").lines.first)
        await end(phone)

        let late = try await tars("open", "\(link)?in=1s")
        #expect(late.lines.joined().contains("it is run once if one starts within 1s"), "\(late.lines)")
        let over = ContinuousClock.now + .milliseconds(1100)
        try await poll("the time of the link is over") { ContinuousClock.now > over }
        #expect(try await tars("open", "\(link)?in=60s").end == .exited(1))
        let named = try await tars("open", "tars://run/Bright")
        #expect(named.lines.joined().contains("is a name, which only the phone knows"), "\(named.lines)")

        phone = try await self.phone("--air", folder.path("air"))
        _ = try await phone.line(containing: "an earlier link: ✗ too late, nothing was done")
        try await poll("the link moves the motor") { movements.count == 1 }
        await end(phone)
        // A second start runs nothing again.
        phone = try await self.phone("--air", folder.path("air"))
        try await act("Lamp", "off", moves: 2)
        await end(phone, device)
    }

    @Test func `T9 after too many wrong PINs the button still opens a device`() async throws {
        let (device, button) = try device()
        let phone = try await phone("--air", folder.path("air"))
        for _ in 0..<5 { _ = try await tars("add", "Lamp", "--serial", "42", "--pin", "000000") }
        let locked = try await tars("add", "Lamp", "--serial", "42", "--pin", "314159")
        #expect(locked.end != .exited(0), "\(locked.lines)")
        try button.write(contentsOf: Data("\n".utf8))
        try await poll("the button opens it") { try await tars("add", "Lamp", "--serial", "42").end == .exited(0) }
        await end(phone, device)
    }

    @Test func `a phone that is killed in the middle of a command leaves its end open, and says so`() async throws {
        let (device, _) = try device("curtain")
        let phone = try await phone("--air", folder.path("air"))
        #expect(try await tars("add", "Blinds", "--serial", "42", "--pin", "314159").end == .exited(0))
        device.signal(SIGSTOP)
        async let done = tars("do", "Blinds", "position", "40", "--in", "60s")
        try await poll("the command is under way") {
            try await tars("status", "--json").lines.joined().contains("sent")
        }
        phone.signal(SIGKILL)
        let (end, lines) = try await done
        #expect(end == .exited(3), "\(lines)")
        #expect(lines.joined().contains("unknown") || lines.joined().contains("not known"), "\(lines)")
        device.signal(SIGCONT)
        await self.end(device)
    }

    @Test func `what the broker kept reaches a thing that comes later, and an announcement may change`() async throws {
        let broker = try await Broker.start()
        let place = "\(broker.host):\(broker.port)"
        let phone = try await phone("--broker", place)
        _ = try await phone.line(containing: "broker: connected")
        let maker = try await Maker(BrokerSettings(name: "Maker", host: broker.host, port: broker.port))
        func announce(_ name: String, _ set: String) async throws {
            try await maker.keep(
                "homeassistant/switch/\(name)/config",
                #"{"name":"\#(name)","uniq_id":"\#(name)","cmd_t":"\#(set)","stat_t":"\#(name)","avty_t":"gateway"}"#)
        }
        try await maker.keep("gateway", "online")
        for name in ["one", "two"] { try await announce(name, "\(name)/set") }
        try await poll("both are there") { try await tars("discover").lines.joined().contains("two") }
        for name in ["one", "two"] { #expect(try await tars("add", name, "--key", name).end == .exited(0)) }
        // Both have one topic for their gateway, which the broker had told before the second one came.
        try await poll("both are online") {
            let view = try await tars("status", "--json").lines.joined()
            return view.components(separatedBy: "\"online\"").count == 3
        }
        // A name is taken once, also later.
        let twice = try await tars("edit", "two", "--name", "One")
        #expect(twice.end == .exited(1) && twice.lines.joined().contains("already"), "\(twice.lines)")
        #expect(try await tars("edit", "two", "--name", "TWO").end == .exited(0), "its own name in other letters")
        // After an update of its maker a thing has another topic.
        try await announce("one", "new/one/set")
        try await poll("the new topic is used") {
            _ = try await tars("do", "one", "on", "--in", "1s")
            return maker.heard.items.contains("new/one/set")
        }
        await end(phone)
        await maker.end()
    }

    @Test func `a Shelly is asked what it has, taken in, and switched; one that does not answer is named`() async throws
    {
        let broker = try await Broker.start()
        let settings = BrokerSettings(name: "Test", host: broker.host, port: broker.port)
        let shelly = Shelly(settings)
        let running = Task { await shelly.run() }
        await shelly.isReady()
        let phone = try await phone("--broker", "\(broker.host):\(broker.port)")
        _ = try await phone.line(containing: "broker: connected")
        let silent = try await tars("discover", "--shelly", "kitchen/nothing")
        #expect(silent.lines.joined().contains("\"kitchen/nothing\" does not answer"), "\(silent.lines)")
        let wild = try await tars("discover", "--shelly", "kitchen/#")
        #expect(wild.lines.joined().contains("leave out + and #"), "\(wild.lines)")
        // It is asked for five seconds, in which a busy machine may not hear the answer.
        try await poll("the Shelly answers") {
            try await tars("discover", "--shelly", "boiler").lines.contains {
                $0.contains("shellyplus1-a8032abe54dc switch:0")
            }
        }
        #expect(
            try await tars("add", "Boiler", "--key", "shellyplus1-a8032abe54dc switch:0").end == .exited(0))
        // Its end depends on how soon the answer is heard, which a busy machine decides.
        _ = try await tars("do", "Boiler", "on")
        await shelly.calls.wait { $0.contains("Switch.Set") }
        try await poll("the home shows its state") {
            try await tars("status").lines.contains { $0.contains("Boiler  on") }
        }
        #expect(shelly.calls.items.filter { $0 == "Switch.Set" }.count == 1)
        await end(phone)
        running.cancel()
        await running.value
    }
}

/// What speaks for things of other makers: it announces them, and hears what they are told.
private final class Maker: Sendable {
    let heard = Recorder<String>()
    private let session: BrokerSession
    private let running: Task<Void, Never>

    init(_ settings: BrokerSettings) async throws {
        let statuses = Recorder<SessionStatus>()
        let session = settings.session(
            password: nil, clientIdentifier: "maker",
            onMessages: { [heard] messages in
                for message in messages { heard.record(message.topic.text) }
                return .acknowledge
            }, onStatus: statuses.record)
        session.want([try TopicFilter("+/set"), try TopicFilter("new/#")])
        self.session = session
        running = Task { await session.run() }
        await statuses.wait { all in if case .connected = all.last?.phase { true } else { false } }
    }

    /// Publishes what the broker keeps.
    func keep(_ topic: String, _ payload: String) async throws {
        try await session.publish(Array(payload.utf8), to: try TopicName(topic), isRetained: true)
    }

    func end() async {
        running.cancel()
        await running.value
    }
}

/// A device with the firmware of the second generation, as it answers on MQTT.
private final class Shelly: Sendable {
    let calls = Recorder<String>()
    private let statuses = Recorder<SessionStatus>()
    private let session: Awaited<BrokerSession?> = Awaited(nil)
    private let questions: AsyncStream<MQTT.Message>

    private struct Call: Codable {
        var id: Int
        var src: String
        var method: String
    }

    init(_ settings: BrokerSettings) {
        let (questions, source) = AsyncStream<MQTT.Message>.makeStream()
        self.questions = questions
        let made = settings.session(
            password: nil, clientIdentifier: "shelly",
            onMessages: { messages in
                for message in messages { source.yield(message) }
                return .acknowledge
            }, onStatus: statuses.record)
        if let filter = try? TopicFilter("boiler/rpc") { made.want([filter]) }
        session.change { $0 = made }
    }

    func isReady() async {
        await statuses.wait { all in if case .connected = all.last?.phase { true } else { false } }
    }

    func run() async {
        guard let session = session.value else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await session.run() }
            group.addTask { [questions] in
                for await message in questions { await self.answer(message, session) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func answer(_ message: MQTT.Message, _ session: BrokerSession) async {
        guard let call = try? JSONDecoder().decode(Call.self, from: Data(message.payload)) else { return }
        calls.record(call.method)
        let result =
            switch call.method {
            case "Shelly.GetDeviceInfo":
                #"{"name":"Boiler","id":"shellyplus1-a8032abe54dc","mac":"A8032ABE54DC","model":"SNSW-001X16EU","gen":2}"#
            case "Shelly.GetStatus": #"{"ble":{},"switch:0":{"id":0,"output":false},"wifi":{"rssi":-50}}"#
            default: #"{"was_on":false}"#
            }
        if call.method == "Switch.Set", let state = try? TopicName("boiler/status/switch:0") {
            let status = Array(#"{"id":0,"source":"MQTT","output":true}"#.utf8)
            try? await session.publish(status, to: state, isRetained: false)
        }
        let text = #"{"id":\#(call.id),"src":"shellyplus1-a8032abe54dc","dst":"\#(call.src)","result":\#(result)}"#
        guard let topic = try? TopicName("\(call.src)/rpc"), let online = try? TopicName("boiler/online") else {
            return
        }
        try? await session.publish(Array("true".utf8), to: online, isRetained: true)
        try? await session.publish(Array(text.utf8), to: topic, isRetained: false)
    }
}
