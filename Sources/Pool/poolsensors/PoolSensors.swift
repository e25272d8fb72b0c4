import ArgumentParser
import CommandSupport
import PoolModel

/// The root of all commands.
struct PoolSensors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poolsensors",
        abstract: "Collects the readings of pool probes over MQTT, and shows them in terminals.",
        discussion: """
            The hub collects the readings on one machine. Watches show them, in other
            terminals of the same machine or on other machines.

            To see both without a broker and without a probe:
              poolsensors demo

            To set up your own; the hub and the watch each need a terminal:
              poolsensors hub
              poolsensors server add --name Garden --host 192.168.1.10
              poolsensors device detect
              poolsensors device add --name Lagoon --topic pool/sensor/1
              poolsensors status
              poolsensors watch pair "$(poolsensors pair)"
              poolsensors watch

            Then use `limits preset`, `calibrate`, `chemistry` and `advice` as you need
            them.

            Settings are taken from flags, then from variables POOLSENSORS_…, then from
            the configuration file, then from the defaults. `poolsensors config show`
            lists each setting and its source.

            \(ExitStatus.help(.success, .failure, .notFound, .usage, .noHub))

            Some commands use further codes; their help lists them.
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
                    ForecastCommand.self, AdviceCommand.self, DoseCommand.self, AlertsCommand.self,
                    AcknowledgeCommand.self, HistoryCommand.self,
                ]),
            CommandGroup(
                name: "Watch",
                subcommands: [PairCommand.self, WatchCommands.self, WatchesCommand.self]),
        ])
}
