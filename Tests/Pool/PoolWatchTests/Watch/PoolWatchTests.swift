import PoolModel
import SyncCore
import SyncTransport
import Testing
import ZeroMQ

@testable import PoolWatch

@Suite struct PoolWatchTests {
    @Test func `P100 to P104, P107 a paired watch gets configuration and readings, and they age`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        try await hub.configure(try sampleConfiguration())
        try hub.publish(goodReadings(of: lagoon.id, order: 1, temperature: 25))
        await watch.waitForLink()
        await watch.waitForGlance { $0.deviceName == "Lagoon" && $0.gauges[0].value == 25 }

        var glance = watch.glance
        #expect(glance.freshness == .live)
        #expect(Headline(glance) == .judged(.normal))
        #expect(glance.gauges.map(\.value) == [25, 7.2, 2, 700])
        #expect(glance.revision == watch.watch.status.revision)
        #expect(glance.clock == "10:09")
        #expect(watch.watch.hub?.endpoint == endpoint)

        watch.clock.pass(seconds: 200)
        glance = watch.glance
        #expect(glance.freshness == .stale)
        #expect(Headline(glance).label != "normal", "a value that is not fresh is not judged")
        #expect(glance.gauges[0].value == 25)

        watch.clock.pass(seconds: 2000)
        #expect(watch.glance.freshness == .offline)

        try hub.publish(goodReadings(of: lagoon.id, order: 2, temperature: 26))
        await watch.waitForTemperature(26)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a lost link is said with its seconds, and values age on`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        try await hub.configure(try sampleConfiguration())
        try hub.publish(goodReadings(of: lagoon.id, order: 1))
        await watch.waitForLink()
        await watch.waitForTemperature(25)

        try await hub.stop()
        await watch.waitForGlance { if case .lost = $0.link { true } else { false } }
        #expect(watch.glance.freshness == .live, "the value itself is still of now")
        #expect(!watch.watch.status.isLinked)
        watch.clock.pass(seconds: 2000)

        let glance = watch.glance
        guard case .lost(let seconds) = glance.link else {
            Issue.record("\(glance.link)")
            return
        }
        #expect(seconds >= 2000)
        #expect(glance.freshness == .offline)
        #expect(try #require(glance.ageSeconds) >= 2000)
        try await watch.stop()
    }

    @Test func `a watch says "You can swim" only while the hub answers and has told it of the doses`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        let garden = Pool(id: PoolID(high: 0x3333_0000_0000_0000, low: 1), name: "Garden")
        var device = lagoon
        device.poolID = garden.id
        // The values stay fresh, however long the test takes.
        device.expectedIntervalSeconds = Device.intervalRange.upperBound
        try await hub.configure(
            try PoolConfiguration().adding(home).adding(garden).adding(device).selecting(device: device.id))
        try hub.publish(goodReadings(of: lagoon.id, order: 1))
        await watch.waitForLink()
        await watch.waitForTemperature(25)
        #expect(watch.glance.sentence() == "All is in range, but what was added is not known here.")

        func publish(_ care: PoolCare?, order: UInt64) throws {
            let value = try CanonicalJSON.encode(PoolCareReport(care: care))
            try hub.transport.publish(Register(key: RegisterKey.pool(garden.id).text, order: order, value: value))
        }
        try publish(PoolCare(poolID: garden.id), order: 1)
        await watch.waitForGlance { $0.sentence() == "You can swim." }
        let end = wallClock().advanced(byMilliseconds: 3_600_000 - 30_000)
        try publish(PoolCare(poolID: garden.id, acting: PoolCare.Acting(.dichlor, until: end)), order: 2)
        await watch.waitForGlance { $0.sentence().hasSuffix("before you swim: dichlor was added.") }
        try publish(nil, order: 3)
        await watch.waitForGlance { $0.sentence().hasPrefix("All is in range, but") }
        try publish(PoolCare(poolID: garden.id), order: 4)
        await watch.waitForGlance { $0.sentence() == "You can swim." }

        try await hub.stop()
        await watch.waitForGlance { if case .lost = $0.link { true } else { false } }
        #expect(watch.glance.freshness == .live && watch.glance.sentence().hasPrefix("No link to the hub"))
        try await watch.stop()
    }

    @Test func `P109 P112 after a restart without a hub the cached values keep their age`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let first = try await place.start()
        try await hub.configure(try sampleConfiguration())
        let sampledAt = wallClock().advanced(byMilliseconds: -100_000)
        try hub.publish(goodReadings(of: lagoon.id, order: 4, sampledAt: sampledAt))
        await first.waitForGlance { $0.deviceName == "Lagoon" && $0.gauges[0].value == 25 }
        let revision = first.watch.status.revision
        try await first.stop()
        try await hub.stop()

        let clock = TurnedClock()
        clock.pass(seconds: 3600)
        let second = try await place.start(clock: clock)
        await second.waitForGlance { glance in
            guard case .connecting(let words) = glance.link else { return false }
            return words == "the hub: nothing answers at \(endpoint.text); is the hub running?"
        }

        let glance = second.glance
        #expect(glance.deviceName == "Lagoon")
        #expect(glance.gauges.map(\.value) == [25, 7.2, 2, 700])
        #expect(glance.freshness == .offline)
        #expect(try #require(glance.ageSeconds) >= 3700)
        #expect(glance.revision == revision)
        #expect(glance.gauges[0].history.contains(25))
        let status = second.watch.status
        #expect(status.receivedCount == 0)
        #expect(status.devices.map(\.newestOrder) == [4])
        try await second.stop()
    }

    @Test func `ages count on the hub's clock, however wrong the watch's own clock is`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let clock = TurnedClock()
        clock.setWallClock(aheadBySeconds: 86_400)
        let watch = try await place.start(clock: clock)
        try await hub.configure(try sampleConfiguration())
        try hub.publish(goodReadings(of: lagoon.id, order: 1))
        await watch.waitForLink()
        await watch.waitForTemperature(25)
        #expect(watch.glance.freshness == .live)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `P12 X18 values that a broker replayed without a time are never live`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        try await hub.configure(try sampleConfiguration())
        try hub.publish(goodReadings(of: lagoon.id, order: 1, sampledAt: .some(nil)))
        await watch.waitForTemperature(25)

        let glance = watch.glance
        #expect(glance.freshness == .lastKnown)
        #expect(Headline(glance).label == "offline")
        #expect(glance.gauges.allSatisfy { $0.freshness == .lastKnown && $0.ageSeconds == nil })
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `older readings never replace newer ones, also across a restart of the hub`() async throws {
        let hub = try TestHub()
        let endpoint = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        try await hub.configure(try sampleConfiguration())
        try hub.publish(goodReadings(of: lagoon.id, order: 7, temperature: 27))
        await watch.waitForTemperature(27)
        try await hub.stop()
        _ = try await hub.start(at: endpoint.text)

        try hub.publish(goodReadings(of: lagoon.id, order: 3, temperature: 23))
        // Registers arrive in order: when this one has arrived, the previous one was handled.
        try hub.publish(goodReadings(of: spa.id, order: 1))
        await watch.wait { $0.status.devices.contains { $0.id == spa.id } }

        #expect(watch.glance.gauges[0].value == 27)
        #expect(watch.watch.status.devices.first { $0.id == lagoon.id }?.receivedCount == 1)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `X12 deselecting and deleting reach the face`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        let full = try sampleConfiguration()
        try await hub.configure(full)
        try hub.publish(goodReadings(of: lagoon.id, order: 1))
        await watch.waitForGlance { $0.deviceName == "Lagoon" && $0.gauges[0].value == 25 }

        try await hub.configure(full.selectingNothing())
        await watch.waitForGlance { $0.deviceName == nil }
        #expect(watch.glance.gauges.allSatisfy { $0.value == nil && $0.freshness == .never })
        #expect(watch.watch.choice == .noneSelected(known: ["Lagoon", "Spa"]))

        try await hub.configure(try full.removing(device: lagoon.id).selecting(device: spa.id))
        await watch.waitForGlance { $0.deviceName == "Spa" }
        #expect(watch.glance.gauges[0].value == nil)
        #expect(watch.watch.configuration.devices.map(\.name) == ["Spa"])
        #expect(watch.watch.status.devices.map(\.receivedCount) == [1], "the count of this life stays")
        try await watch.stop()
        try await hub.stop()
        let next = try await place.start()
        #expect(next.watch.status.devices == [], "the next life knows nothing of a device that is gone")
        try await next.stop()
    }

    @Test func `a device that was asked for is shown whatever is selected`() async throws {
        let hub = try TestHub()
        _ = try await hub.start()
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start(device: "spa")
        #expect(watch.watch.choice == .noConfiguration)
        try await hub.configure(try sampleConfiguration())
        try hub.publish(goodReadings(of: lagoon.id, order: 1, temperature: 21))
        try hub.publish(goodReadings(of: spa.id, order: 1, temperature: 36))
        await watch.waitForGlance { $0.deviceName == "Spa" && $0.gauges[0].value == 36 }

        try await hub.configure(try sampleConfiguration().removing(device: spa.id))
        await watch.waitForGlance { $0.deviceName == nil }
        #expect(watch.watch.choice == .notFound(.notFound(.device, "spa", known: ["Lagoon"])))
        try await watch.stop()
        try await hub.stop()
    }
}
