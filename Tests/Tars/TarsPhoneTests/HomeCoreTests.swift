import Appliances
import Foundation
import Peripherals
import Primitives
import TarsModel
import TarsPhone
import TestSupport
import Testing
import Text

/// The phone's decisions, with the motors' movements as the oracle.
struct HomeCoreTests {
    @Test func `A1 ten thousand actions under loss, repeats and changes of the way move each motor at most once`()
        throws
    {
        let seed: UInt64 = 42
        var home = try SimulatedHome(deviceCount: 8, seed: seed)
        home.weather = SimulatedHome.Weather(loss: 0.2, doubling: 0.1)
        var life: [Appliances.Command.ID: Timestamp] = [:]
        for number in 0..<10_000 {
            if home.chance() < 0.05 {
                home.weather.hasShortLink = home.chance() < 0.6
                home.weather.hasBroker = home.chance() < 0.8
                home.settle()
            }
            let seconds = home.chance() < 0.1 ? 1.0 : 5.0
            let id = home.press(number % 8, within: .seconds(seconds))
            life[id] = home.wall.advanced(byMilliseconds: Int64(seconds * 1000))
            home.run(for: .milliseconds(40))
        }
        home.weather.hasShortLink = true
        home.weather.hasBroker = true
        home.settle()
        home.run(for: .seconds(20))

        var confirmed = 0
        for id in life.keys {
            let moves = home.moves(id)
            #expect(moves <= 1, "seed \(seed): \(id) moved \(moves) times")
            let status = try #require(home.statuses[id]?.last)
            switch status {
            case .confirmed:
                confirmed += 1
                #expect(moves == 1, "seed \(seed): \(id) is confirmed and moved \(moves) times")
            case .refused, .expired: #expect(moves == 0, "seed \(seed): \(id) is \(status) and moved")
            case .sent, .asked, .idle: Issue.record("seed \(seed): \(id) ends as \(status)")
            case .unconfirmed, .unknown: break
            }
        }
        // A2
        for (movement, at) in home.movements {
            let until = try #require(life[movement.id])
            #expect(at.nanoseconds / 1_000_000 <= until.milliseconds, "\(movement.id) moved too late")
        }
        #expect(confirmed > 5_000, "the links are not that bad")
        #expect(home.movements.contains { $0.movement.origin == .bridge })
        #expect(home.movements.contains { $0.movement.origin == .short })
    }

    @Test func `A1 ways break at ten thousand points right after the motor moved, and each command ends as it was`()
        throws
    {
        let seed: UInt64 = 37
        var home = try SimulatedHome(deviceCount: 4, seed: seed)
        home.weather.breaking = 1
        var ids: [Appliances.Command.ID] = []
        while home.breakCount < 10_000 {
            ids.append(home.press(ids.count % 4))
            home.run(for: .milliseconds(60) + .milliseconds(120) * home.chance())
        }
        home.weather.breaking = 0
        home.run(for: .seconds(20))

        #expect(Set(ids).count == ids.count)
        #expect(home.movements.count >= 10_000)
        for id in ids {
            let moves = home.moves(id)
            switch home.statuses[id]?.last {
            case .confirmed: #expect(moves == 1, "seed \(seed): \(id) is confirmed and moved \(moves) times")
            case .refused, .expired: #expect(moves == 0, "seed \(seed): \(id) is refused and moved \(moves) times")
            case let status:
                Issue.record(
                    """
                    seed \(seed): \(id), number \(ids.firstIndex(of: id) ?? 0) of \(ids.count), stays \
                    \(String(describing: status)) after \(home.statuses[id] ?? []), with \(moves) movements
                    """)
            }
        }
        #expect(home.movements.contains { $0.movement.origin == .bridge })
        #expect(home.movements.contains { $0.movement.origin == .short })
    }

    @Test func `A7 without an answer of the bridge a command is settled before its time is over`() throws {
        var home = try SimulatedHome(deviceCount: 1, seed: 1)
        home.weather.hasShortLink = false
        home.settle()
        // The bridge dies with the command, and its will comes later.
        home.weather.loss = 1
        let id = home.press(0, within: .seconds(5))
        home.run(for: .milliseconds(4900))
        #expect(home.statuses[id]?.last == .unconfirmed)
        home.handle(.message(topic: "tars/H000001/status", payload: Array("offline".utf8), isRetained: false))
        let next = home.press(0)
        #expect(home.statuses[next] == [.refused(.hubOffline)])
        #expect(home.movements.isEmpty)
    }

    @Test func `A2 a broker of MQTT 3.1.1 keeps no command for a device that is not known to be there`() throws {
        var core = HomeCore(seed: 1)
        let kettle = try Appliance(
            id: Appliance.ID(high: 1, low: 9), name: "Kettle", kind: .switch, abilities: [.onOff], dialect: .tasmota)
        core.use([], [ForeignAppliance(appliance: kettle, binding: .tasmota(try TasmotaBinding(topic: "kettle")))])
        let now = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)
        func act(_ number: UInt64) -> [ControlOutput] {
            let command = Appliances.Command(
                id: .init(high: 1, low: number), appliance: kettle.id, action: .on, until: Timestamp(milliseconds: 5000)
            )
            core.handle(.act(command), at: now)
            var outputs: [ControlOutput] = []
            while let output = core.nextOutput() {
                if case .control(let output) = output, output != .changed { outputs.append(output) }
            }
            return outputs
        }
        func hear(_ word: String) {
            core.handle(.message(topic: "tele/kettle/LWT", payload: Array(word.utf8), isRetained: true), at: now)
        }
        core.handle(.broker(BrokerReach(isConnected: true, messagesExpire: false)), at: now)
        #expect(act(1) == [.status(.init(high: 1, low: 1), .refused(.presenceUnknown))])
        hear("Offline")
        #expect(act(2) == [.status(.init(high: 1, low: 2), .refused(.deviceOffline))])
        hear("Online")
        // At most once: a broker keeps nothing of that for a device that is just gone.
        let sent = ControlOutput.publish(
            topic: "cmnd/kettle/POWER", Array("ON".utf8), mayRepeat: false, expirySeconds: 5)
        #expect(act(3) == [sent, .status(.init(high: 1, low: 3), .sent)])
        core.handle(.broker(BrokerReach(isConnected: true, messagesExpire: true)), at: now)
        let lasting = ControlOutput.publish(
            topic: "cmnd/kettle/POWER", Array("ON".utf8), mayRepeat: true, expirySeconds: 5)
        #expect(act(4) == [lasting, .status(.init(high: 1, low: 4), .sent)])
    }

    @Test func `T17 T48 the short link acts without a broker, and the bridge without the short link`() throws {
        for (hasShortLink, origin) in [(true, Movement.Origin.short), (false, .bridge)] {
            var home = try SimulatedHome(deviceCount: 1, seed: 1)
            home.weather.hasShortLink = hasShortLink
            home.weather.hasBroker = !hasShortLink
            home.settle()
            let id = home.press(0)
            home.run(for: .seconds(1))
            #expect(home.movements.map(\.movement.origin) == [origin])
            guard case .confirmed = home.statuses[id]?.last else {
                Issue.record("\(String(describing: home.statuses[id]))")
                continue
            }
        }
    }

    @Test func `T35 T41 without a way nothing is sent, and the reason says why`() throws {
        var home = try SimulatedHome(deviceCount: 1, seed: 1)
        home.weather.hasShortLink = false
        home.weather.hasBroker = false
        home.settle()
        var id = home.press(0)
        #expect(home.statuses[id] == [.refused(.brokerOffline)])
        home.handle(.broker(BrokerReach(isConnected: true, messagesExpire: true)))
        id = home.press(0)
        #expect(home.statuses[id] == [.refused(.hubOffline)])
        home.weather.hasBroker = true
        home.settle()
        home.run(for: .seconds(10))
        #expect(home.movements.isEmpty, "nothing was queued")
        #expect(home.published.isEmpty)
    }

    @Test func `T36 what a device cannot do, and what is nobody's, is refused before anything is sent`() throws {
        var home = try SimulatedHome(deviceCount: 1, seed: 1)
        for action in [Action.level(40), .on, .lock, .press(hold: .seconds(656))] {
            let id = Appliances.Command.ID(high: 2, low: UInt64(home.statuses.count))
            home.ask(id, action, of: 0)
            #expect(home.statuses[id] == [.refused(.unsupported)], "\(action)")
        }
        let stranger = Appliances.Command.ID(high: 3, low: 1)
        home.handle(
            .act(
                Appliances.Command(
                    id: stranger, appliance: Appliance.ID(high: 9, low: 9), action: .on,
                    until: home.wall.advanced(byMilliseconds: 5000))))
        #expect(home.statuses[stranger] == [.refused(.unsupported)])
        home.run(for: .seconds(2))
        #expect(home.movements.isEmpty && home.published.isEmpty)
    }

    @Test func `A2 a command whose time is over is expired at once`() throws {
        var home = try SimulatedHome(deviceCount: 1, seed: 1)
        let id = home.press(0, within: .zero)
        #expect(home.statuses[id] == [.expired])
        home.run(for: .seconds(2))
        #expect(home.movements.isEmpty)
    }

    @Test func `T34 the same id again changes nothing, while it is under way and afterwards`() throws {
        var home = try SimulatedHome(deviceCount: 1, seed: 1)
        let id = home.press(0)
        home.ask(id, .press(hold: nil), of: 0)
        home.run(for: .seconds(1))
        home.ask(id, .press(hold: nil), of: 0)
        home.run(for: .seconds(1))
        #expect(home.moves(id) == 1)
    }

    @Test func `the answer of another device, and a retained one, confirm nothing`() throws {
        var home = try SimulatedHome(deviceCount: 2, seed: 1)
        home.weather.loss = 1
        let id = home.press(0)
        let done = CanonicalJSON.bytes(ofEncodable: Acknowledgement(id, .done))
        let (own, other) = (home.devices[0].serial, home.devices[1].serial)
        home.handle(.reply(other, .acknowledgement(Data(done))))
        home.handle(.message(topic: PeripheralTopic<TarsMaker>(other, .ack).text, payload: done, isRetained: false))
        home.handle(.message(topic: PeripheralTopic<TarsMaker>(own, .ack).text, payload: done, isRetained: true))
        #expect(home.statuses[id] == [.sent])
        home.handle(.message(topic: PeripheralTopic<TarsMaker>(own, .ack).text, payload: done, isRetained: false))
        guard case .confirmed = home.statuses[id]?.last else {
            Issue.record("its own answer confirms it")
            return
        }
    }

    @Test func `the broker forgets a command when the command's time is over`() throws {
        var home = try SimulatedHome(deviceCount: 1, seed: 1)
        home.weather.hasShortLink = false
        home.settle()
        _ = home.press(0, within: .milliseconds(2500))
        _ = home.press(0, within: .milliseconds(900))
        #expect(home.published.map(\.expirySeconds) == [3, 1])
    }

    @Test func `a thirty-third command under way is busy`() throws {
        var home = try SimulatedHome(deviceCount: 1, seed: 1)
        home.weather.loss = 1
        let ids = (0...HomeCore.Devices.underWayMax).map { _ in home.press(0) }
        #expect(home.statuses[ids[31]] == [.sent])
        #expect(home.statuses[ids[32]] == [.refused(.busy)])
    }
}
