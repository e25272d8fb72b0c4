import ArgumentParser
import Commands
import Foundation
import PoolControl
import PoolHub

/// Backs the hub up.
struct HubBackupCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the hub's keys, sealed passwords, configuration and readings, while it runs or not.",
        discussion: """
            Keep the folder secret: anyone who can read it can pose as your hub. Restore it
            with `poolsensors hub restore`.

            Example:
              poolsensors hub backup ~/poolsensors-backup
            """)

    @Argument(help: ArgumentHelp("The folder; it must not contain a backup yet.", valueName: "folder"))
    var target: String

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        // A running hub may have another working folder.
        let path = URL(filePath: target, relativeTo: .currentDirectory()).standardizedFileURL.path
        try await context.change(.backUp(path), json: json)
    }
}
