import ArgumentParser

/// Measures how fast readings are stored in the history.
struct BenchIngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Measures a hub's ingest beside a bare subscriber that stores the same rows.",
        discussion: """
            A broker on this machine delivers the same messages at QoS 1, alternately, to a
            hub and to a bare subscriber, each in its own process: libmosquitto and
            SQLite's C API, the same table and index, the same journal and `synchronous`,
            a commit before a message is acknowledged. The rows of both are compared. The
            bare subscriber commits each message; the hub commits those together that are
            there together, knows redeliveries, keeps what is shown, and publishes it.
            A last row compares what a reading costs beside 450 silent devices and beside
            none.

            With --day, a day of readings of three devices is replayed at 1000 times its
            speed through a hub, in about 86 seconds, and every reading must be there.

            Examples:
              synclab bench ingest
              synclab bench ingest --count 20000 --json
              synclab bench ingest --day

            Exit status: 0 if it could measure, also where a goal is missed; else 1.
            """)

    @Option(help: ArgumentHelp("The messages of each run.", valueName: "n"))
    var count: Int?

    @Flag(help: "Replay a day at 1000 times its speed instead.")
    var day = false

    @OptionGroup
    var options: BenchOptions

    func validate() throws {
        // The first group of messages starts the measurement; it must not be the only one.
        if let count, !(100...1_000_000).contains(count) { throw ValidationError("--count must be 100 to 1000000") }
    }

    func run() async throws {
        try await options.run { bench, output in
            let broker = try IngestBroker(bench)
            let results =
                day
                ? try await IngestDay(bench: bench, broker: broker).replay()
                : try await IngestComparison(bench: bench, broker: broker).measure(
                    count: count ?? (bench.isQuick ? 300 : 5000))
            for result in results { output.print(result, of: "ingest") }
            if !day {
                output.print(
                    try await IngestComparison(bench: bench, broker: broker).measure(silentCount: 450, rate: 20),
                    of: "ingest")
            }
            await broker.stop()
        }
    }
}
