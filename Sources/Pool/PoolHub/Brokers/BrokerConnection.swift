import Logging
import MQTT
import PoolModel
import Synchronization

/// Keeps one server's broker connected: each life of a connection is one `Client`, and the next one follows by itself.
///
///     connecting ──accepted──▶ connected ──ended──▶ waiting ──▶ connecting …
///         └──────refused, unreachable, silent────────▲
///
/// What cannot be stored waits at the broker, in the session under the hub's name. Meanwhile a stand-in without a name is
/// connected most of the time: what comes now is judged, and alerts can be published.
final class BrokerConnection: Sendable {
    /// What became of messages.
    enum Verdict: Sendable {
        /// They are kept, or not worth keeping: the broker may forget them.
        case acknowledge
        /// They could not be kept: the broker must send them again.
        case sendAgain(reason: String)
    }

    /// What a connection is told.
    struct Settings: Hashable, Sendable {
        var server: Server
        var password: String?
        var clientIdentifier: String
        /// The topic that says whether the hub is there.
        var statusTopic: String
        /// Why it cannot be tried at all, nil if it can.
        var obstacle: String?
        /// How fast it goes.
        var tempo = Tempo()
    }

    /// How fast a connection goes; other than the default in tests only.
    struct Tempo: Hashable, Sendable {
        /// What the waits between two attempts are multiplied with.
        var waits = 1.0
        /// The time until the broker must have accepted the hub.
        var connectTimeout = Duration.seconds(10)
        /// The seconds of silence after which the broker is asked whether it lives (P15).
        var keepAliveSeconds: UInt16 = 60
        /// How often is looked whether a backlog is over.
        var backlogPause = Duration.milliseconds(250)
        /// How long a stand-in listens before it is tried again to store.
        var standInTime = Duration.seconds(20)
    }

    /// How many messages are kept by one write, and acknowledged together.
    ///
    /// Half of what brokers send by default before they wait, so that the next ones are there already.
    private static let messagesTogether = 10

    /// Who is told what happens; all are called on the network thread or, but for messages, on another one.
    struct Listener: Sendable {
        /// Messages that came together, and the life that they came in; may block to store them.
        var onMessages: @Sendable ([Message], Life) -> Verdict
        /// A message that came once more because two filters are for it.
        var onCopy: @Sendable (Message) -> Void = { _ in }
        /// The broker begins to deliver what it kept (true), or has done so (false).
        var onBacklog: @Sendable (Bool) -> Void = { _ in }
        /// The state changed.
        var onState: @Sendable (BrokerState) -> Void
    }

    struct State {
        /// The wait between two connections.
        var pause: Task<Void, Never>?
        var shown: BrokerState
        var subscriptions = Subscriptions()
        var subscribed: Set<String> = []
        var unsubscribing: [PacketIdentifier: [String]] = [:]
        var copies = MessageCopies()
        /// The messages that are to be kept at the next pause.
        var arrived: [Message] = []
        var client: Client?
        var connectedAt: ContinuousClock.Instant?
        var life = Life(number: 0, isSessionResumed: false)
        var backlog = BacklogDetector()
    }

    /// One life of a connection.
    struct Life: Hashable, Sendable {
        /// The number of the connection, which no other connection of this process has.
        var number: UInt64
        /// Whether the broker went on with the session of before.
        var isSessionResumed: Bool
        /// Whether it is a stand-in's, of which nothing is stored.
        var isStandIn = false
    }

    /// How a life ended.
    private struct End {
        var words: String
        var needsAttention = true
        var reason: Client.EndReason?
        var duration: Duration?
    }

    /// Numbers the lives of all connections.
    private static let lives = Atomic<UInt64>(0)

    let settings: Settings
    let logger: Logger
    let memory: SubscriptionMemory?
    let state: Mutex<State>
    /// What is on its way to the broker.
    let publications = Publications()
    private let listener: Listener

    /// Creates a connection that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - settings: What it is told.
    ///   - memory: Remembers what was subscribed to; nil to forget it.
    ///   - logger: Gets what happens.
    ///   - listener: Is told what happens.
    init(_ settings: Settings, memory: SubscriptionMemory?, logger: Logger, listener: Listener) {
        self.settings = settings
        self.memory = memory
        self.logger = logger
        self.listener = listener
        state = Mutex(State(shown: BrokerState(phase: .connecting, since: .now, refusedTopics: [])))
    }

    /// What is known of the connection now.
    var current: BrokerState { state.withLock(\.shown) }

    /// The client of the connection that the broker has accepted, nil without one.
    var connectedClient: Client? { state.withLock { $0.connectedAt == nil ? nil : $0.client } }

    /// Connects, again and again, until the task is cancelled; then says goodbye.
    func run() async {
        var schedule = ReconnectSchedule()
        var takeovers = ClientIDConflictDetector()
        var generator = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            show { $0.phase = .connecting }
            var end = await liveOnce()
            guard !Task.isCancelled else { return }
            if end.duration != nil, current.storeTrouble != nil {
                show { $0.phase = .connecting }
                let standIn = await liveOnce(asStandIn: true)
                guard !Task.isCancelled else { return }
                // Else the broker wants none, or is gone.
                if standIn.duration != nil { continue }
            }
            if let reason = end.reason { takeovers.ended(reason, after: end.duration) }
            if let words = takeovers.words(clientIdentifier: settings.clientIdentifier) {
                end.words = words
                end.needsAttention = true
            }
            show { [end] in $0.phase = .waiting(reason: end.words, needsAttention: end.needsAttention) }
            logger.info(
                "broker connection ended", metadata: ["server": "\(settings.server.name)", "reason": "\(end.words)"])
            let wait = schedule.wait(
                afterConnectionOf: end.duration, needsAttention: end.needsAttention, using: &generator)
            await pause(wait * settings.tempo.waits)
        }
    }

    /// Ends the present connection without a goodbye, or the wait for the next one.
    func startAnew() {
        let (client, pause) = state.withLock { ($0.client, $0.pause) }
        client?.abort()
        pause?.cancel()
    }

    /// Waits for a time; ``startAnew()`` and the cancellation of the task end the wait early.
    private func pause(_ duration: Duration) async {
        let pause = Task {
            // Cancellation ends the wait early, and nothing else.
            _ = try? await Task.sleep(for: duration)
        }
        state.withLock { $0.pause = pause }
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
        state.withLock { $0.pause = nil }
    }

    // MARK: - One life

    /// One attempt and, if it succeeds, one connection; gives why it ended and how long it stood.
    private func liveOnce(asStandIn isStandIn: Bool = false) async -> End {
        if let obstacle = settings.obstacle { return End(words: obstacle) }
        let (ends, source) = AsyncStream<Client.EndReason>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let client: Client
        do {
            client = try Client(options(asStandIn: isStandIn))
            let address = try settings.server.brokerAddress()
            state.withLock { state in
                state.client = client
                state.life.number = Self.lives.add(1, ordering: .relaxed).newValue
                state.life.isStandIn = isStandIn
            }
            try client.connect(to: address) { [weak self, weak client] event in
                if case .ended(let reason) = event {
                    source.yield(reason)
                    source.finish()
                } else if let client {
                    self?.handle(event, of: client)
                }
            }
        } catch {
            return End(words: "\(error)")
        }
        let time = isStandIn ? settings.tempo.standInTime : nil
        let timer = time.map { time in
            Task {
                do {
                    try await Task.sleep(for: time)
                    client.disconnect()
                } catch {
                    // It ended by itself.
                }
            }
        }
        defer { timer?.cancel() }
        let reason = await withTaskCancellationHandler {
            await ends.first { _ in true } ?? .closed
        } onCancel: { [self] in
            sayGoodbye(client)
        }
        // Without cancellation the stream ends with the connection; with it, the goodbye is under way.
        if Task.isCancelled { client.close() }
        publications.end()
        let duration = state.withLock { state in
            defer {
                state.client = nil
                state.connectedAt = nil
                state.subscribed = []
                state.unsubscribing = [:]
            }
            return state.connectedAt.map { ContinuousClock.now - $0 }
        }
        endBacklog()
        return End(
            words: reason.words(for: settings.server, wasConnected: duration != nil),
            needsAttention: reason.needsAttention, reason: reason,
            duration: duration)
    }

    private func options(asStandIn isStandIn: Bool) -> Client.Options {
        var options = settings.server.clientOptions(
            password: settings.password, clientIdentifier: isStandIn ? nil : settings.clientIdentifier)
        options.connectTimeout = settings.tempo.connectTimeout
        options.keepAliveSeconds = settings.tempo.keepAliveSeconds
        options.messagesBetweenPauses = Self.messagesTogether
        // The topic was made of the hub's key, so it is one.
        if let topic = try? TopicName(settings.statusTopic) {
            options.will = Will(topic: topic, payload: Array("offline".utf8))
        }
        return options
    }

    private func sayGoodbye(_ client: Client) {
        announce("offline", client)
        client.disconnect()
    }

    private func announce(_ word: String, _ client: Client) {
        guard let topic = try? TopicName(settings.statusTopic) else { return }
        do {
            try client.publish(Array(word.utf8), to: topic, isRetained: true)
        } catch {
            logger.debug("status not announced", metadata: ["error": "\(error)"])
        }
    }

    private func handle(_ event: Client.Event, of client: Client) {
        switch event {
        case .connected(let acknowledgement): connected(acknowledgement, client)
        case .message(let message): take(message, client)
        case .pause: keepArrived(client)
        case .subscribed(_, let answers): subscribed(answers)
        case .published(let packet, let reason): publications.answered(packet, reason)
        case .unsubscribed(let packet): unsubscribed(packet)
        case .ended: break
        }
    }

    private func connected(_ acknowledgement: Client.ConnectAcknowledgement, _ client: Client) {
        state.withLock { state in
            state.connectedAt = .now
            // What could not be kept comes again, and is no copy.
            state.copies = MessageCopies()
            state.life.isSessionResumed = acknowledgement.isSessionPresent
        }
        // Before the first message: what the broker kept comes now.
        if acknowledgement.isSessionPresent { beginBacklog() }
        show { $0.phase = .connected }
        logger.info(
            "broker connected",
            metadata: [
                "server": "\(settings.server.name)", "session.present": "\(acknowledgement.isSessionPresent)",
            ])
        announce("online", client)
        // Everything, also in a session that went on: brokers forget, and replay what they keep only so (X9).
        align(client)
    }

    /// Takes a message that is wanted, to keep it at the next pause.
    private func take(_ message: Message, _ client: Client) {
        let moment = ContinuousClock.now
        let (isWanted, isCopy) = state.withLock { state in
            let count = state.subscriptions.copyCount(of: message.topic)
            let isWanted = state.subscriptions.contains(message.topic)
            let isCopy = state.copies.isCopy(message, copyCount: count, at: moment)
            if isWanted, !isCopy { state.arrived.append(message) }
            return (isWanted, isCopy)
        }
        guard isWanted else {
            // A session of before still had the topic of a device that was removed meanwhile. Only its own filter is
            // known; a connection that just ends need not say it.
            _ = try? client.unsubscribe(from: [TopicFilter(message.topic)])
            return
        }
        if isCopy { listener.onCopy(message) }
    }

    private func keepArrived(_ client: Client) {
        let (messages, life) = state.withLock { state in
            defer { state.arrived = [] }
            return (state.arrived, state.life)
        }
        guard !messages.isEmpty else { return }
        let started = ContinuousClock.now
        switch listener.onMessages(messages, life) {
        // That a stand-in stores nothing is no success.
        case .acknowledge: if !life.isStandIn { show { $0.storeTrouble = nil } }
        case .sendAgain(let reason):
            show { $0.storeTrouble = reason }
            client.abort()
        }
        state.withLock { $0.backlog.note(messages.count, busyFor: ContinuousClock.now - started) }
    }

    // MARK: - Backlogs

    private func beginBacklog() {
        let life = state.withLock { state in
            state.backlog.begin()
            return state.life.number
        }
        listener.onBacklog(true)
        let pause = settings.tempo.backlogPause
        // It ends by itself soon: with the backlog or with the connection.
        Task { [weak self] in
            while true {
                // Nobody cancels it.
                try? await Task.sleep(for: pause)
                guard let self else { return }
                let isOver = state.withLock { $0.life.number != life || $0.backlog.isOver(after: pause) }
                guard !isOver else { return endBacklog(of: life) }
            }
        }
    }

    private func endBacklog(of life: UInt64? = nil) {
        let hasEnded = state.withLock { state in
            guard life == nil || life == state.life.number else { return false }
            return state.backlog.end()
        }
        if hasEnded { listener.onBacklog(false) }
    }

    // MARK: - The state

    func show(_ change: (inout BrokerState) -> Void) {
        let changed = state.withLock { state -> BrokerState? in
            let before = state.shown
            change(&state.shown)
            guard state.shown != before else { return nil }
            if state.shown.phase != before.phase { state.shown.since = .now }
            return state.shown
        }
        if let changed { listener.onState(changed) }
    }
}
