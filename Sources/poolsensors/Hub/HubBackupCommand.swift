import ArgumentParser
import Foundation
import PoolHub

/// Backs the hub up.
struct HubBackupCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the hub's keys, passwords and configuration, while it runs or not.",
        discussion: """
            Readings are not copied. The folder is for you only: whoever has it can play
            your hub. To put it back, stop the hub, remove hub.sqlite* from its folder, and
            copy the files of the backup there. The hub notices that its state is an old
            copy and begins a new epoch; what its watches know and it does not any more is
            then listed by `poolsensors conflicts`.

            Example:
              poolsensors hub backup ~/poolsensors-backup
            """)

    @Argument(help: ArgumentHelp("The folder, which must hold no backup yet.", valueName: "folder"))
    var target: String

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        // A running hub has a working folder of its own.
        let path = URL(filePath: target, relativeTo: .currentDirectory()).standardizedFileURL.path
        try await context.change(.backUp(path), json: json)
    }
}
