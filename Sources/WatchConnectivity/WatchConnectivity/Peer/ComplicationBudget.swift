import SyncCore

/// Counts the complication transfers that went with priority on a day of local time.
///
/// It works like `UrgentBudget`: a clock that goes back, or back and forth, never refills it.
struct ComplicationBudget: Hashable, Sendable {
    private static let key = "complication.budget"
    private static let dayMilliseconds: Int64 = 86_400_000

    /// The used part of the budget; its days are those of local time.
    private var counted = UrgentBudget()
    /// Since when the wall clock has been behind the day of the budget, as far as it was checked since the start.
    private var behindSince: Instant?

    /// Starts from the contents of a store.
    init(_ stored: [String: [UInt8]]) {
        guard let bytes = stored[Self.key] else { return }
        var unpacker = ByteReader(bytes)
        guard let day = unpacker.number(), let spent = unpacker.counter() else { return }
        // Days outside this range are not in the calendar.
        counted = UrgentBudget(
            day: Int64(bitPattern: day).magnitude < 1 << 40 ? Int64(bitPattern: day) : nil, spent: Int(spent))
    }

    var change: PeerState.StoredChange {
        var packer = ByteWriter()
        packer.put(UInt64(bitPattern: counted.day ?? 0))
        packer.put(UInt64(counted.spent))
        return PeerState.StoredChange(key: Self.key, value: packer.bytes)
    }

    /// The value of `remainingComplicationUserInfoTransfers`; 0 without a complication.
    func remaining(_ core: PeerCore) -> Int {
        guard core.role == .phone, core.knownFacts.isComplicationEnabled else { return 0 }
        return max(0, core.behaviour.complicationTransfersPerDay - current(core).spent)
    }

    /// Checks the clock.
    mutating func look(_ core: PeerCore) {
        let isBehind = counted.isAhead(ofWallMilliseconds: Self.localMilliseconds(core))
        behindSince = isBehind ? behindSince ?? core.now : nil
    }

    /// Uses one transfer of the budget.
    mutating func spend(_ core: PeerCore) {
        counted = current(core)
        counted.spent += 1
    }

    /// When the count may change by itself: at the end of the day, if some of the budget is used.
    func deadline(_ core: PeerCore) -> Instant? {
        guard core.role == .phone, core.activation != .notActivated, core.knownFacts.isComplicationEnabled,
            current(core).spent > 0
        else { return nil }
        let local = Self.localMilliseconds(core)
        let into = local &- UrgentBudget.day(ofWallMilliseconds: local) &* Self.dayMilliseconds
        return core.now.advanced(by: .milliseconds(Self.dayMilliseconds - into))
    }

    private func current(_ core: PeerCore) -> UrgentBudget {
        counted.current(
            wallMilliseconds: Self.localMilliseconds(core), behindFor: behindSince?.duration(to: core.now) ?? .zero)
    }

    private static func localMilliseconds(_ core: PeerCore) -> Int64 {
        core.moment.wallMilliseconds &+ Int64(core.behaviour.secondsFromUTC) &* 1000
    }
}
