import Foundation
import PoolControl
import PoolHub
import PoolModel
import PoolWatch
import Testing

@testable import poolsensors

@Suite struct DemoSummaryTests {
    private static let spa = DeviceID(high: 5, low: 6)

    private func counts(lagoon: (newest: UInt64, received: UInt64), spa: (newest: UInt64, received: UInt64)) throws
        -> WatchCounts
    {
        let json = """
            {"isLinked": true, "snapshotCount": 1, "servers": [], "undecodableRegisterCount": 0,
             "alerts": [], "noticeCount": 0,
             "configurationProblemCount": 0, "storageFailureCount": 0, "pendingEditCount": 0,
             "conflictCount": 0, "devices": [
             {"id": "\(Samples.deviceID)", "newestOrder": \(lagoon.newest), "receivedCount": \(lagoon.received)},
             {"id": "\(Self.spa)", "newestOrder": \(spa.newest), "receivedCount": \(spa.received)}]}
            """
        var counts = WatchCounts()
        counts.heard(try JSONDecoder().decode(WatchStatus.self, from: Data(json.utf8)))
        return counts
    }

    private func probe(published: Int, acknowledged: Int) -> ProbeSummary {
        var probe = ProbeSummary.nothing
        (probe.published, probe.acknowledged, probe.seconds) = (published, acknowledged, 29.7)
        return probe
    }

    /// A hub with 30 readings of each of two devices, and one watch.
    private func report() -> HubState {
        Samples.report(
            devices: [
                Samples.device("Lagoon", stored: 30, order: 1030),
                Samples.device("Spa", id: Self.spa, stored: 30, order: 2030),
            ], watches: [Samples.watch("Wrist", isLinked: true)])
    }

    private func summary(_ counts: WatchCounts, acknowledged: Int = 60) -> DemoSummary {
        DemoSummary(
            probe: probe(published: 60, acknowledged: acknowledged), report: report(),
            watchResults: [.init(name: "Wrist", counts: counts)])
    }

    @Test func `when everything arrived nothing is lost`() throws {
        let summary = summary(try counts(lagoon: (1030, 30), spa: (2030, 30)))

        #expect(summary.watches == [.init(name: "Wrist", delivered: 60, superseded: 0, lost: 0)])
        #expect(summary.lost == 0)
        #expect(
            summary.lines == [
                "after 30 s:",
                "  published           60 readings",
                "  ingested            60",
                "  delivered to Wrist  60, superseded 0, lost 0",
                "  lost: 0",
            ])
    }

    @Test func `readings of the day before are named and not counted`() throws {
        let counts = try counts(lagoon: (1030, 20), spa: (2030, 25))
        let past = [Samples.deviceID: 10, Self.spa: 5]
        let summary = DemoSummary(
            probe: probe(published: 45, acknowledged: 45), report: report(),
            watchResults: [.init(name: "Wrist", counts: counts)], past: past)

        #expect(summary.ingested == 45 && summary.lost == 0 && summary.isSettled)
        #expect(summary.lines.contains { $0.contains("15 simulated readings of the day before") })
        #expect(summary.lines.last == "  lost: 0")
    }

    // The hub does not count a reading that it replaced before the engine had it, as it does under load.
    @Test func `what gave way to newer readings is not lost`() throws {
        let summary = summary(try counts(lagoon: (1030, 7), spa: (2030, 8)))

        #expect(summary.watches == [.init(name: "Wrist", delivered: 15, superseded: 45, lost: 0)])
        #expect(summary.isSettled)
    }

    @Test func `a newest reading that is missing is lost`() throws {
        let summary = summary(try counts(lagoon: (1029, 10), spa: (2030, 12)))

        #expect(summary.watches == [.init(name: "Wrist", delivered: 22, superseded: 37, lost: 1)])
        #expect(summary.lost == 1)
    }

    @Test func `a watch that never heard of a device has lost all its readings`() {
        let summary = summary(WatchCounts())

        #expect(summary.watches == [.init(name: "Wrist", delivered: 0, superseded: 0, lost: 60)])
    }

    @Test func `what the broker confirmed and the hub does not have is lost`() throws {
        let summary = summary(try counts(lagoon: (1030, 30), spa: (2030, 30)), acknowledged: 64)

        #expect(summary.lostBeforeHub == 4)
        #expect(summary.lost == 4)
        #expect(summary.lines[1] == "  published           60 readings, 64 of them confirmed by the broker")
    }

    @Test func `everything has arrived when hub and watches have the newest`() throws {
        let isThere = try counts(lagoon: (1030, 1), spa: (2030, 1))
        #expect(summary(isThere).isSettled)
        #expect(summary(isThere).progress == "60 of 60 ingested")

        let isLate = summary(try counts(lagoon: (1029, 29), spa: (2030, 30)))
        #expect(!isLate.isSettled)
        #expect(isLate.progress == "60 of 60 ingested, Wrist not up to date")
        #expect(!summary(try counts(lagoon: (1030, 30), spa: (2030, 30)), acknowledged: 61).isSettled)
        #expect(!summary(WatchCounts()).isSettled)
    }
}
