import ArgumentParser
import CommandSupport
import Foundation
import ProgramFixture
import SyncSimulation
import TestSupport
import Testing

@testable import synclab

/// The commands of the simulation: what they read, and what they say.
@Suite struct SimulateCommandTests {
    @Test(arguments: [("0-9", 0...9), ("7-7", 7...7)] as [(String, ClosedRange<UInt64>)])
    func `seeds in a row are read`(_ text: String, _ seeds: ClosedRange<UInt64>) {
        #expect(SeedRange.seeds(text) == seeds)
    }

    @Test(arguments: ["", "-", "1", "9-0", "1-2-3", "a-b", "0-18446744073709551615"])
    func `what is no row of seeds is not`(_ text: String) {
        #expect(SeedRange.seeds(text) == nil)
    }

    @Test func `seeds end at the last number`() {
        #expect(SeedRange.seeds(from: .max, count: 1) == UInt64.max...UInt64.max)
        #expect(SeedRange.seeds(from: .max, count: 2) == nil)
        #expect(SeedRange.seeds(from: 0, count: 0) == nil)
    }

    @Test(arguments: [
        (["--seeds", "0-9", "--seed", "1"], "give --seeds, or --seed and --count"),
        (["--watches", "0"], "--watches is 0, expected a number from 1 to 16"),
        (["--jobs", "0"], "--jobs is 0, expected a number from 1 to 256"),
        (["--count", "0"], "--count is 0, expected a number from 1"),
        (["--seed", "18446744073709551615"], "fewer than --count 1000: give a lower --seed or a lower --count"),
        (["--seeds", "9-0"], "--seeds is \"9-0\", expected a last seed that is not below the first one"),
        (["--seeds", "1-x"], "--seeds is \"1-x\", expected a first and a last seed of at most 18446744073709551615"),
        (["--seeds", "0-18446744073709551615"], "expected at most 9223372036854775807 seeds, such as 0-92233720"),
    ])
    func `a wrong command line names the way out`(_ arguments: [String], _ reason: String) {
        let error = #expect(throws: (any Error).self) { try SimulateCommand.parse(arguments) }

        #expect(error.map { SimulateCommand.message(for: $0).contains(reason) } == true)
        #expect(error.map { SimulateCommand.exitCode(for: $0).rawValue } == CommandSupport.ExitStatus.usage.rawValue)
    }

    @Test func `one thread and two see the same`() async {
        // Each thread takes sixteen seeds, so there are more; their beginnings are enough.
        var options = SimulationOptions()
        options.stepLimit = 300
        let template = Schedule(seed: 0, options: options)
        let one = SurveyRunner(seeds: 0...19, template: template)
        let two = SurveyRunner(seeds: 0...19, template: template)

        await one.run(jobs: 1)
        await two.run(jobs: 2)

        #expect(one.survey.seedCount == 20)
        #expect(one.survey.occasions == two.survey.occasions)
        #expect(one.survey.stepCount == two.survey.stepCount)
    }

    /// What happens at a seed, of `simulate --json`.
    private struct Survey: Decodable {
        struct SeedHash: Decodable {
            var seed: UInt64
            var hash: String
        }

        var hash: String
        var hashes: [SeedHash]
    }

    @Test func `two processes see the same at each seed, and what was seen before`() async throws {
        // The order of sets and dictionaries is another one in each process.
        let kept = Repository.url(".ci/trace-hashes")
        let expected = try String(contentsOf: kept, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(expected.count == 200)
        for jobs in ["1", "2"] {
            let (_, lines) = try await Program.run(
                ["simulate", "--count", "2", "--jobs", jobs, "--json"], in: try TemporaryFolder(),
                program: Program.laboratory)
            let survey = try JSONDecoder().decode(Survey.self, from: Data(lines.joined().utf8))
            for (found, line) in zip(survey.hashes.map { "\($0.seed) \($0.hash)" }, expected) {
                #expect(found == line, "seed and hash; if the world is meant to change, .ci/run says how to keep it")
            }
            let sum = survey.hashes.reduce(0 as UInt64) { $0 &+ (UInt64($1.hash, radix: 16) ?? 0) }
            #expect(survey.hashes.count == 2 && UInt64(survey.hash, radix: 16) == sum)
        }
    }

    @Test func `a survey of no schedules is not good, and one of few is not vacuous`() {
        let words = SurveyFormatter(survey: SimulationSurvey(), seconds: 1)

        #expect(!words.isGood)
        #expect(!words.isVacuous)
    }

    @Test func `a survey of a thousand schedules in which something never came up is not good`() {
        let report = Simulation.run(Schedule(seed: 0))
        var survey = SimulationSurvey()
        for _ in 0..<999 { survey.add(report) }
        #expect(!survey.missed.isEmpty)
        #expect(SurveyFormatter(survey: survey, seconds: 1).isGood)

        survey.add(report)

        #expect(SurveyFormatter(survey: survey, seconds: 1).isVacuous)
        #expect(!SurveyFormatter(survey: survey, seconds: 1).isGood)
    }

    @Test(arguments: [0...0, 0...1, 5...9, UInt64.max - 2...UInt64.max], [1, 2, 3, 100] as [UInt64])
    func `threads take each seed once, also the last one`(seeds: ClosedRange<UInt64>, portion: UInt64) async {
        let taken = Recorder<UInt64>()
        let threads = SeedThreads(seeds: seeds, portion: portion) { some in
            for seed in some { taken.record(seed) }
        }

        await threads.run(jobs: 2)

        #expect(taken.items.sorted() == Array(seeds))
    }

    @Test func `a trace is cut at its time, and shows inputs and outputs only when asked`() {
        let trace = ["0.500000 hub starts life 1", "1.000000 hub <- time reached", "2.000000 hub    -> event linked"]

        #expect(ReplayFormatter.shown(trace, until: .seconds(1), isVerbose: true) == Array(trace.prefix(2)))
        #expect(ReplayFormatter.shown(trace, until: nil, isVerbose: false) == [trace[0], trace[2]])
    }
}
