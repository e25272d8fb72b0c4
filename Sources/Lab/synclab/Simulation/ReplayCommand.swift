import ArgumentParser
import CommandSupport
import PoolControl
import PoolModel
import SyncCore
import SyncSimulation

/// Runs one schedule and prints what happens in it.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs a simulated schedule, or the journals of a real run, again and prints what happens in it.",
        discussion: """
            It prints a line for each thing that happens, with the virtual time in
            seconds; with --verbose also every input and output of the engines. Then the
            verdict, and a hash over all that happened: the same schedule on the same
            engine gives the same hash.

            With --journal it feeds the inputs of engines of real processes, as recorded
            with `hub --record`, `watch --record`, `chaos --record` or `scenario run
            --real --record`, to fresh engines of the same version of this program. Each
            must do the same again, step by step. Several journals of one run are fed
            together in the order of their time, and the promises are watched with the
            simulator's books as far as they apply.

            Examples:
              synclab replay --seed 7 --until 3s
              synclab replay broken/seed-42.json --verbose
              synclab replay --seed 7 --twice
              synclab replay --journal chaos-7/*.engine
              synclab replay --journal hub.engine kitchen.engine --verbose

            Exit status: 0 if all rules held, else 1.
            """)

    @OptionGroup var source: ScheduleSource

    @Option(
        name: .customLong("journal"), parsing: .upToNextOption,
        help: ArgumentHelp("The journals of real engines, in place of a schedule.", valueName: "file"))
    var journals: [String] = []

    @Flag(help: "Stores were restored to earlier copies in the journals' run: that loses what was durable.")
    var putBack = false

    @Option(help: ArgumentHelp("Print the trace up to this virtual time only.", valueName: "duration"))
    var until: String?

    @Flag(help: "Print every input and output.")
    var verbose = false

    @Flag(help: "Run it twice without a trace, and compare the hashes.")
    var twice = false

    func validate() throws {
        if journals.isEmpty {
            try source.validateIsGiven()
        } else if !source.isEmpty || source.watches != nil || twice {
            throw ValidationError("with --journal there is no schedule: give neither one, nor what belongs to it")
        }
        if let until, DurationText.duration(until) == nil {
            throw ValidationError("--until is \"\(until)\", expected \(DurationText.expected)")
        }
        try validateTogether()
    }

    /// Refuses options that the others make useless.
    private func validateTogether() throws {
        if putBack, journals.isEmpty {
            throw ValidationError("--put-back is about the run of journals: give --journal, too, or leave it out")
        }
        if until != nil, !verbose, !journals.isEmpty {
            throw ValidationError("of --journal only --verbose prints a trace: give it, too, or leave --until out")
        }
        if twice, verbose || until != nil {
            throw ValidationError(
                "--twice prints no trace: leave out \(verbose ? "--verbose" : "--until"), or run it once")
        }
    }

    func run() throws {
        guard journals.isEmpty else { return try replayJournals() }
        var schedule = try source.schedule
        schedule.options.keepsTrace = !twice
        let report = Simulation.run(schedule)
        if !schedule.sentence.isEmpty { Output.standard.line(PlainText.oneLine(schedule.sentence)) }
        if twice {
            let again = Simulation.run(schedule)
            guard again.traceHash == report.traceHash else {
                throw CommandFailure(
                    "two runs differ: \(ReplayFormatter.hash(report)) and \(ReplayFormatter.hash(again)); "
                        + "something in the engine depends on more than its inputs")
            }
        }
        let limit = until.flatMap(DurationText.duration)
        for line in ReplayFormatter.shown(report.trace, until: limit, isVerbose: verbose) {
            Output.standard.line(PlainText.oneLine(line))
        }
        Output.standard.line(ReplayFormatter.verdict(report))
        if report.violation != nil { throw ExitCode(1) }
    }

    private func replayJournals() throws {
        let limit = until.flatMap(DurationText.duration)
        var first: Instant?
        let tell: (String, Moment, String) -> Void = { name, moment, text in
            let time = (first ?? moment.monotonic).duration(to: moment.monotonic)
            first = first ?? moment.monotonic
            if let limit, time > limit { return }
            Output.standard.line(PlainText.oneLine("\(time.seconds) \(name) <- \(text)"))
        }
        let report = try JournalSource.replay(journals, mayBePutBack: putBack, each: verbose ? tell : nil)
        for line in JournalSource.lines(report) { Output.standard.line(PlainText.oneLine(line)) }
        if !report.isGood { throw ExitCode(1) }
    }
}

/// Formats a run as text.
enum ReplayFormatter {
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

    /// The hash over the whole trace.
    static func hash(_ report: SimulationReport) -> String { String(report.traceHash, radix: 16) }
}
