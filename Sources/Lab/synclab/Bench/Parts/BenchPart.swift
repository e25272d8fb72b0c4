import CommandSupport
import Foundation
import PoolControl

/// A child process that runs a part of the benchmark and reports in lines of JSON.
final class BenchPart: Sendable {
    private let name: String
    private let child: ChildProcess
    private let lines: AsyncStream<String>

    /// Starts the process; it ends at the latest when the lifeline file is released.
    ///
    /// - Parameters:
    ///   - command: The benchmark's command for the part.
    ///   - name: The part's name for people.
    ///   - task: Its task, sent as JSON.
    ///   - lifeline: The file of the ``ProcessGroupLock``.
    ///   - environment: Its environment variables.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(
        _ command: String, called name: String, _ task: some Encodable, lifeline: String, environment: Environment
    ) throws {
        self.name = name
        let pipe = try PipeLines()
        defer { pipe.closeWritingEnd() }
        let (lines, source) = AsyncStream<String>.makeStream()
        self.lines = lines
        child = try ChildProcess(
            LocalTools.ownPath, ["bench", command, "--lifeline", lifeline, "--task", try JSONText.message(task)],
            environment: environment, files: (nil, pipe.writingEnd, 2))
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
    }

    deinit {
        child.signal(SIGKILL)
    }

    /// Waits for its next report.
    ///
    /// - Parameters:
    ///   - type: The type of the report.
    ///   - patience: The time after which it is killed; nil to wait as long as it runs.
    /// - Returns: The report.
    /// - Throws: ``CommandFailure`` if it ends before, or sends another report.
    func report<Report: Decodable & Sendable>(
        _ type: Report.Type, patience: Duration? = .seconds(600)
    ) async throws -> Report {
        let deadline = patience.map { patience in
            Task { [child] in
                try await Task.sleep(for: patience)
                child.signal(SIGKILL)
            }
        }
        defer { deadline?.cancel() }
        return try await withTaskCancellationHandler {
            for await line in lines {
                do {
                    return try JSONDecoder().decode(type, from: Data(line.utf8))
                } catch {
                    throw CommandFailure("the benchmark's \(name) wrote \"\(line)\" for its report")
                }
            }
            try Task.checkCancellation()
            throw CommandFailure("the benchmark's \(name) \(await child.ended()) before its report")
        } onCancel: {
            child.signal(SIGKILL)
        }
    }

    /// Asks the process to end, and waits until it has ended.
    func stop() async { await child.stop(patience: .seconds(5)) }

    /// Kills the process; it has nothing to save.
    func kill() async {
        child.signal(SIGKILL)
        _ = await child.ended()
    }
}
