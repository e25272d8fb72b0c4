import SyncCore

/// How many complication transfers went with priority on a day of local time (rules R112, R115).
///
/// It is counted as `UrgentBudget` counts: a clock that goes back, or back and forth, never refills it.
struct ComplicationBudget: Hashable, Sendable {
    static let key = "complication.budget"
    private static let dayMilliseconds: Int64 = 86_400_000

    /// What was spent; its days are those of local time.
    private var counted = UrgentBudget()
    /// Since when the wall clock has been behind the day of the budget, as far as this life has looked.
    private var behindSince: Instant?

    /// Starts with what a store holds.
    init(_ stored: [String: [UInt8]]) {
        guard let bytes = stored[Self.key] else { return }
        var unpacker = ByteReader(bytes)
        guard let day = unpacker.number(), let spent = unpacker.counter() else { return }
        // Days beyond that are not in the calendar.
        counted = UrgentBudget(
            day: Int64(bitPattern: day).magnitude < 1 << 40 ? Int64(bitPattern: day) : nil, spent: Int(spent))
    }

    var change: PeerState.StoredChange {
        var packer = ByteWriter()
        packer.put(UInt64(bitPattern: counted.day ?? 0))
        packer.put(UInt64(counted.spent))
        return PeerState.StoredChange(key: Self.key, value: packer.bytes)
    }

    /// How many are left at this moment.
    func remaining(at moment: Moment, _ behaviour: SessionBehaviour) -> Int {
        max(0, behaviour.complicationTransfersPerDay - current(at: moment, behaviour).spent)
    }

    /// Looks at the clock.
    mutating func look(at moment: Moment, _ behaviour: SessionBehaviour) {
        let isBehind = counted.isAhead(ofWallMilliseconds: Self.localMilliseconds(moment, behaviour))
        behindSince = isBehind ? behindSince ?? moment.monotonic : nil
    }

    /// Spends one.
    mutating func spend(at moment: Moment, _ behaviour: SessionBehaviour) {
        counted = current(at: moment, behaviour)
        counted.spent += 1
    }

    /// When the day ends, nil as long as nothing of it is spent.
    func end(at moment: Moment, _ behaviour: SessionBehaviour) -> Instant? {
        let current = current(at: moment, behaviour)
        guard current.spent > 0 else { return nil }
        let local = Self.localMilliseconds(moment, behaviour)
        let into = local &- UrgentBudget.day(ofWallMilliseconds: local) &* Self.dayMilliseconds
        return moment.monotonic.advanced(by: .milliseconds(Self.dayMilliseconds - into))
    }

    private func current(at moment: Moment, _ behaviour: SessionBehaviour) -> UrgentBudget {
        counted.current(
            wallMilliseconds: Self.localMilliseconds(moment, behaviour),
            behindFor: behindSince?.duration(to: moment.monotonic) ?? .zero)
    }

    private static func localMilliseconds(_ moment: Moment, _ behaviour: SessionBehaviour) -> Int64 {
        moment.wallMilliseconds &+ Int64(behaviour.secondsFromUTC) &* 1000
    }
}

extension PeerState {
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
