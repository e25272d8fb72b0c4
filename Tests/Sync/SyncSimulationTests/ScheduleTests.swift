import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// Schedules that are kept: their text, what they leave out, and how they become smaller.
@Suite(.longWork) struct ScheduleTests {
    /// The folder of the kept schedules.
    private static let folder = Repository.url("Fixtures/schedules")

    private static func kept(_ mutant: Mutant) throws -> Schedule {
        let file = folder.appending(path: "\(mutant.rawValue).json")
        return try Schedule(json: try String(contentsOf: file, encoding: .utf8))
    }

    /// The faults of design of which a schedule of the random world is kept.
    private static let keptMutants = Mutant.allCases.filter {
        FileManager.default.fileExists(atPath: folder.appending(path: "\($0.rawValue).json").path)
    }

    @Test(arguments: keptMutants)
    func `a kept schedule breaks its rule under its fault of design, and only then`(_ mutant: Mutant) throws {
        let schedule = try Self.kept(mutant)

        #expect(schedule.mutant == mutant)
        #expect(!schedule.sentence.isEmpty)
        #expect(schedule.breaks != nil)
        #expect(
            Simulation.run(schedule).violation?.rule == schedule.breaks,
            "make it anew with: synclab simulate --mutant \(mutant.rawValue) --count 2000 --keep DIR")
        #expect(Simulation.run(schedule.sound).violation == nil)
    }

    @Test func `a schedule is kept for each fault of design, of the random world or of the small one`() throws {
        let file = Self.folder.appending(path: "small-mutants.txt")
        let entries = try SmallCounterexample.entries(in: try String(contentsOf: file, encoding: .utf8))
        // An entry with two faults shows neither of them.
        let small = Set(entries.map(\.mutant.flaws))

        let unfound = Mutant.allCases.filter { !Self.keptMutants.contains($0) && !small.contains($0.flaws) }

        #expect(unfound == [])
    }

    @Test func `there is no kept schedule without its fault of design`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".json") }

        #expect(Set(files).isSubset(of: Mutant.allCases.map { "\($0.rawValue).json" }))
        #expect(files.count >= 57)
    }

    /// Schedules that broke a rule once, by a fault of the engine that is mended, or that a planted one would break.
    private static let soundFiles: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "sound").path)
        return (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }()

    @Test(arguments: soundFiles)
    func `a schedule that broke a rule once keeps it`(_ file: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "sound/\(file)"), encoding: .utf8)
        let schedule = try Schedule(json: text)

        #expect(schedule.mutant == nil)
        #expect(!schedule.sentence.isEmpty)
        #expect(schedule.breaks != nil, "the rule that it broke")
        let violation = Simulation.run(schedule).violation
        #expect(violation == nil, "\(schedule.sentence)")
    }

    @Test func `there are schedules that broke a rule once`() {
        #expect(Self.soundFiles.count >= 5)
    }

    @Test func `a schedule reads as it was written`() throws {
        var schedule = Schedule(seed: .max)
        schedule.sentence = "Nothing \"special\"."
        schedule.watchCount = 2
        schedule.options.isSwarm = false
        schedule.options.dropChance = 0.1
        schedule.options.chaos = .milliseconds(1500)
        schedule.options.stepLimit = 7
        schedule.breaks = .latestWins
        schedule.mutant = .hubIgnoresForks
        schedule.selection = .only([
            Occurrence(.hubCrash, number: 1), Occurrence(.lossToHub, watch: 1, number: 17),
        ])

        #expect(try Schedule(json: schedule.json) == schedule)
        #expect(schedule.json.contains("\"lossToHub 17 of watch 1\""))
        schedule.selection = .without([])
        #expect(try Schedule(json: schedule.json) == schedule)
    }

    @Test(arguments: [
        ("", "its JSON ends too soon, in line 1: add what is missing"),
        ("{\n  \"seed\": \"1\",\n", "its JSON ends too soon, in line 2"),
        ("{\n  \"seed\" \"1\"}", "its JSON breaks off at line 2, byte 12 of the file"),
        (#"{"seed": 1.5}"#, "is no whole number of 64 bits: write fractions as texts"),
        (#"{"seed": "1", "seed": "2"}"#, "\"seed\" stands twice in one object"),
        ("{}", "\"seed\" is missing"), (#"{"seed": 1}"#, "\"seed\" is 1"),
        (#"{"seed": "1", "sed": 2}"#, "\"sed\" is no member"),
        (#"{"seed": "1", "watches": 17}"#, "\"watches\" is 17, expected a number from 1 to 16"),
        (#"{"seed": "1", "only": ["hubCrash"]}"#, "\"only\" is \"hubCrash\""),
        (#"{"seed": "1", "only": ["hubCrash 0"]}"#, "\"only\" is \"hubCrash 0\""),
        (#"{"seed": "1", "only": [], "without": []}"#, "either \"only\" or \"without\""),
        (#"{"seed": "1", "options": {"chaos": "9 s"}}"#, "\"options.chaos\" is \"9 s\", expected a duration"),
        (#"{"seed": "1", "options": {"chaos": "-9s"}}"#, "\"options.chaos\" is \"-9s\""),
        (#"{"seed": "1", "options": {"dropRate": "1"}}"#, "\"options.dropRate\" is no member"),
        (
            #"{"seed": "1", "options": {"changeRate": "1e-10"}}"#,
            "\"options.changeRate\" is \"1e-10\", expected 0 or a number from 0.000001 to 1000000, as text"
        ),
        (#"{"seed": "1", "options": {"stallRate": "1e7"}}"#, "\"options.stallRate\" is \"1e7\", expected 0 or"),
        (#"{"seed": "1", "options": {"editRate": "nan"}}"#, "\"options.editRate\" is \"nan\", expected 0 or"),
        (
            #"{"seed": "1", "options": {"dropChance": "1.01"}}"#,
            "\"options.dropChance\" is \"1.01\", expected a number from 0 to 1, as text"
        ),
        (
            #"{"seed": "1", "options": {"wallDriftMax": "1e25"}}"#,
            "\"options.wallDriftMax\" is \"1e25\", expected a number from 0 to 1000000, as text"
        ),
        (#"{"seed": "1", "mutant": "none"}"#, "\"mutant\" is \"none\", expected hubWelcomesStrangers"),
    ])
    func `a text that is no schedule says why`(_ text: String, _ reason: String) {
        let fault = #expect(throws: ScheduleFault.self) { try Schedule(json: text) }

        #expect(fault?.description.contains(reason) == true, "\(fault?.description ?? "")")
    }

    @Test func `a schedule at the ends of what its options can be runs`() throws {
        let rare = #"{"changeRate": "0.000001", "wallDriftMax": "1000000", "dropChance": "1", "chaos": "1s"}"#
        let never = #"{"changeRate": "0", "hubCrashRate": "0.000001", "isSwarm": false, "chaos": "1s"}"#
        for options in [rare, never] {
            let schedule = try Schedule(json: #"{"seed": "1", "options": \#(options)}"#)
            #expect(Simulation.run(schedule).virtualDuration > .zero)
        }
    }

    @Test func `an option beyond its end does not trap where no text is read`() {
        var options = SimulationOptions()
        options.isSwarm = false
        options.chaos = .seconds(1)
        options.changeRate = 1e-10
        options.wallDriftMax = 1e25

        #expect(Simulation.run(Schedule(seed: 1, options: options)).virtualDuration > .zero)
    }

    @Test func `to leave out what never came to pass changes nothing`() {
        var schedule = Schedule(seed: 3)
        let whole = Simulation.run(schedule)

        schedule.selection = .without([Occurrence(.hubCrash, number: 1000)])

        #expect(Simulation.run(schedule).traceHash == whole.traceHash)
    }

    @Test func `without any occurrence nothing happens, and all rules hold`() {
        var schedule = Schedule(seed: 3)
        schedule.selection = .only([])

        let report = Simulation.run(schedule)

        #expect(report.violation == nil)
        #expect(CoverageMark.allCases.filter { report.occasions[$0] > 0 } == [])
    }

    @Test func `a schedule becomes as small each time, and still breaks its rule`() throws {
        let schedule = Schedule(seed: 0, mutant: .watchAcknowledgesEarly)

        let first = try #require(schedule.shrunk(runCountMax: 100))
        let second = try #require(schedule.shrunk(runCountMax: 100))

        #expect(first.schedule == second.schedule)
        #expect(first.isMinimal)
        #expect(first.occurrenceCounts.after < first.occurrenceCounts.before)
        #expect(Simulation.run(first.schedule).violation?.rule == .durabilityOrder)
        #expect(schedule.shrunk(keeping: .latestWins) == nil)
        #expect(schedule.sound.shrunk() == nil)
    }
}
