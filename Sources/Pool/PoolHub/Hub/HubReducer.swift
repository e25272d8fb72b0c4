import MQTT
import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncTransport

/// Passes on what happens at a hub to the parts that need to know of it, in a fixed order.
///
/// Threads of the network, of the link and of tasks call ``handle(_:)``, which returns at once: it changes its own
/// small state, and puts inputs into the queues of the services. Nothing here waits for a disk or for the network.
final class HubReducer: Sendable {
    /// Something that happened.
    enum Input: Sendable {
        /// The engine did something.
        case engine(HubEngine.Event)
        /// A transfer with a watch did something.
        case transfer(TransferEvent, from: PeerKey)
        /// Ingest learned something.
        case ingest(IngestEventQueue.Item)
        /// A connection to a server did something.
        case broker(BrokerConnections.Event)
        /// All open alerts, as they are to be shown, with their order, which only grows.
        case alerts([AlertState.Alert], order: UInt64)
        /// The configuration that is used from now on.
        case configuration(LedgerContents, PoolConfiguration)
        /// Another part of the hub has an event for people.
        case event(PoolHub.Event)
        /// The program has a line for its log.
        case logLine(String, isProblem: Bool)
    }

    private struct State {
        var deviceNames: [DeviceID: String] = [:]
        var formatter = EngineEventFormatter()
        var serverChanges = ServerStateChanges()
        var limit = LogRateLimit()
        var lags = LatencyMeter()
        var tail = EventTail()
    }

    /// Yields when the configuration, or the list of paired watches, may have changed.
    let configurationChanges: AsyncStream<Void>
    /// Signals that the hub's state changed.
    let changeSignal = ChangeSignal()
    private let configurationChanged: AsyncStream<Void>.Continuation
    private let alerts: AlertQueue
    private let publishing: PublisherQueue
    private let queries: QueryService
    private let files: FileSharing
    private let userInfo: UserInfoConsumer
    private let now: @Sendable () -> Moment
    private let onEvent: @Sendable (PoolHub.Event) -> Void
    private let state = Lock(State())

    /// Creates a reducer.
    ///
    /// - Parameters:
    ///   - alerts: What the alert service reads.
    ///   - publishing: What the publisher reads.
    ///   - queries: Answers messages of watches.
    ///   - files: Follows the files that are sent to watches.
    ///   - userInfo: Takes user info of watches.
    ///   - now: The clocks.
    ///   - onEvent: Gets each event for people; called on any thread, must return at once.
    init(
        alerts: AlertQueue, publishing: PublisherQueue, queries: QueryService, files: FileSharing,
        userInfo: UserInfoConsumer, now: @escaping @Sendable () -> Moment = { .now },
        onEvent: @escaping @Sendable (PoolHub.Event) -> Void
    ) {
        self.alerts = alerts
        self.publishing = publishing
        self.queries = queries
        self.files = files
        self.userInfo = userInfo
        self.now = now
        self.onEvent = onEvent
        (configurationChanges, configurationChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Passes on what happened; called on any thread, returns at once.
    ///
    /// Inputs of one thread are passed on in its order.
    ///
    /// - Returns: The register that brings it to the watches, to be published at once; nil if there is none.
    func handle(_ input: Input) -> Register? {
        switch input {
        case .engine(let event):
            handle(event)
            return nil
        case .transfer(let event, let watch):
            handle(event, from: watch)
            return nil
        case .ingest(.event(let event)):
            alerts.post(.event(event))
            return nil
        case .ingest(.shown(let readings, let isNew)):
            if isNew { handle(readings) }
            return readings.register
        case .broker(.state(let server, let broker, let order)):
            handle(broker, of: server)
            return broker.register(of: server.id, order: order)
        case .broker(.birth(let server, let message)):
            publishing.note(birth: message, of: server)
            return nil
        case .alerts(let open, let order):
            publishing.note(open)
            changeSignal.ring()
            return AlertState(open).register(order: order)
        case .configuration(let contents, let configuration):
            state.withLock { state in
                state.deviceNames = Dictionary(configuration.devices.map { ($0.id, $0.name) }) { $1 }
                state.formatter.learn(contents)
            }
            return nil
        case .event(let event):
            show(event)
            return nil
        case .logLine(let line, let isProblem):
            state.withLock { $0.tail.note(.log, isProblem ? .warning : nil, line, at: .now) }
            changeSignal.ring()
            return nil
        }
    }

    private func handle(_ event: HubEngine.Event) {
        switch event {
        case .committed, .paired: configurationChanged.yield()
        case .linked, .unlinked, .acknowledged, .refused, .conflicted, .uploadsTaken, .conflictsFull,
            .uploadsContradicted, .clockSuspect, .forked, .duplicateWatch, .cutOff, .dropped, .registerRefused,
            .notStored:
            break
        }
        let moment = now().monotonic
        let shown = state.withLock { state -> [PoolHub.Event] in
            state.lags.note(event, at: moment)
            state.formatter.learn(event)
            return state.limit.admits(event, at: moment) ? state.formatter.events(for: event) : []
        }
        changeSignal.ring()
        for event in shown { show(event) }
    }

    private func handle(_ event: TransferEvent, from watch: PeerKey) {
        queries.take(event, from: watch)
        files.take(event, from: watch)
        userInfo.take(event, from: watch)
        switch event {
        case .exchange(.notStored(let reason)), .files(.notStored(let reason)):
            let moment = now().monotonic
            let shown = state.withLock { state in
                state.limit.admits(.notStored(watch), at: moment)
                    ? state.formatter.storeFailed(reason, for: watch) : nil
            }
            if let shown { show(shown) }
        case .exchange, .files: break
        }
    }

    /// Shows what is wrong with the user info of a watch, which may send it as often as it likes.
    func note(userInfoProblem sentence: String, of watch: PeerKey) {
        let moment = now().monotonic
        let shown = state.withLock { state in
            state.limit.admits(.userInfoRefused(watch), at: moment)
                ? state.formatter.userInfoProblem(sentence, of: watch) : nil
        }
        if let shown { show(shown) }
    }

    private func handle(_ readings: DeviceReadings) {
        publishing.note(readings)
        let name = state.withLock { $0.deviceNames[readings.deviceID] }
        show(.reading(device: name ?? "\(readings.deviceID)", readings))
    }

    private func handle(_ broker: BrokerState, of server: Server) {
        alerts.post(.server(server, broker))
        publishing.note(server, broker)
        let isNews = state.withLock { $0.serverChanges.isNews(broker, of: server, at: .now) }
        if isNews { show(.server(name: server.name, broker)) }
    }

    /// Keeps an event for people, and shows it.
    ///
    /// It does so outside the lock: `onEvent` may write to the log, whose line comes back to ``handle(_:)``.
    private func show(_ event: PoolHub.Event) {
        let moment = Timestamp.now
        state.withLock { $0.tail.note(event, at: moment) }
        changeSignal.ring()
        onEvent(event)
    }

    /// Has the configuration looked at again, though no event says that it changed.
    func noteConfigurationChange() { configurationChanged.yield() }

    /// The events for people after a number, oldest first, as far as they are kept.
    func events(after number: UInt64) -> [EventSummary] { state.withLock { $0.tail.notes(after: number) } }

    /// How far a watch lags behind.
    ///
    /// - Parameters:
    ///   - watch: The watch.
    ///   - revision: The revision that it holds; nil for none.
    ///   - now: The moment.
    /// - Returns: Milliseconds; nil if no revision was made since the hub started.
    func lagMilliseconds(of watch: PeerKey, holding revision: UInt64?, at now: Instant) -> Int? {
        state.withLock { $0.lags.milliseconds(of: watch, holding: revision, at: now) }
    }
}

extension DeviceReadings {
    /// The register that brings the readings to the watches.
    var register: Register {
        // Finite numbers and texts only: it can always be written.
        Register(key: RegisterKey.device(deviceID).text, order: order, value: (try? canonicalJSON()) ?? [])
    }
}

extension BrokerState {
    /// The register that tells the watches whether the server's readings can come.
    fileprivate func register(of server: ServerID, order: UInt64) -> Register {
        let report = ServerReport(isConnected: isConnected, since: since)
        // A truth value and a number: it can always be written.
        return Register(
            key: RegisterKey.server(server).text, order: order, value: (try? CanonicalJSON.encode(report)) ?? [])
    }
}

extension AlertState {
    /// The register that brings the open alerts to the watches.
    fileprivate func register(order: UInt64) -> Register {
        // Finite numbers and texts only: it can always be written.
        Register(key: RegisterKey.alerts.text, order: order, value: (try? CanonicalJSON.encode(self)) ?? [])
    }
}
