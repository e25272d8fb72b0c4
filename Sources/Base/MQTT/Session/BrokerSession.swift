internal import Synchronization

/// Keeps a session at a broker connected: each connection is one ``Client``, and the next one follows by itself.
///
/// ``SessionStateMachine`` decides, this type carries out: it makes clients, waits, and calls the handlers. Messages come
/// on the client's network thread, and are acknowledged after the handler has returned.
package final class BrokerSession: Sendable {
    /// Where a session connects to.
    package enum Destination: Hashable, Sendable {
        /// A broker.
        case broker(BrokerAddress)
        /// Nowhere, for a reason that a person must mend.
        case none(reason: String)
    }

    /// What a session is told.
    package struct Configuration: Hashable, Sendable {
        /// Where to connect to.
        package var destination: Destination
        /// What the client says when it connects; with a will, its message is also published before a goodbye.
        package var options: Client.Options
        /// The payload that is published to the will's topic after each acceptance, nil for none.
        package var birth: [UInt8]?
        /// How fast the session goes.
        package var tempo: Tempo

        /// Creates a configuration.
        package init(destination: Destination, options: Client.Options, birth: [UInt8]?, tempo: Tempo = Tempo()) {
            self.destination = destination
            self.options = options
            self.birth = birth
            self.tempo = tempo
        }
    }

    /// How fast a session goes; other than the default in tests only.
    package struct Tempo: Hashable, Sendable {
        /// What the waits between two attempts are multiplied with.
        package var waits = 1.0
        /// How often is looked whether a backlog is over.
        package var backlogPause = Duration.milliseconds(250)
        /// How long a stand-in listens before it is tried again to store.
        package var standInTime = Duration.seconds(20)

        /// Creates the usual tempo.
        package init() {}
    }

    /// Who is told what happens; called on the network thread or, but for messages, on another one.
    package struct Handlers: Sendable {
        /// Messages that came together on a connection; may block to store them.
        package var onMessages: @Sendable ([Message], SessionConnection) -> MessageDisposition
        /// A message that came once more because two filters are for it.
        package var onCopy: @Sendable (Message) -> Void
        /// The status changed; called once at a time and in order, before the messages that follow.
        ///
        /// It must not call ``BrokerSession/want(_:renewing:)``, which waits until the status before was told.
        package var onStatus: @Sendable (SessionStatus) -> Void
        /// The session at the broker may be subscribed to these filters from now on; called before it is.
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

    private struct State {
        var machine: SessionStateMachine
        var client: Client?
        /// The wait between two connections.
        var pause: Task<Void, Never>?
        /// Who waits for the broker's acknowledgement of a published message.
        var publishers: [PacketIdentifier: CheckedContinuation<Result<Void, PublishError>, Never>] = [:]
    }

    /// How many messages are kept by one write, and acknowledged together.
    ///
    /// Half of what brokers send by default before they wait, so that the next ones are there already.
    private static let messagesTogether = 10
    /// Numbers the connections of all sessions.
    private static let connectionCount = Atomic<UInt64>(0)

    private let configuration: Configuration
    private let handlers: Handlers
    private let state: Mutex<State>
    /// The status that was told last; held while it is told.
    private let told: Mutex<SessionStatus>

    /// Creates a session that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: What it is told.
    ///   - remembered: What it may be subscribed to at the broker since an earlier run of the process.
    ///   - handlers: Who is told what happens.
    package init(_ configuration: Configuration, remembered: Set<TopicFilter>, handlers: Handlers) {
        self.configuration = configuration
        self.handlers = handlers
        let machine = SessionStateMachine(remembered: remembered)
        state = Mutex(State(machine: machine))
        told = Mutex(machine.status)
    }

    /// Connects, again and again, until the task is cancelled; then says goodbye.
    package func run() async {
        var generator = SystemRandomNumberGenerator()
        var step = SessionStateMachine.NextStep.connect(asStandIn: false)
        while !Task.isCancelled {
            switch step {
            case .connect(let isStandIn):
                let end = await connection(asStandIn: isStandIn)
                letGo()
                guard !Task.isCancelled else { break }
                step = state.withLock { $0.machine.ended(end, at: .now, using: &generator) }
            case .wait(let duration):
                await pause(duration * configuration.tempo.waits)
                guard !Task.isCancelled else { break }
                step = state.withLock { $0.machine.waited() }
            }
            tell()
        }
        state.withLock { $0.machine.stop() }
        tell()
    }

    /// Ends the present connection without a goodbye, or the wait for the next one.
    package func startAnew() {
        let (client, pause) = state.withLock { ($0.client, $0.pause) }
        client?.abort()
        pause?.cancel()
    }

    /// Says which filters are wanted from now on.
    ///
    /// - Parameters:
    ///   - filters: All of them.
    ///   - renewed: Those for which the broker must replay what it keeps, though they may be subscribed to already.
    package func want(_ filters: Set<TopicFilter>, renewing renewed: Set<TopicFilter> = []) {
        state.withLock { state in
            let change = state.machine.want(filters, renewing: renewed)
            send(change, in: &state)
        }
        tell()
    }

    /// Publishes a message and waits for the broker's acknowledgement, or for the end of the connection.
    ///
    /// It is not published again on another connection.
    package func publish(
        _ payload: [UInt8], to topic: TopicName, isRetained: Bool
    ) async throws(PublishError) {
        let result = await withCheckedContinuation { continuation in
            let failure = state.withLock { state -> PublishError? in
                guard state.machine.connection != nil, let client = state.client else { return .notConnected }
                // The answer may come before the call returns: it waits for this lock, so that it finds who waits.
                do throws(MQTTError) {
                    let packet = try client.publish(payload, to: topic, isRetained: isRetained)
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

/// Why a message did not arrive at the broker, or is not known to have.
package enum PublishError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no connection.
    case notConnected
    /// The client could not publish it.
    case failed(MQTTError)
    /// The broker does not want it.
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
    /// One attempt and, if it succeeds, one connection; gives how it ended.
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
            state.withLock { $0.client = client }
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
        // Without cancellation the stream ends with the connection; with it, the goodbye is under way.
        if Task.isCancelled { client.close() }
        return .ended(reason)
    }

    private func options(asStandIn isStandIn: Bool) -> Client.Options {
        var options = configuration.options
        options.messagesBetweenPauses = Self.messagesTogether
        if isStandIn {
            options.clientIdentifier = nil
            options.session = .clean
        }
        return options
    }

    /// Says goodbye after a time; the task that does so may be cancelled before.
    private func end(_ client: Client, after time: Duration) -> Task<Void, Never> {
        Task {
            do {
                try await Task.sleep(for: time)
                client.disconnect()
            } catch {
                // It ended by itself.
            }
        }
    }

    /// Lets go of a client that has ended, and tells those who wait for its broker's answers.
    private func letGo() {
        let publishers = state.withLock { state in
            state.client = nil
            defer { state.publishers = [:] }
            return state.publishers
        }
        for publisher in publishers.values { publisher.resume(returning: .failure(.connectionEnded)) }
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

    /// Publishes what tells others whether this client is there.
    private func announce(_ payload: [UInt8], by client: Client) {
        guard let will = configuration.options.will else { return }
        // It fails only on a connection that just ends; then the broker publishes the will.
        _ = try? client.publish(
            payload, to: will.topic, qualityOfService: will.qualityOfService, isRetained: will.isRetained)
    }

    /// Sends what changes the subscriptions, after it is remembered.
    ///
    /// The lock is held meanwhile: packets go in the order of the decisions, and no answer overtakes its question.
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
            // The connection is just ending; the next one subscribes to everything that is wanted.
        }
    }

    /// Tells the status if it changed; the order of the changes is kept.
    private func tell() {
        told.withLock { told in
            let status = state.withLock(\.machine.status)
            guard status != told else { return }
            told = status
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
            // A session of before still had the topic of a device that was removed meanwhile. Only its own filter is
            // known; a connection that just ends need not say it.
            case .unsubscribe: _ = try? client.unsubscribe(from: [TopicFilter(message.topic)])
            }
        case .pause: paused(client)
        case .published(let packet, let reason):
            let publisher = state.withLock { $0.publishers.removeValue(forKey: packet) }
            publisher?.resume(returning: reason.isFailure ? .failure(.refused(reason)) : .success(()))
        case .subscribed(_, let answers):
            state.withLock { $0.machine.subscribed(answers) }
            tell()
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
        // Before the first message: what the broker kept comes now.
        tell()
        guard isCatchingUp else { return }
        let pause = configuration.tempo.backlogPause
        // It ends by itself soon: with the backlog or with the connection.
        Task { [weak self] in
            var goesOn = true
            while goesOn {
                // Nobody cancels it.
                try? await Task.sleep(for: pause)
                guard let self else { return }
                goesOn = state.withLock { $0.machine.lookedForBacklog(of: number, after: pause) }
                tell()
            }
        }
    }

    private func paused(_ client: Client) {
        guard let (messages, connection) = state.withLock({ $0.machine.paused() }) else { return }
        let started = ContinuousClock.now
        let disposition = handlers.onMessages(messages, connection)
        let duration = ContinuousClock.now - started
        let after = state.withLock { $0.machine.handled(messages.count, disposition, busyFor: duration) }
        tell()
        switch after {
        case .acknowledge: break
        case .abort: client.abort()
        }
    }
}
