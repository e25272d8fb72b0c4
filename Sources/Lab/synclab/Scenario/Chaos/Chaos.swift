import Foundation
import SyncCore
import SyncSimulation

/// Random work and random faults on real processes.
struct Chaos {
    /// What was done, for the summary.
    struct Counts: Codable, Equatable {
        var edits = 0
        var groups = 0
        var deletions = 0
        var items = 0
        var files = 0
        var questions = 0
        var replies = 0
        var putAside = 0
        var mostConflicts = 0
        var declined = 0
        var kills = 0
        var stops = 0
        var swarms = 0
        var cuts = 0
        var heals = 0
        var restores = 0
        var clones = 0
        var conflictBursts = 0
    }

    /// The time limit for all work to finish after the faults have ended.
    private static let settlingTime = Duration.seconds(120)
    static let records = ["kitchen", "cellar", "attic", "garage", "garden"]
    static let groups = ["name", "range", "note"]
    /// The number of conflicts that are left open.
    ///
    /// Further conflicts are dismissed, as users would do, because the hub accepts no edits while its conflict log is
    /// full.
    static let conflictLimit = 40

    var fleet: NodeFleet
    var counts = Counts()
    let watches: [String]
    var lastNumber = 0
    /// When a stopped process continues, or a killed one is started again.
    var comeBack: [String: ContinuousClock.Instant] = [:]
    /// Whether there is a copy of the hub's folder.
    var hasBackup = false
    /// The name of the last copy of a watch.
    var clone: String { "clone\(counts.clones)" }
    /// When the copy of a watch ends.
    var cloneEnd: ContinuousClock.Instant?
    /// When the time ends in which no conflicts are dismissed.
    var burstEnd: ContinuousClock.Instant?
    /// The journal of the operations on folders, which no device can record.
    let journal: NodeJournal
    private var draws: SplitMix64
    private var disagreement: String?
    private var observations: [String: DeviceObservation] = [:]

    /// Describes a hub and watches, of which none runs yet.
    init(seed: UInt64, watchCount: Int, folder: String, program: String, recordFolder: String? = nil) throws {
        fleet = NodeFleet(folder: folder, program: program, recordFolder: recordFolder)
        journal = try NodeJournal(path: fleet.journal(of: ChaosChecker.driver))
        draws = SplitMix64(seed: seed)
        watches = (1...watchCount).map { "watch\($0)" }
    }

    /// Starts the hub and pairs the watches with it.
    mutating func begin() async throws {
        try await fleet.start("hub")
        for watch in watches {
            fleet[watch] = NodeFleet.Device(pairedName: watch)
            try await fleet.pair(watch)
        }
        // The hub gets the names of all watches before the faults begin.
        _ = try await fleet.process(of: "hub").tell(NodeOrder(.look))
    }

    /// Ends all processes; returns those that had ended by themselves.
    mutating func end() async -> [NodeLoss] {
        await fleet.killAll()
    }

    // MARK: - Faults

    /// Does random work and causes random faults for some time.
    mutating func run(for duration: Duration) async throws {
        let end = ContinuousClock.now.advanced(by: duration)
        while ContinuousClock.now < end {
            try Task.checkCancellation()
            try await restart()
            if let cloneEnd, cloneEnd <= .now { try await endClone() }
            if draw(20) == 0 { try await injectFault() } else { try await work() }
            try await Task.sleep(for: .milliseconds(draw(30)))
        }
    }

    mutating func draw(_ count: Int) -> Int { Int(draws.next() % UInt64(count)) }

    mutating func pick(_ names: [String]) -> String { names[draw(names.count)] }

    mutating func drawSeed() -> UInt64 { draws.next() }

    /// Continues or restarts the processes that are due.
    mutating func restart(all: Bool = false) async throws {
        for (name, due) in comeBack.sorted(by: { $0.key < $1.key }) where all || due <= .now {
            comeBack[name] = nil
            if fleet[name].isSuspended {
                fleet.resume(name)
            } else {
                try await fleet.start(name)
            }
        }
    }

    // MARK: - Quiescence

    /// Ends all faults, and waits until all devices agree and nothing is outstanding; at most for the time limit.
    mutating func settle() async throws {
        try await restart(all: true)
        if cloneEnd != nil { try await endClone() }
        burstEnd = nil
        for name in ["hub"] + watches { try await fleet.heal(name) }
        let end = ContinuousClock.now.advanced(by: Self.settlingTime)
        repeat {
            try await Task.sleep(for: .milliseconds(200))
            try await resolveConflicts()
            for name in ["hub"] + watches {
                observations[name] = try await fleet.process(of: name).tell(NodeOrder(.look)).observation
            }
            disagreement = DeviceObservation.disagreement(observations)
            if disagreement == nil, try checker().outstanding.isEmpty { return }
        } while ContinuousClock.now < end
    }

    private func checker() throws -> ChaosChecker {
        try ChaosChecker(folder: fleet, watches: watches, observations: observations)
    }

    /// Checks the journals.
    func check() throws -> ChaosSummary {
        var checker = try checker()
        checker.mostConflicts = counts.mostConflicts
        return ChaosSummary(
            counts: counts, conflictCount: observations["hub"]?.conflicts.count ?? 0,
            violations: (disagreement.map { ["the devices do not agree: \($0)"] } ?? []) + checker.violations)
    }
}
