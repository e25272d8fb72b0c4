import Foundation
import Logging
import MQTT
import Platform
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore
import Synchronization

@testable import PoolHub

/// Runs the tasks that prefer it only when told, on the thread that tells, so that they take turns in the same order
/// each time.
final class HandTurnedExecutor: TaskExecutor {
    private let jobs = Lock<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs until all tasks wait for something else.
    func runUntilIdle() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            // The job was put in once, and is taken out once.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// A step of a story: time passes, then something happens.
struct AlertStep {
    enum Deed {
        case messages([String])
        /// What a broker kept while the hub was off.
        case backlog([String])
        case webhookAnswers(Bool)
        case connectionStands(Bool)
        /// Somebody at a watch has seen the alerts of this condition and quantity.
        case acknowledge(Quantity)
        case hubRuns(Bool)
        case nothing
    }

    var seconds: Int64
    var words: String
    var deed: Deed = .nothing

    var isBacklog: Bool {
        guard case .backlog = deed else { return false }
        return true
    }
}

/// A pool's days as its hub's alerts see them: readings from the broker's message to each channel's notice, through the
/// history and the alerts' own store, with a clock that only the story turns.
///
/// What the disk holds may be cut off at any moment, and a second story may go on from there.
final class AlertStory {
    /// What outlives the hub's process.
    struct Surroundings {
        var seconds: Int64 = 0
        var webhookAnswers = true
        var connectionStands = true
        var configuration: PoolConfiguration
    }

    /// How far a story has come.
    struct Progress: Equatable {
        var step: Int
        /// The messages of this step that the broker may forget.
        var acknowledged: Int
        var delivered: Int

        init(step: Int, acknowledged: Int, delivered: Int) {
            (self.step, self.acknowledged, self.delivered) = (step, acknowledged, delivered)
        }

        init(_ number: UInt64) {
            (step, acknowledged, delivered) = (Int(number >> 40), Int(number >> 20 & 0xFFFFF), Int(number & 0xFFFFF))
        }

        var number: UInt64 { UInt64(step) << 40 | UInt64(acknowledged) << 20 | UInt64(delivered) }
    }

    /// A notice that was brought to a channel.
    struct Delivery {
        var step: Int
        var notice: AlertNotice
        var channel: AlertChannel
        var hasArrived: Bool
    }

    static let device = DeviceID(high: 1, low: 1)
    private static let numbers = Atomic<UInt64>(0)

    private let path: String
    private let executor = HandTurnedExecutor()
    private let world: World
    private var hub: Hub?
    /// The messages that the broker keeps, because they could not be stored.
    private var kept: [Message] = []
    /// What the world was like at the beginning of each step.
    private(set) var surroundings: [Surroundings] = []
    /// The open alerts at the end of each step.
    private(set) var open: [Int: [AlertState.Alert]] = [:]

    /// Begins a story on a hub's folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - surroundings: What the world is like; nil for the beginning.
    ///   - onProgress: Called whenever something is acknowledged or delivered.
    /// - Throws: `ConfigurationError` if what the story sets up is not sound.
    init(
        _ path: String, in surroundings: Surroundings? = nil,
        onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) throws {
        self.path = path
        world = World(try surroundings ?? Surroundings(configuration: Self.configuration()), onProgress: onProgress)
    }

    private static func configuration() throws -> PoolConfiguration {
        let server = try Server.sample()
        let device = Device(
            id: device, name: "Lagoon", serverID: server.id, topic: "pool", expectedIntervalSeconds: 600)
        var settings = AlertSettings()
        settings.channels.webhook = .init(url: "http://127.0.0.1:1/")
        settings.channels.mqtt = .init(topic: "home/alerts")
        return try PoolConfiguration().adding(server).adding(device).alerting(settings)
    }

    /// All that was brought to a channel, in this order.
    var deliveries: [Delivery] { world.state.withLock(\.deliveries) }

    /// The notices in the log of the hub's folder, in their order; only while the hub runs.
    func logged() throws -> [AlertNotice] {
        try hub?.folder.history.alerts.events(limit: 10_000).reversed()
            .map { try CanonicalJSON.decode(AlertNotice.self, from: $0.json) } ?? []
    }

    // MARK: - Steps

    /// Plays steps to their end; the hub runs then.
    ///
    /// - Parameters:
    ///   - steps: The story.
    ///   - place: Where another story ended; its step is taken once more, without what the broker need not repeat.
    ///   - before: Called before each step.
    /// - Throws: What the hub cannot open or read.
    func play(
        _ steps: [AlertStep], from place: Progress = Progress(step: 0, acknowledged: 0, delivered: 0),
        before: (Int) throws -> Void = { _ in }
    ) throws {
        for number in place.step..<steps.count {
            world.state.withLock { state in
                (state.step, state.acknowledged) = (number, number == place.step ? place.acknowledged : 0)
            }
            surroundings.append(world.state.withLock(\.surroundings))
            world.report()
            try before(number)
            world.state.withLock { $0.surroundings.seconds += steps[number].seconds }
            if number == place.step { try start() }
            hub?.inputs.post(.time)
            executor.runUntilIdle()
            try carryOut(steps[number].deed)
            executor.runUntilIdle()
            open[number] = world.state.withLock(\.open)
        }
    }

    private func carryOut(_ deed: AlertStep.Deed) throws {
        switch deed {
        case .messages(let texts): try receive(texts)
        case .backlog(let texts):
            let server = try Server.sample().id
            hub?.ingest.beginCatchUp(server)
            try receive(texts)
            hub?.ingest.endCatchUp(server)
        case .webhookAnswers(let answers): world.state.withLock { $0.surroundings.webhookAnswers = answers }
        case .connectionStands(let stands):
            world.state.withLock { $0.surroundings.connectionStands = stands }
            try tellConnection()
        case .acknowledge(let quantity):
            let alerts = world.state.withLock(\.open).filter { $0.key.quantity == quantity }
            for alert in alerts { world.answer(AlertState.acknowledgement(of: alert)) }
            hub?.service.use(world.state.withLock(\.surroundings.configuration))
        case .hubRuns(true): try start()
        case .hubRuns(false): stop()
        case .nothing: break
        }
    }

    // MARK: - The hub

    private struct Hub {
        let folder: HubFolder
        let service: AlertService
        let inputs: AlertQueue
        let ingest: Ingest
        let task: Task<Void, Never>
        let connection: SessionConnection
    }

    private func start() throws {
        guard hub == nil else { return }
        let folder = try HubFolder(path: path)
        let world = world
        let environment = HubEnvironment(world: world)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let inputs = AlertQueue()
        let service = try AlertService(
            folder, inputs: inputs, environment: environment, logger: logger)
        environment.service.withLock { $0 = service }
        let ingest = try Ingest(
            history: folder.history, logger: logger, now: { world.moment.wall }
        ) { item in
            if case .event(let event) = item { inputs.post(.event(event)) }
        }
        let configuration = world.state.withLock(\.surroundings.configuration)
        ingest.use(configuration)
        let task = Task(executorPreference: executor) { await service.run() }
        service.use(configuration)
        service.note(watchCount: 1)
        hub = Hub(
            folder: folder, service: service, inputs: inputs, ingest: ingest, task: task,
            connection: .init(
                number: Self.numbers.add(1, ordering: .relaxed).newValue, isSessionResumed: true))
        try tellConnection()
        executor.runUntilIdle()
    }

    /// Ends the hub as a person would.
    func stop() {
        hub?.task.cancel()
        executor.runUntilIdle()
        hub = nil
    }

    private func tellConnection() throws {
        let stands = world.state.withLock(\.surroundings.connectionStands)
        hub?.inputs.post(
            .server(
                try Server.sample(),
                BrokerState(
                    phase: stands ? .connected : .waiting(reason: "refused", needsAttention: false),
                    since: world.moment.wall)))
    }

    /// Lets the broker deliver messages; what could not be stored comes again before the next ones, as a backlog.
    private func receive(_ texts: [String]) throws {
        let (step, acknowledged) = world.state.withLock { ($0.step, $0.acknowledged) }
        let messages = try texts.enumerated().map { index, text in
            Message(
                topic: try TopicName("pool"), payload: Array(text.utf8), qualityOfService: .atLeastOnce,
                isRetained: false, packetIdentifier: PacketIdentifier(rawValue: UInt16(step * 100 + index + 1)),
                properties: MessageProperties())
        }
        for message in messages.dropFirst(acknowledged) {
            try receive(message) { world.acknowledge() }
        }
    }

    private func receive(_ message: Message, onAnswer: () -> Void = {}) throws {
        guard let hub else { return }
        let verdict = hub.ingest.receive([message], from: try Server.sample().id, in: hub.connection)
        if case .sendAgain = verdict { kept.append(message) }
        onAnswer()
        executor.runUntilIdle()
    }

    /// Lets the broker deliver once more what could not be stored.
    func deliverAgain() throws {
        let server = try Server.sample().id
        let messages = kept
        kept = []
        hub?.ingest.beginCatchUp(server)
        for message in messages { try receive(message) }
        hub?.ingest.endCatchUp(server)
        executor.runUntilIdle()
    }
}

/// The parts of a hub that its alert service uses.
private final class HubEnvironment: AlertEnvironment {
    let world: World
    let service = Lock<AlertService?>(nil)

    init(world: World) {
        self.world = world
    }

    var now: AlertTime { world.moment }

    func deliver(
        _ notice: AlertNotice, over channel: AlertChannel, _ settings: AlertSettings
    ) async -> AlertOutcome {
        world.deliver(notice, channel)
    }

    func authorization(of channel: AlertChannel) async -> AlertAuthorization { .granted }

    func show(_ alerts: [AlertState.Alert], order: UInt64) { world.state.withLock { $0.open = alerts } }

    func removeAnswers(to keys: [AlertKey]) async throws {
        world.removeAnswers(keys)
        service.withLock(\.self)?.use(world.state.withLock(\.surroundings.configuration))
    }
}

/// The world around a hub.
private final class World: Sendable {
    struct State {
        var surroundings: AlertStory.Surroundings
        var step = 0
        /// The messages of this step that the broker was answered.
        var acknowledged = 0
        var deliveries: [AlertStory.Delivery] = []
        var open: [AlertState.Alert] = []
    }

    let state: Lock<State>

    private let onProgress: @Sendable (AlertStory.Progress) -> Void

    init(_ surroundings: AlertStory.Surroundings, onProgress: @escaping @Sendable (AlertStory.Progress) -> Void) {
        state = Lock(State(surroundings: surroundings))
        self.onProgress = onProgress
    }

    /// Tells how far it has come: after each step, message and delivery.
    func report() {
        onProgress(
            state.withLock { state in
                AlertStory.Progress(
                    step: state.step, acknowledged: state.acknowledged, delivered: state.deliveries.count)
            })
    }

    func acknowledge() {
        state.withLock { $0.acknowledged += 1 }
        report()
    }

    var moment: AlertTime {
        let milliseconds = state.withLock(\.surroundings.seconds) * 1000
        return AlertTime(
            wall: IngestBench.noon.advanced(byMilliseconds: milliseconds),
            uptimeMilliseconds: 1_000_000 + milliseconds, bootID: 7)
    }

    func deliver(_ notice: AlertNotice, _ channel: AlertChannel) -> AlertOutcome {
        defer { report() }
        return state.withLock { state in
            let hasArrived = channel != .webhook || state.surroundings.webhookAnswers
            state.deliveries.append(.init(step: state.step, notice: notice, channel: channel, hasArrived: hasArrived))
            return hasArrived ? .delivered : .failed("down")
        }
    }

    func answer(_ answer: PoolModel.AlertAnswer) {
        guard case .upsert(let entry) = answer.change else { return }
        state.withLock { state in
            let entries = state.surroundings.configuration.entries().filter { $0.key != entry.key }
            state.surroundings.configuration = PoolConfiguration(entries: entries + [entry])
        }
    }

    func removeAnswers(_ keys: [AlertKey]) {
        let gone = keys.compactMap { key -> ConfigurationEntry.Key? in
            guard case .delete(let entry) = PoolModel.AlertAnswer.removal(of: key) else { return nil }
            return entry
        }
        state.withLock { state in
            state.surroundings.configuration = PoolConfiguration(
                entries: state.surroundings.configuration.entries().filter { !gone.contains($0.key) })
        }
    }
}
