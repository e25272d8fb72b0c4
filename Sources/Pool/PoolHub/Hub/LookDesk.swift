import Platform
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport
import ZeroMQ

/// Shows everything at once, as cheaply as possible: what is configured is put together once for each revision.
final class LookDesk: Sendable {
    /// The age at which counts of the history are counted anew.
    private static let countsAge = Duration.seconds(60)
    /// The notices that are looked at for the pauses of the open alerts.
    private static let noticeCount = 64

    /// What is configured, and what was counted.
    private struct Base {
        var version: Version
        var madeAt: ContinuousClock.Instant
        var configuration: PoolConfiguration
        var report: HubReport
        /// The readings that ingest had stored when those of the history were counted.
        var storedBefore: [DeviceID: UInt64]
    }

    let tail = EventTail()
    let bell = ChangeSignal()
    let lags = LatencyMeter()
    private let base = Lock<Base?>(nil)

    /// The parts of a hub that a look needs.
    struct Parts {
        var driver: HubTransport
        var desk: ConfigurationEditor
        var history: HistoryStore
        var ingest: Ingest
        var brokers: BrokerConnections
        var links: LinkDesk
        var alerts: () async throws -> AlertReport
        var detection: DetectionService
    }

    /// Forgets what was put together: something changed that is not part of a revision.
    func forget() {
        base.withLock { $0 = nil }
        bell.ring()
    }

    /// Looks; nil if nothing changed.
    func look(_ request: LookRequest, _ parts: Parts) async throws -> HubLook? {
        let change = bell.count
        guard request.after != change else { return nil }
        let status = try await parts.driver.status()
        let base = try await base(at: status.version, parts)
        var report = base.report
        report.complete(status, parts.ingest, parts.brokers, parts.links, lags)
        for index in report.devices.indices {
            let device = report.devices[index]
            let stored =
                (device.counts?.stored ?? 0) - min(base.storedBefore[device.id] ?? 0, device.counts?.stored ?? 0)
            report.devices[index].storedReadings += Int(stored)
        }
        var alerts = try await parts.alerts()
        alerts.settings = base.configuration.alerts
        if !alerts.state.alerts.isEmpty {
            alerts.notices = try parts.history.alerts.events(limit: Self.noticeCount).compactMap { event in
                // What another version wrote is left out.
                try? CanonicalJSON.decode(AlertNotice.self, from: event.json)
            }
        }
        return HubLook(
            now: .now, change: change, report: report, alerts: alerts, events: tail.notes(after: request.eventsAfter),
            detection: parts.detection.progress(in: base.configuration))
    }

    private func base(at version: Version, _ parts: Parts) async throws -> Base {
        let known = base.withLock(\.self)
        if let known, known.version == version, known.madeAt.duration(to: .now) < Self.countsAge { return known }
        let contents = try await parts.desk.ledger.contents()
        let before = parts.ingest.facts.mapValues(\.counts.stored)
        let new = Base(
            version: contents.version, madeAt: .now, configuration: try await parts.desk.configuration().configuration,
            report: try await parts.desk.report(history: parts.history), storedBefore: before)
        base.withLock { $0 = new }
        return new
    }
}

extension HubReport {
    /// Adds what only a running hub knows.
    mutating func complete(
        _ status: HubTransport.Status, _ ingest: Ingest, _ brokers: BrokerConnections, _ links: LinkDesk,
        _ lags: LatencyMeter
    ) {
        isRunning = true
        endpoint = status.endpoint.text
        watches = status.watches.map { watch in
            var report = WatchReport(watch, now: status.moment.monotonic)
            report.lagMilliseconds = lags.milliseconds(
                of: watch.watch.key, holding: watch.acknowledged?.revision, at: status.moment.monotonic)
            report.disturbance = links.disturbance(of: watch.watch.key)
            let counts = links.counts(of: watch.watch.key)
            report.linkCounts = counts == LinkCounts() ? nil : counts
            return report
        }
        watches.sort { ($0.name, $0.key) < ($1.name, $1.key) }
        counts = ingest.counts
        let states = brokers.states
        for index in servers.indices {
            let state = states[servers[index].id]
            servers[index].isConnected = state?.isConnected
            servers[index].state = state.map { "\($0)" }
            servers[index].stateWord = state?.word
        }
        let facts = ingest.facts
        for index in devices.indices {
            guard let known = facts[devices[index].id] else { continue }
            devices[index].take(known)
        }
    }
}
