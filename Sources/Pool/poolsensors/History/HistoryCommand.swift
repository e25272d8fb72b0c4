import ArgumentParser

/// The hub's history of readings.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "The hub's history: list, chart, export, delete, and how long it is kept.",
        discussion: """
            Readings are kept as the devices sent them; corrected values are derived by
            the calibrations whenever they are read. Works on a running hub, which goes
            on meanwhile, and at rest.

            Example:
              poolsensors history chart Lagoon --last 7d
            """,
        subcommands: [
            HistoryListCommand.self, HistoryChartCommand.self, HistoryExportCommand.self, HistoryDeleteCommand.self,
            HistorySizeCommand.self, HistoryCompactCommand.self, HistoryKeepCommand.self, HistoryAutoCommand.self,
        ])
}
