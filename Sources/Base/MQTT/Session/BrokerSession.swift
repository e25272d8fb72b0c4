internal import Platform
internal import Synchronization

/// Keeps a session at a broker connected: each connection is one ``Client``, and a new one follows automatically.
///
/// ``SessionStateMachine`` makes the decisions; this type carries them out: it creates clients, waits, and calls the
/// handlers. Messages arrive on the client's network thread, and are acknowledged after the handler has returned.
package final class BrokerSession: Sendable {
    /// The destination of a session.
    package enum Destination: Hashable, Sendable {
        /// A broker.
        case broker(BrokerAddress)
        /// None, for a reason that a person has to resolve.
        case none(reason: String)
    }

    /// The configuration of a session.
    package struct Configuration: Hashable, Sendable {
        /// The destination.
        package var destination: Destination
        /// The options of the client; if they have a will, its message is also published before a normal disconnect.
        package var options: Client.Options
        /// The payload that is published to the will's topic after each accepted connection; nil for none.
        package var birth: [UInt8]?
        /// The timing of the session.
        package var tempo: Tempo
        /// Whether it goes on with MQTT 3.1.1 at a broker that refuses MQTT 5.0; ``SessionStatus/hasSteppedDown`` says so.
        package var stepsDown = false

        /// Creates a configuration.
        package init(destination: Destination, options: Client.Options, birth: [UInt8]?, tempo: Tempo = Tempo()) {
            self.destination = destination
            self.options = options
            self.birth = birth
            self.tempo = tempo
        }
    }

    /// The timing of a session; changed only in tests.
    package struct Tempo: Hashable, Sendable {
        /// The factor for the waits between two attempts.
        package var waits = 1.0
        /// The interval of the checks whether a backlog is over.
        package var backlogPause = Duration.milliseconds(250)
        /// How long a stand-in is connected before storing is tried again.
        package var standInTime = Duration.seconds(20)

        /// Creates the normal timing.
        package init() {}
    }

    /// The callbacks of a session; called on the network thread or, except `onMessages`, on another one.
    package struct Handlers: Sendable {
        /// Messages arrived together on a connection; may block to store them.
        package var onMessages: @Sendable ([Message], SessionConnection) -> MessageDisposition
        /// A message arrived again because two filters match it.
        package var onCopy: @Sendable (Message) -> Void
        /// The status changed; called once at a time and in order, before the messages that follow.
        ///
        /// It must not call ``BrokerSession/want(_:renewing:)``, which would wait for the present call to return.
        package var onStatus: @Sendable (SessionStatus) -> Void
        /// The session at the broker may be subscribed to these filters from now on; called before the packets are
        /// sent.
        package var onRemember: @Sendable (Set<TopicFilter>) -> Void

        /// Creates handlers.
        package init(
            onMessages: @escaping @Sendable ([Message], SessionConnection) -> MessageDisposition,
            onCopy: @escaping @Sendable (Message) -> Void, onStatus: @escaping @Sendable (SessionStatus) -> Void,
            onRemember: @escaping @Sendable (Set<TopicFilter>) -> Void
        ) {
            self.onMessages = onMessages
            self.onCopy = onCopy
            self.onStatus = onStatus
            self.onRemember = onRemember
        }
    }

    /// What ``run()`` is doing.
    ///
    ///     pause ◀──wait── idle ──connect──▶ connection
    ///       │             ▲ ▲                   │
    ///       └────over─────┘ └───────ended───────┘
    private enum Activity {
        /// Neither of the two, for a moment.
        case idle
        /// It serves a connection or an attempt.
        case connection(Client)
        /// It waits for the next attempt.
        case pause(Task<Void, Never>)
    }

    private struct State {
        var machine: SessionStateMachine
        var activity = Activity.idle
        /// The callers that wait for the broker's acknowledgement of a published message.
        var publishers: [PacketIdentifier: CheckedContinuation<Result<Void, PublishError>, Never>] = [:]
        /// Whether the broker refused MQTT 5.0, so that the session speaks MQTT 3.1.1.
        var hasSteppedDown = false

        /// The client of the present connection or attempt.
        var client: Client? {
            switch activity {
            case .connection(let client): client
            case .idle, .pause: nil
            }
        }
    }

    /// The number of messages that are stored by one write and acknowledged together.
    ///
    /// It is half of what brokers send by default before they wait, so that the next ones have already arrived.
    private static let messagesTogether = 10
    /// Numbers the connections of all sessions.
    private static let connectionCount = Atomic<UInt64>(0)

    private let configuration: Configuration
    private let handlers: Handlers
    private let state: Lock<State>
    /// The last reported status; locked while it is being reported.
    private let reportedStatus: Lock<SessionStatus>

    /// Creates a session that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - remembered: The filters that it may be subscribed to at the broker since an earlier run of the process.
    ///   - handlers: The callbacks.
    package init(_ configuration: Configuration, remembered: Set<TopicFilter>, handlers: Handlers) {
        self.configuration = configuration
        self.handlers = handlers
        let machine = SessionStateMachine(remembered: remembered)
        state = Lock(State(machine: machine))
        reportedStatus = Lock(machine.status)
    }

    /// Keeps connecting until the task is cancelled, then disconnects normally.
    package func run() async {
        var step = SessionStateMachine.NextStep.connect(asStandIn: false)
        while !Task.isCancelled {
            switch step {
            case .connect(let isStandIn):
                let end = await connection(asStandIn: isStandIn)
                releaseClient()
                guard !Task.isCancelled else { break }
                step = state.withLock { state in
                    var generator = SystemRandomNumberGenerator()
                    let next = state.machine.ended(end, at: .now, using: &generator)
                    guard stepsDown(after: end), !state.hasSteppedDown else { return next }
                    // A refusal of the protocol is no trouble of the network: the next attempt need not wait.
                    state.hasSteppedDown = true
                    return state.machine.waited()
                }
            case .wait(let duration):
                await pause(duration * configuration.tempo.waits)
                guard !Task.isCancelled else { break }
                step = state.withLock { $0.machine.waited() }
            }
            reportStatus()
        }
        state.withLock { $0.machine.stop() }
        reportStatus()
    }

    private func stepsDown(after end: SessionStateMachine.End) -> Bool {
        guard configuration.stepsDown, case .ended(.refused(let problem)) = end else { return false }
        return problem.reason == .unsupportedProtocolVersion
    }

    /// Ends the present connection without DISCONNECT, or ends the wait for the next one.
    package func startAnew() {
        switch state.withLock(\.activity) {
        case .idle: break
        case .connection(let client): client.abort()
        case .pause(let pause): pause.cancel()
        }
    }

    /// Changes the wanted filters.
    ///
    /// - Parameters:
    ///   - filters: All wanted filters.
    ///   - renewed: The filters for which the broker should replay retained messages, even if they are already
    ///     subscribed to.
    package func want(_ filters: Set<TopicFilter>, renewing renewed: Set<TopicFilter> = []) {
        state.withLock { state in
            let change = state.machine.want(filters, renewing: renewed)
            send(change, in: &state)
        }
        reportStatus()
    }

    /// Publishes a message and waits for the broker's acknowledgement, or for the end of the connection.
    ///
    /// It is not published again on another connection.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - topic: The topic.
    ///   - qualityOfService: With at most once, nothing is acknowledged but that the message was passed to the system.
    ///   - isRetained: Whether the broker keeps it for later subscribers.
    ///   - expirySeconds: After how many seconds the broker drops it; nil for never. MQTT 5.0 only: a session that has stepped
    ///     down leaves it out.
    /// - Throws: Why it did not arrive, or may not have arrived.
    package func publish(
        _ payload: [UInt8], to topic: TopicName, qualityOfService: QualityOfService = .atLeastOnce, isRetained: Bool,
        expirySeconds: UInt32? = nil
    ) async throws(PublishError) {
        let result = await withCheckedContinuation { continuation in
            let failure = state.withLock { state -> PublishError? in
                guard state.machine.connection != nil, let client = state.client else { return .notConnected }
                let expirySeconds = state.hasSteppedDown ? nil : expirySeconds
                // The answer may arrive before the call returns. It waits for this lock, so it finds the
                // continuation.
                do throws(MQTTError) {
                    let packet = try client.publish(
                        payload, to: topic, qualityOfService: qualityOfService, isRetained: isRetained,
                        properties: MessageProperties(expirySeconds: expirySeconds))
                    state.publishers[packet] = continuation
                    return nil
                } catch {
                    return .failed(error)
                }
            }
            if let failure { continuation.resume(returning: .failure(failure)) }
        }
        try result.get()
    }
}

/// Why a message did not arrive at the broker, or may not have arrived.
package enum PublishError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no connection.
    case notConnected
    /// The client could not publish it.
    case failed(MQTTError)
    /// The broker refused it.
    case refused(ReasonCode)
    /// The connection ended before the broker's answer.
    case connectionEnded

    /// The reason in words.
    package var description: String {
        switch self {
        case .notConnected: "the broker is not connected"
        case .failed(let error): "\(error)"
        case .refused(let reason): "the broker refused it: \(reason)"
        case .connectionEnded: "the connection ended before the broker had it"
        }
    }
}

// MARK: - One connection

extension BrokerSession {
    /// Makes one attempt and, if it succeeds, serves one connection; returns how it ended.
    private func connection(asStandIn isStandIn: Bool) async -> SessionStateMachine.End {
        let address: BrokerAddress
        switch configuration.destination {
        case .broker(let broker): address = broker
        case .none(let reason): return .notTried(reason)
        }
        let (ends, source) = AsyncStream<Client.EndReason>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = Self.connectionCount.add(1, ordering: .relaxed).newValue
        let client: Client
        do throws(MQTTError) {
            client = try Client(options(asStandIn: isStandIn))
            state.withLock { $0.activity = .connection(client) }
            try client.connect(to: address) { [weak self, weak client] event in
                if case .ended(let reason) = event {
                    source.yield(reason)
                    source.finish()
                } else if let client {
                    self?.handle(event, of: client, number)
                }
            }
        } catch {
            return .notTried("\(error)")
        }
        let timer = isStandIn ? end(client, after: configuration.tempo.standInTime) : nil
        defer { timer?.cancel() }
        let reason = await withTaskCancellationHandler {
            await ends.first { _ in true } ?? .closed
        } onCancel: { [self] in
            if let will = configuration.options.will { announce(will.payload, by: client) }
            client.disconnect()
        }
        // Without cancellation the stream ends with the connection; with it, the client is disconnecting.
        if Task.isCancelled { client.close() }
        return .ended(reason)
    }

    private func options(asStandIn isStandIn: Bool) -> Client.Options {
        var options = configuration.options
        options.messagesBetweenPauses = Self.messagesTogether
        if state.withLock(\.hasSteppedDown) { options.protocolVersion = .v311 }
        if isStandIn {
            options.clientIdentifier = nil
            options.session = .clean
        }
        return options
    }

    /// Disconnects normally after a time; cancelling the task prevents that.
    private func end(_ client: Client, after time: Duration) -> Task<Void, Never> {
        Task {
            do {
                try await Task.sleep(for: time)
                client.disconnect()
            } catch {
                // The client has already ended.
            }
        }
    }

    /// Releases a client that has ended, and fails the callers that wait for its broker's answers.
    private func releaseClient() {
        let publishers = state.withLock { state in
            state.activity = .idle
            defer { state.publishers = [:] }
            return state.publishers
        }
        for publisher in publishers.values { publisher.resume(returning: .failure(.connectionEnded)) }
    }

    /// Waits for a time; ``startAnew()`` and the cancellation of the task end the wait early.
    private func pause(_ duration: Duration) async {
        let pause = Task {
            // Cancellation only ends the wait early.
            _ = try? await Task.sleep(for: duration)
        }
        state.withLock { $0.activity = .pause(pause) }
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
        state.withLock { $0.activity = .idle }
    }

    /// Publishes to the will's topic whether this client is connected.
    private func announce(_ payload: [UInt8], by client: Client) {
        guard let will = configuration.options.will else { return }
        // This only fails if the connection is just ending; the broker then publishes the will.
        _ = try? client.publish(
            payload, to: will.topic, qualityOfService: will.qualityOfService, isRetained: will.isRetained)
    }

    /// Sends the packets of a subscription change, after the change is stored.
    ///
    /// The lock is held meanwhile, so that packets are sent in the order of the decisions, and no answer is handled
    /// before its request is recorded.
    private func send(_ change: SessionStateMachine.SubscriptionChange, in state: inout State) {
        if let remembered = change.remembered { handlers.onRemember(remembered) }
        guard let client = state.client else { return }
        do throws(MQTTError) {
            if !change.unsubscribe.isEmpty {
                let packet = try client.unsubscribe(from: change.unsubscribe)
                state.machine.unsubscribing(packet, change.unsubscribe)
            }
            if !change.subscribe.isEmpty { try client.subscribe(to: change.subscribe) }
        } catch {
            // The connection is just ending; the next one subscribes to all wanted filters.
        }
    }

    /// Reports the status if it changed; the changes are reported in order.
    private func reportStatus() {
        reportedStatus.withLock { reportedStatus in
            let status = state.withLock { state in
                var status = state.machine.status
                status.hasSteppedDown = state.hasSteppedDown
                return status
            }
            guard status != reportedStatus else { return }
            reportedStatus = status
            handlers.onStatus(status)
        }
    }
}

// MARK: - On the network thread

extension BrokerSession {
    private func handle(_ event: Client.Event, of client: Client, _ number: UInt64) {
        switch event {
        case .connected(let acknowledgement):
            accepted(number, isSessionPresent: acknowledgement.isSessionPresent, client)
        case .message(let message):
            switch state.withLock({ $0.machine.received(message, at: .now) }) {
            case .keep: break
            case .dropCopy: handlers.onCopy(message)
            // The resumed session was still subscribed to the topic of a device that was removed meanwhile. Only the
            // topic is known, so that is what is unsubscribed; on a connection that is just ending, this may fail.
            case .unsubscribe: _ = try? client.unsubscribe(from: [TopicFilter(message.topic)])
            }
        case .pause: paused(client)
        case .published(let packet, let reason):
            let publisher = state.withLock { $0.publishers.removeValue(forKey: packet) }
            publisher?.resume(returning: reason.isFailure ? .failure(.refused(reason)) : .success(()))
        case .subscribed(_, let answers):
            state.withLock { $0.machine.subscribed(answers) }
            reportStatus()
        case .unsubscribed(let packet):
            state.withLock { state in
                if let remembered = state.machine.unsubscribed(packet) { handlers.onRemember(remembered) }
            }
        case .ended: break
        }
    }

    private func accepted(_ number: UInt64, isSessionPresent: Bool, _ client: Client) {
        let isCatchingUp = state.withLock { state in
            let change = state.machine.accepted(number, isSessionPresent: isSessionPresent, at: .now)
            if let birth = configuration.birth { announce(birth, by: client) }
            send(change, in: &state)
            return state.machine.status.isCatchingUp
        }
        // This comes before the first message, because the broker now delivers what it kept.
        reportStatus()
        guard isCatchingUp else { return }
        let pause = configuration.tempo.backlogPause
        // The task ends soon by itself: with the backlog or with the connection.
        Task { [weak self] in
            var goesOn = true
            while goesOn {
                // Nothing cancels this task.
                try? await Task.sleep(for: pause)
                guard let self else { return }
                goesOn = state.withLock { $0.machine.backlogChecked(of: number, after: pause) }
                reportStatus()
            }
        }
    }

    private func paused(_ client: Client) {
        guard let (messages, connection) = state.withLock({ $0.machine.paused() }) else { return }
        let started = ContinuousClock.now
        let disposition = handlers.onMessages(messages, connection)
        let duration = ContinuousClock.now - started
        let after = state.withLock { $0.machine.handled(messages.count, disposition, busyFor: duration) }
        reportStatus()
        switch after {
        case .acknowledge: break
        case .abort: client.abort()
        }
    }
}
