import Foundation
import PoolAlerts
import PoolModel
import PoolStore
import TestSupport
import Testing

@testable import PoolHub

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A hub that is killed while it processes an alert: between the reading, the record and the receiver.
@Suite(.timeLimit(.minutes(20))) struct AlertsKillTests {
    private let folder: TestHubFolder
    private var wasOnItsWay: String { folder.path + ".id" }

    init() throws { folder = try TestHubFolder() }

    /// The alerts that were raised according to the log of the hub's folder.
    private func logged() throws -> Set<String> {
        let events = try HubFolder(path: folder.path).history.alerts.events(limit: 100)
        return Set(try events.map { try CanonicalJSON.decode(AlertNotice.self, from: $0.json).id })
    }

    /// The notices that the hub's next run sends to a webhook about alerts from before.
    ///
    /// A value of a new quantity is passed in as well: its notice comes after all notices from before.
    private func sentByNextLife(until quantity: Quantity, _ value: Double) async throws -> [String] {
        let bench = try AlertsServiceTests.Bench(folder.path)
        bench.start()
        bench.measure(quantity, value)
        await bench.deliveries.wait { $0.contains { $0.channel == .webhook && $0.notice.key.quantity == quantity } }
        await bench.stop()
        let notices = bench.deliveries.items.filter { $0.channel == .webhook }.map(\.notice)
        return notices.filter { $0.key.quantity != quantity }.map(\.id)
    }

    @Test func `killed between storing alerts and sending them, the hub sends each at its start, with its id`()
        async throws
    {
        // V7
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, wasOnItsWay = wasOnItsWay as String] in
            let bench = try AlertsServiceTests.Bench(path) { notice, channel in
                guard channel == .webhook else { return }
                _ = FileManager.default.createFile(atPath: wasOnItsWay, contents: Data(notice.id.utf8))
                kill(getpid(), SIGKILL)
            }
            // Both are evaluated before the first one is sent.
            bench.measure(.ph, 9.1)
            bench.measure(.orp, 300)
            bench.start()
            await bench.deliveries.wait { $0.contains { $0.channel == .webhook } }
        }

        let raised = try logged()
        let interrupted = try String(contentsOfFile: wasOnItsWay, encoding: .utf8)
        #expect(raised.count == 2 && raised.contains(interrupted))
        let sent = try await sentByNextLife(until: .chlorine, 9)
        #expect(sent.sorted() == raised.sorted())
        #expect(try await sentByNextLife(until: .temperature, 44) == [], "what was delivered is not sent again")
    }

    @Test func `a reading that was stored but not judged when the hub was killed is judged at its start`()
        async throws
    {
        // P64
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let history = try HubFolder(path: path).history
            let moment = AlertsServiceTests.TurnedClocks().moment.wall
            let id = DeviceID(high: 1, low: 1)
            let reading = Reading(
                deviceID: id, values: [.ph: 9.1], sampledAt: moment, timeQuality: .device, receivedAt: moment)
            try history.record(Arrival(reading: reading, payloadHash: 1, delivery: nil)) { reading in
                var latest = DeviceReadings(deviceID: id)
                latest.absorb(reading)
                return latest
            }
            kill(getpid(), SIGKILL)
        }

        #expect(try logged() == [])
        let sent = try await sentByNextLife(until: .chlorine, 9)
        #expect(sent.count == 1)
        #expect(try Set(sent).isSubset(of: logged()))
    }
}
