import ArgumentParser
import Commands

/// The entry point of the program; it runs the command and reports how it ended.
@main
enum Main {
    static func main() async { await CommandRunner.main(Tars.self) }
}

/// The root of all commands.
struct Tars: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tars",
        abstract: "Switches things at home from the wrist.",
        discussion: """
            The phone knows the things at home and reaches them: motor devices near it by a
            simulated short link, and far ones by MQTT through a bridge; what announces
            itself to Home Assistant; Tasmota; Shelly. Watches show them and act.

            To see all of it without hardware and without a broker:
              tars demo

            Exit codes: 0 success, 1 failure, 5 not found, 64 wrong use. `do` and `run` end
            with 0 when the thing said that it did it, 1 when it was sent and nothing said
            so, 2 when it was refused, 3 when it came too late or its end is not known.
            """,
        groupedSubcommands: [
            CommandGroup(name: "Trial", subcommands: [DemoCommand.self, DeviceCommand.self, BridgeCommand.self]),
            CommandGroup(
                name: "Home",
                subcommands: [
                    PhoneCommand.self, StatusCommand.self, ScanCommand.self, AddCommand.self, DiscoverCommand.self,
                    EditCommand.self, RemoveCommand.self, ShortcutCommand.self, SceneCommand.self, DoCommand.self,
                    RunCommand.self, OpenCommand.self, ConflictsCommand.self, WalkCommand.self,
                ]),
            CommandGroup(name: "Watch", subcommands: [PairCommand.self, WatchCommandLine.self, WatchesCommand.self]),
            CommandGroup(name: "Page", subcommands: [WebCommand.self]),
        ])
}
