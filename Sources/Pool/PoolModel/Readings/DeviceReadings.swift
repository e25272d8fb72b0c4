/// The newest value of each quantity of a device: what the dashboard shows and the watches get.
///
/// Messages may carry some quantities only, so that each value has its own age (X2).
public struct DeviceReadings: Hashable, Codable, Sendable {
    /// The device.
    public let deviceID: DeviceID
    /// The number of this state: it grows by one whenever anything else in here changes, so that of two states of a
    /// device the one with the larger number is the newer.
    public private(set) var order: UInt64
    /// The newest value of each quantity; absent where none was ever received.
    public private(set) var values: QuantityMap<LatestValue>
    /// When the last message arrived that was no replay, by the hub's clock; nil if none did (P28).
    public private(set) var lastSeen: Timestamp?
    /// The quantities that the device should tell and of which no usable value ever came, in their order.
    ///
    /// As JSON an absent member, not an empty one: peers of earlier versions do not know it.
    public private(set) var awaited: [Quantity] = []

    /// Creates a state, by default that of a device that was never heard.
    public init(
        deviceID: DeviceID, order: UInt64 = 0, values: QuantityMap<LatestValue> = [:], lastSeen: Timestamp? = nil,
        awaited: [Quantity] = []
    ) {
        self.deviceID = deviceID
        self.order = order
        self.values = values
        self.lastSeen = lastSeen
        self.awaited = Quantity.allCases.filter(awaited.contains)
    }

    /// Takes in a message of the device, value by value, and says whether anything changed.
    ///
    /// Call it in the order of arrival. An older sample never replaces a newer one. A replayed value fills an empty
    /// place; it replaces a value only if its device dated it, and later than that value (P12, X18).
    @discardableResult
    public mutating func absorb(_ payload: DecodedPayload) -> Bool {
        var newcomers = values
        for (quantity, value) in payload.values.pairs {
            let newcomer = LatestValue(
                value: value, sampledAt: payload.sampledAt, timeQuality: payload.timeQuality,
                receivedAt: payload.receivedAt)
            if isNewer(newcomer, than: values[quantity], isReplay: payload.isRetained) {
                newcomers[quantity] = newcomer
            }
        }
        return change(to: newcomers, lastSeen: payload.isRetained ? lastSeen : payload.receivedAt)
    }

    /// Takes in a reading from the history, by the same rules as a message that was no replay.
    @discardableResult
    public mutating func absorb(_ reading: Reading) -> Bool {
        var newcomers = values
        for (quantity, value) in reading.values.pairs {
            let newcomer = LatestValue(
                value: value, sampledAt: reading.sampledAt, timeQuality: reading.timeQuality,
                receivedAt: reading.receivedAt)
            if isNewer(newcomer, than: values[quantity], isReplay: false) { newcomers[quantity] = newcomer }
        }
        return change(to: newcomers, lastSeen: reading.receivedAt)
    }

    /// Says that what arrived after a moment may be as old as that moment, where no device dated it: a broker kept it,
    /// nobody knows since when.
    ///
    /// - Parameter moment: When the device was heard last before that; nil if it never was, so that the age is unknown.
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func dateBack(to moment: Timestamp?) -> Bool {
        var dated = values
        for (quantity, latest) in values.pairs where latest.timeQuality == .estimated {
            if let moment, latest.receivedAt <= moment { continue }
            dated[quantity]?.sampledAt = moment
            if moment == nil { dated[quantity]?.timeQuality = .unknown }
        }
        return change(to: dated, lastSeen: lastSeen)
    }

    /// Says which quantities the device should tell; those that have a value are not awaited.
    ///
    /// - Returns: Whether that changed anything.
    @discardableResult
    public mutating func expect(_ quantities: Set<Quantity>) -> Bool {
        let next = Quantity.allCases.filter { quantities.contains($0) && values[$0] == nil }
        guard next != awaited else { return false }
        awaited = next
        order += 1
        return true
    }

    /// The same with other values, such as corrected ones, in the same state.
    public func with(_ values: QuantityMap<LatestValue>) -> DeviceReadings {
        var other = self
        other.values = values
        return other
    }

    /// Makes the order at least this; it never falls.
    ///
    /// An order that follows the clock still grows after a history was lost or put back from a backup.
    public mutating func raiseOrder(to least: UInt64) {
        order = max(order, least)
    }

    /// Whether the device is heard regularly: its last message is not older than three expected intervals (P27, X21).
    public func isActive(at now: Timestamp, expectedIntervalSeconds: Int) -> Bool {
        guard let lastSeen else { return false }
        let seen = LatestValue(value: 0, sampledAt: lastSeen, timeQuality: .estimated, receivedAt: lastSeen)
        return seen.freshness(at: now, expectedIntervalSeconds: expectedIntervalSeconds).freshness == .live
    }

    private mutating func change(to values: QuantityMap<LatestValue>, lastSeen: Timestamp?) -> Bool {
        guard values != self.values || lastSeen != self.lastSeen else { return false }
        self.values = values
        self.lastSeen = lastSeen
        awaited.removeAll { values[$0] != nil }
        order += 1
        return true
    }

    private func isNewer(_ newcomer: LatestValue, than old: LatestValue?, isReplay: Bool) -> Bool {
        guard let old else { return true }
        guard let moment = newcomer.moment else { return false }
        guard let oldMoment = old.moment else { return true }
        if isReplay { return moment > oldMoment }
        // The same sample again: nothing to show.
        if moment == oldMoment, newcomer.value == old.value { return false }
        // The old moment was taken from the hub's clock, and that clock has been set back since: arrival decides.
        if oldMoment == old.receivedAt, newcomer.receivedAt < old.receivedAt { return true }
        return moment >= oldMoment
    }
}
