import Foundation
package import UnixSignals

/// Why a command that runs until it is stopped has ended.
package enum StopReason: Equatable, Sendable {
    /// Its work was finished.
    case finished
    /// A signal stopped it.
    case signalled
    /// The reader of its output has gone.
    case outputClosed
    /// The process that it belongs to has ended.
    case abandoned
}

/// The signals that ask a command to end; from now on they do not end the process by themselves.
package func stopSignals() async -> UnixSignalsSequence {
    await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
}

/// Runs a closure until it is done, or until a signal, the end of the reader or the end of the holder stops it.
///
/// Stopping means that the closure is cancelled and awaited. A second signal means that the person does not want to
/// wait. But when a terminal is closed, two signals come, from the kernel and from the shell, which count as one.
///
/// - Parameters:
///   - trapped: The signals that stop it, if they are trapped already.
///   - lifeline: The file of a ``ProcessGroupLock``, nil if the command has no holder.
///   - output: The output whose reader is watched; nil for none.
///   - atSecondSignal: What to do then, given the status for the process; it should end it.
///   - body: What to run.
/// - Returns: Why it ended.
/// - Throws: The errors of the body unless it was stopped; ``CommandFailure`` if the lifeline file does not exist.
package func untilStopped(
    signals trapped: UnixSignalsSequence? = nil, lifeline: String? = nil, output: Output? = .standard,
    atSecondSignal: @escaping @Sendable (Int32) -> Void = { exit($0) },
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> StopReason {
    let signals: UnixSignalsSequence
    if let trapped { signals = trapped } else { signals = await stopSignals() }
    let cut = try lifeline.map { try ProcessGroupLock.cut(path: $0) }
    return try await withThrowingTaskGroup(of: StopReason?.self) { group in
        group.addTask {
            do {
                try await body()
            } catch  where Task.isCancelled {
                // It was stopped as intended; errors of the interrupted work do not matter any more.
            }
            return .finished
        }
        group.addTask {
            for await _ in signals { return .signalled }
            return nil
        }
        if let cut {
            group.addTask {
                for await _ in cut { return .abandoned }
                return nil
            }
        }
        if let output {
            group.addTask {
                for await _ in output.closed {}
                return Task.isCancelled ? nil : .outputClosed
            }
        }
        var reason: StopReason?
        while let next = try await group.next() {
            guard let next else { continue }
            if reason == nil {
                reason = next
                group.cancelAll()
                if next != .finished { watchForSecondSignal(atSecondSignal) }
            }
            if next == .finished { break }
        }
        return reason ?? .finished
    }
}

/// Calls back at the next signal of an impatient person.
private func watchForSecondSignal(_ action: @escaping @Sendable (Int32) -> Void) {
    // The task belongs to the process, which is about to end.
    Task.detached {
        for await signal in await stopSignals() where signal != .sighup {
            action(128 + signal.rawValue)
        }
    }
}
