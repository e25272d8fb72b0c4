import ArgumentParser
import CommandSupport
import PoolModel

/// The root of all commands.
struct PoolSensors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poolsensors",
        abstract: "Pool sensors on your phone and your watches: an MQTT hub, watches that follow it, and a test probe.",
        discussion: """
            See it all at once, with a broker of its own:
              poolsensors demo

            By hand, each in a terminal of its own and in any order:
              poolsensors hub
              poolsensors server add --name Garden --host 192.168.1.10
              poolsensors device detect
              poolsensors device add --name Lagoon --topic pool/sensor/1
              poolsensors device select Lagoon
              poolsensors status
              poolsensors watch pair "$(poolsensors pair)"
              poolsensors watch

            Then, as far as you need it: `limits preset`, `calibrate` and `chemistry`.

            Values come from flags, then from variables POOLSENSORS_…, then from the
            configuration file, then from the defaults; `poolsensors config show` says
            which.

            \(ExitStatus.help(.success, .failure, .notFound, .usage, .noHub))

            Some commands have more, see their help.
            """,
        version: Release.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Trial",
                subcommands: [DemoCommand.self, ProbeCommand.self, LinkCommand.self, GuardCommand.self]),
            CommandGroup(
                name: "Hub",
                subcommands: [
                    HubCommands.self, ConsoleCommand.self, WebCommand.self, ServerCommand.self, DeviceCommand.self,
                    PoolCommand.self, ConfigCommand.self, ConflictsCommand.self,
                ]),
            CommandGroup(
                name: "Water",
                subcommands: [
                    StatusCommand.self, LimitsCommand.self, CalibrateCommand.self, ChemistryCommand.self,
                    AlertsCommand.self, AcknowledgeCommand.self, HistoryCommand.self,
                ]),
            CommandGroup(
                name: "Watch",
                subcommands: [PairCommand.self, WatchCommands.self, WatchesCommand.self]),
        ])
}
