package import ArgumentParser
import Foundation

/// Runs the command of a program.
package enum CommandRunner {
    /// Runs what a command line asks for.
    ///
    /// - Parameters:
    ///   - root: The root of the program's commands.
    ///   - arguments: The command line, without the name of the program.
    /// - Throws: What the command throws; ``CommandFailure`` if not all of standard output could be written.
    package static func run(
        _ root: any ParsableCommand.Type, _ arguments: @autoclosure () throws -> [String]
    ) async throws {
        // Writing to somebody who has gone is an error to handle, not a reason to die in the middle of something.
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
