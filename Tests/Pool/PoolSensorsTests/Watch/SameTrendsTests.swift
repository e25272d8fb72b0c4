import Foundation
import Platform
import PoolControl
import PoolModel
import PoolWatch
import SyncTransport
import TerminalUI
import TestSupport
import Testing

@testable import PoolHub
@testable import PoolScreens
@testable import poolsensors

/// One hub and all its displays: all of them show the same trends, regardless of when they were started.
@Suite(.timeLimit(.minutes(20))) struct SameTrendsTests {
    private let folder: TemporaryFolder
    private let hub: StageHub
    private let lagoon: DeviceID
    private let now = Timestamp.now

    /// The trends of the pool, in the order of the quantities; there are too few readings of the temperature.
    private static let trends: [Trend?] = [nil, .steady, .falling, .climbing]

    /// Creates a hub that was off for a moment, with a pool whose chlorine falls.
    init() async throws {
        folder = try TemporaryFolder()
        hub = StageHub(in: folder)
        var server = ServerPatch()
        (server.name, server.host, server.port) = ("Home", "127.0.0.1", 1)
        try await hub.perform(.edit(.addServer(server)))
        var device = DevicePatch()
        (device.name, device.topic, device.expectedIntervalSeconds) = ("Lagoon", "pool/1", 3600)
        try await hub.perform(.edit(.addDevice(device)))
        guard case .state(let report) = try await hub.perform(.state), let lagoon = report.devices.first?.id else {
            throw NoAnswer()
        }
        self.lagoon = lagoon
        try await hub.perform(.edit(.selectDevice(lagoon)))
        let now = now
        // Twice a minute for an hour, so that the query for the day returns aggregates.
        let samples = (0..<120).reversed().map { half in
            var values: QuantityMap<Double> = [
                .ph: half % 2 == 0 ? 7.19 : 7.21, .chlorine: 0.2 + Double(half) / 80, .orp: 680 - Double(half) / 5,
            ]
            if half < 3 { values[.temperature] = 25 }
            return (values: values, at: now.advanced(byMilliseconds: Int64(half) * -30_000))
        }
        try hub.record(samples, of: lagoon)
        try await hub.start()
    }

    private struct NoAnswer: Error {}

    private func pairedWatch(_ name: String) async throws -> StageWatch {
        try await pair(name)
        return try StageWatch(path: folder.path(name))
    }

    /// Pairs a watch; its folder is free afterwards.
    private func pair(_ name: String) async throws {
        guard case .invitation(let code, _) = try await hub.perform(.invite(name: nil, validForSeconds: 600)) else {
            throw NoAnswer()
        }
        var watch = try WatchFolder(path: folder.path(name))
        _ = try await watch.pair(InvitationCode(code), name: name, patience: .seconds(600))
    }

    /// Whether a glance shows the hub's newest reading, with all trends.
    private static func isRight(_ glance: Glance?, chlorine: Double) -> Bool {
        guard let glance, glance.gauges.map(\.value).contains(chlorine) else { return false }
        return glance.gauges.map(\.trend) == trends
    }

    private func expectSameEverywhere(
        _ chlorine: Double, _ consoles: [StageConsole], _ watches: [StageWatch]
    ) async throws {
        guard case .state(let report) = try await hub.perform(.state), let device = report.devices.first else {
            throw NoAnswer()
        }
        #expect(Self.isRight(device.glance(alerts: AlertState(), at: .now), chlorine: chlorine))
        for console in consoles {
            await console.wait { snapshot in
                Self.isRight(snapshot.hub.devices.first.flatMap { snapshot.glances[$0.id] }, chlorine: chlorine)
            }
        }
        for watch in watches {
            await watch.wait { Self.isRight($0.glance, chlorine: chlorine) }
            let glance = watch.facts.glance
            #expect(glance.jsonLine().contains(#""trend":"falling""#))
            #expect(glance.plainLines().contains { $0.hasPrefix("Chlorine: ") && $0.contains(", falling") })
        }
    }

    @Test func `hub, consoles and watches show the same trends of a falling pool, also those that joined just now`()
        async throws
    {
        let (console, watch) = (StageConsole(path: hub.path), try await pairedWatch("wrist"))
        try await expectSameEverywhere(0.2, [console], [watch])

        try hub.receive(#"{"temperature":25,"ph":7.2,"chlorine":0.19,"orp":680}"#, on: "pool/1")
        try await expectSameEverywhere(0.19, [console], [watch])

        let (newConsole, newWatch) = (StageConsole(path: hub.path), try await pairedWatch("ankle"))
        try await expectSameEverywhere(0.19, [console, newConsole], [watch, newWatch])

        try await hub.stop()
        try await hub.start()
        let (lastConsole, lastWatch) = (StageConsole(path: hub.path), try await pairedWatch("knee"))
        try await expectSameEverywhere(0.19, [console, newConsole, lastConsole], [watch, newWatch, lastWatch])
        for watch in [watch, newWatch, lastWatch] { await watch.stop() }
        for console in [console, newConsole, lastConsole] { await console.stop() }
        try await hub.stop()
        try await expectSameEverywhere(0.19, [], [])
    }

    @Test func `small charts end with the newest reading, and their range is that of the readings`() async throws {
        let (console, watch) = (StageConsole(path: hub.path), try await pairedWatch("wrist"))
        @Sendable func isRight(_ glance: Glance?) -> Bool {
            guard let gauge = glance?.gauges.first(where: { $0.quantity == .chlorine }) else { return false }
            return gauge.history.last == 0.2 && gauge.range == 0.2...0.2 + 119 / 80.0
        }
        await console.wait { snapshot in isRight(snapshot.hub.devices.first.flatMap { snapshot.glances[$0.id] }) }
        // A watch receives its day as rounded aggregates.
        await watch.wait { facts in
            guard let gauge = facts.glance.gauges.first(where: { $0.quantity == .chlorine }), let range = gauge.range
            else { return false }
            return gauge.history.last == 0.2 && range.lowerBound == 0.2
                && (range.upperBound - 0.2 - 119 / 80.0).magnitude < 0.001
        }
        await watch.stop()
        await console.stop()
        try await hub.stop()
    }

    @Test func `a course in sums ends with the newest reading, in lines of text as well`() async throws {
        let sum = TimeSeries.Point(
            start: now, least: 0.2, greatest: 2, mean: 1.63, rawMean: 1.63, count: 40, isAfterGap: false, isExact: true)
        var course = TimeSeries(
            quantity: .chlorine, first: now.advanced(byMilliseconds: -3_600_000), last: now,
            bucketMilliseconds: 1_200_000, points: [sum])
        course.points.insert(sum, at: 0)
        course.points[0].start = course.first
        course.newest = 0.2
        #expect(TimeSeriesChart.values(course, columns: 20).compactMap(\.self).suffix(1) == [0.2])
        let line = TimeSeriesChart.lines([course], of: "Lagoon", columns: 20, isASCII: true)[1]
        #expect(line.contains(".  0.20 to 2.00, last 0.20 mg/L"), "\(line)")

        let request = HistoryRequest.series(
            device: lagoon, quantity: .chlorine, from: now.advanced(byMilliseconds: -3_600_000), through: now,
            points: 4)
        guard case .history(.series(_, let found)) = try await hub.perform(.history(request)) else { throw NoAnswer() }
        #expect(found.newest == 0.2 && found.points.count <= 5)
        try await hub.stop()
    }
}

/// The controller of a console in another process, without a terminal.
private final class StageConsole: Sendable {
    private let feed: HubController
    private let task: Task<Void, Never>
    private let changes = Awaited(0)

    init(path: String) {
        let feed = HubController(connection: RemoteHubConnection(path: path)) { [changes] in changes.change { $0 += 1 }
        }
        self.feed = feed
        task = Task { await feed.run() }
    }

    func stop() async {
        task.cancel()
        await task.value
    }

    /// Returns when the screens satisfy a condition.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until isWanted: @escaping @Sendable (HubSnapshot) -> Bool
    ) async {
        await changes.wait(sourceLocation: sourceLocation) { [feed] _ in
            guard case .snapshot(let snapshot) = feed.offer else { return false }
            return isWanted(snapshot)
        }
    }
}
