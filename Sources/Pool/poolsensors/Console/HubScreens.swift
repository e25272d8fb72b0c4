import CommandSupport
import Logging
import PoolHub
import TerminalUI

/// A hub with its screens, in one process.
struct HubScreens {
    /// The hub's folder.
    let folder: String
    let options: PoolHub.Options
    let logger: Logger

    /// Runs both until somebody ends them.
    ///
    /// - Returns: The status for the process.
    /// - Throws: ``CommandFailure`` if the hub cannot run; the terminal has been given back then.
    func run(_ style: ScreenStyle, lifeline: String?) async throws -> Int32 {
        let hub: PoolHub
        do {
            // Its screens show what happens; nobody else needs to be told.
            hub = try PoolHub(
                folder: try await .forRunning(path: folder), options: options, logger: logger, onEvent: { _ in })
        } catch {
            throw CommandFailure(error)
        }
        LogLines.take { line, isProblem in hub.note(logLine: line, isProblem: isProblem) }
        defer { LogLines.take(nil) }
        let feed = HubController(connection: InProcessHubConnection(hub: hub)) { TerminalWaker().wake() }
        return try await ConsoleShell(feed: feed, style: style).run(lifeline: lifeline) {
            do {
                try await hub.run()
            } catch let error where !(error is CancellationError) {
                throw CommandFailure(error)
            }
        }
    }
}
