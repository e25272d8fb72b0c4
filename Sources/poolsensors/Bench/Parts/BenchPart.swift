import Foundation
import Synchronization

/// A child process that plays a part and reports in lines of JSON.
final class BenchPart: Sendable {
    /// The longest time that a report may take.
    private static let patience = Duration.seconds(60)

    private let child: ChildProcess
    private let role: BenchTask.Role
    private let lines: AsyncStream<String>

    init(_ task: BenchTask, lifeline: String, environment: Environment) throws {
        role = task.role
        let pipe = try PipeLines()
        defer { pipe.closeWritingEnd() }
        let (lines, source) = AsyncStream<String>.makeStream()
        self.lines = lines
        child = try ChildProcess(
            DemoTools.ownPath, ["bench", "part", "--lifeline", lifeline, "--task", try JSONText.line(task)],
            environment: environment, files: (nil, pipe.writingEnd, 2))
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
    }

    deinit {
        child.signal(SIGKILL)
    }

    /// Waits for its next report.
    func report<Report: Decodable & Sendable>(_ type: Report.Type) async throws -> Report {
        let deadline = Task { [child] in
            try await Task.sleep(for: Self.patience)
            child.signal(SIGKILL)
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            for await line in lines {
                do {
                    return try JSONDecoder().decode(type, from: Data(line.utf8))
                } catch {
                    throw CommandFailure("the \(role) of the benchmark wrote \"\(line)\" for its report")
                }
            }
            try Task.checkCancellation()
            throw CommandFailure("the \(role) of the benchmark \(await child.ended()) before its report")
        } onCancel: {
            child.signal(SIGKILL)
        }
    }

    /// Ends it at once: it has nothing to lose.
    func stop() async {
        child.signal(SIGKILL)
        _ = await child.ended()
    }
}
