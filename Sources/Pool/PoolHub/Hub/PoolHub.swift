package import Logging
import Platform
package import PoolControl
package import PoolModel
import PoolStore
public import SyncCore
import SyncStore
public import SyncTransport
import Synchronization
public import ZeroMQ

/// The phone: owns the configuration, takes readings in from its brokers, keeps them, and brings them to its watches.
public final class PoolHub: Sendable {
    /// What a hub is told at its start.
    public struct Options: Sendable {
        /// Where watches connect.
        public var endpoint: Endpoint
        /// The time between two pings of a watch.
        public var heartbeat: Duration
        /// The desktop on which alerts may be shown, nil for none.
        public var desktop: Desktop?
        /// Opens the journal of the hub with a public key; nil for none.
        public var recording: (@Sendable (PeerKey) throws -> any HubRecording)?

        /// Creates options.
        public init(
            endpoint: Endpoint, heartbeat: Duration = .seconds(1), desktop: Desktop? = nil,
            recording: (@Sendable (PeerKey) throws -> any HubRecording)? = nil
        ) {
            self.endpoint = endpoint
            self.heartbeat = heartbeat
            self.desktop = desktop
            self.recording = recording
        }
    }

    /// What happens at a hub, for anybody who observer at its terminal.
    package enum Event: Sendable {
        /// Watches can connect there.
        case listening(endpoint: String)
        /// The connection to a server changed.
        case server(name: String, BrokerState)
        /// A reading changed what is shown of a device.
        case reading(device: String, DeviceReadings)
        /// A watch was paired.
        case paired(watch: String)
        /// A watch has a session.
        case linked(watch: String)
        /// A watch's session ended, for this reason.
        case unlinked(watch: String, reason: String)
        /// A watch, or a stranger with an old key, was declined.
        case declined(reason: String)
        /// The configuration has a new revision.
        case configured(revision: UInt64)
        /// A value that a person entered lost against another one.
        case conflict(ConflictSummary)
        /// A file that was shared with a watch has come to its end.
        case shared(SharedFile)
        /// An alert for people; the same `id` may come again after a restart, and is the same message then.
        case alert(AlertNotice)
        /// Something that a person should know.
        case notice(String)
    }

    let folder: HubFolder
    private let options: Options
    private let logger: Logger
    private let onEvent: @Sendable (Event) -> Void
    let driver: HubTransport
    let ingest: Ingest
    let brokers: BrokerConnections
    let historyKeeper: HistoryMaintenance
    let longWork = LongWork()
    let alerts: AlertService
    private let publisher: HubPublisher
    private let parts = HubParts()
    let detection: DetectionService
    private let questions: QueryService
    private let items: UserInfoConsumer
    let shares: FileSharing
    private let words: CurrentEntryFormatter
    let links: LinkDesk
    let observer: HubStateObserver
    private let changes: AsyncStream<Void>
    let changed: AsyncStream<Void>.Continuation

    /// Creates a hub that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - folder: Its state.
    ///   - options: What it is told.
    ///   - logger: Gets what happens.
    ///   - onEvent: Called from any thread, in the order of what happens in each part; must return at once.
    /// - Throws: `StoreError` if the state cannot be read.
    package init(
        folder: HubFolder, options: Options, logger: Logger, onEvent: @escaping @Sendable (Event) -> Void
    ) throws {
        self.folder = folder
        self.options = options
        self.logger = logger
        let observer = HubStateObserver()
        self.observer = observer
        let onEvent: @Sendable (Event) -> Void = { event in
            observer.tail.note(event, at: .now)
            observer.bell.ring()
            onEvent(event)
        }
        self.onEvent = onEvent
        let (changes, changed) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        self.changed = changed
        let words = CurrentEntryFormatter()
        self.words = words
        let questions = QueryService(logger: logger)
        self.questions = questions
        let transfers = try folder.store.transfers()
        let shares = try FileSharing(folder, queues: transfers, logger: logger) { onEvent(.shared($0)) }
        self.shares = shares
        let items = UserInfoConsumer(logger: logger)
        self.items = items
        let events = EngineEvents(words: words, observer: observer, changed: changed, onEvent: onEvent)
        let driver = try Self.driver(
            of: folder, options, transfers, files: { shares.place(with: $0) }, events, logger: logger
        ) { watch, event in
            questions.take(event, from: watch)
            shares.take(event, from: watch)
            items.take(event, from: watch)
        }
        self.driver = driver
        links = LinkDesk(driver: driver)
        let names = DeviceNames()
        detection = DetectionService(logger: logger)
        let desk = ConfigurationEditor(ledger: RunningLedger(driver: driver), secrets: folder.secrets)
        let parts = parts
        let publisher = try HubPublisher(
            store: folder.history.alerts, topics: folder.topics, logger: logger,
            publish: { await parts.brokers?.publish($0, to: $1) ?? "the hub is just starting" })
        self.publisher = publisher
        let alerts = try Self.alerts(of: folder, parts, publisher, driver, desk, observer, logger: logger)
        self.alerts = alerts
        let ingest = try Ingest(
            history: folder.history, logger: logger, onEvent: { alerts.note($0) }
        ) { latest, isNew in
            driver.publish(latest.register)
            guard isNew else { return }
            publisher.note(latest)
            onEvent(.reading(device: names.name(of: latest.deviceID), latest))
        }
        self.ingest = ingest
        historyKeeper = HistoryMaintenance(
            history: folder.history, logger: logger, deleting: { try ingest.delete(of: $0, from: $1, through: $2, $3) },
            onNotice: { onEvent(.notice($0)) })
        // Before anything is shown: what is shown is corrected.
        ingest.use(try folder.configuration())
        let brokers = Self.brokers(
            of: folder, names, ingest, alerts, publisher, driver, logger: logger, onEvent: onEvent)
        self.brokers = brokers
        parts.fill(
            brokers,
            AlertChannels(
                driver: driver, brokers: brokers, secrets: folder.secrets, webhook: WebhookClient(),
                desktop: options.desktop, onNotice: { onEvent(.alert($0)) }))
    }

    private static func brokers(
        of folder: HubFolder, _ names: DeviceNames, _ ingest: Ingest, _ alerts: AlertService,
        _ publisher: HubPublisher, _ driver: HubTransport, logger: Logger, onEvent: @escaping @Sendable (Event) -> Void
    ) -> BrokerConnections {
        let news = ServerStateChanges()
        return BrokerConnections(
            folder: folder, names: names, ingest: ingest, logger: logger,
            onBirth: { server, message in publisher.note(birth: message, of: server) }
        ) { server, state, register in
            driver.publish(register)
            alerts.note(server, state)
            publisher.note(server, state)
            if news.isNews(state, of: server, at: .now) { onEvent(.server(name: server.name, state)) }
        }
    }

    private static func alerts(
        of folder: HubFolder, _ parts: HubParts, _ publisher: HubPublisher, _ driver: HubTransport,
        _ desk: ConfigurationEditor,
        _ observer: HubStateObserver, logger: Logger
    ) throws -> AlertService {
        try AlertService(
            folder,
            ports: AlertPorts(
                deliver: { await parts.channels?.deliver($0, over: $1, $2) ?? .failed("the hub is just starting") },
                authorization: { await parts.channels?.authorization(of: $0) ?? .denied },
                show: { open, order in
                    driver.publish(AlertState(open).register(order: order))
                    publisher.note(open)
                    observer.bell.ring()
                },
                removeAnswers: { try await desk.removeAnswers(to: $0) }),
            logger: logger)
    }

    private static func driver(
        of folder: HubFolder, _ options: Options, _ transfers: [PeerKey: TransferState],
        files: @escaping @Sendable (PeerKey) -> (any FileStorage)?, _ events: EngineEvents, logger: Logger,
        onTransfer: @escaping @Sendable (PeerKey, TransferEvent) -> Void
    ) throws -> HubTransport {
        HubTransport(
            configuration: .init(
                endpoint: options.endpoint, keys: folder.keys, engine: .pool(heartbeat: options.heartbeat),
                recording: try options.recording?(folder.keys.publicKey.peerKey)),
            state: try folder.store.load(), transfers: transfers, storage: folder.store,
            files: files, logger: logger,
            onTransfer: { watch, event in
                onTransfer(watch, event)
                events.take(event, from: watch)
            }, onEvent: { events.take($0) })
    }

    /// Lets the parts go.
    deinit { parts.empty() }

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `LinkError` if watches or commands cannot be served.
    public func run() async throws {
        let control = ControlServer(endpoint: try Endpoint(HubFolder.controlEndpoint(path: folder.folder.path))) {
            [self] request in await answer(request)
        }
        if let sentence = folder.putBackSentence { onEvent(.notice(sentence)) }
        for latest in ingest.readings {
            driver.publish(latest.register)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // First, so that a hub that says it is listening also answers commands.
            let (opened, opening) = AsyncStream<Void>.makeStream()
            group.addTask {
                defer { opening.finish() }
                try await control.run { opening.finish() }
            }
            for await _ in opened {}
            group.addTask { [self] in
                try await driver.run { [onEvent] in onEvent(.listening(endpoint: $0.text)) }
            }
            group.addTask { [self] in await followConfiguration() }
            group.addTask { [self] in await keepPulse() }
            group.addTask { [self] in await historyKeeper.run() }
            group.addTask { [self] in await alerts.run() }
            group.addTask { [self] in await publisher.run(newest: ingest.readings) }
            group.addTask { [self] in await questions.run(questionPorts) }
            group.addTask { [self] in
                await items.run { [driver] in driver.tell(.exchange(.consumed($1)), to: $0) }
            }
            group.addTask { [self] in
                await shares.run(name: { [self] in await watchName($0) }) { [driver] in
                    driver.tell(.files(.resultTaken($1)), to: $0)
                }
            }
            // The first one to end, by cancellation or by failure, ends the others.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The name of a watch, nil if it is not paired or the driver has ended.
    private func watchName(_ watch: PeerKey) async -> String? {
        // A driver that has ended knows nobody any more, and the name is only for people.
        let watches = try? await driver.status().watches
        return watches?.first { $0.watch.key == watch }?.watch.name
    }

    /// Brings ingest and brokers in line with each new configuration.
    private func followConfiguration() async {
        changed.yield()
        for await _ in changes {
            do {
                let contents = try await desk.ledger.contents()
                var problems: [ConfigurationProblem] = []
                let configuration = PoolConfiguration(cells: contents.cells, problems: &problems)
                let before = ingest.readings
                let renewed = ingest.use(configuration)
                for readings in before where configuration.device(readings.deviceID) == nil { takeBack(readings) }
                historyKeeper.use(configuration)
                alerts.use(configuration)
                alerts.note(watchCount: try await driver.status().watches.count)
                // Before the connections: what is taken back is taken back over the old ones.
                await publisher.use(configuration)
                await brokers.use(configuration, renewing: renewed)
                words.learn(contents)
                // Each repair is a new version, which is looked at in its turn.
                let mended = try await desk.repair(contents)
                let unmended = problems.map { "\($0)" }.filter { !mended.contains($0) }
                for sentence in mended + unmended { onEvent(.notice(sentence)) }
            } catch LinkError.ended {
                // The hub ends, for a reason that is told by itself.
                continue
            } catch {
                onEvent(.notice("the configuration could not be used: \(error)"))
            }
        }
        await brokers.stop()
    }

    /// Empties the register of a device that was removed, so that no watch keeps its values.
    private func takeBack(_ readings: DeviceReadings) {
        var nothing = DeviceReadings(deviceID: readings.deviceID, order: readings.order + 1)
        nothing.raiseOrder(to: UInt64(max(0, Timestamp.now.milliseconds)))
        driver.publish(nothing.register)
    }

    /// Does once a second what is due by the clock: values that waited long enough, connections that slept.
    private func keepPulse() async {
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: .seconds(1))
            ingest.expire()
            brokers.noticeSleep()
        }
        await detection.end()
    }

    /// What watches' questions are answered from.
    private var questionPorts: QueryEnvironment {
        QueryEnvironment(
            configuration: { [self] in
                let contents = try await desk.ledger.contents()
                return (try await desk.configuration().configuration, contents.version.revision)
            },
            readings: { [ingest] id in ingest.readings.first { $0.deviceID == id } },
            alertsOrder: { [ingest, alerts] in
                ingest.tell()
                return try await alerts.shownOrder()
            },
            connection: { [brokers] in brokers.states[$0] },
            history: { [historyKeeper] in try await historyKeeper.perform($0) },
            changeAlerts: { [self] in try await perform(.alerts(.change($0))) },
            reply: { [driver] watch, result in await driver.send(result, to: watch) }, now: { .now })
    }

    var desk: ConfigurationEditor {
        ConfigurationEditor(ledger: RunningLedger(driver: driver), secrets: folder.secrets)
    }
}

extension DeviceReadings {
    /// The register that brings the readings to the watches.
    var register: Register {
        // Finite numbers and texts only: it can always be written.
        Register(
            key: RegisterKey.device(deviceID).text, order: order, value: (try? canonicalJSON()) ?? [])
    }
}
