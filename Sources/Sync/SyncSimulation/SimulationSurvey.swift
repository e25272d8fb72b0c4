/// What many seeds have shown together.
public struct SimulationSurvey: Sendable {
    /// The most failed runs that are kept.
    public static let failureCountMax = 10

    /// The seeds that were run.
    public private(set) var seedCount = 0
    /// The inputs that the engines took.
    public private(set) var stepCount = 0
    /// A hash over everything that happened in each run, in the order in which the runs ended.
    private var hashes: [(seed: UInt64, hash: UInt64)] = []
    /// The runs that broke something, the first of them.
    public private(set) var failures: [SimulationReport] = []
    /// The number of runs that broke something.
    public private(set) var failureCount = 0
    /// How often each mark came up.
    public private(set) var occasions = CoverageCounts()
    /// The longest time that watches needed to converge again, and its seed.
    public private(set) var slowestRecovery: (duration: Duration, seed: UInt64)?

    /// Creates a survey of no seeds.
    public init() {}

    /// Adds a run.
    public mutating func add(_ report: SimulationReport) {
        seedCount += 1
        stepCount += report.stepCount
        hashes.append((report.seed, report.traceHash))
        occasions.add(report.occasions)
        if report.violation != nil {
            failureCount += 1
            if failures.count < Self.failureCountMax { failures.append(report) }
        }
        if let recovery = report.recovery, recovery > slowestRecovery?.duration ?? .zero {
            slowestRecovery = (recovery, report.seed)
        }
    }

    /// Adds another survey, such as that of another thread.
    public mutating func add(_ other: SimulationSurvey) {
        seedCount += other.seedCount
        stepCount += other.stepCount
        hashes += other.hashes
        occasions.add(other.occasions)
        failureCount += other.failureCount
        // By seed, so that the order in which threads end does not show.
        failures = Array((failures + other.failures).sorted { $0.seed < $1.seed }.prefix(Self.failureCountMax))
        if let theirs = other.slowestRecovery, theirs.duration > slowestRecovery?.duration ?? .zero {
            slowestRecovery = theirs
        } else if let ours = slowestRecovery, let theirs = other.slowestRecovery, theirs.duration == ours.duration {
            slowestRecovery = ours.seed < theirs.seed ? ours : theirs
        }
    }

    /// A hash over everything that happened in each run, by seed: the same seed on the same engine gives the same.
    public var traceHashes: [(seed: UInt64, hash: UInt64)] { hashes.sorted { $0.seed < $1.seed } }

    /// A hash over everything that happened in all runs: the same seeds on the same engine give the same, in any order.
    public var traceHash: UInt64 { hashes.reduce(0) { $0 &+ $1.hash } }

    /// The marks that never came up: about these the survey says nothing.
    public var missed: [CoverageMark] { occasions.missed }
}
