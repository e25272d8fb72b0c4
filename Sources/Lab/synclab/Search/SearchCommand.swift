import ArgumentParser
import CommandSupport
import Foundation
import PoolControl
import SyncSimulation

/// Searches short runs of ledger and replicas for one that breaks a promise.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches short runs of hub and watch memories for one that breaks a promise.",
        discussion: """
            A run is a list of some sixty operations on a hub's history and two watches'
            memories: people write and delete, messages are lost, doubled and overtaken,
            processes die, stores are restored, clocks are wrong. No network and no disk:
            a run takes some tenths of a millisecond, so that millions can be tried.

            With --exhaust everything that can happen in a row of so many operations is
            tried.

            Examples:
              synclab search --seeds 0-999999
              synclab search --exhaust 6

            Exit status: 0 if no promise was broken, else 1.
            """)

    @Option(help: ArgumentHelp("The first and the last seed. [default: 0-99999]", valueName: "first-last"))
    var seeds: String?

    @Option(help: ArgumentHelp("The number of watches, 1 to 4.", valueName: "n"))
    var watches = 2

    @Option(help: ArgumentHelp("Try everything that can happen in so many operations, 1 to 12.", valueName: "depth"))
    var exhaust: Int?

    @Option(help: ArgumentHelp("The states after which --exhaust stops. [default: 200000]", valueName: "n"))
    var states: Int?

    @Option(help: ArgumentHelp("How many run at the same time. [default: one for each core]", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        if let seeds, let complaint = SeedRange.complaint(seeds) {
            throw ValidationError("--seeds is \"\(seeds)\", \(complaint)")
        }
        guard (1...4).contains(watches) else {
            throw ValidationError("--watches is \(watches), expected a number from 1 to 4")
        }
        if let exhaust, !(1...12).contains(exhaust) {
            throw ValidationError("--exhaust is \(exhaust), expected a number from 1 to 12")
        }
        if let states, states < 1 { throw ValidationError("--states is \(states), expected a number from 1") }
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs is \(jobs), expected a number from 1 to 256")
        }
        try validateTogether()
    }

    /// Refuses options that the chosen kind of search would ignore.
    private func validateTogether() throws {
        guard exhaust != nil else {
            guard states == nil else {
                throw ValidationError("--states bounds --exhaust: give --exhaust, too, or leave --states out")
            }
            return
        }
        let others = [("--seeds", seeds != nil), ("--jobs", jobs != nil)]
        for (name, isGiven) in others where isGiven {
            throw ValidationError("--exhaust tries everything, one after the other, without \(name): leave one out")
        }
    }

    func run() async throws {
        let jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        let range = seeds.flatMap(SeedRange.seeds) ?? 0...99_999
        let isGood: Bool
        if let exhaust {
            isGood = try await exhausted(depth: exhaust)
        } else {
            isGood = try await isSound(in: range, jobs: jobs)
        }
        if !isGood { throw ExitCode(1) }
    }

    private func isSound(in seeds: ClosedRange<UInt64>, jobs: Int) async throws -> Bool {
        let search = SmallSearchRunner(seeds: seeds, watchCount: watches)
        let start = ContinuousClock.now
        _ = try await untilStopped(output: nil) { await search.run(jobs: jobs) }
        let seconds = start.duration(to: .now).seconds
        let found = search.findings
        let rate = Int(Double(found.stepCount) / max(seconds, 0.001))
        Output.standard.line(
            "\(found.runCount) runs, \(found.stepCount) steps, \(rate) steps/s: "
                + (found.first == nil ? "no promise was broken" : "\(found.failureCount) broke a promise"))
        if let first = found.first { report(first) }
        return found.first == nil
    }

    private func exhausted(depth: Int) async throws -> Bool {
        var bounds = SmallExhaustion.Bounds()
        bounds.depth = depth
        bounds.stateCount = states ?? bounds.stateCount
        let search = ExhaustionRunner(bounds: bounds, watchCount: watches)
        let end = try await untilStopped(output: nil) { await search.run() }
        guard let report = search.report else { throw CommandFailure("stopped before anything was tried") }
        let isCutShort = end != .finished && !report.isComplete
        let bound = isCutShort ? "then stopped" : "then stopped at --states"
        let extent = report.isComplete ? "all of them" : bound
        Output.standard.line("\(report.stateCount) states, \(report.transitionCount) steps between them, \(extent)")
        guard let (violation, operations) = report.failure else {
            if isCutShort { throw CommandFailure("stopped before all was tried: nothing is shown about the rest") }
            return true
        }
        Output.standard.line("\(violation)")
        Output.standard.line("  " + operations.map(\.text).joined(separator: "; "))
        return false
    }

    private func report(_ failure: SmallSearchRunner.Failure) {
        let operations = SmallOperation.drawn(
            seed: failure.seed, count: SmallSearchRunner.operationCount, watchCount: watches)
        let shortest = SmallWorld.shrunk(operations, watchCount: watches)
        Output.standard.line("seed \(failure.seed): \(failure.violation)")
        Output.standard.line("  " + shortest.map(\.text).joined(separator: "; "))
    }
}
