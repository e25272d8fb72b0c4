import Platform
import PoolControl
import PoolModel

/// What was last known of the hub.
struct HubSnapshot: Sendable {
    /// The state as the hub sent it.
    let state: HubState
    /// When it arrived, by this process's clock, which only measures how old it is.
    let receivedAt: ContinuousClock.Instant

    /// The time by the hub's clock: that of the page's machine or of a browser does not matter.
    func now(at instant: ContinuousClock.Instant = .now) -> Timestamp {
        let passed = receivedAt.duration(to: instant).components
        return state.now.advanced(byMilliseconds: passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000)
    }
}

/// Looks at the hub four times a second, once for all browsers, and asks it for what the page may ask.
package final class HubWatcher: Sendable {
    private struct State {
        var snapshot: HubSnapshot?
        var isRunning = false
        /// When the hub answered last.
        var heardAt: ContinuousClock.Instant
        /// Grows with each change of what is above.
        var serial: UInt64 = 1
        var lastListener: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
    }

    /// The pause between two looks.
    package static let interval = Duration.milliseconds(250)

    private let hub: any HubAsking
    private let state = Lock(State(heardAt: .now))

    /// Creates a watcher of a hub; ``run()`` lets it look.
    package init(_ hub: any HubAsking) { self.hub = hub }

    /// Looks until the task is cancelled; a hub that is gone is looked for again and again.
    package func run(interval: Duration = interval) async {
        while !Task.isCancelled {
            await look()
            // Cancellation ends the pause and the loop.
            try? await Task.sleep(for: interval)
        }
    }

    /// Looks once.
    func look() async {
        let known = state.withLock { $0.isRunning ? $0.snapshot?.state.change : nil }
        do {
            guard case .look(let found, _) = try await ask(.look(LookRequest(after: known, eventsAfter: .max))) else {
                return note(nil, isRunning: false)
            }
            note(found, isRunning: true)
        } catch {
            // The reason is in no log: a hub that is stopped for an hour would fill it.
            note(nil, isRunning: false)
        }
    }

    /// Asks the hub.
    ///
    /// - Throws: ``Problem`` if no hub runs, or the command is not for the page; then it is not sent.
    func ask(_ command: HubCommand) async throws -> HubReply {
        guard command.isForThePage else {
            throw Problem(.failed, "the page may not ask this of the hub: that is a fault of the page")
        }
        do {
            return try await hub.ask(command)
        } catch {
            throw Problem(.hubAbsent, "the hub does not answer: \(error)")
        }
    }

    /// What is known of the hub that runs.
    ///
    /// - Throws: ``Problem`` if no hub runs.
    func snapshot() throws(Problem) -> HubSnapshot {
        let (snapshot, isRunning) = state.withLock { ($0.snapshot, $0.isRunning) }
        guard isRunning, let snapshot else {
            throw Problem(
                .hubAbsent, "no hub runs beside this page: start it with `poolsensors hub`; the page finds it by itself"
            )
        }
        return snapshot
    }

    /// What the hub is now, not a quarter of a second ago.
    ///
    /// - Throws: ``Problem`` if no hub runs.
    func freshSnapshot() async throws -> HubSnapshot {
        guard case .look(let found?, _) = try await ask(.look(LookRequest(after: nil, eventsAfter: .max))) else {
            throw Problem(.failed, "the hub gave another answer than its state; is it of another version?")
        }
        note(found, isRunning: true)
        return HubSnapshot(state: found, receivedAt: .now)
    }

    /// What was last known, whether the hub runs, how long it has been silent, and the number of this state of things.
    var view: (snapshot: HubSnapshot?, isRunning: Bool, silence: Duration, serial: UInt64) {
        state.withLock { ($0.snapshot, $0.isRunning, $0.heardAt.duration(to: .now), $0.serial) }
    }

    /// Yields after each change; changes before the next look are one.
    func changes() -> AsyncStream<Void> {
        let (stream, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = source
            return state.lastListener
        }
        source.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// The number of those who wait for changes.
    var listenerCount: Int { state.withLock(\.listeners.count) }

    private func note(_ found: HubState?, isRunning: Bool) {
        let listeners = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            if isRunning { state.heardAt = .now }
            guard found != nil || isRunning != state.isRunning else { return [] }
            if let found { state.snapshot = HubSnapshot(state: found, receivedAt: .now) }
            state.isRunning = isRunning
            state.serial += 1
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }
}
