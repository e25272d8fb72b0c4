import ArgumentParser
import CommandSupport
import Foundation

/// Where the program starts; all that it does here is to report how a command ended.
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
    /// Puts an error of this program into words.
    init(_ error: any Error) {
        guard let fault = error as? SettingError else {
            self.init(error, of: PoolSensors.self)
            return
        }
        let failure = CommandFailure(fault.description, exitStatus: fault.isUsage ? ExitStatus.usage : 1)
        self.init(failure, of: PoolSensors.self)
    }
}

/// What a command line means where the parser would take it for something else.
enum CommandLines {
    /// The commands that have gone to the program `synclab`.
    private static let moved: Set = [
        "bench", "chaos", "replay", "scenario", "screenshot", "search", "shrink", "simulate",
    ]

    /// The command line in which `watch --help` asks for the help of what `watch` does; the help of what else a watch can
    /// be told, as in `watch rename --help`, is asked for as it is.
    ///
    /// - Throws: ``CommandFailure`` for a command that has gone to another program.
    static func completed(_ arguments: [String]) throws -> [String] {
        if let command = arguments.first, moved.contains(command) {
            throw CommandFailure(
                "`\(command)` is a command of another program now, which lies beside this one: `synclab \(command)`",
                exitStatus: ExitStatus.usage)
        }
        let asksForHelp = arguments.contains { ["-h", "--help"].contains($0) }
        let names = WatchCommands.configuration.subcommands.map { $0._commandName }
        guard asksForHelp, arguments.first == "watch", arguments.dropFirst().allSatisfy({ !names.contains($0) }) else {
            return arguments
        }
        return ["watch", "run"] + arguments.dropFirst()
    }
}
