import CommandSupport
import Foundation
import Platform
import PoolControl

/// A node as a child process, and its reports.
final class NodeProcess: Sendable {
    private struct State {
        var lastOrder = 0
        /// The waiting callers, by the number of the order.
        var waiting: [Int: CheckedContinuation<NodeReport, any Error>] = [:]
        var ready: NodeReport?
        var hasEnded = false
        var uptime = ProcessUptime(at: SuspendingClock.now)
    }

    /// The process ended; its exit status is known soon.
    private struct Ended: Error, CustomStringConvertible {
        var description: String { "the process has ended" }
    }

    /// The time limit of a running process for an order: one that takes longer counts as hanging.
    static let usualPatience = Duration.seconds(300)
    /// The number for the first report, which answers no order.
    private static let start = 0

    /// The name of the device.
    let name: String
    private let patience: Duration
    private let child: ChildProcess
    private let input: Int32
    private let state = Lock(State())

    /// Starts a node.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - program: The path of this program.
    ///   - arguments: The arguments of the command `node`.
    ///   - patience: The time limit for its start, and for an order.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(
        name: String, program: String, _ arguments: [String], patience: Duration = NodeProcess.usualPatience
    ) throws {
        self.name = name
        self.patience = patience
        let output = try PipeLines()
        defer { output.closeWritingEnd() }
        let (readingEnd, writingEnd) = try PipeLines.ends()
        defer { close(readingEnd) }
        input = writingEnd
        let environment = LocalTools.childEnvironment(ProcessInfo.processInfo.environment, of: .poolsensors)
        child = try ChildProcess(
            program, ["node"] + arguments, environment: environment,
            files: (readingEnd, output.writingEnd, 2))
        output.read({ [self] in read($0) }, onEnd: { [self] in end() })
    }

    deinit {
        close(input)
        child.signal(SIGKILL)
    }

    /// Waits until it is ready; only one caller may wait.
    ///
    /// Returns the endpoint of a hub.
    ///
    /// - Throws: ``NodeLoss`` if it ends before, or takes too long.
    func ready() async throws -> String {
        try await report(Self.start, to: "start").ready ?? ""
    }

    /// Gives an order and waits for its report.
    ///
    /// - Throws: ``CommandFailure`` with the node's error; ``NodeLoss`` if it has ended, or takes too long.
    @discardableResult
    func tell(_ order: NodeOrder) async throws -> NodeReport {
        var order = order
        order.id = state.withLock { state in
            state.lastOrder += 1
            return state.lastOrder
        }
        let line = Array((try JSONText.message(order) + "\n").utf8)
        let report = try await self.report(order.id, to: order.action.rawValue, line)
        if let failure = report.failure { throw CommandFailure("\(name): \(failure)") }
        return report
    }

    /// Sends a signal; a stopped process is not expected to answer before it continues.
    func signal(_ number: Int32) {
        state.withLock { state in
            if number == SIGSTOP { state.uptime.stop() }
            if number == SIGCONT { state.uptime.goOn(at: SuspendingClock.now) }
        }
        child.signal(number)
    }

    /// Kills it and waits for its end.
    ///
    /// - Returns: How it had ended by itself before; nil if this call ended it.
    @discardableResult
    func kill() async -> ChildProcess.End? {
        let before = child.end
        child.signal(SIGKILL)
        let end = await child.ended()
        return before ?? (end == .signalled(SIGKILL) ? nil : end)
    }

    // MARK: - Reports

    /// Writes a line, if there is one, and waits for the report to it.
    private func report(_ number: Int, to question: String, _ line: [UInt8] = []) async throws -> NodeReport {
        let alarm = startAlarm(number, question)
        defer { alarm.cancel() }
        do {
            return try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    if number == Self.start, let ready = state.ready { return continuation.resume(returning: ready) }
                    guard !state.hasEnded else { return continuation.resume(throwing: Ended()) }
                    state.waiting[number] = continuation
                    guard !line.isEmpty else { return }
                    // A line fits into the pipe's buffer, unless the node is stopped for long.
                    _ = unsafe write(input, line, line.count)
                }
            }
        } catch is Ended {
            throw NodeLoss.ended(name, await child.ended())
        }
    }

    /// Ends the wait for a report after the time limit, on a clock that does not run while the machine sleeps.
    private func startAlarm(_ number: Int, _ question: String) -> Task<Void, any Error> {
        Task { [self] in
            let asked = SuspendingClock.now
            var timeLeft = patience
            // Runs until it is cancelled, which ends the sleep.
            while true {
                try await Task.sleep(for: max(timeLeft, .milliseconds(1)), clock: SuspendingClock())
                let now = SuspendingClock.now
                timeLeft = state.withLock { $0.uptime.timeLeft(of: patience, since: asked, at: now) }
                if timeLeft <= .zero { giveUp(number, question) }
            }
        }
    }

    private func giveUp(_ number: Int, _ question: String) {
        let waiter = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiter?.resume(throwing: NodeLoss.silent(name, question, for: patience))
    }

    private func read(_ line: String) {
        // A line that is no report is ignored.
        guard let report = try? JSONDecoder().decode(NodeReport.self, from: Data(line.utf8)) else { return }
        state.withLock { state in
            if report.ready != nil {
                state.ready = report
                state.waiting.removeValue(forKey: Self.start)?.resume(returning: report)
            }
            if let id = report.id { state.waiting.removeValue(forKey: id)?.resume(returning: report) }
        }
    }

    private func end() {
        state.withLock { state in
            state.hasEnded = true
            for waiter in state.waiting.values { waiter.resume(throwing: Ended()) }
            state.waiting = [:]
        }
    }
}
