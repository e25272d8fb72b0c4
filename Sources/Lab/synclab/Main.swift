import CommandSupport
import Foundation

/// Where the program starts; all that it does here is to report how a command ended.
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
