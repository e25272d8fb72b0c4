import CommandSupport
import Logging
import PoolHub
import PoolScreens
import TerminalUI

/// A hub with its screens, in one process.
struct HubScreens {
    /// The hub's folder.
    let folder: String
    let options: PoolHub.Options
    let logger: Logger

    /// Runs both until a person or a signal ends them.
    ///
    /// - Returns: How the screens ended.
    /// - Throws: ``CommandFailure`` if the hub cannot run; the terminal has been restored then.
    func run(_ style: ScreenStyle, lifeline: String?) async throws -> LoopEnd {
        let hub: PoolHub
        do {
            // Its screens show what happens, so nothing is printed.
            hub = try PoolHub(
                folder: try await .forRunning(path: folder), options: options, logger: logger, onEvent: { _ in })
        } catch {
            throw CommandFailure(running: error)
        }
        LogLines.take { line, isProblem in hub.note(logLine: line, isProblem: isProblem) }
        defer { LogLines.take(nil) }
        let controller = HubController(connection: InProcessHubConnection(hub: hub)) { TerminalWaker().wake() }
        return try await ConsoleShell(controller: controller, style: style).run(lifeline: lifeline) {
            do {
                try await hub.run()
            } catch let error where !(error is CancellationError) {
                throw CommandFailure(running: error)
            }
        }
    }
}
