import CommandSupport
import Dispatch
import Foundation
import MQTT
import Platform
import PoolModel

/// Publishes the samples of a plan: one thread that connects, publishes what is due, and connects again.
final class ProbeRunner: Sendable {
    /// The events of the runner.
    enum Event: Sendable {
        /// The runner tries to connect.
        case connecting
        /// The broker accepted it.
        case connected
        /// The connection ended or failed; the next attempt follows after the pause.
        case waiting(reason: String, pause: Duration)
    }

    /// The most samples that may be on their way; more would only wait in memory.
    static let outstandingMax = 1000
    /// How long the runner waits for confirmations at the end.
    private static let farewellPatience = Duration.seconds(5)
    /// A probe comes back sooner than a hub, so that few samples wait.
    static let reconnect = ReconnectSchedule(
        shortest: .milliseconds(250), longest: .seconds(10), proof: .seconds(5))

    /// The state of the present connection.
    ///
    ///     connecting ──accepted──▶ connected
    ///      │  ▲                       │
    ///      │  └──the next attempt──┐  │
    ///      └────────ended────────▶ ended
    private enum Connection {
        case connecting
        case connected
        case ended(Client.EndReason, wasConnected: Bool)

        /// Whether the broker has accepted it.
        var wasConnected: Bool {
            switch self {
            case .connecting: false
            case .connected: true
            case .ended(_, let wasConnected): wasConnected
            }
        }

        /// Why it ended, nil while it lasts.
        var end: Client.EndReason? {
            switch self {
            case .connecting, .connected: nil
            case .ended(let reason, _): reason
            }
        }
    }

    private struct State {
        var outbox = ProbeOutbox(capacity: ProbeRunner.outstandingMax)
        var source: ProbeSource
        var connection = Connection.connecting
        var connectionCount = 0
        var isStopping = false
        /// Why a sample cannot be published at all.
        var publishError: MQTTError?
    }

    private let plan: ProbePlan
    private let address: BrokerAddress
    private let options: Client.Options
    private let limit: Duration?
    private let onEvent: @Sendable (Event) -> Void
    private let state: Lock<State>
    private let wakeUp = DispatchSemaphore(value: 0)
    private let start = ContinuousClock.now

    /// Creates a runner that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - plan: The plan of the samples.
    ///   - address: The broker.
    ///   - options: The options of the client.
    ///   - limit: How long to take samples; nil for no end.
    ///   - onEvent: Called on the runner's thread.
    init(
        plan: ProbePlan, address: BrokerAddress, options: Client.Options, limit: Duration?,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.plan = plan
        self.address = address
        var options = options
        options.maximumOutstandingPublishes = Self.outstandingMax
        self.options = options
        self.limit = limit
        self.onEvent = onEvent
        state = Lock(State(source: ProbeSource(plan)))
    }

    /// What the runner has done so far.
    func summary(event: String) -> ProbeSummary {
        state.withLock { state in
            ProbeSummary(
                event: event, published: state.outbox.publishedCount, acknowledged: state.outbox.acknowledgedCount,
                unacknowledged: state.outbox.unacknowledgedCount, repeated: state.outbox.repeatedCount,
                refused: state.outbox.refusedCount, silent: state.source.silentCount,
                connections: state.connectionCount, seconds: (ContinuousClock.now - start).seconds)
        }
    }

    /// Publishes until the plan is done, the time is over, or the task is cancelled; then waits for confirmations.
    ///
    /// - Throws: `MQTTError` if the options are wrong.
    func run() async throws {
        _ = try Client(options)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    live()
                    continuation.resume()
                }
            }
        } onCancel: { [self] in
            state.withLock { $0.isStopping = true }
            wakeUp.signal()
        }
    }

    // MARK: - The thread

    private func live() {
        var reconnect = Self.reconnect
        var generator = SystemRandomNumberGenerator()
        var farewell: ContinuousClock.Instant?
        while !isDone(&farewell) {
            onEvent(.connecting)
            let began = ContinuousClock.now
            let reason = connection(&farewell)
            let (stood, isOver) = state.withLock { state -> (Bool, Bool) in
                defer { state.connection = .connecting }
                state.outbox.connectionEnded()
                return (state.connection.wasConnected, state.isStopping)
            }
            if isDone(&farewell) || (isOver && !stood) { return }
            let wait = reconnect.wait(
                afterConnectionOf: stood ? ContinuousClock.now - began : nil, using: &generator)
            onEvent(.waiting(reason: reason, pause: wait))
            sleep(until: .now + wait)
        }
    }

    /// Runs one connection from its attempt to its end; returns the reason of the end.
    private func connection(_ farewell: inout ContinuousClock.Instant?) -> String {
        let client: Client
        do {
            client = try Client(options)
            try client.connect(to: address) { [weak self] event in self?.handle(event) }
        } catch {
            return "\(error)"
        }
        defer { client.close() }
        while true {
            if let end = state.withLock(\.connection.end) { return "\(end)" }
            if let publishError = state.withLock({ $0.publishError.take() }) { return "\(publishError)" }
            if isDone(&farewell) { return "done" }
            let next = publishDue(client)
            wait(until: min(next ?? .now + .seconds(1), farewell ?? .now + .seconds(1)))
        }
    }

    /// Publishes the samples that are due and fit; returns when to call it again, nil if only an event can change
    /// something.
    private func publishDue(_ client: Client) -> ContinuousClock.Instant? {
        state.withLock { state in
            guard case .connected = state.connection else { return nil }
            let elapsed = ContinuousClock.now - start
            let mayTake = !state.isStopping && !isOver(elapsed)
            while true {
                if state.outbox.next == nil, mayTake, state.outbox.hasRoom,
                    let sample = state.source.take(elapsed: elapsed)
                {
                    state.outbox.add(sample)
                }
                guard let sample = state.outbox.next else { break }
                do throws(MQTTError) {
                    // The answer may come before the call returns; its handler waits for the lock that is held here.
                    let identifier = try client.publish(
                        sample.payload, to: sample.topic, qualityOfService: plan.qualityOfService,
                        isRetained: plan.isRetained)
                    state.outbox.handedOver(as: identifier)
                } catch .notConnected {
                    // The connection has just ended: the event follows.
                    return nil
                } catch {
                    state.publishError = error
                    return nil
                }
            }
            guard mayTake, state.outbox.hasRoom else { return nil }
            return state.source.nextDue.map { start + $0 }
        }
    }

    private func handle(_ event: Client.Event) {
        state.withLock { state in
            switch event {
            case .connected:
                state.connection = .connected
                state.connectionCount += 1
            case .published(let identifier, let reason):
                state.outbox.answered(identifier, isAccepted: !reason.isFailure)
            case .ended(let reason):
                state.connection = .ended(reason, wasConnected: state.connection.wasConnected)
            case .message, .pause, .subscribed, .unsubscribed:
                break
            }
        }
        if case .connected = event { onEvent(.connected) }
        wakeUp.signal()
    }

    // MARK: - The end

    private func isOver(_ elapsed: Duration) -> Bool { limit.map { elapsed >= $0 } ?? false }

    /// Whether nothing is left to do, or the time for the last confirmations is over.
    private func isDone(_ farewell: inout ContinuousClock.Instant?) -> Bool {
        let now = ContinuousClock.now
        let (isEnding, isEmpty) = state.withLock { state in
            let isStopRequested = state.isStopping || isOver(now - start)
            return (
                isStopRequested, (isStopRequested || state.source.isExhausted) && state.outbox.unacknowledgedCount == 0
            )
        }
        if isEmpty { return true }
        if isEnding, farewell == nil { farewell = now + Self.farewellPatience }
        return farewell.map { now >= $0 } ?? false
    }

    // MARK: - Waiting

    /// Waits for a wake-up, at most until a moment.
    private func wait(until moment: ContinuousClock.Instant) {
        let left = max(.zero, moment - .now)
        guard wakeUp.wait(timeout: .now() + .nanoseconds(Int(left.seconds * 1e9))) == .success else { return }
        // Several wake-ups need only one check.
        while wakeUp.wait(timeout: .now()) == .success {}
    }

    /// Waits until a moment, or until the runner has to stop.
    private func sleep(until moment: ContinuousClock.Instant) {
        while ContinuousClock.now < moment, !state.withLock(\.isStopping) { wait(until: moment) }
    }
}
