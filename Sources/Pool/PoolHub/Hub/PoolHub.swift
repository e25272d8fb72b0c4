package import Logging
import Platform
package import PoolControl
import PoolModel
import PoolStore
package import SyncCore
import SyncStore
package import SyncTransport
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
        package var recording: (@Sendable (PeerKey) throws -> any HubRecording)?

        /// Creates options.
        package init(
            endpoint: Endpoint, heartbeat: Duration = .seconds(1), desktop: Desktop? = nil,
            recording: (@Sendable (PeerKey) throws -> any HubRecording)? = nil
        ) {
            self.endpoint = endpoint
            self.heartbeat = heartbeat
            self.desktop = desktop
            self.recording = recording
        }
    }

    let folder: HubFolder
    private let reducer: HubReducer
    private let driver: HubTransport
    /// Has the reducer handle an input, and publishes the register that this leads to.
    private let handle: @Sendable (HubReducer.Input) -> Void
    private let editor: ConfigurationEditor
    let ingest: Ingest
    private let brokers: BrokerConnections
    private let historyKeeper: HistoryMaintenance
    private let publisher: HubPublisher
    private let alerts: AlertService
    private let queries: QueryService
    private let userInfo: UserInfoConsumer
    private let doses: DoseLog
    private let files: FileSharing
    private let detection: DetectionService
    private let commands: CommandHandler

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
        // Queues and what reads them at ``run()``; then the reducer, which fills them; then the parts that call the
        // reducer; at last the services that read the queues and use those parts.
        self.folder = folder
        let transfers = try folder.store.transfers()
        let (alertInputs, publisherInputs) = (AlertQueue(), PublisherQueue())
        queries = QueryService(logger: logger)
        userInfo = UserInfoConsumer(logger: logger)
        let files = try FileSharing(folder, queues: transfers, logger: logger)
        self.files = files
        let reducer = HubReducer(
            alerts: alertInputs, publishing: publisherInputs, queries: queries, files: files, userInfo: userInfo,
            onEvent: onEvent)
        self.reducer = reducer

        let driver = HubTransport(
            configuration: .init(
                endpoint: options.endpoint, keys: folder.keys, engine: .pool(heartbeat: options.heartbeat),
                recording: try options.recording?(folder.keys.publicKey.peerKey)),
            state: try folder.store.load(), transfers: transfers, storage: folder.store,
            files: { files.place(with: $0) }, logger: logger,
            // No event of the engine or of a transfer leads to a register.
            onTransfer: { _ = reducer.handle(.transfer($1, from: $0)) }, onEvent: { _ = reducer.handle(.engine($0)) })
        self.driver = driver
        let handle: @Sendable (HubReducer.Input) -> Void = { input in
            if let register = reducer.handle(input) { driver.publish(register) }
        }
        self.handle = handle
        editor = ConfigurationEditor(ledger: RunningLedger(driver: driver), secrets: folder.secrets)
        let ingest = try Ingest(history: folder.history, logger: logger) { handle(.ingest($0)) }
        self.ingest = ingest
        // Before anything is shown: what is shown is corrected.
        ingest.use(try folder.configuration())
        let brokers = BrokerConnections(folder: folder, ingest: ingest, logger: logger) { handle(.broker($0)) }
        self.brokers = brokers

        historyKeeper = HistoryMaintenance(
            history: folder.history, logger: logger, deleting: { try ingest.delete(of: $0, from: $1, through: $2, $3) },
            onNotice: { handle(.event(.notice($0))) })
        publisher = try HubPublisher(
            inputs: publisherInputs, store: folder.history.alerts, topics: folder.topics, logger: logger,
            publish: { await brokers.publish($0, to: $1) })
        let channels = AlertChannels(
            driver: driver, brokers: brokers, secrets: folder.secrets, webhook: WebhookClient(),
            desktop: options.desktop, onNotice: { handle(.event(.alert($0))) })
        alerts = try AlertService(
            folder, inputs: alertInputs,
            ports: AlertPorts(
                deliver: { await channels.deliver($0, over: $1, $2) },
                authorization: { await channels.authorization(of: $0) },
                show: { handle(.alerts($0, order: $1)) },
                removeAnswers: { [editor] in try await editor.put($0.map(AlertAnswer.removal)) }),
            logger: logger)
        detection = DetectionService(logger: logger)
        doses = DoseLog(
            history: folder.history, configuration: { [editor] in try await editor.configuration().configuration },
            onDose: { handle(.event(.dosed($0, pool: $1))) })
        commands = CommandHandler(
            folder: folder, reducer: reducer, driver: driver, editor: editor, historyKeeper: historyKeeper,
            brokers: brokers, alerts: alerts, files: files, ingest: ingest, detection: detection, doses: doses)
    }

    // MARK: - For those who look

    /// Yields after each change of what `HubCommand.look(_:)` shows, from now on; changes before the next look are one.
    public var rings: AsyncStream<Void> { reducer.changeSignal.rings() }

    /// Keeps a line of the log among the events; called on any thread, returns at once.
    public func note(logLine line: String, isProblem: Bool) {
        handle(.logLine(line, isProblem: isProblem))
    }

    /// Carries out a command.
    ///
    /// - Throws: What is wrong with the command, in words.
    package func perform(_ command: HubCommand) async throws -> HubReply { try await commands.perform(command) }

    // MARK: - Running

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `LinkError` if watches or commands cannot be served.
    public func run() async throws {
        let control = ControlServer(endpoint: try Endpoint(HubFolder.controlEndpoint(path: folder.folder.path))) {
            [commands] in await commands.answer($0)
        }
        if let sentence = folder.putBackSentence { handle(.event(.notice(sentence))) }
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
                try await driver.run { [handle] in handle(.event(.listening(endpoint: $0.text))) }
            }
            group.addTask { [self] in await followConfiguration() }
            group.addTask { [self] in await keepPulse() }
            group.addTask { [self] in await historyKeeper.run() }
            group.addTask { [self] in await alerts.run() }
            group.addTask { [self] in await publisher.run(newest: ingest.readings) }
            group.addTask { [self] in await queries.run(queryEnvironment) }
            group.addTask { [self] in
                await userInfo.run(
                    DoseReceiver(log: doses, name: { [self] in await watchName($0) }, now: { .now }),
                    consume: { [driver] in driver.tell(.exchange(.consumed($1)), to: $0) },
                    onProblem: { [reducer] in reducer.note(userInfoProblem: $1, of: $0) })
            }
            group.addTask { [self] in
                await files.run(
                    name: { [self] in await watchName($0) },
                    take: { [driver] in driver.tell(.files(.resultTaken($1)), to: $0) },
                    onEnd: { [handle] in handle(.event(.shared($0))) })
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

    /// Brings all parts in line with each new configuration, in a fixed order.
    private func followConfiguration() async {
        reducer.noteConfigurationChange()
        for await _ in reducer.configurationChanges {
            do {
                let contents = try await editor.ledger.contents()
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
                handle(.configuration(contents, configuration))
                await brokers.use(configuration, renewing: renewed)
                // Each repair is a new version, which is looked at in its turn.
                let mended = try await editor.repair(contents)
                let unmended = problems.map { "\($0)" }.filter { !mended.contains($0) }
                for sentence in mended + unmended { handle(.event(.notice(sentence))) }
            } catch LinkError.ended {
                // The hub ends, for a reason that is told by itself.
                continue
            } catch {
                handle(.event(.notice("the configuration could not be used: \(error)")))
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
            await brokers.noticeSleep()
        }
        await detection.end()
    }

    /// What the queries of watches are answered from.
    private var queryEnvironment: QueryEnvironment {
        QueryEnvironment(
            configuration: { [editor] in
                let contents = try await editor.ledger.contents()
                return (try await editor.configuration().configuration, contents.version.revision)
            },
            readings: { [ingest] id in ingest.readings.first { $0.deviceID == id } },
            alertsOrder: { [ingest, alerts] in
                ingest.tell()
                return try await alerts.shownOrder()
            },
            connection: { [brokers] in await brokers.states[$0] },
            history: { [historyKeeper] in try await historyKeeper.perform($0) },
            changeAlerts: { [commands] in try await commands.perform(.alerts(.change($0))) },
            reply: { [driver] watch, result in await driver.send(result, to: watch) }, now: { .now })
    }
}
