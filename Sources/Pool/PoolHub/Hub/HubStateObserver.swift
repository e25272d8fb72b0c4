import Platform
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport
import ZeroMQ

/// Makes the state of a running hub, as cheaply as possible: what is configured is put together once for each revision.
final class HubStateObserver: Sendable {
    /// The age at which counts of the history are counted anew.
    private static let countsAge = Duration.seconds(60)
    /// The notices that are looked at for the pauses of the open alerts.
    private static let noticeCount = 64

    /// What is configured, and what was counted.
    private struct Base {
        var version: Version
        var madeAt: ContinuousClock.Instant
        var configuration: PoolConfiguration
        var state: HubState
        /// The readings that ingest had stored when those of the history were counted.
        var storedBefore: [DeviceID: UInt64]
    }

    let tail = EventTail()
    let bell = ChangeSignal()
    let lags = LatencyMeter()
    private let base = Lock<Base?>(nil)

    /// The parts of a hub that its state is made from.
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

    /// The state as lists show it: without alerts and detection, but counted anew.
    func listed(_ parts: Parts) async throws -> HubState {
        let status = try await parts.driver.status()
        var state = try await parts.desk.state(history: parts.history)
        complete(&state, status, parts)
        return state
    }

    /// The whole state; nil if nothing changed since a look.
    func state(after change: UInt64?, _ parts: Parts) async throws -> HubState? {
        let count = bell.count
        guard change != count else { return nil }
        let status = try await parts.driver.status()
        let base = try await base(at: status.version, parts)
        var state = base.state
        complete(&state, status, parts)
        state.change = count
        for index in state.devices.indices {
            let stored = state.devices[index].counts?.stored ?? 0
            let before = base.storedBefore[state.devices[index].id] ?? 0
            state.devices[index].storedReadings += Int(stored - min(before, stored))
        }
        state.alerts = try await parts.alerts()
        state.alerts.settings = base.configuration.alerts
        if !state.alerts.state.alerts.isEmpty {
            state.alerts.notices = try parts.history.alerts.events(limit: Self.noticeCount).compactMap { event in
                // What another version wrote is left out.
                try? CanonicalJSON.decode(AlertNotice.self, from: event.json)
            }
        }
        state.detection = parts.detection.progress(in: base.configuration)
        state.now = .now
        return state
    }

    private func base(at version: Version, _ parts: Parts) async throws -> Base {
        let known = base.withLock(\.self)
        if let known, known.version == version, known.madeAt.duration(to: .now) < Self.countsAge { return known }
        let contents = try await parts.desk.ledger.contents()
        let before = parts.ingest.facts.mapValues(\.counts.stored)
        let new = Base(
            version: contents.version, madeAt: .now, configuration: try await parts.desk.configuration().configuration,
            state: try await parts.desk.state(history: parts.history), storedBefore: before)
        base.withLock { $0 = new }
        return new
    }

    /// Adds what only a running hub knows.
    private func complete(_ state: inout HubState, _ status: HubTransport.Status, _ parts: Parts) {
        state.isRunning = true
        state.endpoint = status.endpoint.text
        let now = status.moment.monotonic
        state.watches = status.watches.map { watch in
            var connection = WatchConnection(watch, now: now)
            connection.lagMilliseconds = lags.milliseconds(
                of: watch.watch.key, holding: watch.acknowledged?.revision, at: now)
            connection.disturbance = parts.links.disturbance(of: watch.watch.key)
            let counts = parts.links.counts(of: watch.watch.key)
            connection.linkCounts = counts == LinkCounts() ? nil : counts
            return connection
        }
        state.watches.sort { ($0.name, $0.key) < ($1.name, $1.key) }
        state.counts = parts.ingest.counts
        let connections = parts.brokers.states
        for index in state.servers.indices {
            let connection = connections[state.servers[index].id]
            state.servers[index].isConnected = connection?.isConnected
            state.servers[index].state = connection.map { "\($0)" }
            state.servers[index].stateWord = connection?.word
        }
        let facts = parts.ingest.facts
        for index in state.devices.indices {
            guard let known = facts[state.devices[index].id] else { continue }
            state.devices[index].readings = known.readings
            state.devices[index].rawReadings = known.rawReadings?.values
            state.devices[index].isAvailable = known.isAvailable
            state.devices[index].counts = known.counts
            state.devices[index].lastMessage = known.lastMessage
        }
    }
}
