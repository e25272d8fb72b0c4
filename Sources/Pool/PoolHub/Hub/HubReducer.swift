import MQTT
import Platform
import PoolControl
import PoolModel
import Service
import SyncCore
import SyncTransport

/// Distributes the events of a hub to its parts, in a fixed order.
///
/// Network threads, the link's thread and tasks call ``handle(_:)``, which returns at once: it changes its own small
/// state, and adds inputs to the queues of the services. Nothing here waits for the disk or the network.
final class HubReducer: Sendable {
    /// An event.
    enum Input: Sendable {
        /// An event of the engine.
        case engine(HubEngine.Event)
        /// An event of the transfers with a watch.
        case transfer(TransferEvent, from: PeerKey)
        /// A result of ingest.
        case ingest(IngestEventQueue.Item)
        /// An event of the connection to a server.
        case broker(BrokerConnections.Event)
        /// All open alerts to show, with their order, which increases.
        case alerts([AlertState.Alert], order: UInt64)
        /// The new configuration.
        case configuration(LedgerContents, PoolConfiguration)
        /// An event for the user from another part of the hub.
        case event(HubEvent)
        /// A line of the program's log.
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
    /// Yields the intervals that were learnt, in seconds.
    let intervals: AsyncStream<(DeviceID, Int)>
    private let intervalLearnt: AsyncStream<(DeviceID, Int)>.Continuation
    private let alerts: AlertQueue
    private let publishing: PublisherQueue
    private let queries: QueryService
    private let files: FileSharing
    private let userInfo: UserInfoConsumer
    private let now: @Sendable () -> Moment
    private let onEvent: @Sendable (HubEvent) -> Void
    private let state = Lock(State())

    /// Creates a reducer.
    ///
    /// - Parameters:
    ///   - alerts: The queue of the alert service.
    ///   - publishing: The queue of the publisher.
    ///   - queries: Answers queries of watches.
    ///   - files: Follows the transfers of files to watches.
    ///   - userInfo: Consumes user info of watches.
    ///   - now: The clocks.
    ///   - onEvent: Called with each event for the user, on any thread; must return at once.
    init(
        alerts: AlertQueue, publishing: PublisherQueue, queries: QueryService, files: FileSharing,
        userInfo: UserInfoConsumer, now: @escaping @Sendable () -> Moment = { .now },
        onEvent: @escaping @Sendable (HubEvent) -> Void
    ) {
        self.alerts = alerts
        self.publishing = publishing
        self.queries = queries
        self.files = files
        self.userInfo = userInfo
        self.now = now
        self.onEvent = onEvent
        (configurationChanges, configurationChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Each of the devices has at most one new interval a day, apart from the first hours.
        (intervals, intervalLearnt) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    /// Distributes an event; called on any thread, returns at once.
    ///
    /// The events of one thread are distributed in its order.
    ///
    /// - Returns: The register for the watches, to be published at once; nil if there is none.
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
        case .ingest(.interval(let device, let seconds)):
            intervalLearnt.yield((device, seconds))
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
            changeSignal.signal()
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
            changeSignal.signal()
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
        let shown = state.withLock { state -> [HubEvent] in
            state.lags.note(event, at: moment)
            state.formatter.learn(event)
            return state.limit.admits(event, at: moment) ? state.formatter.events(for: event) : []
        }
        changeSignal.signal()
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

    /// Shows that a watch sends more user info than is taken at a time.
    func note(userInfoWaitsOf watch: PeerKey) {
        let moment = now().monotonic
        let shown = state.withLock { state in
            state.limit.admits(.userInfoWaits(watch), at: moment) ? state.formatter.userInfoWaits(of: watch) : nil
        }
        if let shown { show(shown) }
    }

    /// Shows that the oldest doses of a watch, or of everything else, made room for newer ones.
    func note(dosesDroppedOf watch: PeerKey?) {
        let moment = now().monotonic
        let shown = state.withLock { state in
            state.limit.admits(.dosesDropped(watch), at: moment) ? state.formatter.dosesDropped(of: watch) : nil
        }
        if let shown { show(shown) }
    }

    /// Shows what was repaired in the configuration, or is wrong with it: a watch can cause the same in many records.
    func note(configuration sentences: [String]) {
        let moment = now().monotonic
        let shown = state.withLock { state in
            sentences.filter { state.limit.admits(.configuration($0), at: moment) }
        }
        for sentence in shown { show(.notice(sentence)) }
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

    /// Records an event for the user, and passes it to `onEvent`.
    ///
    /// `onEvent` is called outside of the lock, because it may write to the log, whose line is passed to ``handle(_:)``.
    private func show(_ event: HubEvent) {
        let moment = Timestamp.now
        state.withLock { $0.tail.note(event, at: moment) }
        changeSignal.signal()
        onEvent(event)
    }

    /// Requests that the configuration is read again, although no event reported a change.
    func noteConfigurationChange() { configurationChanged.yield() }

    /// The events for the user after a number, oldest first, as far as they are kept.
    func events(after number: UInt64) -> [EventSummary] { state.withLock { $0.tail.events(after: number) } }

    /// The replication delay of a watch.
    ///
    /// - Parameters:
    ///   - watch: The watch.
    ///   - revision: The revision that it has; nil for none.
    ///   - now: The time.
    /// - Returns: Milliseconds; nil if no revision was created since the hub started.
    func lagMilliseconds(of watch: PeerKey, holding revision: UInt64?, at now: Instant) -> Int? {
        state.withLock { $0.lags.milliseconds(of: watch, holding: revision, at: now) }
    }
}

extension DeviceReadings {
    /// The register with the readings for the watches.
    var register: Register {
        // It contains only finite numbers and texts, which can always be encoded.
        Register(key: RegisterKey.device(deviceID).text, order: order, value: (try? canonicalJSON()) ?? [])
    }
}

extension BrokerState {
    /// The register with the state of the connection for the watches.
    fileprivate func register(of server: ServerID, order: UInt64) -> Register {
        let report = ServerReport(isConnected: isConnected, since: since)
        // It contains a Boolean and a number, which can always be encoded.
        return Register(
            key: RegisterKey.server(server).text, order: order, value: (try? CanonicalJSON.encode(report)) ?? [])
    }
}

extension AlertState {
    /// The register with the open alerts for the watches.
    fileprivate func register(order: UInt64) -> Register {
        // It contains only finite numbers and texts, which can always be encoded.
        Register(key: RegisterKey.alerts.text, order: order, value: (try? CanonicalJSON.encode(self)) ?? [])
    }
}
