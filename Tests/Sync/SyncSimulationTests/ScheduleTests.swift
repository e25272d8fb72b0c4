import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// Schedules that are kept: their text, what they leave out, and how they become smaller.
@Suite(.longWork) struct ScheduleTests {
    /// The folder of the kept schedules.
    private static let folder = Repository.url("Fixtures/schedules")

    /// Schedules that broke a rule once, by a fault of the engine that is mended, or that a planted one would break.
    private static let soundFiles: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "sound").path)
        return (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }()

    @Test(arguments: soundFiles)
    func `a schedule that broke a rule once keeps it`(_ file: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "sound/\(file)"), encoding: .utf8)
        let schedule = try Schedule(json: text)

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
        (#"{"seed": "1", "mutant": "none"}"#, "\"mutant\" is no member"),
    ])
    func `a text that is not a schedule says why`(_ text: String, _ reason: String) {
        let fault = #expect(throws: ScheduleError.self) { try Schedule(json: text) }

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
}
