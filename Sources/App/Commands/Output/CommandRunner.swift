package import ArgumentParser
import Foundation
import Logging

/// Runs the command of a program.
package enum CommandRunner {
    /// Runs the program of a command line: prints what went wrong, and ends with the code for it.
    ///
    /// - Parameter root: The root of the program's commands, which has a name.
    package static func main(_ root: any AsyncParsableCommand.Type) async {
        do {
            try await run(root, Array(CommandLine.arguments.dropFirst()))
        } catch let error as any ExitCoded {
            Output.errors.line("\(root.configuration.commandName ?? ""): \(error)")
            exit(error.exitStatus.rawValue)
        } catch {
            root.exit(withError: error)
        }
    }

    /// Writes warnings of libraries to standard error; once in a process.
    package static func logWarnings() {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .warning
            return handler
        }
    }

    /// Runs the command of a command line.
    ///
    /// - Parameters:
    ///   - root: The root of the program's commands.
    ///   - arguments: The command line, without the name of the program.
    /// - Throws: The errors of the command; ``CommandFailure`` if not all of standard output could be written.
    package static func run(
        _ root: any ParsableCommand.Type, _ arguments: @autoclosure () throws -> [String]
    ) async throws {
        // Writing to a closed pipe is an error to handle; it must not kill the process in the middle of its work.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        var command = try root.parseAsRoot(arguments())
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
        if let loss = Output.standard.loss { throw CommandFailure.incompleteOutput(loss) }
    }
}
