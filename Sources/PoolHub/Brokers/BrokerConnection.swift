import Logging
import Mosquitto
import PoolModel
import Synchronization

/// Keeps one server's broker connected: each life of a connection is one `Client`, and the next one follows by itself.
///
///     connecting ──accepted──▶ connected ──ended──▶ waiting ──▶ connecting …
///         └──────refused, unreachable, silent────────▲
final class BrokerConnection: Sendable {
    /// What became of a message.
    enum Verdict: Sendable {
        /// It is kept, or not worth keeping: the broker may forget it.
        case acknowledge
        /// It could not be kept: the broker must send it again.
        case sendAgain(reason: String)
    }

    /// What a connection is told.
    struct Settings: Hashable, Sendable {
        var server: Server
        var password: String?
        var clientIdentifier: String
        /// The topic that says whether the hub is there.
        var statusTopic: String
    }

    private struct State {
        var shown: BrokerState
        var wantedTopics: Set<String> = []
        var subscribed: Set<String> = []
        var client: Client?
        var connectedAt: ContinuousClock.Instant?
        var life = Life(number: 0, isSessionResumed: false)
    }

    /// One life of a connection.
    struct Life: Hashable, Sendable {
        /// The number of the connection, which no other connection of this process has.
        var number: UInt64
        /// Whether the broker went on with the session of before.
        var isSessionResumed: Bool
    }

    /// Numbers the lives of all connections.
    private static let lives = Atomic<UInt64>(0)

    let settings: Settings
    private let logger: Logger
    private let onMessage: @Sendable (Message, Life) -> Verdict
    private let onState: @Sendable (BrokerState) -> Void
    private let state: Mutex<State>

    /// Creates a connection that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - settings: What it is told.
    ///   - logger: Gets what happens.
    ///   - onMessage: Called on the network thread with a message and the life that it came in; may block to store it.
    ///   - onState: Called on any thread when the state changed.
    init(
        _ settings: Settings, logger: Logger, onMessage: @escaping @Sendable (Message, Life) -> Verdict,
        onState: @escaping @Sendable (BrokerState) -> Void
    ) {
        self.settings = settings
        self.logger = logger
        self.onMessage = onMessage
        self.onState = onState
        state = Mutex(State(shown: BrokerState(phase: .connecting, since: .now, refusedTopics: [])))
    }

    /// What is known of the connection now.
    var current: BrokerState { state.withLock(\.shown) }

    /// Connects, again and again, until the task is cancelled; then says goodbye.
    func run() async {
        var schedule = ReconnectSchedule()
        var generator = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            show { $0.phase = .connecting }
            let (reason, needsAttention, duration) = await liveOnce()
            guard !Task.isCancelled else { return }
            show { $0.phase = .waiting(reason: reason, needsAttention: needsAttention) }
            logger.info(
                "broker connection ended", metadata: ["server": "\(settings.server.name)", "reason": "\(reason)"])
            let wait = schedule.wait(
                afterConnectionOf: duration, needsAttention: needsAttention, using: &generator)
            // Cancellation ends the wait early, and then the loop.
            try? await Task.sleep(for: wait)
        }
    }

    /// Says which topics are wanted from now on.
    func want(_ topics: Set<String>) {
        let client = state.withLock { state in
            state.wantedTopics = topics
            return state.connectedAt == nil ? nil : state.client
        }
        if let client { align(client) }
    }

    // MARK: - One life

    /// One attempt and, if it succeeds, one connection; gives why it ended and how long it stood.
    private func liveOnce() async -> (reason: String, needsAttention: Bool, duration: Duration?) {
        let (ends, source) = AsyncStream<Client.EndReason>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let client: Client
        do {
            client = try Client(options())
            let address = try settings.server.brokerAddress()
            state.withLock { state in
                state.client = client
                state.life.number = Self.lives.add(1, ordering: .relaxed).newValue
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
            return ("\(error)", true, nil)
        }
        let reason = await withTaskCancellationHandler {
            await ends.first { _ in true } ?? .closed
        } onCancel: { [self] in
            sayGoodbye(client)
        }
        // Without cancellation the stream ends with the connection; with it, the goodbye is under way.
        if Task.isCancelled { client.close() }
        let duration = state.withLock { state in
            defer {
                state.client = nil
                state.connectedAt = nil
                state.subscribed = []
            }
            return state.connectedAt.map { ContinuousClock.now - $0 }
        }
        return ("\(reason)", reason.needsAttention, duration)
    }

    private func options() -> Client.Options {
        var options = settings.server.clientOptions(
            password: settings.password, clientIdentifier: settings.clientIdentifier)
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
        case .connected(let acknowledgement):
            state.withLock { state in
                state.connectedAt = .now
                state.life.isSessionResumed = acknowledgement.isSessionPresent
            }
            show { $0.phase = .connected }
            logger.info(
                "broker connected",
                metadata: [
                    "server": "\(settings.server.name)",
                    "session.present": "\(acknowledgement.isSessionPresent)",
                ])
            announce("online", client)
            align(client)
        case .message(let message):
            deliver(message, client)
        case .subscribed(_, let answers):
            subscribed(answers)
        case .published, .unsubscribed, .ended:
            break
        }
    }

    private func deliver(_ message: Message, _ client: Client) {
        let (life, isWanted) = state.withLock { state in
            (state.life, state.wantedTopics.contains(message.topic.text))
        }
        guard isWanted else {
            // A session of before still had the topic of a device that was removed meanwhile.
            if let filter = try? TopicFilter(message.topic.text) { _ = try? client.unsubscribe(from: [filter]) }
            return
        }
        switch onMessage(message, life) {
        case .acknowledge:
            show { $0.storeTrouble = nil }
        case .sendAgain(let reason):
            show { $0.storeTrouble = reason }
            client.abort()
        }
    }

    // MARK: - Topics

    /// Subscribes to what is wanted and not subscribed to, and the other way round.
    private func align(_ client: Client) {
        let (missing, surplus) = state.withLock { state in
            let missing = state.wantedTopics.subtracting(state.subscribed).sorted()
            let surplus = state.subscribed.subtracting(state.wantedTopics).sorted()
            state.subscribed = state.wantedTopics
            return (missing, surplus)
        }
        do {
            let surplusFilters = try surplus.map { text throws(MosquittoError) in try TopicFilter(text) }
            if !surplusFilters.isEmpty { try client.unsubscribe(from: surplusFilters) }
            let missingFilters = try missing.map { text throws(MosquittoError) in try TopicFilter(text) }
            if !missingFilters.isEmpty { try client.subscribe(to: missingFilters) }
        } catch {
            // The connection is just ending; the next life subscribes to everything that is wanted.
            logger.debug("topics not aligned", metadata: ["error": "\(error)"])
        }
    }

    private func subscribed(_ answers: [SubscriptionAnswer]) {
        let refused = answers.filter { !$0.isGranted }.map { "\($0.filter) (\($0.outcome))" }
        show { shown in
            let granted = answers.filter(\.isGranted).map { "\($0.filter)" }
            shown.refusedTopics.removeAll { text in granted.contains { text.hasPrefix("\($0) ") } }
            shown.refusedTopics = Array(Set(shown.refusedTopics + refused)).sorted()
        }
    }

    private func show(_ change: (inout BrokerState) -> Void) {
        let changed = state.withLock { state -> BrokerState? in
            let before = state.shown
            change(&state.shown)
            guard state.shown != before else { return nil }
            if state.shown.phase != before.phase { state.shown.since = .now }
            return state.shown
        }
        if let changed { onState(changed) }
    }
}
