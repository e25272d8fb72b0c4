import ArgumentParser
import CommandSupport
import Foundation

/// The entry point of the program; it runs the command and reports how it ended.
@main
enum Main {
    static func main() async {
        do {
            try await CommandRunner.run(
                PoolSensors.self, CommandLines.completed(Array(CommandLine.arguments.dropFirst())))
        } catch {
            exit(Report(error).deliver())
        }
    }
}

extension Report {
    /// Creates the report of an error of this program.
    init(_ error: any Error) {
        guard let fault = error as? SettingError else {
            self.init(error, of: PoolSensors.self)
            return
        }
        let failure = CommandFailure(fault.description, exitStatus: fault.isUsage ? .usage : .failure)
        self.init(failure, of: PoolSensors.self)
    }
}

/// Rewrites command lines that the parser would misunderstand.
enum CommandLines {
    /// The commands that were moved to the program `synclab`.
    private static let moved: Set = [
        "bench", "chaos", "replay", "scenario", "screenshot", "search", "shrink", "simulate",
    ]

    /// Rewrites `watch --help` so that it shows the help of running a watch.
    ///
    /// The help of its subcommands, as in `watch rename --help`, is not changed.
    ///
    /// - Throws: ``CommandFailure`` for a command that was moved to another program.
    static func completed(_ arguments: [String]) throws -> [String] {
        if let command = arguments.first, moved.contains(command) {
            throw CommandFailure(
                "`\(command)` is a command of another program now, which lies beside this one: `synclab \(command)`",
                exitStatus: .usage)
        }
        let asksForHelp = arguments.contains { ["-h", "--help"].contains($0) }
        let names = WatchCommands.configuration.subcommands.map { $0._commandName }
        guard asksForHelp, arguments.first == "watch", arguments.dropFirst().allSatisfy({ !names.contains($0) }) else {
            return arguments
        }
        return ["watch", "run"] + arguments.dropFirst()
    }
}
