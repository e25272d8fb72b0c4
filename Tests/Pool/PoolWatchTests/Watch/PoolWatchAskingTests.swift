import Platform
import SyncCore
import SyncTransport
import Testing

@testable import PoolModel
@testable import PoolWatch

/// The data for which `watch --once` waits.
@Suite struct PoolWatchAskingTests {
    @Test func `an answer of the hub is shown with the alerts of the same moment, never without them`() async throws {
        let readings = goodReadings(of: lagoon.id, order: 7)
        let hub = try TestHub { _ in
            .newest(
                NewestReply(
                    readings: readings, server: nil, connection: nil, revision: 1, muted: [], alertsOrder: 9,
                    now: wallClock()))
        }
        _ = try await hub.start()
        try await hub.configure(try sampleConfiguration())
        try hub.publish(readings)
        try hub.transport.publish(alerts([], order: 8))
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        await watch.waitForTemperature(25)

        // The values have arrived, but their consequences have not.
        let early = await watch.watch.askedGlance(clock: { "" }, patience: .milliseconds(300))
        guard case .glance(let glance) = early, case .kept = glance.source else {
            Issue.record("the hub answered for alerts that are not here: \(early)")
            return
        }

        let alert = AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 1), key: .fault(lagoon.id, nil), name: "Lagoon",
            severity: .warning, since: wallClock(), isAcknowledged: false)
        try hub.transport.publish(alerts([alert], order: 9))
        let answer = await watch.watch.askedGlance(clock: { "" }, patience: .seconds(3600))
        guard case .glance(let shown) = answer else {
            Issue.record("no glance: \(answer)")
            return
        }
        #expect(shown.source == .hub)
        #expect(shown.alerts.alerts == [alert])
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a day that the hub did not give is asked for again in the same link`() async throws {
        let asked = Lock(0)
        let hub = try TestHub { question in
            guard case .series(let device, let quantity, let first, let last, _) = question else {
                return .refused("not asked for")
            }
            let number = asked.withLock { count in
                count += 1
                return count
            }
            guard number > 1 else { return .refused("too busy") }
            let point = TimeSeries.Point(
                start: last.advanced(byMilliseconds: -60_000), least: 25, greatest: 25, mean: 25, rawMean: 25,
                isAfterGap: false)
            return .series(
                device,
                TimeSeries(
                    quantity: quantity, first: first, last: last, bucketMilliseconds: 900_000, points: [point]))
        }
        _ = try await hub.start()
        try await hub.configure(try sampleConfiguration())
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        await watch.waitForGlance { $0.gauges[0].history.contains(25) }
        #expect(asked.withLock(\.self) > 1)
        try await watch.stop()
        try await hub.stop()
    }

    private func alerts(_ alerts: [AlertState.Alert], order: UInt64) throws -> Register {
        Register(key: RegisterKey.alerts.text, order: order, value: try CanonicalJSON.encode(AlertState(alerts)))
    }
}
