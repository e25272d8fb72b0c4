import ArgumentParser

/// Measures how long a reading takes from its device to a watch.
struct BenchDeliveryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery",
        abstract: "Measures the time from publishing a reading to a watch's model.",
        discussion: """
            A broker on this machine gets the same readings at QoS 1, at an even rate of
            100 and of 1000 messages a second. They go alternately through a hub (history,
            alerts, encrypted link) to a watch, and through a bare relay: libmosquitto, a
            ROUTER and a DEALER with CURVE and the same options, and C's own functions to
            read a message. A second relay commits each reading to SQLite before it sends
            it, as the hub does. Hub, relays and watches are separate processes.

            The time of a reading ends when the watch's model holds it or a newer one. So a
            reading that is overtaken on the way (a hub sends a slow watch fewer values)
            counts as slow, not as nothing; how many were is printed. The first tenth of a
            run warms up. What hub and storing relay stored is compared.

            Examples:
              synclab bench delivery
              synclab bench delivery --seconds 20 --json

            Exit status: 0 if it could measure, also where a goal is missed; else 1.
            """)

    @Option(help: ArgumentHelp("The length of each run, in seconds: 1 to 60.", valueName: "n"))
    var seconds: Int?

    @OptionGroup
    var options: BenchOptions

    func validate() throws {
        if let seconds, !(1...60).contains(seconds) { throw ValidationError("--seconds must be 1 to 60") }
    }

    func run() async throws {
        try await options.run { bench, output in
            let broker = try IngestBroker(bench)
            let comparison = DeliveryComparison(bench: bench, broker: broker)
            for rate in [100, 1000] {
                let results = try await comparison.measure(rate: rate, seconds: seconds ?? (bench.isQuick ? 1 : 8))
                for result in results { output.print(result, of: "delivery") }
            }
            await broker.stop()
        }
    }
}
