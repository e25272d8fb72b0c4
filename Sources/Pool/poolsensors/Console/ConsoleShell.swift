import CommandSupport
import Foundation
import PoolScreens
import TerminalUI

/// Runs the hub's screens in this process's terminal.
struct ConsoleShell {
    let controller: HubController
    let style: ScreenStyle

    /// Draws until a person or a signal ends it, or until `beside` ends.
    ///
    /// - Parameters:
    ///   - lifeline: The file of a ``ProcessGroupLock``, nil if the command belongs to no group.
    ///   - beside: Runs at the same time, and is cancelled at the end; an error of it ends the screens.
    /// - Returns: How the screens ended.
    /// - Throws: ``CommandFailure`` if the terminal cannot be used, and what `beside` throws.
    func run(lifeline: String?, beside: @escaping @Sendable () async throws -> Void) async throws -> LoopEnd {
        let cut = try lifeline.map { try ProcessGroupLock.cut(path: $0) }
        let (shell, controller) = (self, controller)
        return try await withThrowingTaskGroup(of: LoopEnd?.self) { group in
            group.addTask { try await shell.draw() }
            group.addTask {
                // Its end also ends the screens, so that the terminal is restored before a message is printed.
                defer { controller.stop() }
                try await beside()
                return nil
            }
            group.addTask {
                await controller.run()
                return nil
            }
            if let cut {
                group.addTask {
                    for await _ in cut { controller.stop() }
                    return nil
                }
            }
            defer {
                controller.stop()
                group.cancelAll()
            }
            while let end = try await group.next() {
                guard let end else { continue }
                guard end == .stopped else { return end }
                // The hub may have been stopped for a reason, which is then the error.
                group.cancelAll()
            }
            return .stopped
        }
    }

    /// Draws on a thread of its own, which the terminal's session belongs to.
    private func draw() async throws -> LoopEnd {
        let console = HubConsole(
            theme: style.theme, capabilities: style.capabilities, quits: style.quits)
        let (controller, capabilities, usesMouse) = (controller, style.capabilities, style.usesMouse)
        let (rememberTheme, unattendedAfter) = (style.rememberTheme, style.unattendedAfter)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    var session = try TerminalSession(usesMouse: usesMouse)
                    var loop = TerminalLoop(
                        HubProgram(console, controller: controller, rememberTheme: rememberTheme),
                        depth: capabilities.depth, erasesWithColor: capabilities.erasesWithColor,
                        usesMouse: usesMouse, unattendedAfter: unattendedAfter)
                    let end = try loop.run(in: &session)
                    session.close()
                    continuation.resume(returning: end)
                } catch {
                    continuation.resume(throwing: CommandFailure(error))
                }
            }
        }
    }
}
