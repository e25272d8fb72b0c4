import Brokers
import Logging
import MQTT
import Platform
import PoolControl
import PoolDecoding
import PoolModel

/// The session at the broker of a server; its state is described in words.
final class BrokerConnection: Sendable {
    /// The settings of a connection.
    struct Settings: Hashable, Sendable {
        var server: Server
        var password: String?
        var clientIdentifier: String
        /// The topic of the hub's availability.
        var statusTopic: String
        /// Why no attempt can be made; nil if one can.
        var obstacle: String?
        /// The time in which the broker must accept the hub.
        var connectTimeout = Duration.seconds(10)
        /// The pauses and timeouts.
        var tempo = BrokerSession.Tempo()
    }

    /// The handlers of events.
    ///
    /// Messages are handled on the network thread, the other events on any thread.
    struct Listener: Sendable {
        /// Messages that arrived together, and their connection; may block to store them.
        var onMessages: @Sendable ([Message], SessionConnection) -> MessageDisposition
        /// A message was delivered twice because two filters match it.
        var onCopy: @Sendable (Message) -> Void = { _ in }
        /// The broker begins to deliver its backlog (true), or has delivered it (false).
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
    ///   - settings: The settings.
    ///   - memory: Stores the subscriptions; nil to forget them.
    ///   - logger: Receives events.
    ///   - listener: Handles events.
    init(_ settings: Settings, memory: SubscriptionMemory?, logger: Logger, listener: Listener) {
        self.settings = settings
        let reporter = Reporter(settings, logger: logger, listener: listener)
        self.reporter = reporter
        let id = settings.server.id
        session = BrokerSession(
            settings.sessionConfiguration, remembered: (memory?.filters(of: "\(id)") ?? []).topicFilters,
            handlers: BrokerSession.Handlers(
                onMessages: listener.onMessages, onCopy: listener.onCopy, onStatus: { reporter.report($0) },
                onRemember: { memory?.note(Set($0.map(\.text)), of: "\(id)") }))
    }

    /// The current state.
    var current: BrokerState { reporter.current }

    /// Connects, and reconnects, until the task is cancelled; then disconnects.
    func run() async { await session.run() }

    /// Drops the connection, or ends the wait for the next attempt.
    func startAnew() { session.startAnew() }

    /// Sets the filters to subscribe to.
    ///
    /// - Parameters:
    ///   - filters: All filters.
    ///   - renewed: The filters whose retained messages the broker must send again, even if they are subscribed to.
    func want(_ filters: Set<String>, renewing renewed: Set<String> = []) {
        session.want(filters.topicFilters, renewing: renewed.topicFilters)
    }

    /// Publishes a message and waits for the broker's acknowledgement, or for the end of the connection.
    ///
    /// - Returns: Why it failed; nil if the broker acknowledged it.
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

/// Describes the state of a connection in words.
private final class Reporter: Sendable {
    private struct State {
        var shown = BrokerState(phase: .connecting, since: .now, refusals: [])
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

    /// Handles a status; calls must not overlap.
    func report(_ status: SessionStatus) {
        let phase = phase(of: status)
        let (before, shown, hasBacklogChanged) = state.withLock { state in
            let before = state.shown
            if phase != before.phase {
                state.shown.phase = phase
                state.shown.since = .now
            }
            state.shown.refusals = status.shortfalls.compactMap { answer in
                guard case .refused(let reason) = answer.outcome else { return nil }
                return BrokerState.Refusal(filter: answer.filter.text, reason: "\(reason)")
            }
            state.shown.weakTopics = status.shortfalls.filter(\.isGranted).map { "\($0.filter)" }
            state.shown.storeTrouble = status.storeProblem
            defer { state.isCatchingUp = status.isCatchingUp }
            return (before, state.shown, state.isCatchingUp != status.isCatchingUp)
        }
        // Before the state, because a backlog is dated by the earlier connection.
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
        case .ended(let reason, let wasConnected):
            settings.server.brokerAdvice.words(
                for: reason, of: settings.server.brokerSettings, wasConnected: wasConnected)
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
        var options = server.brokerSettings.options(password: password, clientIdentifier: clientIdentifier)
        options.connectTimeout = connectTimeout
        // The topic is derived from the hub's key, so it is valid.
        if let topic = try? TopicName(statusTopic) {
            options.will = Will(topic: topic, payload: Array(HubTopics.offline.utf8))
        }
        let destination: BrokerSession.Destination
        do {
            let address = try server.brokerSettings.address()
            destination = obstacle.map { .none(reason: $0) } ?? .broker(address)
        } catch {
            destination = .none(reason: obstacle ?? "\(error)")
        }
        return BrokerSession.Configuration(
            destination: destination, options: options, birth: Array(HubTopics.online.utf8), tempo: tempo)
    }
}

extension Set<String> {
    /// The valid filters; a newer program may have accepted others.
    fileprivate var topicFilters: Set<TopicFilter> { Set<TopicFilter>(compactMap { try? TopicFilter($0) }) }
}
