import Logging
import Platform
import PoolModel
import SyncCore
import SyncStore
import Testing

@testable import PoolWatch

/// Commands at a watch, with its hub and without, while it is running and while it is not.
@Suite(.timeLimit(.minutes(20))) struct WatchControlTests {
    private func report(_ place: TestPlace) async throws -> WatchReport {
        guard case .report(let report) = try await WatchClient.perform(.report, path: place.path) else {
            throw Missing()
        }
        return report
    }

    /// A running watch that has the configuration.
    private func running() async throws -> (place: TestPlace, hub: TestHub, watch: TestWatch) {
        let hub = try TestHub()
        _ = try await hub.start()
        try await hub.configure(try sampleConfiguration())
        let place = try TestPlace()
        try await place.pair(with: hub)
        let watch = try await place.start()
        await watch.wait { $0.configuration.devices.count == 2 }
        return (place, hub, watch)
    }

    /// A stopped watch that has the configuration.
    private func alone() async throws -> (place: TestPlace, hub: TestHub) {
        let (place, hub, watch) = try await running()
        try await watch.stop()
        return (place, hub)
    }

    // While a face is open, a status line shows the same.
    @Test func `a running watch tells what it shows, and a watch at rest that it shows nothing`() async throws {
        let (place, hub, watch) = try await running()

        func ask(_ device: String?) async throws -> WatchAnswer {
            try await WatchClient.perform(.glance(device: device, clock: "10:09", patience: nil), path: place.path)
        }
        for name in watch.watch.configuration.devices.map(\.name) {
            guard case .glance(let glance) = try await ask(name) else { throw Missing() }
            #expect(glance.deviceName == name)
            #expect(glance.clock == "10:09")
            #expect(glance.gauges.count == Quantity.listed { _ in false }.count)
        }
        guard case .glance(let shown) = try await ask(nil) else { throw Missing() }
        #expect(shown.deviceName == watch.glance.deviceName)
        guard case .refused = try await ask("Nowhere") else { throw Missing() }

        try await watch.stop()
        try await hub.stop()
    }

    @Test func `an edit at rest is shown, waits, and reaches the hub when the watch runs`() async throws {
        let (place, hub) = try await alone()
        guard
            case .waiting(let edit) = try await WatchClient.perform(
                .edit(.renameDevice(lagoon.id, to: "Big")), path: place.path)
        else {
            Issue.record("the edit was not taken")
            return
        }
        #expect(edit.sentence == #"name of the device "Lagoon": "Big""#)
        guard
            case .unchanged = try await WatchClient.perform(
                .edit(.renameDevice(lagoon.id, to: "Big")), path: place.path)
        else {
            Issue.record("the same name again is a change")
            return
        }
        #expect(try await report(place).pending == [edit])
        #expect(try await report(place).isRunning == false)

        let watch = try await place.start()
        #expect(watch.glance.deviceName == "Big", "shown at once, before the hub answers")
        #expect(watch.glance.pendingEdits == [#"name of the device "Lagoon": "Big""#])
        await watch.wait { $0.report.outcomes.contains { $0.edit.id == edit.id && $0.isInEffect } }
        #expect(watch.glance.pendingEdits == [])
        #expect(watch.watch.status.pendingEditCount == 0)
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `an edit at rest is brought to a hub that answers, and waits in words for one that does not`()
        async throws
    {
        let (place, hub) = try await alone()
        func deliver(_ edit: WatchEdit) async throws -> EditDelivery {
            guard case .waiting(let edit) = try await WatchClient.perform(.edit(edit), path: place.path) else {
                throw Missing()
            }
            return try await WatchClient.deliver(
                edit.id, path: place.path, options: .init(logger: Logger(label: "test")), patience: .seconds(600)
            ).delivery
        }
        guard case .reached(let outcome) = try await deliver(.renameDevice(lagoon.id, to: "Big")) else {
            throw Missing()
        }
        #expect(outcome.isInEffect && outcome.edit.sentence == #"name of the device "Lagoon": "Big""#)
        #expect(try await report(place).pending.isEmpty)

        try await hub.stop()
        guard case .waits(let missing) = try await deliver(.renameDevice(lagoon.id, to: "Small")) else {
            throw Missing()
        }
        #expect(missing.contains("nothing answers at"))
        #expect(try await report(place).pending.count == 1)
    }

    @Test func `a command says which process has the folder, if that is no running watch`() async throws {
        let (place, hub) = try await alone()
        try await hub.stop()
        let held = Lock<StateFolder?>(try StateFolder(path: place.path))
        let error = await #expect(throws: (any Error).self) {
            try await WatchClient.perform(.report, path: place.path)
        }
        #expect("\(error, default: "no error")".contains("which is not a running watch: try again when it has ended"))
        held.withLock { $0 = nil }
        #expect(try await report(place).isRunning == false)
    }

    @Test func `a running watch is asked instead of its files, also while its hub is away`() async throws {
        let (place, hub) = try await alone()
        try await hub.stop()
        let watch = try await place.start()
        var limits = Quantity.ph.facts.limits
        limits.low = 7
        limits.high = 7.4

        _ = try await WatchClient.perform(.edit(.setLimits(lagoon.id, .ph, limits)), path: place.path)
        _ = try await WatchClient.perform(.edit(.select(spa.id)), path: place.path)

        #expect(watch.watch.configuration.device(lagoon.id)?.limits(for: .ph).high == 7.4)
        #expect(watch.glance.deviceName == "Spa")
        let report = try await report(place)
        #expect(report.isRunning && report.pending.count == 2)
        limits.low = 9
        await #expect(throws: ConfigurationError.self) {
            try await watch.watch.perform(.edit(.setLimits(lagoon.id, .ph, limits)))
        }
        guard
            case .refused(let words) = try await WatchClient.perform(
                .edit(.setLimits(lagoon.id, .ph, limits)), path: place.path)
        else {
            Issue.record("crossed limits were taken")
            return
        }
        #expect(words.contains("must rise"))
        try await watch.stop()
    }

    @Test func `both watches see the conflict of their edits, and one of them takes it back`() async throws {
        let (first, hub) = try await alone()
        let second = try TestPlace()
        try await second.pair(with: hub, name: "other")
        let other = try await second.start()
        await other.wait { $0.configuration.devices.count == 2 }
        try await other.stop()
        _ = try await WatchClient.perform(.edit(.renameDevice(lagoon.id, to: "First")), path: first.path)
        _ = try await WatchClient.perform(.edit(.renameDevice(lagoon.id, to: "Second")), path: second.path)

        let running = [try await first.start(), try await second.start()]
        for watch in running { await watch.wait { $0.report.conflicts.count == 1 && $0.report.pending.isEmpty } }
        let conflict = try #require(running[0].watch.report.conflicts.first)
        #expect(Set([conflict.loser.value, conflict.winner?.value]) == [#""First""#, #""Second""#])
        #expect(running[0].glance.conflicts == running[1].glance.conflicts)
        let loser = try #require(conflict.loser.value)

        _ = try await WatchClient.perform(.edit(.settle(conflict: conflict.id, restoring: true)), path: second.path)
        for watch in running {
            await watch.wait { watch in
                watch.report.conflicts.isEmpty && watch.configuration.devices.contains { "\"\($0.name)\"" == loser }
            }
        }
        for watch in running { try await watch.stop() }
        try await hub.stop()
    }

    @Test func `a watch that was never paired, or has no configuration yet, says so`() async throws {
        let place = try TestPlace()
        await #expect(throws: WatchClient.Failure.self) {
            try await WatchClient.perform(.report, path: place.path)
        }
    }
}
