import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub

/// Compares two revisions of the hub's configuration.
struct ConfigDiffCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Shows what differs between two revisions of the hub's configuration.",
        discussion: """
            Works whether the hub runs or not, as far back as `config log` reaches. Without
            a second revision, the first one is compared with the present one.

            Example:
              poolsensors config diff 12 15
            """)

    @Argument(help: ArgumentHelp("The first revision; 0 is the empty configuration.", valueName: "revision"))
    var first: UInt64

    @Argument(help: ArgumentHelp("The second revision.", valueName: "revision"))
    var second: UInt64?

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let differences = try await context.ask(.diff(from: first, to: second))
        if json.isOn { return try json.write(differences) }
        guard !differences.isEmpty else { return Output.standard.line("Nothing differs.") }
        var table = TextTable("what", "before", "after")
        for difference in differences {
            table.add(difference.subject, difference.before ?? "(not there)", difference.after ?? "(not there)")
        }
        for line in table.lines { Output.standard.line(line) }
    }
}

/// Restores an earlier state of the hub's configuration.
struct ConfigRestoreCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Makes the hub's configuration what it was at a revision; it asks first.",
        discussion: """
            The later changes stay in `config log`, because the restored configuration is a
            new revision. Passwords are not part of the configuration, and stay.

            Example:
              poolsensors config restore 12 --yes
            """)

    @Argument(help: ArgumentHelp("The revision.", valueName: "revision"))
    var revision: UInt64

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let question = "Make the configuration what it was at revision \(revision)?"
        guard try Prompt.confirm(question, isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        try await context.change(.restoreRevision(revision), json: json)
    }
}
