import CommandSupport
import Foundation

/// The entry point of the program: runs the command and reports how it ended.
@main
enum Main {
    static func main() async {
        do {
            try await CommandRunner.run(SyncLab.self, Array(CommandLine.arguments.dropFirst()))
        } catch {
            exit(Report(error, of: SyncLab.self).deliver())
        }
    }
}
