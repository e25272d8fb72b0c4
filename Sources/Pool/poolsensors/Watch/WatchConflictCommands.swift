import ArgumentParser
import CommandSupport
import PoolControl
import PoolModel
import PoolWatch

/// Lists the edits.
struct WatchPendingCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "Lists what was changed on this watch and waits for the hub.",
        discussion: """
            While the watch runs it also lists what became of the changes that reached the
            hub since it was started.
            """)

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let report = try await context.watchReport()
        if options.json.isOn {
            return try options.json.write(
                EditRecord(pending: report.pending, uploadObstacle: report.uploadObstacle, outcomes: report.outcomes))
        }
        for line in EditList.lines(report) { Output.standard.line(line) }
    }

    private struct EditRecord: Encodable {
        var pending: [PendingEditSummary]
        var uploadObstacle: String?
        var outcomes: [EditOutcomeSummary]
    }
}

/// Lists the conflicts.
struct WatchConflictsCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "Lists the open conflicts as this watch knows them.",
        discussion: "They are the same at the hub, see `poolsensors conflicts --help`.")

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let conflicts = try await context.watchReport().conflicts
        if options.json.isOn { return try options.json.write(conflicts) }
        for line in ConflictList.lines(conflicts, command: "poolsensors watch") { Output.standard.line(line) }
    }
}

/// Restores a value that lost.
struct WatchRestoreCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restores a value that lost, here and then at the hub and on all watches.",
        discussion: "Example:\n  poolsensors watch restore 3f9a")

    @Argument(help: ArgumentHelp("The conflict.", valueName: "conflict"))
    var conflict: String

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        try await context.settleOnWatch(conflict, restoring: true, json: options.json)
    }
}

/// Dismisses a value that lost.
struct WatchDismissCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "dismiss", abstract: "Dismisses a value that lost; the shown value stays.",
        discussion: "Example:\n  poolsensors watch dismiss 3f9a")

    @Argument(help: ArgumentHelp("The conflict.", valueName: "conflict"))
    var conflict: String

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        try await context.settleOnWatch(conflict, restoring: false, json: options.json)
    }
}

/// Formats the edits of a watch.
enum EditList {
    static func lines(_ report: WatchReport) -> [String] {
        guard !report.pending.isEmpty || !report.outcomes.isEmpty else { return ["Nothing waits for the hub."] }
        let obstacle = report.uploadObstacle.map { ["The changes wait: \($0)."] } ?? []
        var table = TextTable("made", "state", "change")
        for outcome in report.outcomes {
            table.add(
                MomentText.of(outcome.edit.at), outcome.kind.rawValue,
                [outcome.edit.sentence, outcome.reason ?? outcome.merge].compactMap(\.self).joined(separator: " – "))
        }
        for edit in report.pending {
            table.add(MomentText.of(edit.at), "waits", edit.sentence)
        }
        return obstacle + table.lines
    }
}

extension CommandContext {
    /// Settles a conflict, given by the start of its identifier.
    fileprivate func settleOnWatch(_ text: String, restoring: Bool, json: JSONOptions) async throws {
        let conflicts = try await watchReport().conflicts
        let id = try meant { try ConflictNameError.match(text, among: conflicts.map(\.id)) }
        try await changeOnWatch(.settle(conflict: id, restoring: restoring), json: json)
    }
}
