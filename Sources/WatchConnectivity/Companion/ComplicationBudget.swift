import SyncCore

/// How many complication transfers went with priority on a day of local time (rules R112, R115).
///
/// A clock that goes back never refills it, unless by more than a day: then the day before was wrong, and what is left
/// of the budget counts for the new one.
struct ComplicationBudget: Hashable, Sendable {
    static let key = "complication.budget"
    private static let dayMilliseconds: Int64 = 86_400_000

    private var day: Int64?
    private var spent = 0

    /// Starts with what a store holds.
    init(_ stored: [String: [UInt8]]) {
        guard let bytes = stored[Self.key] else { return }
        var unpacker = Unpacker(bytes)
        guard let day = unpacker.number(), let spent = unpacker.counter() else { return }
        // Days beyond that are none of the calendar.
        self.day = Int64(bitPattern: day).magnitude < 1 << 40 ? Int64(bitPattern: day) : nil
        self.spent = Int(spent)
    }

    var change: Companion.StoredChange {
        var packer = Packer()
        packer.put(UInt64(bitPattern: day ?? 0))
        packer.put(UInt64(spent))
        return Companion.StoredChange(key: Self.key, value: packer.bytes)
    }

    /// How many are left at this moment.
    func remaining(at moment: Moment, _ behaviour: SessionBehaviour) -> Int {
        max(0, behaviour.complicationTransfersPerDay - current(at: moment, behaviour).spent)
    }

    /// Spends one.
    mutating func spend(at moment: Moment, _ behaviour: SessionBehaviour) {
        self = current(at: moment, behaviour)
        spent += 1
    }

    /// When the day ends, nil as long as nothing of it is spent.
    func end(at moment: Moment, _ behaviour: SessionBehaviour) -> Instant? {
        let current = current(at: moment, behaviour)
        guard current.spent > 0 else { return nil }
        let into = Self.localMilliseconds(moment, behaviour) &- Self.today(moment, behaviour) &* Self.dayMilliseconds
        return moment.monotonic.advanced(by: .milliseconds(Self.dayMilliseconds - into))
    }

    private func current(at moment: Moment, _ behaviour: SessionBehaviour) -> ComplicationBudget {
        let today = Self.today(moment, behaviour)
        var budget = self
        guard let day, today <= day else {
            budget.spent = 0
            budget.day = today
            return budget
        }
        budget.day = today < day - 1 ? today : day
        return budget
    }

    private static func localMilliseconds(_ moment: Moment, _ behaviour: SessionBehaviour) -> Int64 {
        moment.wallMilliseconds &+ Int64(behaviour.secondsFromUTC) &* 1000
    }

    private static func today(_ moment: Moment, _ behaviour: SessionBehaviour) -> Int64 {
        // Rounded down, so that the days before 1970 are as long as the others.
        let local = localMilliseconds(moment, behaviour)
        return local / dayMilliseconds - (local % dayMilliseconds < 0 ? 1 : 0)
    }
}

extension Companion {
    /// What `remainingComplicationUserInfoTransfers` says: 0 without a complication (rule R113).
    var remainingComplicationCount: Int {
        guard role == .phone, desk.noticed.isComplicationEnabled else { return 0 }
        return budget.remaining(at: moment, behaviour)
    }

    /// When the count may change by itself.
    var budgetDeadline: Instant? {
        guard role == .phone, activation != .notActivated, desk.noticed.isComplicationEnabled else { return nil }
        return budget.end(at: moment, behaviour)
    }
}
