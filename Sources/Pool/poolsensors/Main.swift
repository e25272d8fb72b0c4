import ArgumentParser
import Foundation

/// Where the program starts; all that it does here is to report how a command ended.
@main
enum Main {
    static func main() async {
        // Writing to somebody who has gone is an error to handle, not a reason to die in the middle of something.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        do {
            var command = try PoolSensors.parseAsRoot(
                CommandLines.completed(Array(CommandLine.arguments.dropFirst())))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            if let loss = Output.standard.loss { throw CommandFailure.incompleteOutput(loss) }
        } catch {
            exit(Report(error).deliver())
        }
    }
}

/// What a command line means where the parser would take it for something else.
enum CommandLines {
    /// The command line in which `watch --help` asks for the help of what `watch` does; the help of what else a watch can
    /// be told, as in `watch rename --help`, is asked for as it is.
    static func completed(_ arguments: [String]) -> [String] {
        let asksForHelp = arguments.contains { ["-h", "--help"].contains($0) }
        let names = WatchCommands.configuration.subcommands.map { $0._commandName }
        guard asksForHelp, arguments.first == "watch", arguments.dropFirst().allSatisfy({ !names.contains($0) }) else {
            return arguments
        }
        return ["watch", "run"] + arguments.dropFirst()
    }
}

/// What a person is told at the end of a command, and the status of the process.
struct Report: Equatable {
    /// The text for standard output: help and versions, as they were asked for.
    var output: String?
    /// The text for standard error: one line.
    var error: String?
    /// The status.
    var exitStatus: Int32

    /// Puts an error into words.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure:
            self.init(error: failure.description, exitStatus: failure.exitStatus)
        case let fault as SettingError:
            self.init(error: fault.description, exitStatus: fault.isUsage ? ExitStatus.usage : 1)
        case let code as ExitCode:
            self.init(exitStatus: code.rawValue)
        default:
            let status = PoolSensors.exitCode(for: error).rawValue
            let message = PoolSensors.message(for: error)
            if status == 0 {
                self.init(output: PoolSensors.fullMessage(for: error), exitStatus: 0)
            } else {
                self.init(error: message.isEmpty ? "\(error)" : message, exitStatus: status)
            }
        }
    }

    private init(output: String? = nil, error: String? = nil, exitStatus: Int32) {
        self.output = output
        self.error = error.map { "poolsensors: \(PlainText.oneLine($0))" }
        self.exitStatus = exitStatus
    }

    /// Tells the person, and gives the status.
    func deliver() -> Int32 {
        if let output { Output.standard.line(output) }
        if let error { Output.errors.line(error) }
        return exitStatus
    }
}
