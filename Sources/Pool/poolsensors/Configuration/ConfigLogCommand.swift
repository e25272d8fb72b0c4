import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// Shows the history of the hub's configuration.
struct ConfigLogCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Lists the last changes of the hub's configuration: who changed what, and when.",
        discussion: """
            Works whether the hub runs or not. The hub keeps the last 10000 changes.

            Example:
              poolsensors config log --last 5
            """)

    @Option(help: ArgumentHelp("How many changes to list.", valueName: "count"))
    var last = 20

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func validate() throws {
        guard (1...10_000).contains(last) else { throw ValidationError("--last is \(last), expected 1 to 10000") }
    }

    func run(in context: CommandContext) async throws {
        let notes = try await context.ask(.log(last: last))
        if json.isOn { return try json.write(notes) }
        for line in ChangeList.lines(notes) { Output.standard.line(line) }
    }
}

/// Formats changes of the configuration.
enum ChangeList {
    static func lines(_ notes: [ConfigurationLogEntry]) -> [String] {
        guard !notes.isEmpty else { return ["Nothing was changed yet."] }
        var table = TextTable("revision", "when", "by", "what")
        var epoch = notes[0].epoch
        for note in notes {
            var what = note.changes.map { "\($0.subject): \($0.value ?? "removed")" }
            what += note.conflicts.map { "conflict \($0.id.short): \($0.subject): \($0.loser.value ?? "nothing") lost" }
            what += note.settled.map { "conflict \($0.short) settled" }
            if note.epoch != epoch { what.insert("a new epoch began", at: 0) }
            epoch = note.epoch
            for (index, text) in (what.isEmpty ? ["nothing that is shown"] : what).enumerated() {
                let isFirst = index == 0
                table.add(
                    isFirst ? "\(note.revision)" : " ", isFirst ? MomentText.of(note.at) : " ",
                    isFirst ? note.author : " ", text)
            }
        }
        return table.lines
    }
}
