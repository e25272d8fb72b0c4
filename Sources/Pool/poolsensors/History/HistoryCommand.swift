import ArgumentParser

/// The hub's history of readings.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "The hub's history: list, chart, export, delete, and how long it is kept.",
        discussion: """
            Readings are stored as the devices sent them; calibrations are applied when
            they are read. Works whether the hub runs or not.

            Example:
              poolsensors history chart Lagoon --last 7d
            """,
        subcommands: [
            HistoryListCommand.self, HistoryChartCommand.self, HistoryExportCommand.self, HistoryDeleteCommand.self,
            HistorySizeCommand.self, HistoryCompactCommand.self, HistoryKeepCommand.self, HistoryAutoCommand.self,
            HistoryMirrorCommand.self,
        ])
}
