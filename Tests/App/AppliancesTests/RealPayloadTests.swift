import Testing
import Text

@testable import Appliances

/// What programs and devices of other makers publish, from the announcement to the outcome of a command.
@Suite struct RealPayloadTests {
    @Test(arguments: RealPayload.homeAssistant + RealPayload.homeAssistantLights)
    func `what announces itself to Home Assistant is taken for what it is, acted on and believed`(
        _ one: RealPayload
    ) throws {
        let read = HomeAssistantReader.read(topic: one.topic, payload: Array(one.payload.utf8))
        try one.check(read.found, left: read.left, dialect: .homeAssistant)
    }

    @Test(arguments: RealPayload.tasmota)
    func `what Tasmota announces is taken for what it is, acted on and believed`(_ one: RealPayload) throws {
        let found = TasmotaBinding.discover(topic: one.topic, payload: Array(one.payload.utf8))
        try one.check(found, left: [], dialect: .tasmota)
    }

    @Test(arguments: RealPayload.shelly)
    func `what a Shelly has is taken for what it is, acted on and believed`(_ one: RealPayload) throws {
        let info = #"{"id":1,"src":"shelly-1","result":{"name":"S","id":"shelly-1","gen":3,"app":"X"}}"#
        let found = try ShellyBinding(prefix: one.topic, hub: "h").discover(
            info: Array(info.utf8), status: Array(#"{"id":2,"src":"shelly-1","result":\#(one.payload)}"#.utf8))
        try one.check(found, left: [], dialect: .shelly)
    }

    @Test func `an announcement says in words what of it is not followed`() throws {
        let read = HomeAssistantReader.read(
            topic: "homeassistant/lock/x/config",
            payload: Array(
                #"{"name":"Door","cmd_t":"d/set","cmd_tpl":"{\"a\":\"{{ value }}\",\"code\":\"{{ code }}\"}","stat_t":"d"}"#
                    .utf8))
        #expect(
            read.found.first?.notes == [
                "`command_template` is not followed: it is neither a constant nor constant text around the value"
            ])
        #expect(read.found.first?.abilities == [])
        let probe = HomeAssistantReader.read(
            topic: "homeassistant/sensor/x/config",
            payload: Array(#"{"name":"Probe","stat_t":"p","val_tpl":"{{ value_json.t / 10 }}"}"#.utf8))
        #expect(probe.left == ["\"Probe\": `value_template` is not followed: it computes"])
    }

    @Test(arguments: ["-1", "0", "\"nan\"", "\"inf\"", "1e400"])
    func `an impossible range crashes nothing`(scale: String) throws {
        for key in ["brightness_scale", "position_open", "max", "min", "speed_range_max"] {
            for component in ["light", "cover", "number", "fan", "valve"] {
                let text =
                    #"{"schema":"json","brightness":true,"reports_position":true,"\#(key)":\#(scale),"command_topic":"x/set","#
                    + #""state_topic":"x","position_topic":"x","set_position_topic":"x/set","percentage_command_topic":"x/p","#
                    + #""percentage_state_topic":"x"}"#
                let read = HomeAssistantReader.read(
                    topic: "homeassistant/\(component)/x/config", payload: Array(text.utf8))
                guard let found = read.found.first else { continue }
                var home = try Home(found, dialect: .homeAssistant)
                for action in [Action.level(40), .position(40), .number(3), .on] { _ = try? home.send(action) }
                for word in ["3", "-3", "nan", #"{"state":"ON","brightness":3,"position":3}"#] { home.hear("x", word) }
            }
        }
    }
}

/// A payload as it is published, what it is taken for, and what becomes of commands and messages.
struct RealPayload: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
        /// Goes on with another one of what was found.
        case take(Int)
        /// An action, and the topic and payload that go out for it, or `✗` and the sentence of its refusal.
        case sends(String, String)
        /// A message, and then the state, the presence, and `✓` or `✗` if it ends the command that was sent last.
        case hears(String, String, String)
    }

    /// The program or device, and what is special.
    let source: String
    /// Where it announces itself; of a Shelly its prefix.
    let topic: String
    /// The announcement; of a Shelly its status.
    let payload: String
    /// The name, the kind and the verbs of all that is found; what is left out, after `✗`.
    let things: [String]
    let steps: [Step]

    var testDescription: String { source }

    init(_ source: String, _ topic: String, _ payload: String, _ things: [String], _ steps: [Step] = []) {
        self.source = source
        self.topic = topic
        self.payload = payload
        self.things = things
        self.steps = steps
    }

    /// Compares what a dialect makes of it.
    func check<Bound>(_ found: [Discovery<Bound>], left: [String], dialect: Dialect) throws {
        let words = found.map { one in
            "\(one.name) · \(one.kind.rawValue) · \(one.abilities.map(\.words).joined(separator: ", "))"
        }
        #expect(words + left.map { "✗ \($0)" } == things)
        guard let first = found.first else { return }
        var home = try Home(first, dialect: dialect)
        var last = Action.on
        var number: String { "\(CommandReference.number(of: home.lastID))" }
        for step in steps {
            switch step {
            case .take(let index): home = try Home(try #require(found.dropFirst(index).first), dialect: dialect)
            case .sends(let text, let expected):
                last = try Action(text)
                var sent: String
                do {
                    let message = try home.send(last)
                    sent =
                        "\(message.topic) \(message.payload.replacing(#""id":\#(number)"#, with: #""id":N"#, maxReplacements: 1))"
                } catch {
                    sent = "✗ \(error)"
                }
                #expect(sent == expected, "\(text)")
            case .hears(let topic, let text, let expected):
                let changes = home.hear(topic, text.replacing(#""id":N"#, with: #""id":\#(number)"#))
                var heard = "\(home.link.state.words ?? "–") \(home.link.presence)"
                for change in changes {
                    switch change {
                    case .confirmed(home.lastID) where home.link.confirms(last): heard += " ✓"
                    case .denied(home.lastID, let status): heard += " ✗ \(status.text)"
                    case .state, .confirmed, .denied: break
                    }
                }
                #expect(heard == expected, "\(topic) \(text)")
            }
        }
    }
}
