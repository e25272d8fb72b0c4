import Platform
import PoolControl
import PoolModel
import PoolStore
import Service
import SyncCore
import SyncTransport
import ZeroMQ

/// Creates the state of a running hub; the configured part is created once for each revision.
actor HubStateObserver {
    /// The age after which the readings in the history are counted again.
    private static let countsAge = Duration.seconds(60)
    /// How often the history is counted until nothing is stored meanwhile.
    static let countAttemptMax = 4
    /// The number of notices in the state, from which the repetitions of the open alerts are computed.
    private static let noticeCount = 64

    /// The configured part of the state, and the counts.
    private struct Base {
        var version: Version
        var createdAt: ContinuousClock.Instant
        var configuration: PoolConfiguration
        var state: HubState
        /// The number of readings that ingest had stored when the history was counted.
        var storedBefore: [DeviceID: UInt64]
    }

    private let reducer: HubReducer
    private let transport: HubTransport
    private let editor: ConfigurationEditor
    private let configured: ConfiguredState
    private let history: HistoryStore
    private let ingest: Ingest
    private let brokers: BrokerConnections
    private let links: LinkFaultRegistry
    private let alerts: AlertService
    private let detection: DetectionService
    private let cares: PoolCareService
    private var base: Base?

    /// Creates an observer of these parts of a hub.
    init(
        reducer: HubReducer, transport: HubTransport, editor: ConfigurationEditor, configured: ConfiguredState,
        history: HistoryStore, ingest: Ingest,
        brokers: BrokerConnections, links: LinkFaultRegistry, alerts: AlertService, detection: DetectionService,
        cares: PoolCareService
    ) {
        self.reducer = reducer
        self.transport = transport
        self.editor = editor
        self.configured = configured
        self.history = history
        self.ingest = ingest
        self.brokers = brokers
        self.links = links
        self.alerts = alerts
        self.detection = detection
        self.cares = cares
    }

    /// Discards the configured part, because something changed that is not part of a revision.
    func forget() {
        base = nil
        reducer.changeSignal.signal()
    }

    /// The state for lists: without alerts and detection, but with new counts.
    func listed() async throws -> HubState {
        let status = try await transport.status()
        var state = try await configured.state(history: history)
        await complete(&state, status)
        return state
    }

    /// Only names and identities, also if the history or the passwords cannot be read.
    func named() async throws -> HubState {
        var state = try await configured.state(history: nil)
        state.isRunning = true
        state.watches = try await transport.status().watches.map { WatchConnection($0, now: nil) }
        return state
    }

    /// The whole state; nil if nothing changed since a change number.
    func state(after change: UInt64?) async throws -> HubState? {
        let count = reducer.changeSignal.count
        guard change != count else { return nil }
        let status = try await transport.status()
        let base = try await base(at: status.version)
        var state = base.state
        await complete(&state, status)
        state.change = count
        for index in state.devices.indices {
            let stored = state.devices[index].counts?.stored ?? 0
            let before = base.storedBefore[state.devices[index].id] ?? 0
            state.devices[index].storedReadings += Int(stored - min(before, stored))
        }
        state.alerts = try await alerts.report()
        state.alerts.settings = base.configuration.alerts
        if !state.alerts.state.alerts.isEmpty {
            state.alerts.notices = try history.alerts.events(limit: Self.noticeCount).compactMap { event in
                // A notice that another version wrote differently is left out.
                try? CanonicalJSON.decode(AlertNotice.self, from: event.json)
            }
        }
        state.detection = await detection.progress(in: base.configuration)
        state.now = .now
        return state
    }

    private func base(at version: Version) async throws -> Base {
        if let base, base.version == version, base.createdAt.duration(to: .now) < Self.countsAge { return base }
        let contents = try await editor.ledger.contents()
        let configuration = try await editor.configuration().configuration
        let (state, stored) = try await Self.counted { [ingest] in
            ingest.facts.mapValues(\.counts.stored)
        } while: { [configured, history] in
            try await configured.state(history: history)
        }
        let new = Base(
            version: contents.version, createdAt: .now, configuration: configuration, state: state,
            storedBefore: stored)
        base = new
        return new
    }

    /// Counts the history, and says what ingest had stored by then.
    ///
    /// A reading that ingest stores while the history is counted may be in both numbers, and would be added to the count
    /// once more. So the history is counted again until nothing was stored meanwhile, or for the last time after
    /// ``countAttemptMax`` times; then the numbers of after that are told, which may leave readings out for as long as a
    /// count is kept, and none twice.
    ///
    /// - Parameters:
    ///   - stored: What ingest has stored so far.
    ///   - count: Counts the history.
    /// - Returns: The count, and what ingest had stored.
    /// - Throws: What the count throws.
    static func counted<Stored: Equatable, Count>(
        _ stored: () -> Stored, while count: () async throws -> Count
    ) async throws -> (count: Count, stored: Stored) {
        var before = stored()
        for attempt in 1... {
            let counted = try await count()
            let after = stored()
            if before == after || attempt == countAttemptMax { return (counted, after) }
            before = after
        }
        preconditionFailure("there is a last attempt")
    }

    /// Adds the data of the running hub.
    private func complete(_ state: inout HubState, _ status: HubTransport.Status) async {
        state.isRunning = true
        state.endpoint = status.endpoint.text
        let now = status.moment.monotonic
        state.watches = []
        for watch in status.watches {
            var connection = await links.connection(of: watch, at: now)
            connection.lagMilliseconds = reducer.lagMilliseconds(
                of: watch.watch.key, holding: watch.acknowledged?.revision, at: now)
            state.watches.append(connection)
        }
        state.watches.sort { ($0.name, $0.key) < ($1.name, $1.key) }
        state.counts = ingest.counts
        state.cares = await cares.cares()
        let connections = await brokers.states
        for index in state.servers.indices {
            state.servers[index].connection = connections[state.servers[index].id]?.summary
        }
        let facts = ingest.facts
        for index in state.devices.indices {
            guard let known = facts[state.devices[index].id] else { continue }
            state.devices[index].readings = known.readings
            state.devices[index].rawReadings = known.rawReadings?.values
            state.devices[index].isAvailable = known.isAvailable
            let device = state.devices[index].device
            state.devices[index].obstacle = connections[device.serverID]?.refusals.first { $0.concerns(device) }?.words
            state.devices[index].counts = known.counts
            state.devices[index].lastMessage = known.lastMessage
        }
    }
}
