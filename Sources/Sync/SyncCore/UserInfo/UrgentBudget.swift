/// Counts the complication items that were sent with priority on a day.
///
/// The budget belongs to the latest day that the wall clock has shown (Apple documents "per day" only). Only a later
/// day refills it, so a clock that goes back, or back and forth, never does. A clock that was years ahead would keep
/// the budget spent for years. So it is also refilled after the wall clock has been behind that day for 24 hours of
/// one process run, measured by the monotonic clock (`waitBehind`).
public struct UrgentBudget: Hashable, Sendable {
    /// The day of the budget, the latest one so far, in days since 1970; nil before the first item.
    public var day: Int64?
    /// The number of items that were sent on that day.
    public var spent: Int

    /// The time for which the wall clock must be behind the budget's day before that day counts as wrong.
    package static let waitBehind = Duration.seconds(86_400)
    private static let dayMilliseconds: Int64 = 86_400_000

    /// Creates a budget; by default one of which nothing is spent.
    public init(day: Int64? = nil, spent: Int = 0) {
        self.day = day
        self.spent = spent
    }

    /// How many items may be sent at this wall time if `perDay` are allowed, judged by the wall clock alone.
    public func remaining(of perDay: Int, wallMilliseconds: Int64) -> Int {
        max(0, perDay - current(wallMilliseconds: wallMilliseconds).spent)
    }

    /// The budget after one more item, nil if none is left.
    package func spendingOne(
        of perDay: Int, wallMilliseconds: Int64, behindFor wait: Duration = .zero
    ) -> UrgentBudget? {
        var budget = current(wallMilliseconds: wallMilliseconds, behindFor: wait)
        guard budget.spent < perDay else { return nil }
        budget.spent += 1
        return budget
    }

    /// Whether the wall clock shows an earlier day than the budget's.
    package func isAhead(ofWallMilliseconds wallMilliseconds: Int64) -> Bool {
        day.map { Self.day(ofWallMilliseconds: wallMilliseconds) < $0 } ?? false
    }

    /// The budget that applies now, after the wall clock has been behind the budget's day for `wait`.
    package func current(wallMilliseconds: Int64, behindFor wait: Duration = .zero) -> UrgentBudget {
        let today = Self.day(ofWallMilliseconds: wallMilliseconds)
        guard let day, today <= day else { return UrgentBudget(day: today) }
        let isWrong = wait >= Self.waitBehind
        return today < day && isWrong ? UrgentBudget(day: today) : self
    }

    /// The day of a wall time, rounded down, so that days before 1970 are as long as the others.
    package static func day(ofWallMilliseconds wallMilliseconds: Int64) -> Int64 {
        wallMilliseconds / dayMilliseconds - (wallMilliseconds % dayMilliseconds < 0 ? 1 : 0)
    }
}
