/// How many complication items went with priority on a day.
///
/// The budget is that of the latest day that the wall clock has shown (rules R112 and R115; Apple documents "per day"
/// only), and only a later day refills it: a clock that goes back, or back and forth, never does. So that a clock that was
/// years ahead does not keep it spent for years, it is also refilled when the clock has been behind that day for a whole
/// day of the life of a process, as its monotonic clock measures it (`waitBehind`).
public struct UrgentBudget: Hashable, Sendable {
    /// The day that it counts for, the latest one so far, in days since 1970; nil before the first item.
    public var day: Int64?
    /// The items that went on that day.
    public var spent: Int

    /// The time for which the wall clock has to be behind the day of a budget before that day counts as wrong.
    package static let waitBehind = Duration.seconds(86_400)
    private static let dayMilliseconds: Int64 = 86_400_000

    /// Creates a budget; by default one of which nothing was spent.
    public init(day: Int64? = nil, spent: Int = 0) {
        self.day = day
        self.spent = spent
    }

    /// How many items may go at this wall time, of so many a day, as far as the wall clock alone tells.
    public func remaining(of perDay: Int, wallMilliseconds: Int64) -> Int {
        max(0, perDay - current(wallMilliseconds: wallMilliseconds).spent)
    }

    /// The budget after one more item, nil if none is left.
    package func spendingOne(
        of perDay: Int, wallMilliseconds: Int64, behindFor wait: Duration = .zero, flaws: DesignFlaws = []
    ) -> UrgentBudget? {
        var budget = current(wallMilliseconds: wallMilliseconds, behindFor: wait, flaws: flaws)
        guard budget.spent < perDay else { return nil }
        budget.spent += 1
        return budget
    }

    /// Whether the wall clock shows an earlier day than the one that the budget counts for.
    package func isAhead(ofWallMilliseconds wallMilliseconds: Int64) -> Bool {
        day.map { Self.day(ofWallMilliseconds: wallMilliseconds) < $0 } ?? false
    }

    /// The budget as it counts now, when the wall clock has been behind its day for so long.
    package func current(
        wallMilliseconds: Int64, behindFor wait: Duration = .zero, flaws: DesignFlaws = []
    ) -> UrgentBudget {
        let today = Self.day(ofWallMilliseconds: wallMilliseconds)
        guard let day, today <= day else { return UrgentBudget(day: today) }
        let isWrong = wait >= Self.waitBehind || flaws.contains(.budgetRefilledBackwards)
        return today < day && isWrong ? UrgentBudget(day: today) : self
    }

    /// The day that a wall clock shows, rounded down, so that the days before 1970 are as long as the others.
    package static func day(ofWallMilliseconds wallMilliseconds: Int64) -> Int64 {
        wallMilliseconds / dayMilliseconds - (wallMilliseconds % dayMilliseconds < 0 ? 1 : 0)
    }
}
