import Testing

@testable import SyncCore

/// Complication user info: priority while a daily budget lasts (rules R109…R117).
@Suite struct ComplicationTests {
    @Test func `a complication item goes first while the budget lasts, then as an ordinary one`() {
        // Rules R110, R112: degrade rather than fail (R113).
        var configuration = Exchange.Configuration()
        configuration.urgentPerDay = 2
        var left = ExchangeScript(configuration: configuration)
        #expect(left.engine.state.budget.remaining(of: 2, wallMilliseconds: moment(0).wallMilliseconds) == 2)
        left.accept([0], at: 0)
        for number in 1...3 { left.accept([UInt8(number)], isUrgent: true, at: 0) }
        let urgency = left.claimAnswers().map { answer -> Bool? in
            guard case .accepted(_, let isUrgent) = answer else { return nil }
            return isUrgent
        }
        #expect(urgency == [false, true, true, false])
        #expect(left.engine.state.budget.remaining(of: 2, wallMilliseconds: moment(0).wallMilliseconds) == 0)
        left.crash()
        #expect(left.engine.state.budget.remaining(of: 2, wallMilliseconds: moment(0).wallMilliseconds) == 0)
        left.open(1, at: 1)
        #expect(left.claimFrames().map(\.blob) == [[1], [2], [0], [3]])
    }

    @Test func `without complications items are ordinary`() {
        var configuration = Exchange.Configuration()
        configuration.urgentPerDay = 0
        var left = ExchangeScript(configuration: configuration)
        left.accept([1], isUrgent: true, at: 0)
        #expect(left.engine.outstanding.map(\.track) == [.ordinary])
        #expect(left.engine.outstanding.map(\.item.isCurrent) == [false])
    }

    @Test func `only the newest complication item is current`() {
        // Rule R111: the earlier one stays in the queue.
        var left = ExchangeScript()
        for number in 1...2 { left.accept([UInt8(number)], isUrgent: true, at: 0) }
        #expect(left.engine.outstanding.map(\.item.isCurrent) == [false, true])
        left.open(1, at: 1)
        #expect(left.claimFrames().map(\.blob) == [[1], [2]])
    }

    @Test func `a budget that was spent while the clock was a year ahead is new on the day after`() {
        var configuration = Exchange.Configuration()
        configuration.urgentPerDay = 1
        var left = ExchangeScript(configuration: configuration)
        let day: Int64 = 86_400_000
        left.accept([1], isUrgent: true, at: 365 * day)
        left.accept([2], isUrgent: true, at: 0)
        left.accept([3], isUrgent: true, at: day)
        left.accept([4], isUrgent: true, at: day)
        #expect(left.engine.outstanding.filter { $0.track == .urgent }.map(\.item.payload) == [[1], [3]])
        #expect(left.engine.outstanding.filter { $0.track == .ordinary }.map(\.item.payload) == [[2], [4]])
    }

    @Test func `the budget is new on the next day and never by a clock that goes back`() {
        let day: Int64 = 86_400_000
        let spent = UrgentBudget(day: 20_000, spent: 50)
        #expect(spent.remaining(of: 50, wallMilliseconds: 20_000 * day) == 0)
        #expect(spent.remaining(of: 50, wallMilliseconds: 20_001 * day - 1) == 0)
        #expect(spent.remaining(of: 50, wallMilliseconds: 20_001 * day) == 50)
        #expect(spent.remaining(of: 50, wallMilliseconds: 20_000 * day - 1) == 0)
        #expect(spent.remaining(of: 50, wallMilliseconds: -1) == 0)
        let fresh = spent.spendingOne(of: 50, wallMilliseconds: 20_001 * day)
        #expect(fresh == UrgentBudget(day: 20_001, spent: 1))
        // The clock goes back over midnight and forth again: the budget is still that of the same day.
        let back = fresh?.spendingOne(of: 50, wallMilliseconds: 20_001 * day - 1)
        #expect(back == UrgentBudget(day: 20_001, spent: 2))
        // A clock that was years ahead does not block the budget for years, only for a day of uptime.
        let years = UrgentBudget(day: 30_000, spent: 3)
        let early = years.spendingOne(of: 50, wallMilliseconds: 20_000 * day, behindFor: .seconds(86_399))
        #expect(early == UrgentBudget(day: 30_000, spent: 4))
        let late = years.spendingOne(of: 50, wallMilliseconds: 20_000 * day, behindFor: .seconds(86_400))
        #expect(late == UrgentBudget(day: 20_000, spent: 1))
    }

    @Test func `a clock that goes back and forth never refills the budget, whatever was asked for meanwhile`() {
        var configuration = Exchange.Configuration()
        configuration.urgentPerDay = 1
        var left = ExchangeScript(configuration: configuration)
        // The days of the wall clock; each is one second later by the monotonic clock.
        for (second, day) in [30, 30, 1, 30, 29, 2, 3, 30, 31, 1, 31].enumerated() {
            let now = Moment(
                monotonic: instant(Int64(second) * 1000), wallMilliseconds: Int64(day) * 86_400_000 + 5)
            let transfer = Exchange.Transfer(payload: [UInt8(second)], isUrgent: true)
            left.feed(.transfer(RequestID(number: UInt64(second)), transfer), at: now)
            left.store(at: Int64(second) * 1000)
        }
        #expect(left.engine.outstanding.filter { $0.track == .urgent }.map(\.item.payload) == [[0], [8]])
        #expect(left.engine.state.budget == UrgentBudget(day: 31, spent: 1))
    }
}
