import ArgumentParser
import CommandSupport
import Foundation
import Platform

/// Runs a part of a benchmark; only the benchmark itself starts it.
struct BenchPartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "part", abstract: "Plays a part of a benchmark.", shouldDisplay: false)

    @OptionGroup
    var options: BenchPartOptions

    func run() async throws {
        try await options.run(BenchTask.self) { task in
            try allowOpenFiles(task.workload.watchCount * 4 + 256)
            // The process has nothing to save, and a thread that polls would not notice the cancellation.
            try await withTaskCancellationHandler {
                try await workload(task)
            } onCancel: {
                Foundation.exit(0)
            }
        }
    }

    private func workload(_ task: BenchTask) async throws {
        switch (task.role, task.workload.side) {
        case (.hub, .engine): try await EngineHub(task.workload).run()
        case (.hub, .raw), (.hub, .rawInParts): try await onOwnThread { try RawHub(task.workload).run() }
        case (.load, _):
            guard let endpoint = task.endpoint else { throw ValidationError("a crowd needs an endpoint") }
            if case .file(let byteCount) = task.workload.work {
                let watch = try FileWatch(byteCount: byteCount, endpoint: endpoint)
                guard task.workload.side != .engine else { return try await watch.run() }
                return try await onOwnThread { try watch.runRaw() }
            }
            try await onOwnThread { try LoadClients(task.workload, endpoint: endpoint).run() }
        }
    }

    private func allowOpenFiles(_ count: Int) throws {
        let allowed = ProcessLimits.raiseOpenFiles(to: count)
        guard allowed >= count else {
            throw CommandFailure(
                "this process may open \(allowed) files, the benchmark needs \(count): raise it with ulimit -n")
        }
    }

    /// Runs code that polls on a separate thread.
    private func onOwnThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
