import Platform
package import PoolControl
import PoolHub
import PoolModel
import Service
import WebServer

/// What was last known of the hub.
struct ReceivedState: Sendable {
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
    /// What is known of the hub.
    struct View {
        /// What was known last; nil if the hub has not answered yet.
        var snapshot: ReceivedState?
        /// Whether the hub runs.
        var isRunning: Bool
        /// The time since it answered last.
        var silence: Duration
    }

    private struct State {
        var snapshot: ReceivedState?
        var isRunning = false
        /// When the hub answered last.
        var heardAt: ContinuousClock.Instant
    }

    /// The pause between two looks.
    package static let interval = Duration.milliseconds(250)

    private let hub: any HubAsking
    private let state = Lock(State(heardAt: .now))
    private let signal = ChangeSignal()

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
            note(try await ask(.look(LookRequest(after: known, eventsAfter: .max))).state, isRunning: true)
        } catch {
            // The reason is in no log: a hub that is stopped for an hour would fill it.
            note(nil, isRunning: false)
        }
    }

    /// Asks the hub.
    ///
    /// - Throws: ``Problem`` if no hub runs, if the hub refuses it, or if the command is not for the page; then it is not
    ///   sent. `HubRequestError.revisionMoved(_:)` if it is for another revision.
    func ask<Reply>(_ request: HubRequest<Reply>) async throws -> Reply {
        guard request.command.isForThePage else {
            throw Problem(.failed, "the page may not ask this of the hub: that is a fault of the page")
        }
        let answer: HubReply
        do {
            answer = try await hub.perform(request.command)
        } catch {
            throw Problem(.hubAbsent, "the hub does not answer: \(error)", french: "le hub ne répond pas")
        }
        do {
            return try request.reply(in: answer)
        } catch {
            switch error {
            case .refused(let sentence): throw Problem(.refused, sentence)
            case .revisionMoved: throw error
            case .serverHasDevices(let server, let devices):
                let names = devices.map { "\"\($0)\"" }.joined(separator: ", ")
                throw Problem(
                    .refused,
                    "the server \"\(server)\" has devices: \(names); remove them first, or with it by withDevices=true",
                    member: "withDevices")
            case .moreReadings, .anotherReply: throw Problem(.failed, "\(error)")
            }
        }
    }

    /// What is known of the hub that runs.
    ///
    /// - Throws: ``Problem`` if no hub runs.
    func snapshot() throws(Problem) -> ReceivedState {
        let (snapshot, isRunning) = state.withLock { ($0.snapshot, $0.isRunning) }
        guard isRunning, let snapshot else {
            throw Problem(
                .hubAbsent,
                "no hub runs beside this page: start it with `poolsensors hub`; the page finds it by itself",
                french: "le hub ne tourne pas : lancez `poolsensors hub` ; la page le trouvera")
        }
        return snapshot
    }

    /// What the hub is now, not a quarter of a second ago.
    ///
    /// - Throws: ``Problem`` if no hub runs.
    func freshSnapshot() async throws -> ReceivedState {
        guard let found = try await ask(.look(LookRequest(after: nil, eventsAfter: .max))).state else {
            throw Problem(.failed, "\(HubRequestError.anotherReply)")
        }
        note(found, isRunning: true)
        return ReceivedState(state: found, receivedAt: .now)
    }

    /// What is known now.
    var view: View {
        state.withLock { View(snapshot: $0.snapshot, isRunning: $0.isRunning, silence: $0.heardAt.duration(to: .now)) }
    }

    /// Yields after each change; several changes may yield once.
    func changes() -> AsyncStream<Void> { signal.changes() }

    /// The number of observers.
    var listenerCount: Int { signal.listenerCount }

    private func note(_ found: HubState?, isRunning: Bool) {
        let hasChanged = state.withLock { state in
            if isRunning { state.heardAt = .now }
            guard found != nil || isRunning != state.isRunning else { return false }
            if let found { state.snapshot = ReceivedState(state: found, receivedAt: .now) }
            state.isRunning = isRunning
            return true
        }
        if hasChanged { signal.signal() }
    }
}
