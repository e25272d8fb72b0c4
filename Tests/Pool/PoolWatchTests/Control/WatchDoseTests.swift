import Logging
import PoolModel
import SyncCore
import TestSupport
import Testing

@testable import PoolWatch

/// Doses that are logged at a watch, with its hub and without.
@Suite(.timeLimit(.minutes(20))) struct WatchDoseTests {
    private static let garden = Pool(id: PoolID(high: 3, low: 1), name: "Garden", volume: 48)

    /// A running watch that has the configuration.
    private func running() async throws -> (place: TestPlace, hub: TestHub, watch: TestWatch) {
        let hub = try TestHub()
        _ = try await hub.start()
        try await hub.configure(try sampleConfiguration().adding(Self.garden))
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        await watch.wait { $0.configuration.pools.count == 1 }
        return (place, hub, watch)
    }

    private func dose(_ number: UInt64, at moment: Timestamp, amount: Double = 100) -> Dose {
        Dose(
            id: DoseID(high: 7, low: number), poolID: Self.garden.id, product: .dichlor, amount: amount, unit: .grams,
            at: moment, author: "")
    }

    /// The dose in a payload of user info.
    private static func dose(in payload: [UInt8]) throws -> Dose {
        guard case .dictionary(let members) = try PropertyList(decoding: payload),
            case .string(let json)? = members["dose"], members.count == 1
        else { throw Missing() }
        return try CanonicalJSON.decode(Dose.self, from: Array(json.utf8))
    }

    @Test func `a running watch sends a dose to its hub, once`() async throws {
        // V21
        let (place, hub, watch) = try await running()
        let dose = dose(1, at: watch.watch.hubTime)

        for _ in 0..<2 {
            guard case .queuedDose(dose, pool: "Garden") = try await WatchClient.perform(.dose(dose), path: place.path)
            else { throw Missing() }
        }
        #expect(await watch.watch.obstacle(toDose: dose.id, patience: .seconds(600)) == nil)
        let other = self.dose(2, at: watch.watch.hubTime)
        _ = try await watch.watch.perform(.dose(other))
        await hub.userInfo.wait { $0.count >= 2 }

        // In order, and the first one once though it was logged twice.
        #expect(try hub.userInfo.items.map { try Self.dose(in: $0) } == [dose, other])
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a dose at rest is on the disk, and reaches the hub when the watch runs`() async throws {
        // V21
        let (place, hub, watch) = try await running()
        let now = watch.watch.hubTime
        try await watch.stop()
        let doses = (1...3).map { dose($0, at: now) }
        for dose in doses + [doses[0]] {
            guard case .queuedDose(dose, pool: "Garden") = try await WatchClient.perform(.dose(dose), path: place.path)
            else { throw Missing() }
        }
        #expect(hub.userInfo.items.isEmpty)

        let again = try await place.start()
        await hub.userInfo.wait { $0.count >= 3 }
        #expect(await again.watch.obstacle(toDose: doses[2].id, patience: .seconds(600)) == nil)

        #expect(try hub.userInfo.items.map { try Self.dose(in: $0) } == doses)
        try await again.stop()
        try await hub.stop()
    }

    @Test func `without a hub a dose waits, and it is said for what`() async throws {
        let (_, hub, watch) = try await running()
        try await hub.stop()
        let dose = dose(1, at: watch.watch.hubTime)
        guard case .queuedDose = try await watch.watch.perform(.dose(dose)) else { throw Missing() }
        #expect(await watch.watch.obstacle(toDose: dose.id, patience: .milliseconds(50)) != nil)
        // A dose that never was is nothing to wait for.
        #expect(await watch.watch.obstacle(toDose: DoseID(high: 0, low: 0), patience: .seconds(600)) == nil)
        try await watch.stop()
    }

    @Test func `a dose that cannot be is refused, and nothing is queued`() async throws {
        let (place, hub, watch) = try await running()
        let now = watch.watch.hubTime
        let negative = try await WatchClient.perform(.dose(dose(1, at: now, amount: -1)), path: place.path)
        guard case .refused = negative else { throw Missing() }
        var foreign = dose(2, at: now)
        foreign.poolID = PoolID(high: 9, low: 9)
        await #expect(throws: ConfigurationError.self) { try await watch.watch.perform(.dose(foreign)) }
        await #expect(throws: DoseError.self) {
            try await watch.watch.perform(.dose(self.dose(3, at: now.advanced(byMilliseconds: 86_400_000))))
        }
        try await watch.stop()
        await #expect(throws: ConfigurationError.self) {
            try await WatchClient.perform(.dose(foreign), path: place.path)
        }
        #expect(hub.userInfo.items.isEmpty)
        try await hub.stop()

        let unpaired = try TestPlace()
        _ = try WatchFolder(path: unpaired.path)
        await #expect(throws: WatchClient.Failure.self) {
            try await WatchClient.perform(.dose(self.dose(4, at: now)), path: unpaired.path)
        }
    }
}
