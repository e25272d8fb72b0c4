import Foundation
import SyncCore
import SyncSimulation

/// Random work and random faults on real processes.
struct Chaos {
    /// What was done, for the summary.
    struct Counts: Codable, Equatable {
        var edits = 0
        var items = 0
        var files = 0
        var putAside = 0
        var declined = 0
        var kills = 0
        var stops = 0
        var swarms = 0
        var cuts = 0
        var heals = 0
    }

    /// The conflicts that a person lets stand; beyond that some are read and put aside, as people do, since the hub
    /// takes no edits while its log of conflicts is full.
    private static let conflictLimit = 40
    private static let records = ["kitchen", "cellar", "attic", "garage", "garden"]
    private static let groups = ["name", "range", "note"]
    /// The time that faults may have to end and everything to come to rest.
    private static let settlingTime = Duration.seconds(120)

    private(set) var fleet: NodeFleet
    private(set) var counts = Counts()
    private let watches: [String]
    private var draws: SplitMix64
    private var lastNumber = 0
    /// When a process that stands still, or is dead, goes on.
    private var comeBack: [String: ContinuousClock.Instant] = [:]
    private var disagreement: String?
    private var sights: [String: DeviceSight] = [:]

    /// Starts a hub and pairs watches with it.
    init(seed: UInt64, watchCount: Int, folder: String, program: String) async throws {
        fleet = NodeFleet(folder: folder, program: program)
        draws = SplitMix64(seed: seed)
        watches = (1...watchCount).map { "watch\($0)" }
        try await fleet.start("hub")
        for watch in watches {
            fleet[watch] = NodeFleet.Device(pairedName: watch)
            try await fleet.pair(watch)
        }
        // The hub learns the names of all while nothing goes wrong yet.
        _ = try await fleet.process(of: "hub").tell(NodeOrder(.look))
    }

    /// Ends all processes.
    mutating func end() async {
        await fleet.killAll()
    }

    // MARK: - Rage

    /// Works and breaks things for a while.
    mutating func rage(for duration: Duration) async throws {
        let end = ContinuousClock.now.advanced(by: duration)
        while ContinuousClock.now < end {
            try Task.checkCancellation()
            try await bringBack()
            if draw(20) == 0 { try await breakSomething() } else { try await work() }
            try await Task.sleep(for: .milliseconds(draw(30)))
        }
    }

    private mutating func draw(_ count: Int) -> Int { Int(draws.next() % UInt64(count)) }

    private mutating func pick(_ names: [String]) -> String { names[draw(names.count)] }

    /// A device that runs, by the seed's choice; nil if the chosen one does not.
    private mutating func worker() -> String? {
        let name = draw(3) == 0 ? "hub" : pick(watches)
        return fleet[name].process != nil && !fleet[name].isStopped ? name : nil
    }

    private mutating func work() async throws {
        guard let name = worker() else { return }
        lastNumber += 1
        var order: NodeOrder
        switch draw(20) {
        case 0:
            order = NodeOrder(.file)
            (order.file, order.byteCount) = ("\(name)-\(lastNumber).bin", draw(400_000))
        case 1..<8:
            order = NodeOrder(.item)
            order.text = "\(name)-\(lastNumber)"
        default:
            order = NodeOrder(.change)
            // A value that nobody else enters, so that a checker can follow it.
            order.changes = [.init(cell: "\(pick(Self.records)).\(pick(Self.groups))", value: "\(name)-\(lastNumber)")]
        }
        if name == "hub" { order.watch = pick(watches) }
        do {
            try await fleet.process(of: name).tell(order)
            switch order.deed {
            case .file: counts.files += 1
            case .item: counts.items += 1
            default: counts.edits += 1
            }
        } catch is CommandFailure {
            // What was declined was not promised.
            counts.declined += 1
        }
        if name == "hub", lastNumber % 7 == 0 { try await tidyConflicts() }
    }

    /// Puts conflicts aside before there are too many for the log.
    private mutating func tidyConflicts() async throws {
        let hub = try fleet.process(of: "hub")
        let open = try await hub.tell(NodeOrder(.look)).sight?.conflicts ?? []
        for conflict in open.prefix(max(0, open.count - Self.conflictLimit)) {
            var order = NodeOrder(.settle)
            order.conflict = conflict.id
            do {
                try await hub.tell(order)
                counts.putAside += 1
            } catch is CommandFailure {
                // It was settled with another one of the same edit.
                continue
            }
        }
    }

    // MARK: - Faults

    private mutating func breakSomething() async throws {
        let name = draw(4) == 0 ? "hub" : pick(watches)
        guard fleet[name].process != nil, !fleet[name].isStopped else { return }
        switch draw(10) {
        case 0..<3:
            await fleet.kill(name)
            counts.kills += 1
            comeBack[name] = .now.advanced(by: .milliseconds(draw(1500)))
        case 3..<5:
            fleet[name].process?.signal(SIGSTOP)
            fleet[name].isStopped = true
            counts.stops += 1
            comeBack[name] = .now.advanced(by: .milliseconds(draw(4000)))
        case 5..<8:
            var order = NodeOrder(.swarm)
            order.seed = draws.next()
            try await fleet.process(of: name).tell(order)
            counts.swarms += 1
        case 8 where name != "hub":
            let direction = draw(3)
            try await fleet.cut(name, outgoing: direction != 0, incoming: direction != 1)
            counts.cuts += 1
        default:
            try await fleet.heal(name)
            counts.heals += 1
        }
    }

    /// Lets those go on, or start again, whose time has come.
    private mutating func bringBack(all: Bool = false) async throws {
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
        let checker = try ChaosChecker(folder: fleet, watches: watches, sights: sights)
        return ChaosSummary(
            counts: counts, conflictCount: sights["hub"]?.conflicts.count ?? 0,
            violations: [disagreement.map { "after \(Self.settlingTime) without faults: \($0)" }].compactMap(\.self)
                + checker.violations)
    }
}

/// What chaos tells at its end.
struct ChaosSummary: Codable, Equatable {
    var counts: Chaos.Counts
    var conflictCount: Int
    /// What was promised and not kept, in words.
    var violations: [String]

    /// The lines for a person.
    var lines: [String] {
        [
            "work    \(counts.edits) edits, \(counts.items) user info, \(counts.files) files; "
                + "\(counts.declined) orders cut short or declined",
            "faults  \(counts.kills) kills, \(counts.stops) stops, \(counts.swarms) swarms of message faults, "
                + "\(counts.cuts) cuts, \(counts.heals) heals",
            "end     \(conflictCount) conflicts open, \(counts.putAside) were put aside",
        ]
            + (violations.isEmpty
                ? ["all promises held"] : violations.prefix(20).map { "BROKEN  \($0)" })
    }
}
