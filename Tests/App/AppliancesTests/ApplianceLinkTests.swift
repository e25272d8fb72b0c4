import Testing
import Text

@testable import Appliances

@Suite struct ApplianceLinkTests {
    private func home(_ file: String = "tasmota-plug.json") throws -> Home<TasmotaBinding> {
        let found = TasmotaBinding.discover(
            topic: "tasmota/discovery/A4CF123F21A0/config", payload: try payload(file))
        return try Home(try #require(found.first), dialect: .tasmota)
    }

    private func bell() throws -> Home<HomeAssistantBinding> {
        let found = HomeAssistantReader.read(
            topic: "homeassistant/button/gate/ring/config", payload: try payload("esphome-button.json")
        ).found
        return try Home(try #require(found.first), dialect: .homeAssistant)
    }

    @Test func `T35 a message lives as long as its command, at least a second and at most a minute`() throws {
        var home = try home()
        for (left, seconds) in [(5000, 5), (5999, 5), (300, 1), (1, 1), (60_000, 60), (200_000, 60)]
            as [(Int64, UInt32)]
        {
            #expect(try home.send(.on, left: left).expirySeconds == seconds)
        }
    }

    @Test(arguments: [0, -1, -100_000] as [Int64])
    func `T35 what came too late is not sent`(left: Int64) throws {
        var home = try home()
        let refusal = #expect(throws: Unsendable.self) { try home.send(.on, left: left) }
        #expect(refusal?.status == .expired)
    }

    @Test func `T34 what may be done twice is sent at least once, all else at most once`()
        throws
    {
        var plug = try home()
        #expect(try plug.send(.on).qualityOfService == 1)
        #expect(try plug.send(.off).qualityOfService == 1)
        // Nothing is known of the state, so it goes out as a toggle.
        #expect(try plug.send(.toggle).qualityOfService == 0)
        var bell = try bell()
        #expect(try bell.send(.press(hold: nil)).qualityOfService == 0)
        for action in [Action.toggle, .press(hold: nil), .open, .program(try Program("push"))] {
            #expect(!action.isRepeatable)
        }
    }

    @Test func `a toggle is on or off while the state is known, and a toggle when it is too old`() throws {
        var home = try home()
        home.hear("stat/tasmota_3F21A0/POWER", "ON", at: 10)
        #expect(home.link.resolved(.toggle, at: later(39.9)) == .off)
        #expect(home.link.resolved(.toggle, at: later(40)) == .toggle)
        #expect(home.link.resolved(.on, at: later(12)) == .on)
        home.hear("tele/tasmota_3F21A0/LWT", "Offline", at: 12)
        #expect(home.link.resolved(.toggle, at: later(12)) == .toggle)
        #expect(!home.link.isStateKnown(at: later(12)))
    }

    @Test func `T36 nothing is sent for what the appliance cannot do`() throws {
        var home = try home()
        for action in [Action.level(40), .lock, .press(hold: nil), .position(3)] {
            let refusal = #expect(throws: Unsendable.self) { try home.send(action) }
            #expect(refusal?.status == .refused(.unsupported))
            #expect(refusal?.description.hasPrefix("\"Kettle\" cannot `\(action.text)`") == true)
        }
    }

    @Test func `a state confirms the command that it shows, and a state that was kept confirms none`() throws {
        var home = try home()
        _ = try home.send(.on)
        #expect(home.hear("stat/tasmota_3F21A0/POWER", "ON", isRetained: true) == [.state])
        #expect(home.hear("stat/tasmota_3F21A0/POWER", "OFF") == [.state])
        #expect(home.hear("stat/tasmota_3F21A0/POWER", "ON") == [.state, .confirmed(home.lastID)])
        #expect(home.hear("stat/tasmota_3F21A0/POWER", "ON") == [.state])
    }

    @Test func `what tells no state is never confirmed`() throws {
        #expect(try !bell().link.confirms(.press(hold: nil)))
        #expect(try home().link.confirms(.on))
    }

    @Test func `bytes that are no text change nothing`() throws {
        var home = try home()
        #expect(
            home.link.absorb(
                topic: "stat/tasmota_3F21A0/POWER", payload: [0xFF, 0xFE], isRetained: false, at: later(0)) == [])
        #expect(home.link.stateAt == nil)
    }
}
