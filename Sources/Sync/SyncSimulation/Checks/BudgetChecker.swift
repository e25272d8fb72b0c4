import SyncCore

/// The complication items that each side sent with priority.
///
/// Only a clock that shows a later day than ever before may refill a budget: no run is longer than the day after which
/// a clock that is behind counts as right. How a side spends its budget is not checked.
struct BudgetChecker {
    private static let dayMilliseconds: Int64 = 86_400_000

    private var perDay = 0
    /// By side, the latest day of such an item, and the items since the clock showed it first.
    private var spent: [(day: Int64, count: Int)?]
    /// The days on which items were asked for that may not be durable yet.
    private var days: [RandomID: Int64] = [:]

    init(watchCount: Int, perDay: Int) {
        self.perDay = perDay
        spent = Array(repeating: nil, count: 2 * watchCount)
    }

    /// The items of a record that are paid from the budget.
    private static func paid(in record: TransferRecord) -> [RandomID] {
        guard case .exchange(let record) = record else { return [] }
        return zip(record.changes, record.changes.dropFirst()).compactMap { change, next in
            if case .spent = change, case .added(let item, .urgent) = next { item.id } else { nil }
        }
    }

    /// A side asks for a record to be made durable, while its clock shows this.
    mutating func asked(_ record: TransferRecord, wallMilliseconds: Int64) {
        let isBefore = wallMilliseconds % Self.dayMilliseconds < 0
        for id in Self.paid(in: record) { days[id] = wallMilliseconds / Self.dayMilliseconds - (isBefore ? 1 : 0) }
    }

    /// A record of a side is durable.
    mutating func becameDurable(_ record: TransferRecord, at side: Side) -> Checks.Finding? {
        for id in Self.paid(in: record) {
            guard let day = days.removeValue(forKey: id) else { continue }
            let last = spent[side.index]
            let count = last.map { day > $0.day ? 1 : $0.count + 1 } ?? 1
            spent[side.index] = (max(day, last?.day ?? day), count)
            guard count > perDay else { continue }
            return Checks.Finding(
                .boundedQueues, "\(side.name) lets \(count) items of a day go with priority, the budget is \(perDay)")
        }
        return nil
    }

    /// A side is restored, with the budget of the copy.
    mutating func restored(_ side: Side) { spent[side.index] = nil }
}
