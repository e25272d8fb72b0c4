import SyncCore

/// The result of making a schedule smaller.
public struct Shrinking: Sendable {
    /// The smallest schedule that still breaks the rule.
    public var schedule: Schedule
    /// The run of that schedule.
    public var report: SimulationReport
    /// The occurrences that happened at first, and those that are left.
    public var occurrenceCounts: (before: Int, after: Int)
    /// The runs that it took.
    public var runCount: Int
    /// Whether each occurrence that is left was seen to be needed, before the limit of runs was reached.
    public var isMinimal: Bool
}

extension Schedule {
    /// A smaller schedule that breaks the same rule: fewer occurrences, fewer watches, and no more time than needed.
    ///
    /// It is deterministic: the same schedule and the same engine give the same result.
    /// Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002).
    ///
    /// - Parameters:
    ///   - rule: The rule to break; by default the one that the schedule breaks.
    ///   - runCountMax: The runs that may be made, 1000 by default.
    /// - Returns: The smaller schedule, nil if this one does not break the rule.
    public func shrunk(keeping rule: Violation.Rule? = nil, runCountMax: Int = 1000) -> Shrinking? {
        let (report, passed) = Simulation.record(self)
        guard let broken = report.violation?.rule, broken == rule ?? broken else { return nil }
        var shrinker = Shrinker(schedule: self, report: report, passed: passed, rule: broken, runCountMax: runCountMax)
        return shrinker.shrink()
    }
}

/// Makes a schedule smaller, step by step, as long as it breaks the rule.
private struct Shrinker {
    private var schedule: Schedule
    private var report: SimulationReport
    private var passed: [Occurrence]
    private let rule: Violation.Rule
    private let runCountMax: Int
    private let countBefore: Int
    private var runCount = 1

    init(schedule: Schedule, report: SimulationReport, passed: [Occurrence], rule: Violation.Rule, runCountMax: Int) {
        self.schedule = schedule
        self.schedule.breaks = rule
        self.report = report
        self.passed = passed
        self.rule = rule
        self.runCountMax = runCountMax
        countBefore = passed.count
    }

    mutating func shrink() -> Shrinking {
        // To name what happened changes nothing by itself, and excludes what would happen in its place.
        let all = Set(passed)
        _ = accept { $0.selection = .only(all) }
        var isSmaller = true
        while isSmaller, runCount < runCountMax {
            let countBefore = passed.count
            let optionsBefore = (schedule.watchCount, schedule.options.chaos)
            takeWatches()
            takeKinds()
            takeParts()
            takeTime()
            isSmaller =
                passed.count < countBefore || optionsBefore != (schedule.watchCount, schedule.options.chaos)
        }
        return Shrinking(
            schedule: schedule, report: report, occurrenceCounts: (countBefore, passed.count), runCount: runCount,
            isMinimal: !isSmaller)
    }

    /// Keeps a change if the rule is still broken after it.
    private mutating func accept(_ change: (inout Schedule) -> Void) -> Bool {
        guard runCount < runCountMax else { return false }
        var candidate = schedule
        change(&candidate)
        runCount += 1
        let (report, passed) = Simulation.record(candidate)
        guard report.violation?.rule == rule else { return false }
        if case .only = candidate.selection { candidate.selection = .only(Set(passed)) }
        schedule = candidate
        self.report = report
        self.passed = passed
        return true
    }

    /// Leaves some occurrences out.
    private mutating func leaveOut(_ some: Set<Occurrence>) -> Bool {
        guard !some.isEmpty else { return false }
        let rest = passed.filter { !some.contains($0) }
        return accept { $0.selection = .only(Set(rest)) }
    }

    private mutating func takeWatches() {
        for count in 1..<max(1, schedule.watchCount ?? schedule.options.watchCountMax) {
            if accept({ $0.watchCount = count }) { return }
        }
    }

    /// Tries to do without a kind of occurrence altogether.
    private mutating func takeKinds() {
        for kind in Occurrence.Kind.allCases {
            _ = leaveOut(Set(passed.filter { $0.kind == kind }))
        }
    }

    /// Delta debugging: leaves out ever smaller parts, until no single occurrence can be left out.
    private mutating func takeParts() {
        var size = max(1, passed.count / 2)
        while runCount < runCountMax, !passed.isEmpty {
            var start = 0
            var wasSmaller = false
            while start < passed.count, runCount < runCountMax {
                if leaveOut(Set(passed[start..<min(start + size, passed.count)])) {
                    wasSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !wasSmaller { return }
            if !wasSmaller || size > passed.count { size = max(1, size / 2) }
        }
    }

    /// Ends the faults earlier.
    private mutating func takeTime() {
        for seconds in [1, 2, 3, 5, 8, 12] as [Int64] where .seconds(seconds) < schedule.options.chaos {
            if accept({ $0.options.chaos = .seconds(seconds) }) { return }
        }
    }
}
