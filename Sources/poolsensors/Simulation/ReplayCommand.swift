import ArgumentParser
import SyncSimulation

/// Runs one schedule and tells what happens in it.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs one simulated schedule again and tells what happens in it.",
        discussion: """
            It prints a line for each thing that happens, with the virtual time in
            seconds; with --verbose also every input and output of the engines. Then the
            verdict, and a hash over all that happened: the same schedule on the same
            engine gives the same hash.

            Examples:
              poolsensors replay --seed 7 --until 3s
              poolsensors replay broken/seed-42.json --verbose
              poolsensors replay --seed 7 --twice

            Exit status: 0 if all rules held, else 1.
            """)

    @OptionGroup var source: ScheduleSource

    @Option(help: ArgumentHelp("Print the trace up to this virtual time only.", valueName: "duration"))
    var until: String?

    @Flag(help: "Print every input and output.")
    var verbose = false

    @Flag(help: "Run it twice without a trace, and compare the hashes.")
    var twice = false

    func validate() throws {
        if let until, DurationText.duration(until) == nil {
            throw ValidationError("--until is \"\(until)\", expected \(DurationText.expected)")
        }
    }

    func run() throws {
        var schedule = try source.schedule
        schedule.options.keepsTrace = !twice
        let report = Simulation.run(schedule)
        if !schedule.sentence.isEmpty { Output.standard.line(PlainText.oneLine(schedule.sentence)) }
        if twice {
            let again = Simulation.run(schedule)
            guard again.traceHash == report.traceHash else {
                throw CommandFailure(
                    "two runs differ: \(ReplayWords.hash(report)) and \(ReplayWords.hash(again)); "
                        + "something in the engine depends on more than its inputs")
            }
        }
        let limit = until.flatMap(DurationText.duration)
        for line in ReplayWords.shown(report.trace, until: limit, isVerbose: verbose) {
            Output.standard.line(PlainText.oneLine(line))
        }
        Output.standard.line(ReplayWords.verdict(report))
        if report.violation != nil { throw ExitCode(1) }
    }
}

/// A run in words.
enum ReplayWords {
    /// The lines of a trace up to a time; without the engines' inputs and outputs unless all are wanted.
    static func shown(_ trace: [String], until limit: Duration?, isVerbose: Bool) -> [String] {
        trace.filter { line in
            let words = line.split(separator: " ", maxSplits: 1)
            if let limit, let time = words.first.flatMap({ Double($0) }), time > limit.seconds { return false }
            guard !isVerbose else { return true }
            return !line.contains(" <- ") && (!line.contains(" -> ") || line.contains(" -> event "))
        }
    }

    /// How it ended, how long it was, and its hash.
    static func verdict(_ report: SimulationReport) -> String {
        let verdict = report.violation?.description ?? "all rules held"
        let seconds = (report.virtualDuration.seconds * 10).rounded() / 10
        return "\(verdict); \(report.stepCount) steps, \(seconds) s of virtual time, hash \(hash(report))"
    }

    /// The hash over all that happened.
    static func hash(_ report: SimulationReport) -> String { String(report.traceHash, radix: 16) }
}
