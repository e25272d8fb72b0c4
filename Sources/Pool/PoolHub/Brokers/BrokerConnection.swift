import Logging
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel

/// The session at one server's broker: what the hub says there, and what it tells of it in words.
final class BrokerConnection: Sendable {
    /// What a connection is told.
    struct Settings: Hashable, Sendable {
        var server: Server
        var password: String?
        var clientIdentifier: String
        /// The topic that says whether the hub is there.
        var statusTopic: String
        /// Why it cannot be tried at all, nil if it can.
        var obstacle: String?
        /// The time until the broker must have accepted the hub.
        var connectTimeout = Duration.seconds(10)
        /// How fast it goes.
        var tempo = BrokerSession.Tempo()
    }

    /// Who is told what happens; all are called on the network thread or, but for messages, on another one.
    struct Listener: Sendable {
        /// Messages that came together, and the connection that they came on; may block to store them.
        var onMessages: @Sendable ([Message], SessionConnection) -> MessageDisposition
        /// A message that came once more because two filters are for it.
        var onCopy: @Sendable (Message) -> Void = { _ in }
        /// The broker begins to deliver what it kept (true), or has done so (false).
        var onBacklog: @Sendable (Bool) -> Void = { _ in }
        /// The state changed.
        var onState: @Sendable (BrokerState) -> Void
    }

    let settings: Settings
    private let session: BrokerSession
    private let reporter: Reporter

    /// Creates a connection that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - settings: What it is told.
    ///   - memory: Remembers what was subscribed to; nil to forget it.
    ///   - logger: Gets what happens.
    ///   - listener: Is told what happens.
    init(_ settings: Settings, memory: SubscriptionMemory?, logger: Logger, listener: Listener) {
        self.settings = settings
        let reporter = Reporter(settings, logger: logger, listener: listener)
        self.reporter = reporter
        let id = settings.server.id
        session = BrokerSession(
            settings.sessionConfiguration, remembered: (memory?.filters(of: id) ?? []).topicFilters,
            handlers: BrokerSession.Handlers(
                onMessages: listener.onMessages, onCopy: listener.onCopy, onStatus: { reporter.report($0) },
                onRemember: { memory?.note(Set($0.map(\.text)), of: id) }))
    }

    /// What is known of the connection now.
    var current: BrokerState { reporter.current }

    /// Connects, again and again, until the task is cancelled; then says goodbye.
    func run() async { await session.run() }

    /// Ends the present connection without a goodbye, or the wait for the next one.
    func startAnew() { session.startAnew() }

    /// Says which filters are wanted from now on.
    ///
    /// - Parameters:
    ///   - filters: All of them.
    ///   - renewed: Those for which the broker must replay what it keeps, though they may be subscribed to already.
    func want(_ filters: Set<String>, renewing renewed: Set<String> = []) {
        session.want(filters.topicFilters, renewing: renewed.topicFilters)
    }

    /// Publishes a message and waits for the broker's acknowledgement, or for the end of the connection.
    ///
    /// - Returns: Why it did not arrive; nil if the broker has it.
    func publish(_ message: PublishedMessage) async -> String? {
        do {
            try await session.publish(
                message.payload, to: TopicName(message.topic), isRetained: message.isRetained)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// Tells the state of one connection in words.
private final class Reporter: Sendable {
    private struct State {
        var shown = BrokerState(phase: .connecting, since: .now, refusedTopics: [])
        var isCatchingUp = false
    }

    private let settings: BrokerConnection.Settings
    private let logger: Logger
    private let listener: BrokerConnection.Listener
    private let state = Lock(State())

    init(_ settings: BrokerConnection.Settings, logger: Logger, listener: BrokerConnection.Listener) {
        self.settings = settings
        self.logger = logger
        self.listener = listener
    }

    var current: BrokerState { state.withLock(\.shown) }

    /// Takes in a status; called once at a time.
    func report(_ status: SessionStatus) {
        let phase = phase(of: status)
        let (before, shown, hasBacklogChanged) = state.withLock { state in
            let before = state.shown
            if phase != before.phase {
                state.shown.phase = phase
                state.shown.since = .now
            }
            state.shown.refusedTopics = status.shortfalls.filter { !$0.isGranted }.map {
                "\($0.filter) (\($0.outcome))"
            }
            state.shown.weakTopics = status.shortfalls.filter(\.isGranted).map { "\($0.filter)" }
            state.shown.storeTrouble = status.storeProblem
            defer { state.isCatchingUp = status.isCatchingUp }
            return (before, state.shown, state.isCatchingUp != status.isCatchingUp)
        }
        // Before the state: what is known of earlier connections counts for a backlog.
        if hasBacklogChanged { listener.onBacklog(status.isCatchingUp) }
        if shown != before { listener.onState(shown) }
        if shown.phase != before.phase { log(status) }
    }

    private func phase(of status: SessionStatus) -> BrokerState.Phase {
        switch status.phase {
        case .connecting: .connecting
        case .connected: .connected
        case .waiting(let problem): .waiting(reason: words(for: problem), needsAttention: problem.needsAttention)
        }
    }

    private func words(for problem: SessionProblem) -> String {
        switch problem {
        case .notTried(let reason): reason
        case .ended(let reason, let wasConnected): reason.words(for: settings.server, wasConnected: wasConnected)
        case .clientIDConflict(let conflict): conflict.words(clientIdentifier: settings.clientIdentifier)
        }
    }

    private func log(_ status: SessionStatus) {
        let name = settings.server.name
        switch status.phase {
        case .connecting: break
        case .connected(let isSessionPresent):
            logger.info("broker connected", metadata: ["server": "\(name)", "session.present": "\(isSessionPresent)"])
        case .waiting(let problem):
            logger.info("broker connection ended", metadata: ["server": "\(name)", "reason": "\(words(for: problem))"])
        }
    }
}

extension BrokerConnection.Settings {
    fileprivate var sessionConfiguration: BrokerSession.Configuration {
        var options = server.clientOptions(password: password, clientIdentifier: clientIdentifier)
        options.connectTimeout = connectTimeout
        // The topic was made of the hub's key, so it is one.
        if let topic = try? TopicName(statusTopic) {
            options.will = Will(topic: topic, payload: Array("offline".utf8))
        }
        let destination: BrokerSession.Destination
        do {
            let address = try server.brokerAddress()
            destination = obstacle.map { .none(reason: $0) } ?? .broker(address)
        } catch {
            destination = .none(reason: obstacle ?? "\(error)")
        }
        return BrokerSession.Configuration(
            destination: destination, options: options, birth: Array("online".utf8), tempo: tempo)
    }
}

extension Set<String> {
    /// The filters among them: they were checked when they were entered, but perhaps by a newer program.
    fileprivate var topicFilters: Set<TopicFilter> { Set<TopicFilter>(compactMap { try? TopicFilter($0) }) }
}
