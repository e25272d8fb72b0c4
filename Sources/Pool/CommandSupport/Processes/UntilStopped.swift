import Foundation
package import UnixSignals

/// Why a command that runs until it is stopped came to its end.
package enum StopReason: Equatable, Sendable {
    /// It was done.
    case finished
    /// A signal asked for it.
    case signalled
    /// Nobody reads its output any more.
    case outputClosed
    /// The process that it belongs to has ended.
    case abandoned
}

/// The signals that ask a command to end; from now on they do not end the process by themselves.
package func stopSignals() async -> UnixSignalsSequence {
    await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
}

/// Runs something until it is done, or until a signal, the reader's end or the holder's end stops it.
///
/// To be stopped means to be cancelled; the end is waited for. Anybody who sends a second signal does not want to wait;
/// but a terminal that goes away sends two by itself, through the kernel and through the shell, and means one.
///
/// - Parameters:
///   - trapped: The signals that stop it, if they are trapped already.
///   - lifeline: The file of a ``ProcessGroupLock``, nil if the command belongs to nobody.
///   - output: The output whose reader matters, nil if none.
///   - atSecondSignal: What to do then, given the status for the process; it should end it.
///   - body: What to run.
/// - Returns: Why it ended.
/// - Throws: What the body throws while nobody has stopped it; ``CommandFailure`` without the lifeline.
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
                // It was stopped, as it should be; whatever broke off in it does not matter any more.
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

/// Calls back at the next signal of somebody who is impatient.
private func watchForSecondSignal(_ deed: @escaping @Sendable (Int32) -> Void) {
    // Owned by the process, which is about to end.
    Task.detached {
        for await signal in await stopSignals() where signal != .sighup {
            deed(128 + signal.rawValue)
        }
    }
}
