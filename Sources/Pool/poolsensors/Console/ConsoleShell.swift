import CommandSupport
import Foundation
import TerminalUI

/// Runs the hub's screens in this process's terminal.
struct ConsoleShell {
    let feed: HubController
    let style: ScreenStyle

    /// Draws until somebody ends it, or until what runs beside ends.
    ///
    /// - Parameters:
    ///   - lifeline: The file of a ``ProcessGroupLock``, nil if the command belongs to nobody.
    ///   - beside: What runs beside, and is cancelled at the end; its failure is the end.
    /// - Returns: The status for the process.
    /// - Throws: ``CommandFailure`` if the terminal cannot be used, and what `beside` throws.
    func run(lifeline: String?, beside: @escaping @Sendable () async throws -> Void) async throws -> Int32 {
        let cut = try lifeline.map { try ProcessGroupLock.cut(path: $0) }
        let (shell, feed) = (self, feed)
        return try await withThrowingTaskGroup(of: LoopEnd?.self) { group in
            group.addTask { try await shell.draw() }
            group.addTask {
                // Whatever ends it ends the screens, so that the terminal is given back before anything is said.
                defer { feed.stop() }
                try await beside()
                return nil
            }
            group.addTask {
                await feed.run()
                return nil
            }
            if let cut {
                group.addTask {
                    for await _ in cut { feed.stop() }
                    return nil
                }
            }
            defer {
                feed.stop()
                group.cancelAll()
            }
            while let end = try await group.next() {
                guard let end else { continue }
                guard end == .stopped else { return end.exitStatus }
                // Who stopped it may have a reason to tell; everybody else ends.
                group.cancelAll()
            }
            return 0
        }
    }

    /// Draws on a thread of its own, which the terminal's session belongs to.
    private func draw() async throws -> LoopEnd {
        let console = HubConsole(
            theme: style.theme, capabilities: style.capabilities, author: "hub", exportFolder: style.exportFolder)
        let (feed, capabilities, usesMouse) = (feed, style.capabilities, style.usesMouse)
        let (rememberTheme, unattendedAfter) = (style.rememberTheme, style.unattendedAfter)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    var session = try TerminalSession(usesMouse: usesMouse)
                    var loop = TerminalLoop(
                        HubProgram(console, feed: feed, rememberTheme: rememberTheme), depth: capabilities.depth,
                        erasesWithColor: capabilities.erasesWithColor, usesMouse: usesMouse,
                        unattendedAfter: unattendedAfter)
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
