import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub

/// The conflicts: values that people entered and that are not shown.
struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "The values that lost against others: list, restore, dismiss.",
        discussion: """
            Hub and watches can change a name, limits and the selection at the same time,
            also while they cannot reach each other. Then one of the two values is shown;
            the other one is kept here until someone restores or dismisses it. Name a
            conflict by the first characters of its name in the list. Works whether the hub
            runs or not; on a watch see `poolsensors watch conflicts --help`.
            """,
        subcommands: [ConflictsListCommand.self, ConflictsRestoreCommand.self, ConflictsDismissCommand.self],
        defaultSubcommand: ConflictsListCommand.self)
}

/// Lists the conflicts.
struct ConflictsListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the open conflicts: what lost against what, who wrote it, and why.")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let conflicts = try await context.state().conflicts
        if json.isOn { return try json.write(conflicts) }
        for line in ConflictList.lines(conflicts, command: "poolsensors conflicts") { Output.standard.line(line) }
    }
}

/// Restores a value that lost.
struct ConflictsRestoreCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restores a value that lost; all watches then show it.",
        discussion: "Example:\n  poolsensors conflicts restore 3f9a")

    @Argument(help: ArgumentHelp("The conflict.", valueName: "conflict"))
    var conflict: String

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let id = try await context.names().conflict(named: conflict)
        try await context.change(.edit(.settle(conflict: id, restoring: true)), json: json)
    }
}

/// Dismisses a value that lost.
struct ConflictsDismissCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Dismisses a value that lost; the shown value stays.",
        discussion: "Example:\n  poolsensors conflicts dismiss 3f9a")

    @Argument(help: ArgumentHelp("The conflict.", valueName: "conflict"))
    var conflict: String

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let id = try await context.names().conflict(named: conflict)
        try await context.change(.edit(.settle(conflict: id, restoring: false)), json: json)
    }
}
