/// How many complication items went with priority on a day.
///
/// The budget is that of the day in UTC on the wall clock (rules R112 and R115; Apple documents "per day" only). A clock
/// that goes back never refills it. If it goes back by more than a day, the day before was wrong: the budget follows to
/// the new day with what it has left, or it would wait for a date that may be years ahead.
public struct UrgentBudget: Hashable, Sendable {
    /// The day that it counts for, in days since 1970; nil before the first item.
    public var day: Int64?
    /// The items that went on that day.
    public var spent: Int

    private static let dayMilliseconds: Int64 = 86_400_000

    /// Creates a budget; by default one of which nothing was spent.
    public init(day: Int64? = nil, spent: Int = 0) {
        self.day = day
        self.spent = spent
    }

    /// How many items may go at this wall time, of so many a day.
    public func remaining(of perDay: Int, wallMilliseconds: Int64) -> Int {
        max(0, perDay - current(wallMilliseconds: wallMilliseconds, flaws: []).spent)
    }

    /// The budget after one more item, nil if none is left.
    func spendingOne(of perDay: Int, wallMilliseconds: Int64, flaws: DesignFlaws) -> UrgentBudget? {
        var budget = current(wallMilliseconds: wallMilliseconds, flaws: flaws)
        guard budget.spent < perDay else { return nil }
        budget.spent += 1
        return budget
    }

    /// The budget as it counts now.
    ///
    /// Whoever finds it spent stores it all the same: a day that was years ahead is left for good.
    func current(wallMilliseconds: Int64, flaws: DesignFlaws) -> UrgentBudget {
        // Rounded down, so that the days before 1970 are as long as the others.
        let today =
            wallMilliseconds / Self.dayMilliseconds - (wallMilliseconds % Self.dayMilliseconds < 0 ? 1 : 0)
        guard let day else { return UrgentBudget(day: today) }
        if today > day || (today < day && flaws.contains(.budgetRefilledBackwards)) {
            return UrgentBudget(day: today)
        }
        return UrgentBudget(day: today < day - 1 ? today : day, spent: spent)
    }
}
