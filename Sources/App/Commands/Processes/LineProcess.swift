import Foundation
import Platform
import Text

/// A child process that is told lines on its standard input, and says lines on its standard output.
///
/// It is killed at the latest when nobody needs this object any more.
package final class LineProcess: Sendable {
    /// Why an answer does not come.
    package enum Loss: Error, Equatable, CustomStringConvertible {
        /// The process has ended.
        case ended(ChildProcess.End)
        /// The process runs, and has not answered for this time.
        case silent(Duration)

        /// The loss as text.
        package var description: String {
            switch self {
            case .ended(let end): "the process \(end)"
            case .silent(let patience): "the process has not answered for \(DurationText.text(patience))"
            }
        }
    }

    private struct Waiter {
        let number: Int
        /// Takes a line if it is the answer; returns whether it was.
        let take: @Sendable (String) -> Bool
        let giveUp: @Sendable (any Error) -> Void
    }

    private struct State {
        /// The lines that nobody has taken.
        var lines: [String] = []
        var waiters: [Waiter] = []
        var lastWaiter = 0
        var hasEnded = false
        var uptime = ProcessUptime(at: SuspendingClock.now)
    }

    /// The process says nothing more; its exit status is known soon.
    private struct Ended: Error, CustomStringConvertible {
        var description: String { "the process has ended" }
    }

    /// How long a running process may take to answer: one that takes longer counts as hanging.
    package static let usualPatience = Duration.seconds(300)

    private let patience: Duration
    private let child: ChildProcess
    private let input: Int32
    private let state = Lock(State())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: Its environment variables.
    ///   - patience: How long it may take to answer while it is not suspended.
    ///   - onLine: Called on another thread with each line; without it, ``answer(_:)`` takes the lines.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    package init(
        _ path: String, _ arguments: [String], environment: Environment, patience: Duration = LineProcess.usualPatience,
        onLine: (@Sendable (String) -> Void)? = nil
    ) throws {
        self.patience = patience
        let output = try PipeLines()
        defer { output.closeWritingEnd() }
        let (readingEnd, writingEnd) = try PipeLines.ends()
        defer { close(readingEnd) }
        input = writingEnd
        child = try ChildProcess(
            path, arguments, environment: environment, files: (readingEnd, output.writingEnd, 2))
        output.read(
            { [weak self] line in
                if let onLine { onLine(line) } else { self?.read(line) }
            }, onEnd: { [weak self] in self?.outputEnded() })
    }

    deinit {
        close(input)
        child.signal(SIGKILL)
    }

    // MARK: - Lines

    /// Tells it a line; nothing happens if it has ended.
    package func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // The buffer has the given length. A line fits into the pipe, unless the process is suspended for long.
        _ = unsafe write(input, bytes, bytes.count)
    }

    /// Takes the first line that is an answer, of those that nobody has taken; waits until there is one.
    ///
    /// - Parameter read: Returns the answer in a line; nil if the line is something else.
    /// - Returns: The answer.
    /// - Throws: ``Loss``.
    package func answer<Answer: Sendable>(_ read: @escaping @Sendable (String) -> Answer?) async throws -> Answer {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let alarm = startAlarm(number)
        defer { alarm.cancel() }
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let take: @Sendable (String) -> Bool = { line in
                    guard let answer = read(line) else { return false }
                    continuation.resume(returning: answer)
                    return true
                }
                state.withLock { state in
                    if let index = state.lines.firstIndex(where: take) {
                        state.lines.remove(at: index)
                    } else if state.hasEnded {
                        continuation.resume(throwing: Ended())
                    } else {
                        state.waiters.append(
                            Waiter(number: number, take: take, giveUp: { continuation.resume(throwing: $0) }))
                    }
                }
            }
        } catch is Ended {
            throw Loss.ended(await child.ended())
        }
    }

    private func read(_ line: String) {
        state.withLock { state in
            if let index = state.waiters.firstIndex(where: { $0.take(line) }) {
                state.waiters.remove(at: index)
            } else {
                state.lines.append(line)
            }
        }
    }

    private func outputEnded() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.giveUp(Ended()) }
    }

    /// Ends the wait for an answer after the time limit, on a clock that does not run while the machine sleeps.
    private func startAlarm(_ number: Int) -> Task<Void, any Error> {
        Task { [self] in
            let asked = SuspendingClock.now
            var timeLeft = patience
            // Runs until it is cancelled, which ends the sleep.
            while true {
                try await Task.sleep(for: max(timeLeft, .milliseconds(1)), clock: SuspendingClock())
                let now = SuspendingClock.now
                timeLeft = state.withLock { $0.uptime.timeLeft(of: patience, since: asked, at: now) }
                if timeLeft <= .zero { giveUp(number) }
            }
        }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.giveUp(Loss.silent(patience))
    }

    // MARK: - Signals and the end

    /// How it ended; nil while it runs.
    package var end: ChildProcess.End? { child.end }

    /// Whether it is suspended.
    package var isSuspended: Bool { state.withLock(\.uptime.isStopped) }

    /// Sends a signal, unless it has ended.
    package func signal(_ number: Int32) { child.signal(number) }

    /// Suspends it; nobody expects answers before it continues.
    package func suspend() {
        state.withLock { $0.uptime.stop() }
        child.signal(SIGSTOP)
    }

    /// Lets it continue.
    package func resume() {
        state.withLock { $0.uptime.goOn(at: SuspendingClock.now) }
        child.signal(SIGCONT)
    }

    /// Kills it and waits for its end.
    ///
    /// - Returns: How it had ended by itself before; nil if this call ended it.
    @discardableResult
    package func kill() async -> ChildProcess.End? {
        let before = child.end
        child.signal(SIGKILL)
        let end = await child.ended()
        return before ?? (end == .signalled(SIGKILL) ? nil : end)
    }

    /// Asks it to end, kills it if it does not end in time, and waits for its end.
    package func stop(patience: Duration) async { await child.stop(patience: patience) }
}
