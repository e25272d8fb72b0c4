package import ArgumentParser
import Foundation

/// Runs the command of a program.
package enum CommandRunner {
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
