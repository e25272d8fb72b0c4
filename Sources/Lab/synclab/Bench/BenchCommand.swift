import ArgumentParser

/// Measures the program in comparison with the libraries that it is built on.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures the sync engine beside the libraries that it is built on.",
        subcommands: [
            BenchSyncCommand.self, BenchIngestCommand.self, BenchDeliveryCommand.self, BenchCurvesCommand.self,
            BenchPartCommand.self, IngestPartCommand.self, DeliveryPartCommand.self,
        ])
}

/// Measures the sync engine.
struct BenchSyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Measures the sync engine beside raw libzmq and raw SQLite.",
        discussion: """
            Each row runs the engine and the bare library alternately on this machine, with
            the same sockets, encryption and sizes, and prints the medians, their spread
            and their ratio. Absolute numbers say something about the machine, ratios
            about the engine. Other work on the machine disturbs both.

            Rows:
            \(BenchRows.help)

            Examples:
              synclab bench sync
              synclab bench sync --rows fan-out,commit --json

            Exit status: 0 if it could measure, also where a goal is missed; else 1.
            """)

    @Option(help: ArgumentHelp("Only these rows.", valueName: "a,b,…"))
    var rows: String?

    @OptionGroup
    var options: BenchOptions

    func validate() throws {
        _ = try BenchRows.chosen(rows)
    }

    func run() async throws {
        let rows = try BenchRows.chosen(rows)
        try await options.run { bench, output in
            for row in rows {
                output.began(row)
                for result in try await row.measure(bench) {
                    output.print(result, of: type(of: row).name)
                }
            }
        }
    }
}
