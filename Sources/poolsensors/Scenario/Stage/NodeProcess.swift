import Foundation
import Synchronization

/// A node as a process of its own, and what it tells.
final class NodeProcess: Sendable {
    private struct State {
        var lastOrder = 0
        var waiting: [Int: CheckedContinuation<NodeReport, any Error>] = [:]
        var ready: String?
        var waitingForReady: [CheckedContinuation<String, any Error>] = []
        var hasEnded = false
    }

    /// The name of the device.
    let name: String
    private let child: ChildProcess
    private let input: Int32
    private let state = Mutex(State())

    /// Starts a node.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - program: The path of this program.
    ///   - arguments: What the command `node` is told.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(name: String, program: String, _ arguments: [String]) throws {
        self.name = name
        let output = try PipeLines()
        defer { output.closeWritingEnd() }
        let (readingEnd, writingEnd) = try Self.inputPipe()
        defer { close(readingEnd) }
        input = writingEnd
        let environment = DemoTools.childEnvironment(ProcessInfo.processInfo.environment)
        child = try ChildProcess(
            program, ["node"] + arguments, environment: environment,
            files: (readingEnd, output.writingEnd, 2))
        output.read({ [self] in read($0) }, onEnd: { [self] in end() })
    }

    deinit {
        close(input)
        child.signal(SIGKILL)
    }

    private static func inputPipe() throws -> (reading: Int32, writing: Int32) {
        try Spawning.withoutSpawning {
            var ends: [Int32] = [0, 0]
            // The call writes two numbers into a list of two.
            guard unsafe pipe(&ends) == 0 else {
                throw CommandFailure("cannot make a pipe: \(SystemWords.of(number: errno))")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    /// Waits until it is ready; gives where a hub listens.
    func ready() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                if let ready = state.ready {
                    continuation.resume(returning: ready)
                } else if state.hasEnded {
                    continuation.resume(throwing: ended)
                } else {
                    state.waitingForReady.append(continuation)
                }
            }
        }
    }

    /// Gives an order and waits for its report.
    ///
    /// - Throws: ``CommandFailure`` with what the node says against it, or if the node ended.
    @discardableResult
    func tell(_ order: NodeOrder) async throws -> NodeReport {
        let report: NodeReport = try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                guard !state.hasEnded else { return continuation.resume(throwing: ended) }
                var order = order
                state.lastOrder += 1
                order.id = state.lastOrder
                state.waiting[order.id] = continuation
                do {
                    // A line is shorter than a pipe is long, unless the node stands still for long.
                    let bytes = Array((try JSONText.line(order) + "\n").utf8)
                    _ = unsafe write(input, bytes, bytes.count)
                } catch {
                    state.waiting.removeValue(forKey: order.id)?.resume(throwing: error)
                }
            }
        }
        if let failure = report.failure { throw CommandFailure("\(name): \(failure)") }
        return report
    }

    /// Sends a signal.
    func signal(_ number: Int32) { child.signal(number) }

    /// Kills it and waits for its end.
    func kill() async {
        child.signal(SIGKILL)
        _ = await child.ended()
    }

    private var ended: CommandFailure { CommandFailure("the process of \(name) has ended") }

    private func read(_ line: String) {
        // What is no report belongs to nobody.
        guard let report = try? JSONDecoder().decode(NodeReport.self, from: Data(line.utf8)) else { return }
        state.withLock { state in
            if let ready = report.ready {
                state.ready = ready
                for waiter in state.waitingForReady { waiter.resume(returning: ready) }
                state.waitingForReady = []
            }
            if let id = report.id { state.waiting.removeValue(forKey: id)?.resume(returning: report) }
        }
    }

    private func end() {
        state.withLock { state in
            state.hasEnded = true
            for waiter in state.waiting.values { waiter.resume(throwing: ended) }
            for waiter in state.waitingForReady { waiter.resume(throwing: ended) }
            (state.waiting, state.waitingForReady) = ([:], [])
        }
    }
}
