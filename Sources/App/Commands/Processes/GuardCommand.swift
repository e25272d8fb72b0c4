package import ArgumentParser
import Foundation
import UnixSignals

/// Runs a program that does not use a lifeline file, and ends it when the holder of the file has ended.
package struct GuardCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "guard", abstract: "Runs a program that ends with this one's lifeline.", shouldDisplay: false)

    @Option(help: "The lifeline.")
    package var lifeline: String

    @Flag(help: "Run the program only when the lifeline is cut.")
    package var afterwards = false

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    package var program: [String]

    package init() {}

    package func run() async throws {
        guard let path = program.first else { throw ValidationError("no program to guard") }
        let arguments = Array(program.dropFirst())
        let environment = ProcessInfo.processInfo.environment
        if afterwards {
            // It still has work to do when the terminal is closed: only the end of the holder ends it early.
            signal(SIGHUP, SIG_IGN)
            signal(SIGINT, SIG_IGN)
            let signals = await UnixSignalsSequence(trapping: .sigterm)
            let reason = try await untilStopped(signals: signals, lifeline: lifeline, output: nil) {
                while true { try await Task.sleep(for: .seconds(86_400)) }
            }
            guard reason == .abandoned else { return }
            _ = try await ChildProcess(path, arguments, environment: environment, files: (nil, 1, 2)).ended()
            return
        }
        let child = try ChildProcess(path, arguments, environment: environment, files: (nil, 1, 2))
        Output.standard.line("\(child.processIdentifier)")
        let reason = try await untilStopped(lifeline: lifeline, output: nil) {
            await withTaskCancellationHandler {
                _ = await child.ended()
            } onCancel: {
                child.signal(SIGTERM)
            }
        }
        let end = reason == .finished ? await child.ended() : await child.stop(patience: .seconds(3))
        if case .exited(let status) = end { throw ExitCode(status) }
        throw ExitCode(1)
    }
}
