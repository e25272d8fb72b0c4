import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolScreens
import TerminalUI

/// Shows the screens of a hub that runs.
struct ConsoleCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Shows the screens of the hub that runs on this machine.",
        discussion: """
            The screens are those of `poolsensors hub`. ? lists the keys; q closes the
            console, and the hub runs on. A hub can have any number of consoles.

            Example:
              poolsensors console --theme light

            \(ExitStatus.help(.success, .failure, .noHub, .hangUp, .interrupted, .terminated))
            """)

    @OptionGroup(title: "Screens") var screens: ScreenOptions

    @Option(help: ArgumentHelp("End when the holder of this file ends.", visibility: .hidden))
    var lifeline: String?

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { screens.flags }

    func run(in context: CommandContext) async throws {
        guard let capabilities = try screens.capabilities(in: context) else {
            throw CommandFailure("the screens need a terminal; use `poolsensors status` here")
        }
        let connection = RemoteHubConnection(path: try context.folders.hub)
        do {
            _ = try await connection.perform(.look(LookRequest()))
        } catch {
            throw CommandFailure(error)
        }
        let controller = HubController(connection: connection) { TerminalWaker().wake() }
        LogLines.take { _, _ in }
        defer { LogLines.take(nil) }
        let style = try screens.shell(
            capabilities, in: context, lifeline: lifeline, quits: lifeline == nil ? .view : .demo)
        let end = try await ConsoleShell(controller: controller, style: style)
            .run(lifeline: lifeline) {
                // Nothing runs beside; the end is a key or a signal.
                try? await Task.sleep(for: .seconds(1_000_000_000))
            }
        if end == .quit, lifeline == nil {
            Output.errors.line("the console has ended, and the hub runs on; see it again with: poolsensors console")
        }
        if end.exitStatus != 0 { throw ExitCode(end.exitStatus) }
    }
}
