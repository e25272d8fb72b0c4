import ArgumentParser
import CommandSupport
import Foundation
import SyncSimulation

/// Runs many simulated schedules.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs a hub and watches in virtual time, with faults, and checks that they hold what they promise.",
        discussion: """
            Each seed is one schedule: what the application does, and what goes wrong on
            the network, with processes, disks and clocks. The same seed is the same run
            on every machine. At the end it says what came up, and how often: what never
            came up is not proven. ^C ends it with what it has seen so far.

            Schedules that break a rule are made smaller and kept with --keep; see
            `synclab replay` and `synclab shrink`.

            Examples:
              synclab simulate
              synclab simulate --seeds 0-9999 --keep broken

            Exit status: 0 if all rules held and everything came up, else 1.
            """)

    @Option(help: ArgumentHelp("The first and the last seed, such as 0-999.", valueName: "first-last"))
    var seeds: String?

    @Option(help: ArgumentHelp("The first seed. [default: 0]", valueName: "n"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("How many seeds. [default: 1000]", valueName: "n"))
    var count: Int?

    @Option(help: ArgumentHelp("The number of watches, 1 to 16; else each seed draws it.", valueName: "n"))
    var watches: Int?

    @Option(help: ArgumentHelp("Keep schedules that break a rule in this folder.", valueName: "dir"))
    var keep: String?

    @Option(help: ArgumentHelp("How many run at the same time. [default: one for each core]", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Print the survey as JSON.")
    var json = false

    func validate() throws {
        if seeds != nil, seed != nil || count != nil {
            throw ValidationError("give --seeds, or --seed and --count")
        }
        if let seeds, let complaint = SeedRange.complaint(seeds) {
            throw ValidationError("--seeds is \"\(seeds)\", \(complaint)")
        }
        if let count, count < 1 { throw ValidationError("--count is \(count), expected a number from 1") }
        if seeds == nil, range == nil {
            throw ValidationError(
                "--seed is \(seed ?? 0), and from there to the last seed, \(UInt64.max), there are fewer than "
                    + "--count \(count ?? Self.usualCount): give a lower --seed or a lower --count")
        }
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs is \(jobs), expected a number from 1 to 256")
        }
        try WatchCount.check(watches)
    }

    /// The default number of seeds.
    private static let usualCount = 1000

    /// The seeds; nil if there are not that many.
    private var range: ClosedRange<UInt64>? {
        if let seeds { return SeedRange.seeds(seeds) }
        return SeedRange.seeds(from: seed ?? 0, count: count ?? Self.usualCount)
    }

    func run() async throws {
        var template = Schedule(seed: 0)
        template.watchCount = watches
        guard let range else { throw CommandFailure("there are not so many seeds from \(seed ?? 0) on") }
        if let keep { try Self.prepare(keep) }

        let runner = SurveyRunner(seeds: range, template: template)
        let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        let start = ContinuousClock.now
        _ = try await untilStopped(output: nil) { await runner.run(jobs: jobs) }
        var words = SurveyFormatter(survey: runner.survey, seconds: start.duration(to: .now).seconds)
        if let keep { words.keptFiles = try Self.keep(words.survey.failures, template, in: keep) }
        if json {
            Output.standard.line(try words.json)
        } else {
            words.lines.forEach(Output.standard.line)
        }
        if !words.isGood { throw ExitCode(1) }
    }

    private static func prepare(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(at: URL(filePath: folder), withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("cannot make the folder \(folder): \(SystemErrorText.of(error))")
        }
    }

    /// Reduces failed schedules and writes them to files; returns the files by seed.
    private static func keep(
        _ failures: [SimulationReport], _ template: Schedule, in folder: String
    ) throws -> [UInt64: String] {
        var files: [UInt64: String] = [:]
        for failure in failures {
            var schedule = template
            schedule.seed = failure.seed
            schedule = schedule.shrunk()?.schedule ?? schedule
            let path = URL(filePath: folder).appending(path: "seed-\(failure.seed).json").path
            try KeptFile.write(schedule.json, to: path)
            files[failure.seed] = path
        }
        return files
    }
}
