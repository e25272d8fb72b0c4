import Appliances
import Companion
import Foundation
import Peripherals
import TarsApp
import TarsModel
import TestSupport
import Testing
import Text

/// What stands on both links.
struct LinkTests {
    private let key = LinkKey(bytes: [UInt8](1...32))

    @Test func `a sealed command opens only with its key, for its device, and unchanged`() throws {
        let key = try #require(key)
        let (one, two) = (try Serial(short: "42A1"), try Serial(short: "42A2"))
        let sealed = key.seal(Array("press".utf8), for: one)
        #expect(key.open(sealed, for: one) == Array("press".utf8))
        #expect(key.open(sealed, for: two) == nil)
        #expect(LinkKey(bytes: [UInt8](2...33))?.open(sealed, for: one) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.open(changed, for: one) == nil, "byte \(index)")
        }
        #expect(LinkKey(bytes: [1, 2, 3]) == nil)
    }

    @Test func `topics are those of whole serial numbers`() throws {
        let topic = PeripheralTopic<TarsMaker>(try Serial(short: "42A1"), .set)
        #expect(topic.text == "tars/0042A1/set")
        #expect(PeripheralTopic<TarsMaker>("tars/0042A1/set") == topic)
        for text in ["tars/42a1/set", "tars/+/set", "tars/0042A1/other", "tars/0042A1", "x/0042A1/set", ""] {
            #expect(PeripheralTopic<TarsMaker>(text) == nil, "\(text)")
        }
    }

    @Test func `T36 a message that says two things, or nothing, is no order`() throws {
        let id = Appliances.Command.ID(high: 1, low: 1)
        var message = DeviceMessage(id, .on, until: Timestamp(milliseconds: 1))
        #expect(message.order == .act(.on))
        message.settings = DeviceSettings(mode: .switch)
        #expect(message.order == nil)
        message.action = nil
        #expect(message.order == .configure(DeviceSettings(mode: .switch)))
        message.settings = nil
        #expect(message.order == nil)
        message.action = "explode"
        #expect(message.order == nil)
    }

    @Test func `T26 a link runs a shortcut or shows the home, and nothing else`() {
        #expect(DeepLink("tars://run/Good%20night") == .run("Good night", within: nil))
        #expect(DeepLink("tars://run/a?in=5s") == .run("a", within: .seconds(5)))
        #expect(DeepLink("tars://show") == .show)
        let others = [
            "tars://run/", "tars://delete/Lamp", "http://run/Lamp", "tars://run/a?in=61s", "tars://run/a?x=5s",
            "tars://run/a?in=5s?in=6s", "tars://run/a/b",
            "tars://run/%FF",
            "tars://run/%2", "tars://show/", "TARS://run/a", "",
        ]
        for link in others { #expect(DeepLink(link) == nil, "\(link)") }
    }

    @Test func `A5 every command needs the grant to act`() {
        let command = WatchCommand(.run(.random()), until: Timestamp(milliseconds: 0))
        #expect(TarsApp.grant(toPerform: command) == "tars.actuate")
    }

    @Test func `words find the thing with the longest name, and say the nearest one`() throws {
        let lamp = try Appliance(id: .random(), name: "Lamp", kind: .switch, abilities: [.onOff], dialect: .tasmota)
        let long = try Appliance(
            id: .random(), name: "Lamp on desk", kind: .switch, abilities: [.onOff], dialect: .tasmota)
        let view = HomeView(
            madeAt: Timestamp(milliseconds: 0), things: [HomeView.Thing(lamp), HomeView.Thing(long)])
        #expect(try view.target(of: ["Lamp", "on"]) == .action(lamp.id, .on))
        #expect(try view.target(of: ["Lamp", "on", "desk", "off"]) == .action(long.id, .off))
        let near = #expect(throws: NameProblem.self) { try view.target(of: ["Lamb", "on"]) }
        #expect(near?.description.contains("did you mean `Lamp`?") == true)
        let unable = #expect(throws: NameProblem.self) { try view.target(of: ["Lamp", "lock"]) }
        #expect(unable?.description.contains("it can on, off") == true)
    }
}
