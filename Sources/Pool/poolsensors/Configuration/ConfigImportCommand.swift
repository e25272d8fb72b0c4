import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import PoolHub
import PoolModel

/// Imports the configuration of another hub.
struct ConfigImportCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Shows what the configuration of another hub would change, or imports it.",
        discussion: """
            Without --apply nothing is changed: the command shows what would be added, what
            differs and what stays, and the merge policy. Entries are the same if their ids
            are equal.
              only in the file           it is added
              in both, and different     --keep mine or --keep theirs decides
              only in this hub           it stays; --remove-others removes it

            If two different entries have the same name or topic, the import is refused:
            rename or remove one. A password is imported together with the address for
            which it was entered. The import is one change: `poolsensors config log` lists
            it, and `poolsensors config restore` undoes it, but does not restore replaced
            passwords. Works whether the hub runs or not; a running hub applies the change
            at once. Two hubs send each alert twice: see `alerts settings`.

            Example:
              poolsensors config import pool.export
              poolsensors config import pool.export --apply --keep theirs
            """)

    @Argument(help: ArgumentHelp("The file that `config export` wrote.", valueName: "file"))
    var file: String

    @OptionGroup var passphrase: PassphraseOptions

    @Flag(help: "Import it.")
    var apply = false

    @Option(
        help: ArgumentHelp("Which value is kept where the two differ: mine or theirs.", valueName: "side"),
        transform: { try Choice.read($0) })
    var keep: ConfigurationMerge.Side?

    @Flag(help: "Remove what only this hub has; with --keep theirs.")
    var removeOthers = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        if removeOthers, keep != .theirs {
            throw ValidationError("--remove-others makes this hub like the other one: give --keep theirs, too")
        }
    }

    func run(in context: CommandContext) async throws {
        // A running hub may have another working folder.
        let path = URL(filePath: file, relativeTo: .currentDirectory()).standardizedFileURL.path
        let key: PassphraseKey
        do {
            try PassphraseKey.checkExport(path)
            key = try PassphraseKey(try await passphrase.read(isNew: false), ofExport: path)
        } catch let error as PassphraseError {
            throw CommandFailure(error)
        } catch let error as ConfigurationExportError {
            throw CommandFailure(error)
        }
        let policy = ConfigurationMerge.Policy(keep: keep, removesOthers: removeOthers)
        let request = ConfigurationImport(path: path, key: key, policy: policy, applies: apply)
        let report = try await context.ask(.importConfiguration(request))
        if json.isOn { return try json.write(report) }
        for line in ImportReport.lines(report) { Output.standard.line(line) }
    }
}

/// Formats the changes of an import.
enum ImportReport {
    static func lines(_ report: ConfigurationImportReport) -> [String] {
        let moment = MomentText.of(report.writtenAt)
        let head = "Revision \(report.fileRevision) of the hub \(report.hub), exported at \(moment)."
        var lines = [PlainText.oneLine(head), ""]
        if !report.rows.isEmpty {
            var table = TextTable("what", "mine", "theirs", "then")
            for row in report.rows { table.add(row.subject, row.mine ?? "", row.theirs ?? "", words(row.outcome)) }
            lines += table.lines + [""]
        }
        lines.append(
            "\(report.sameCount) \(report.sameCount == 1 ? "entry is" : "entries are") the same on both sides.")
        lines.append(policy(report.policy))
        lines += report.notes.map { PlainText.oneLine("Note: \($0).") }
        lines += report.obstacles.map { PlainText.oneLine("In the way: \($0).") }
        return lines + [outcome(report)]
    }

    /// The merge policy, in a sentence.
    static func policy(_ policy: ConfigurationMerge.Policy) -> String {
        let differing =
            switch policy.keep {
            case .mine: "what differs stays as it is here"
            case .theirs: "what differs becomes as it is there"
            case nil: "what differs is undecided"
            }
        let others = policy.removesOthers ? "what only this hub has is removed" : "what only this hub has stays"
        return "Merge policy: what only the file has is added; \(differing); \(others)."
    }

    private static func outcome(_ report: ConfigurationImportReport) -> String {
        let isNothing = report.changeCount == 0 && report.secretCount == 0
        let changes = "\(report.changeCount) \(report.changeCount == 1 ? "change" : "changes")"
        let secrets = "\(report.secretCount) \(report.secretCount == 1 ? "secret" : "secrets")"
        guard let revision = report.revision else {
            if !report.obstacles.isEmpty { return "Nothing was changed." }
            return isNothing
                ? "Nothing was changed, and --apply would change nothing."
                : "Nothing was changed. With --apply it would be \(changes) and \(secrets)."
        }
        if isNothing { return "Nothing had to be changed." }
        return "Done: \(changes) and \(secrets), now at revision \(revision). "
            + "`poolsensors config restore \(report.revisionBefore)` goes back, but not for secrets."
    }

    private static func words(_ outcome: ConfigurationMerge.Outcome) -> String {
        switch outcome {
        case .undecided: "undecided"
        case .mine: "mine is kept"
        case .theirs: "theirs is taken"
        case .added: "added"
        case .removed: "removed"
        case .stays: "stays"
        }
    }
}
