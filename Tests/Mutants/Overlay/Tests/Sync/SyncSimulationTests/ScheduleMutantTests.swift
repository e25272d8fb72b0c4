import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// Schedules that are kept for a fault of design.
@Suite(.longWork) struct ScheduleMutantTests {
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
        let rule = Simulation.run(schedule).violation?.rule

        #expect(schedule.mutant == mutant)
        #expect(!schedule.sentence.isEmpty)
        #expect(schedule.breaks != nil)
        #expect(
            rule == schedule.breaks,
            "make it anew with: .ci/mutants synclab simulate --mutant \(mutant.rawValue) --count 2000 --keep DIR")
        #expect(Simulation.run(schedule.sound).violation == nil)
        if let rule { try Caught.note(mutant.rawValue, by: "\(mutant.rawValue).json, \(rule)") }
    }

    /// The faults that show only if somebody lies about names or floods the hub with what it has to look up, if an edit of
    /// several cells is lost, or if a delta leads on from another version than the watch holds.
    ///
    /// They are shown on single machines, by `EditMutantTests` and `DefenceMutantTests`.
    private static let ofSingleMachines: Set<Mutant> = [
        .hubKnowsSalvageByName, .hubKeepsTakenNames, .hubKeepsSalvageNames, .hubDrawsTakenNames, .hubFollowsClocks,
        .hubChargesUploadsByBytes, .hubSearchesAllCells, .hubKeepsAllTombstones, .hubTakesLargeUploads,
        .hubSplitsSalvage, .watchSplitsSalvage, .hubSharesAllCells, .watchIgnoresBases,
    ]

    @Test func `a schedule is kept for each fault of design, of the random world or of the small one`() throws {
        let file = Self.folder.appending(path: "small-mutants.txt")
        let entries = try SmallCounterexample.entries(in: try String(contentsOf: file, encoding: .utf8))
        // An entry with two faults shows neither of them.
        let small = Set(entries.map(\.mutant.mutants))

        let unfound = Mutant.allCases.filter {
            !Self.keptMutants.contains($0) && !small.contains([$0]) && !Self.ofSingleMachines.contains($0)
        }

        #expect(unfound == [])
    }

    @Test func `there is no kept schedule without its fault of design`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".json") }

        #expect(Set(files).isSubset(of: Mutant.allCases.map { "\($0.rawValue).json" }))
        #expect(files.count >= 57)
    }

    @Test func `a schedule with a fault of design reads as it was written`() throws {
        var schedule = Schedule(seed: .max)
        schedule.mutant = .hubIgnoresForks

        #expect(try Schedule(json: schedule.json) == schedule)
        #expect(schedule.json.contains("\"mutant\": \"hubIgnoresForks\""))
    }

    @Test func `a fault of design that does not exist is refused`() {
        let fault = #expect(throws: ScheduleError.self) { try Schedule(json: #"{"seed": "1", "mutant": "none"}"#) }

        #expect(fault?.description.contains("\"mutant\" is \"none\", expected ") == true)
        #expect(fault?.description.contains("hubWelcomesStrangers") == true)
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
