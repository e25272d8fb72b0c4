import Appliances
import Peripherals
import Testing
import Text

@Suite struct RouteTests {
    private static let now = Instant(nanoseconds: 60_000_000_000)

    private static func seen(_ secondsAgo: Double, _ rssi: Int) -> Surroundings.Sighting {
        .init(at: Instant(nanoseconds: now.nanoseconds - Int64(secondsAgo * 1e9)), rssi: rssi)
    }

    @Test(
        arguments: [
            (
                "near", .own, .init(sighting: seen(0.5, -62), broker: .init(isConnected: true), bridge: .online),
                .shortLink
            ),
            (
                "T48 near, and no network", .own, .init(sighting: seen(0.5, -62), broker: .init(isConnected: false)),
                .shortLink
            ),
            ("just near enough", .own, .init(sighting: seen(3, -85), broker: .init(isConnected: false)), .shortLink),
            (
                "too weak, hub", .own, .init(sighting: seen(1, -86), broker: .init(isConnected: true), bridge: .online),
                .broker
            ),
            (
                "too old, hub", .own,
                .init(sighting: seen(3.1, -60), broker: .init(isConnected: true), bridge: .online), .broker
            ),
            ("never heard, hub", .own, .init(broker: .init(isConnected: true), bridge: .online), .broker),
            (
                "never heard, hub off", .own, .init(broker: .init(isConnected: true), bridge: .offline),
                .refused(.hubOffline)
            ),
            ("never heard, no hub", .own, .init(broker: .init(isConnected: true)), .refused(.hubOffline)),
            ("no network", .own, .init(broker: .init(isConnected: false), bridge: .online), .refused(.brokerOffline)),
            (
                "hub, device off", .own, .init(broker: .init(isConnected: true), bridge: .online, device: .offline),
                .refused(.deviceOffline)
            ),
            ("foreign", .tasmota, .init(broker: .init(isConnected: true)), .broker),
            (
                "foreign, off", .shelly, .init(broker: .init(isConnected: true), device: .offline),
                .refused(.deviceOffline)
            ),
            (
                "a foreign device has no short link", .homeAssistant,
                .init(sighting: seen(0, -40), broker: .init(isConnected: false)), .refused(.brokerOffline)
            ),
            (
                "T35 messages do not expire, and nobody knows", .tasmota,
                .init(broker: .init(isConnected: true, messagesExpire: false)), .refused(.presenceUnknown)
            ),
            (
                "messages do not expire, and it is there", .tasmota,
                .init(broker: .init(isConnected: true, messagesExpire: false), device: .online), .broker
            ),
        ] as [(String, Dialect, Surroundings, Route)])
    func `T18 T22 T48 the way follows from what is known`(
        situation: String, dialect: Dialect, surroundings: Surroundings, route: Route
    ) {
        #expect(surroundings.route(dialect, at: Self.now) == route)
    }

    private static let near = Surroundings(sighting: seen(0, -50), broker: .init(isConnected: true), bridge: .online)

    @Test func `T42 a busy device is asked three more times, each wait about twice the last`() {
        for seed in 0..<50 as Range<UInt64> {
            var delivery = Delivery(expires: Self.now.advanced(by: .seconds(5)), seed: seed)
            var now = Self.now
            for wait in [200.0, 400, 800] {
                delivery.handle(.go(near(at: now)), at: now)
                #expect(delivery.nextOutput() == .send(.shortLink))
                delivery.handle(.answered(.refused(.busy)), at: now)
                guard case .wait(let until)? = delivery.nextOutput() else {
                    Issue.record("no wait")
                    return
                }
                let waited = now.duration(to: until) / .milliseconds(1)
                #expect((wait * 0.75...wait * 1.25).contains(waited))
                now = until
            }
            delivery.handle(.go(near(at: now)), at: now)
            #expect(delivery.nextOutput() == .send(.shortLink))
            delivery.handle(.answered(.refused(.busy)), at: now)
            #expect(delivery.nextOutput() == .end(.refused(.busy)))
            delivery.handle(.go(near(at: now)), at: now)
            #expect(delivery.nextOutput() == nil)
        }
    }

    @Test func `T42 the waits of two seeds differ, and never pass the end of the command`() {
        func wait(_ seed: UInt64, timeToLive: Duration) -> Delivery.Output? {
            var delivery = Delivery(expires: Self.now.advanced(by: timeToLive), seed: seed)
            delivery.handle(.go(Self.near), at: Self.now)
            _ = delivery.nextOutput()
            delivery.handle(.answered(.refused(.busy)), at: Self.now)
            return delivery.nextOutput()
        }
        #expect(wait(1, timeToLive: .seconds(5)) != wait(2, timeToLive: .seconds(5)))
        #expect(wait(1, timeToLive: .milliseconds(100)) == .end(.refused(.busy)))
    }

    @Test func `T18 an ambiguous write goes on by MQTT, and without a hub its end is unknown`() {
        var delivery = Delivery(expires: Self.now.advanced(by: .seconds(5)), seed: 1)
        delivery.handle(.go(Self.near), at: Self.now)
        #expect(delivery.nextOutput() == .send(.shortLink))
        delivery.handle(.ambiguous(Self.near), at: Self.now)
        #expect(delivery.nextOutput() == .send(.broker))
        delivery.handle(.answered(.done), at: Self.now)
        #expect(delivery.nextOutput() == .end(nil))

        var alone = Delivery(expires: Self.now.advanced(by: .seconds(5)), seed: 1)
        alone.handle(.go(Self.near), at: Self.now)
        _ = alone.nextOutput()
        alone.handle(.ambiguous(.init(broker: .init(isConnected: false))), at: Self.now)
        #expect(alone.nextOutput() == .end(.unknown))
    }

    @Test func `T35 a command that waited too long is not sent`() {
        var delivery = Delivery(expires: Self.now, seed: 1)
        delivery.handle(.go(Self.near), at: Self.now)
        #expect(delivery.nextOutput() == .end(.expired))
        #expect(delivery.nextOutput() == nil)
    }

    private func near(at now: Instant) -> Surroundings {
        Surroundings(sighting: .init(at: now, rssi: -50), broker: .init(isConnected: true), bridge: .online)
    }
}
