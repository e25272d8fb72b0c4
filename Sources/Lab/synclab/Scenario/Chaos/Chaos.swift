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
        var piles = 0
    }

    /// The time that faults may have to end and everything to come to rest.
    private static let settlingTime = Duration.seconds(120)
    static let records = ["kitchen", "cellar", "attic", "garage", "garden"]
    static let groups = ["name", "range", "note"]
    /// The conflicts that a person lets stand; beyond that some are read and put aside, as people do, since the hub
    /// takes no edits while its log of conflicts is full.
    static let conflictLimit = 40

    var fleet: NodeFleet
    var counts = Counts()
    let watches: [String]
    var lastNumber = 0
    /// When a process that stands still, or is dead, goes on.
    var comeBack: [String: ContinuousClock.Instant] = [:]
    /// Whether there is a copy of the hub's folder.
    var hasBackup = false
    /// The name under which the last copy of a watch runs or ran.
    var clone: String { "clone\(counts.clones)" }
    /// Until when the copy of a watch runs.
    var cloneEnd: ContinuousClock.Instant?
    /// Until when nobody puts conflicts aside.
    var pileEnd: ContinuousClock.Instant?
    /// What was done to folders, since no device knows.
    let journal: NodeJournal
    private var draws: SplitMix64
    private var disagreement: String?
    private var sights: [String: DeviceObservation] = [:]

    /// Lays out a hub and watches, of which none runs yet.
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
        // The hub learns the names of all while nothing goes wrong yet.
        _ = try await fleet.process(of: "hub").tell(NodeOrder(.look))
    }

    /// Ends all processes; gives those that had ended by themselves.
    mutating func end() async -> [NodeLoss] {
        await fleet.killAll()
    }

    // MARK: - Rage

    /// Works and breaks things for a while.
    mutating func rage(for duration: Duration) async throws {
        let end = ContinuousClock.now.advanced(by: duration)
        while ContinuousClock.now < end {
            try Task.checkCancellation()
            try await bringBack()
            if let cloneEnd, cloneEnd <= .now { try await endClone() }
            if draw(20) == 0 { try await breakSomething() } else { try await work() }
            try await Task.sleep(for: .milliseconds(draw(30)))
        }
    }

    mutating func draw(_ count: Int) -> Int { Int(draws.next() % UInt64(count)) }

    mutating func pick(_ names: [String]) -> String { names[draw(names.count)] }

    mutating func drawSeed() -> UInt64 { draws.next() }

    /// Lets those go on, or start again, whose time has come.
    mutating func bringBack(all: Bool = false) async throws {
        for (name, due) in comeBack.sorted(by: { $0.key < $1.key }) where all || due <= .now {
            comeBack[name] = nil
            if fleet[name].isStopped {
                fleet[name].process?.signal(SIGCONT)
                fleet[name].isStopped = false
            } else {
                try await fleet.start(name)
            }
        }
    }

    // MARK: - Rest

    /// Ends all faults, and waits until all devices agree and nothing is outstanding, or until that takes too long.
    mutating func settle() async throws {
        try await bringBack(all: true)
        if cloneEnd != nil { try await endClone() }
        pileEnd = nil
        for name in ["hub"] + watches { try await fleet.heal(name) }
        let end = ContinuousClock.now.advanced(by: Self.settlingTime)
        repeat {
            try await Task.sleep(for: .milliseconds(200))
            try await tidyConflicts()
            for name in ["hub"] + watches {
                sights[name] = try await fleet.process(of: name).tell(NodeOrder(.look)).sight
            }
            let checker = try ChaosChecker(folder: fleet, watches: watches, sights: sights)
            disagreement = checker.disagreement
            if disagreement == nil, checker.outstanding.isEmpty { return }
        } while ContinuousClock.now < end
    }

    /// What the journals say.
    func judge() throws -> ChaosSummary {
        var checker = try ChaosChecker(folder: fleet, watches: watches, sights: sights)
        checker.mostConflicts = counts.mostConflicts
        return ChaosSummary(
            counts: counts, conflictCount: sights["hub"]?.conflicts.count ?? 0,
            violations: (disagreement.map { ["the devices do not agree: \($0)"] } ?? []) + checker.violations)
    }
}
