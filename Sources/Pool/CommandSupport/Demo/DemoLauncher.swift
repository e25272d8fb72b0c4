import Foundation
import Platform

/// Starts the processes of a demo, and writes their output into log files.
package final class DemoLauncher: Sendable {
    private let plan: DemoPlan
    private let environment: Environment
    private let program: String
    private let logs = Lock<[String: Int32]>([:])

    /// Creates a launcher without processes.
    ///
    /// - Parameters:
    ///   - plan: The plan; its folder gets the logs.
    ///   - program: The path of `poolsensors`.
    ///   - environment: The environment variables of the processes.
    package init(plan: DemoPlan, program: String, environment: Environment) {
        self.plan = plan
        self.program = program
        self.environment = environment
    }

    /// Starts the program as a child.
    ///
    /// - Parameters:
    ///   - name: The name of its log.
    ///   - arguments: Its arguments.
    ///   - onLine: Called on a separate thread with each line of its output.
    /// - Returns: The child.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    package func launch(
        _ name: String, _ arguments: [String], onLine: @escaping @Sendable (String) -> Void
    ) throws -> ChildProcess {
        let pipe = try PipeLines()
        pipe.read { [weak self] line in
            self?.note(line, in: name)
            onLine(line)
        }
        defer { pipe.closeWritingEnd() }
        return try ChildProcess(
            program, arguments, environment: environment, files: (nil, pipe.writingEnd, pipe.writingEnd))
    }

    /// Runs the program to its end, and returns its status and its output.
    package func runOnce(_ arguments: [String]) async throws -> (end: ChildProcess.End, words: String) {
        let pipe = try PipeLines()
        let (lines, source) = AsyncStream<String>.makeStream()
        pipe.read({ source.yield($0) }, onEnd: { source.finish() })
        let child: ChildProcess
        do {
            defer { pipe.closeWritingEnd() }
            child = try ChildProcess(
                program, arguments, environment: environment, files: (nil, pipe.writingEnd, pipe.writingEnd))
        }
        let end = await withTaskCancellationHandler {
            await child.ended()
        } onCancel: {
            child.signal(SIGTERM)
        }
        var words: [String] = []
        for await line in lines { words.append(line) }
        return (end, words.joined(separator: " / "))
    }

    /// Adds a line to a log.
    package func note(_ line: String, in name: String) {
        logs.withLock { logs in
            if logs[name] == nil {
                logs[name] = unsafe open(plan.log(of: name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            }
            guard let descriptor = logs[name], descriptor >= 0 else { return }
            let bytes = Array((line + "\n").utf8)
            // A log that cannot be written is ignored: it affects only its readers.
            _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        }
    }
}
