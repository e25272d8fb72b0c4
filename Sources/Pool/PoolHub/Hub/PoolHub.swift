package import Logging
import Platform
package import PoolControl
import PoolModel
import PoolStore
import Service
package import SyncCore
import SyncStore
package import SyncTransport
package import ZeroMQ

/// The hub: owns the configuration, receives readings from its brokers, stores them, and sends them to its watches.
package final class PoolHub: HubAsking {
    /// The options of a hub.
    package struct Options: Sendable {
        /// The endpoint to which watches connect.
        package var endpoint: Endpoint
        /// The time between two pings of a watch.
        package var heartbeat: Duration
        /// The desktop on which alerts are shown; nil for none.
        package var desktop: Desktop?
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
    private let transport: HubTransport
    /// Passes an input to the reducer, and publishes the resulting register.
    private let handle: @Sendable (HubReducer.Input) -> Void
    private let editor: ConfigurationEditor
    let ingest: Ingest
    private let brokers: BrokerConnections
    private let maintenance: HistoryMaintenance
    private let publisher: HubPublisher
    private let alerts: AlertService
    private let queries: QueryService
    private let userInfo: UserInfoConsumer
    private let doses: DoseLog
    private let cares: PoolCareService
    private let files: FileSharing
    private let detection: DetectionService
    private let commands: CommandHandler

    /// Creates a hub that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - folder: Its folder.
    ///   - options: Its options.
    ///   - logger: Receives events.
    ///   - onEvent: Called with each event for the user, on any thread, those of each part in order; must return at once.
    /// - Throws: `StoreError` if the state cannot be read.
    package init(
        folder: HubFolder, options: Options, logger: Logger, onEvent: @escaping @Sendable (HubEvent) -> Void
    ) throws {
        // The order: queues and the services that read them without other parts; the reducer, which fills the queues;
        // the parts that call the reducer; the services that use those parts.
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

        let transport = HubTransport(
            configuration: .init(
                endpoint: options.endpoint, keys: folder.keys, engine: .pool(heartbeat: options.heartbeat),
                recording: try options.recording?(folder.keys.publicKey.peerKey)),
            state: try folder.store.load(), transfers: transfers, storage: folder.store,
            files: { files.place(with: $0) }, logger: logger,
            // No event of the engine or of a transfer results in a register.
            onTransfer: { _ = reducer.handle(.transfer($1, from: $0)) }, onEvent: { _ = reducer.handle(.engine($0)) })
        self.transport = transport
        let handle: @Sendable (HubReducer.Input) -> Void = { input in
            if let register = reducer.handle(input) { transport.publish(register) }
        }
        self.handle = handle
        editor = ConfigurationEditor(ledger: EngineLedger(transport: transport), secrets: folder.secrets)
        let ingest = try Ingest(history: folder.history, logger: logger) { handle(.ingest($0)) }
        self.ingest = ingest
        // Before anything is shown, because shown values are corrected.
        ingest.use(try folder.configuration())
        let brokers = BrokerConnections(folder: folder, ingest: ingest, logger: logger) { handle(.broker($0)) }
        self.brokers = brokers

        maintenance = HistoryMaintenance(
            history: folder.history, logger: logger, deleting: { try ingest.delete(of: $0, from: $1, through: $2, $3) },
            onNotice: { handle(.event(.notice($0))) })
        publisher = try HubPublisher(
            inputs: publisherInputs, store: folder.history.alerts, topics: folder.topics, logger: logger,
            publish: { await brokers.publish($0, to: $1) })
        let poster = HTTPPoster()
        let phones = PhoneClient(secrets: folder.secrets, poster: poster)
        let channels = AlertChannels(
            transport: transport, editor: editor, brokers: brokers, secrets: folder.secrets,
            webhook: WebhookClient(poster: poster), phones: phones, desktop: options.desktop, handle: handle)
        alerts = try AlertService(folder, inputs: alertInputs, environment: channels, logger: logger)
        detection = DetectionService(logger: logger)
        doses = DoseLog(
            history: folder.history, configuration: { [editor] in try await editor.configuration().configuration },
            onDose: { handle(.event(.dosed($0, pool: $1))) }, onDrop: { reducer.note(dosesDroppedOf: $0) })
        let water = WaterCommandHandler(
            log: doses,
            newest: { device in
                let facts = ingest.facts(of: device.id)
                return WaterCommandHandler.Newest(
                    readings: facts?.readings, quarantinedAt: facts?.quarantinedAt ?? [:])
            })
        cares = PoolCareService(water: water, changes: reducer.changeSignal) { transport.publish($0) }
        commands = CommandHandler(
            RunningTarget(
                folder: folder, reducer: reducer, transport: transport, editor: editor, maintenance: maintenance,
                brokers: brokers, alerts: alerts, files: files, ingest: ingest, detection: detection, water: water,
                cares: cares))
    }

    // MARK: - For the screens

    /// Yields after each change of the state that `HubCommand.look(_:)` returns; several changes may yield once.
    package var changes: AsyncStream<Void> { reducer.changeSignal.changes() }

    /// Adds a line of the log to the events; called on any thread, returns at once.
    package func note(logLine line: String, isProblem: Bool) {
        handle(.logLine(line, isProblem: isProblem))
    }

    /// Carries out a command.
    ///
    /// - Throws: The error in the command, in words.
    package func perform(_ command: HubCommand) async throws -> HubReply { try await commands.perform(command) }

    // MARK: - Running

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `LinkError` if watches or commands cannot be served.
    package func run() async throws {
        let control = ControlServer(endpoint: try Endpoint(HubFolder.controlEndpoint(path: folder.folder.path))) {
            [commands] in await commands.answer($0)
        }
        if let sentence = folder.putBackSentence { handle(.event(.notice(sentence))) }
        for latest in ingest.readings {
            transport.publish(latest.register)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // First, so that a hub that reports that it is listening also answers commands.
            let (opened, opening) = AsyncStream<Void>.makeStream()
            group.addTask {
                defer { opening.finish() }
                try await control.run { opening.finish() }
            }
            for await _ in opened {}
            group.addTask { [self] in
                try await transport.run { [handle] in handle(.event(.listening(endpoint: $0.text))) }
            }
            group.addTask { [self] in await followConfiguration() }
            group.addTask { [self] in await checkClocks() }
            group.addTask { [self] in await followIntervals() }
            group.addTask { [self] in await maintenance.run() }
            group.addTask { [self] in await alerts.run() }
            group.addTask { [self] in await publisher.run(newest: ingest.readings) }
            group.addTask { [self] in await queries.run(self) }
            group.addTask { [self] in await cares.run() }
            group.addTask { [self] in
                await userInfo.run(
                    DoseReceiver(log: doses, name: { [self] in await watchName($0) }, now: { .now }),
                    consume: { [transport] in transport.tell(.exchange(.consumed($1)), to: $0) },
                    onProblem: { [reducer] in reducer.note(userInfoProblem: $1, of: $0) },
                    onWait: { [reducer] in reducer.note(userInfoWaitsOf: $0) })
            }
            group.addTask { [self] in
                await files.run(
                    name: { [self] in await watchName($0) },
                    take: { [transport] in transport.tell(.files(.resultTaken($1)), to: $0) },
                    onEnd: { [handle] in handle(.event(.shared($0))) })
            }
            // The first task to end, by cancellation or by failure, ends the others.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The name of a watch; nil if it is not paired or the transport has ended.
    private func watchName(_ watch: PeerKey) async -> String? {
        let watches = try? await transport.status().watches
        return watches?.first { $0.watch.key == watch }?.watch.name
    }

    /// Passes each new configuration to all parts, in a fixed order.
    private func followConfiguration() async {
        reducer.noteConfigurationChange()
        for await _ in reducer.configurationChanges {
            do {
                let contents = try await editor.ledger.contents()
                var problems: [ConfigurationProblem] = []
                let configuration = PoolConfiguration(cells: contents.cells, problems: &problems)
                let before = ingest.readings
                let renewed = ingest.use(configuration)
                for readings in before where configuration.device(readings.deviceID) == nil { withdraw(readings) }
                maintenance.use(configuration)
                alerts.use(configuration)
                alerts.note(watchCount: try await transport.status().watches.count)
                // Before the connections, because announcements are withdrawn over the old ones.
                await publisher.use(configuration)
                handle(.configuration(contents, configuration))
                await brokers.use(configuration, renewing: renewed)
                cares.wake()
                // Each repair creates a new version, for which this loop runs again.
                let repaired = try await editor.repair(contents)
                let others = problems.map { "\($0)" }.filter { !repaired.contains($0) }
                reducer.note(configuration: repaired + others)
            } catch LinkError.ended {
                // The hub ends; the reason is reported elsewhere.
                continue
            } catch {
                handle(.event(.notice("the configuration could not be used: \(error)")))
            }
        }
        await brokers.stop()
    }

    /// Sets the intervals that were learnt, except for devices for which a person has set one meanwhile.
    private func followIntervals() async {
        for await (id, seconds) in reducer.intervals {
            do {
                let device = try await editor.configuration().configuration.device(id)
                guard device?.learnsInterval == true, device?.expectedIntervalSeconds != seconds else { continue }
                var patch = DevicePatch()
                patch.expectedIntervalSeconds = seconds
                patch.learnsInterval = true
                _ = try await editor.edit(.editDevice(id, patch))
            } catch LinkError.ended {
                continue
            } catch {
                handle(.event(.notice("the interval of a device could not be set: \(error)")))
            }
        }
    }

    /// Empties the register of a device that was removed, so that no watch keeps its values.
    private func withdraw(_ readings: DeviceReadings) {
        var empty = DeviceReadings(deviceID: readings.deviceID, order: readings.order + 1)
        empty.raiseOrder(to: UInt64(max(0, Timestamp.now.milliseconds)))
        transport.publish(empty.register)
    }

    /// Checks once a second for expired values, and whether the machine has slept.
    private func checkClocks() async {
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: .seconds(1))
            ingest.expire()
            await brokers.noticeSleep()
        }
        await detection.end()
    }
}

extension PoolHub: QueryEnvironment {
    var now: Timestamp { .now }

    func configuration() async throws -> (configuration: PoolConfiguration, revision: UInt64) {
        let contents = try await editor.ledger.contents()
        return (try await editor.configuration().configuration, contents.version.revision)
    }

    func readings(of device: DeviceID) -> DeviceReadings? { ingest.facts(of: device)?.readings }

    func alertsOrder() async throws -> UInt64 {
        ingest.reportAll()
        return try await alerts.shownOrder()
    }

    func order(of pool: PoolID) async -> UInt64? { await cares.order(of: pool) }

    func connection(to server: ServerID) async -> BrokerState? { await brokers.states[server] }

    func send(_ result: QueryService.Result, to watch: PeerKey) async { await transport.send(result, to: watch) }
}
