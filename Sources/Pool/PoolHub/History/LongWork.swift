import Dispatch
import Platform
import PoolControl

/// Commands that may take long: they are done aside, so that others are answered meanwhile.
///
/// The caller gets the answer at once if there is one soon, otherwise a number by which to ask again.
final class LongWork: Sendable {
    private struct Job {
        var answer: HubReply?
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private struct State {
        var last: UInt64 = 0
        var jobs: [UInt64: Job] = [:]
    }

    /// The answers that wait for somebody who asked and went away.
    static let unclaimedMax = 16

    private let patience: Duration
    private let state = Lock(State())

    /// - Parameter patience: How long an answer is waited for before the number is given.
    init(patience: Duration = .milliseconds(100)) {
        self.patience = patience
    }

    /// Begins some work.
    ///
    /// - Returns: Its answer, or `HubReply.working(job:)`. What it throws is a refusal.
    func perform(_ work: @escaping @Sendable () async throws -> HubReply) async -> HubReply {
        let number = state.withLock { state in
            state.last += 1
            state.jobs[state.last] = Job()
            return state.last
        }
        Task { [self] in
            do {
                finish(number, try await work())
            } catch {
                finish(number, .refused("\(error)"))
            }
        }
        return await outcome(of: number)
    }

    /// What has become of some work; its answer is given once.
    func outcome(of number: UInt64) async -> HubReply {
        guard state.withLock({ $0.jobs[number] != nil }) else {
            return .refused("the hub no longer knows the work \(number); look whether it is done, then ask again")
        }
        await wait(for: number)
        return state.withLock { state in
            guard let answer = state.jobs[number]?.answer else { return .working(job: number) }
            state.jobs[number] = nil
            return answer
        }
    }

    private func finish(_ number: UInt64, _ answer: HubReply) {
        let waiters = state.withLock { state in
            let waiters = state.jobs[number]?.waiters.values.map(\.self) ?? []
            state.jobs[number] = Job(answer: answer)
            let finished = state.jobs.filter { $0.value.answer != nil && $0.key != number }.keys.sorted()
            for forgotten in finished.dropLast(Self.unclaimedMax) { state.jobs[forgotten] = nil }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the work is done, or for the length of the patience.
    private func wait(for number: UInt64) async {
        await withCheckedContinuation { continuation in
            let token = state.withLock { state -> UInt64? in
                guard let job = state.jobs[number], job.answer == nil else { return nil }
                state.last += 1
                state.jobs[number]?.waiters[state.last] = continuation
                return state.last
            }
            guard let token else { return continuation.resume() }
            Task { [self] in
                // Nothing cancels this task; the wait is short.
                try? await Task.sleep(for: patience)
                state.withLock { $0.jobs[number]?.waiters.removeValue(forKey: token) }?.resume()
            }
        }
    }
}

/// Runs what blocks on a thread that no task shares, and waits for it.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
            continuation.resume(with: Swift.Result { try body() })
        }
    }
}

extension HubCommand {
    /// Whether it is done aside.
    ///
    /// Edits are not: they are done in the order in which they come.
    var mayTakeLong: Bool {
        switch self {
        case .history, .backUp, .testServer, .detection, .share: true
        case .addServer, .editServer, .removeServer, .addDevice, .editDevice, .removeDevice, .selectDevice, .addPool,
            .editPool, .removePool, .setLimits, .clearLimits, .applyPreset, .addCalibration, .removeCalibration,
            .setHistory, .setExport, .settle, .importConfiguration, .invite, .unpair, .log, .alerts, .diff,
            .restoreRevision, .exportConfiguration, .links, .reconnect, .look, .outcome, .names, .state:
            false
        }
    }
}
