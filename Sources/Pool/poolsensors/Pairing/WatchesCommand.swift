import ArgumentParser
import CommandSupport
import PoolControl
import PoolHub
import PoolModel

/// The watches that the hub knows.
struct WatchesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watches", abstract: "Lists the paired watches, forgets one, or sends it files.",
        discussion: "Works whether the hub runs or not. Pair a watch with `poolsensors pair`.",
        subcommands: [WatchesListCommand.self, WatchesUnpairCommand.self, WatchesFilesCommand.self],
        defaultSubcommand: WatchesListCommand.self)
}

/// Lists the watches.
struct WatchesListCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the paired watches.",
        discussion: "Only a running hub knows the state of the links; otherwise those columns are empty.")

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let state = try await context.state()
        if json.isOn { return try json.write(state.watches) }
        for line in WatchList.lines(state) { Output.standard.line(line) }
    }
}

/// Unpairs a watch.
struct WatchesUnpairCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "unpair", abstract: "Unpairs a watch: it gets nothing more, and must be paired again.",
        discussion: "Example:\n  poolsensors watches unpair Kitchen")

    @Argument(help: ArgumentHelp("The name of the watch.", valueName: "name"))
    var watch: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var json: JSONOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let known = try await context.names().watch(named: watch)
        guard try Prompt.confirm("Forget the watch \"\(watch)\"?", isAnswered: yes) else {
            return Output.errors.line("nothing was changed")
        }
        try await context.change(.unpair(known.id), json: json)
    }
}

/// Formats the watches as text.
enum WatchList {
    static func lines(_ state: HubState) -> [String] {
        guard !state.watches.isEmpty else { return ["No watch is paired yet; invite one with: poolsensors pair"] }
        var table = TextTable("watch", "key", "link", "heard", "revision", "confirmed", "superseded", "waiting")
        for watch in state.watches {
            let link = watch.isLinked.map { $0 ? "linked" : "away" } ?? ""
            let heard = watch.silentSeconds.map { "\(DurationText.text(.seconds($0))) ago" } ?? ""
            table.add(
                watch.name, watch.key, link, heard, watch.revision.map(String.init) ?? "", "\(watch.confirmed)",
                "\(watch.superseded)", "\(watch.backlog)")
        }
        return table.lines
    }
}
