public import Logging
public import PoolModel
import SyncCore
import SyncLink
import SyncStore
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

        /// Creates options.
        public init(endpoint: Endpoint, heartbeat: Duration = .seconds(1)) {
            self.endpoint = endpoint
            self.heartbeat = heartbeat
        }
    }

    /// What happens at a hub, for whoever looks at its terminal.
    public enum Event: Sendable {
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
        case conflict(ConflictNote)
        /// Something that a person should know.
        case notice(String)
    }

    private let folder: HubFolder
    private let options: Options
    private let logger: Logger
    private let onEvent: @Sendable (Event) -> Void
    private let driver: HubDriver
    private let ingest: Ingest
    private let brokers: BrokerFleet
    private let words: CurrentWords
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    /// Creates a hub that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - folder: Its state.
    ///   - options: What it is told.
    ///   - logger: Gets what happens.
    ///   - onEvent: Called from any thread, in the order of what happens in each part; must return at once.
    /// - Throws: `StoreError` if the state cannot be read.
    public init(
        folder: HubFolder, options: Options, logger: Logger, onEvent: @escaping @Sendable (Event) -> Void
    ) throws {
        self.folder = folder
        self.options = options
        self.logger = logger
        self.onEvent = onEvent
        let (changes, changed) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        self.changed = changed
        let words = CurrentWords()
        self.words = words
        let driver = HubDriver(
            configuration: .init(
                endpoint: options.endpoint, keys: folder.keys, engine: .pool(heartbeat: options.heartbeat)),
            state: try folder.store.load(), transfers: try folder.store.transfers(), storage: folder.store,
            logger: logger
        ) { event in
            if case .committed = event { changed.yield() }
            for shown in Event.shown(event, words) { onEvent(shown) }
        }
        self.driver = driver
        let names = DeviceNames()
        let ingest = try Ingest(history: folder.history, logger: logger) { latest in
            driver.publish(latest.register)
            onEvent(.reading(device: names.name(of: latest.deviceID), latest))
        }
        self.ingest = ingest
        brokers = BrokerFleet(
            folder: folder, names: names, ingest: ingest, logger: logger
        ) { server, state, register in
            driver.publish(register)
            onEvent(.server(name: server.name, state))
        }
    }

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
            group.addTask { [self] in
                try await driver.run { [onEvent] in onEvent(.listening(endpoint: $0.text)) }
            }
            group.addTask { try await control.run() }
            group.addTask { [self] in await followConfiguration() }
            // The first one to end, by cancellation or by failure, ends the others.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Brings ingest and brokers in line with each new configuration.
    private func followConfiguration() async {
        changed.yield()
        for await _ in changes {
            do {
                let contents = try await desk.ledger.contents()
                var problems: [ConfigurationProblem] = []
                let configuration = PoolConfiguration(cells: contents.cells, problems: &problems)
                ingest.use(configuration)
                try await brokers.use(configuration)
                words.learn(contents)
                // Each repair is a new version, which is looked at in its turn.
                let mended = try await desk.repair(contents)
                let unmended = problems.map { "\($0)" }.filter { !mended.contains($0) }
                for sentence in mended + unmended { onEvent(.notice(sentence)) }
            } catch {
                onEvent(.notice("the configuration could not be used: \(error)"))
            }
        }
        await brokers.stop()
    }

    private var desk: HubDesk {
        HubDesk(ledger: RunningLedger(driver: driver), passwords: folder.passwords)
    }

    // MARK: - Commands

    private func answer(_ bytes: [UInt8]) async -> [UInt8] {
        let answer: HubAnswer
        do {
            answer = try await perform(try CanonicalJSON.decode(HubRequest.self, from: bytes))
        } catch {
            answer = .refused("\(error)")
        }
        do {
            return try CanonicalJSON.encode(answer)
        } catch {
            return Array("{\"refused\":{\"_0\":\"the answer could not be written\"}}".utf8)
        }
    }

    /// Does what a command asks.
    ///
    /// - Throws: What is wrong with the request, in words.
    public func perform(_ request: HubRequest) async throws -> HubAnswer {
        if let answer = try await desk.edit(request) {
            // A password alone changes no cell.
            changed.yield()
            return answer
        }
        switch request {
        case .invite(let name, let seconds):
            let code = try await driver.invite(name: name, validForSeconds: seconds)
            return .invitation(code: code.text, validForSeconds: seconds)
        case .unpair(let name):
            let watches = try await driver.status().watches.map(\.watch)
            guard let watch = watches.first(where: { $0.name == name }) else {
                return .refused(WatchNames.missing(name, among: watches.map(\.name)))
            }
            try await driver.unpair(watch.key)
            return .done("forgot watch \(name)")
        case .testServer(let match):
            return try await desk.trial(of: match)
        case .log(let count):
            let watches = try await driver.status().watches.map(\.watch)
            return .log(try await desk.log(last: count, of: folder.store, watches: watches))
        case .backUp(let path):
            return try folder.backUp(to: path)
        default:
            return .report(try await report())
        }
    }

    private func report() async throws -> HubReport {
        let status = try await driver.status()
        var report = try await desk.report(history: folder.history)
        report.isRunning = true
        report.endpoint = status.endpoint.text
        report.watches = status.watches.map { HubReport.WatchReport($0, now: status.moment.monotonic) }
        report.counts = ingest.counts
        let states = brokers.states
        let readings = Dictionary(ingest.readings.map { ($0.deviceID, $0) }) { $1 }
        let counts = ingest.countsByDevice
        for index in report.servers.indices {
            let state = states[report.servers[index].id]
            report.servers[index].isConnected = state?.isConnected
            report.servers[index].state = state.map { "\($0)" }
        }
        for index in report.devices.indices {
            report.devices[index].readings = readings[report.devices[index].id]
            report.devices[index].counts = counts[report.devices[index].id]
        }
        return report
    }
}

extension DeviceReadings {
    /// The register that brings the readings to the watches.
    var register: Register {
        // Finite numbers and texts only: it can always be written.
        Register(
            key: RegisterKey.device(deviceID).text, order: order, value: (try? CanonicalJSON.encode(self)) ?? [])
    }
}
