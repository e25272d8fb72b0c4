/// The newest value of each quantity of a device, for the dashboard and the watches.
///
/// A message may contain only some quantities, so each value has its own age.
public struct DeviceReadings: Hashable, Codable, Sendable {
    /// The device.
    public let deviceID: DeviceID
    /// The number of this state.
    ///
    /// It grows by one with every other change, so of two states of a device, the one with the larger number is
    /// newer.
    public private(set) var order: UInt64
    /// The newest value of each quantity; absent if none was ever received.
    public private(set) var values: QuantityMap<LatestValue>
    /// When the last message arrived that was not a replay, by the hub's clock; nil if there was none.
    public private(set) var lastSeen: Timestamp?
    /// The quantities that the device should send and of which no usable value ever arrived, in order.
    ///
    /// In JSON it is an absent member instead of an empty one, because peers of earlier versions do not know it.
    public private(set) var awaited: [Quantity] = []
    /// Since when the device, or its bridge, says that it is offline; nil if it does not, or if live data contradict it.
    ///
    /// In JSON it is an absent member, and so is ``isAbsenceDoubted``, because peers of earlier versions do not know
    /// them.
    public private(set) var absentSince: Timestamp?
    /// Whether live data have contradicted the last "offline", so that a replay of it says nothing.
    public private(set) var isAbsenceDoubted = false

    /// Whether the device has sent a quantity, or should.
    package func has(_ quantity: Quantity) -> Bool { values[quantity] != nil || awaited.contains(quantity) }

    /// Creates a state, by default that of a device without any message.
    public init(
        deviceID: DeviceID, order: UInt64 = 0, values: QuantityMap<LatestValue> = [:], lastSeen: Timestamp? = nil,
        awaited: [Quantity] = [], absentSince: Timestamp? = nil, isAbsenceDoubted: Bool = false
    ) {
        self.deviceID = deviceID
        self.order = order
        self.values = values
        self.lastSeen = lastSeen
        self.absentSince = absentSince
        self.isAbsenceDoubted = isAbsenceDoubted
        self.awaited = Quantity.allCases.filter(awaited.contains)
    }

    /// Updates the values with a message of the device; returns whether anything changed.
    ///
    /// Call it in the order of arrival. An older sample never replaces a newer one. A replayed value is used if there
    /// is no value yet; it replaces a value only if its device dated it, and later than that value.
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

    /// Updates the values with a reading from the history, by the same rules as for a message that is not a replay.
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

    /// Sets back the time of values that arrived after `moment` without a time from the device: a broker may have
    /// kept them since then.
    ///
    /// - Parameter moment: The time of the device's last message before that; nil if there was none, so that the age
    ///   is unknown.
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

    /// Sets the quantities that the device should send; those that have a value are not awaited.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func expect(_ quantities: Set<Quantity>) -> Bool {
        let next = Quantity.allCases.filter { quantities.contains($0) && values[$0] == nil }
        guard next != awaited else { return false }
        awaited = next
        order += 1
        return true
    }

    /// Sets what the device, or its bridge, says about itself: since when it is offline, nil for online or unknown.
    ///
    /// - Parameters:
    ///   - moment: Since when; an absence that goes on keeps its beginning.
    ///   - isDoubted: Whether live data contradict that it is offline.
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func note(absentSince moment: Timestamp?, isDoubted: Bool = false) -> Bool {
        guard (absentSince == nil) != (moment == nil) || isAbsenceDoubted != isDoubted else { return false }
        if (absentSince == nil) != (moment == nil) { absentSince = moment }
        isAbsenceDoubted = isDoubted
        order += 1
        return true
    }

    /// The freshness of the newest value of a quantity, and its age in whole seconds if known.
    ///
    /// It is that of the value, see ``LatestValue/freshness(at:expectedIntervalSeconds:)``; but while the device, or its
    /// bridge, says that it is offline, no value is fresher than ``Freshness/offline``.
    public func freshness(
        of quantity: Quantity, at now: Timestamp, expectedIntervalSeconds: Int
    ) -> (freshness: Freshness, ageSeconds: Int?) {
        guard let latest = values[quantity] else { return (.never, nil) }
        let (freshness, age) = latest.freshness(at: now, expectedIntervalSeconds: expectedIntervalSeconds)
        guard absentSince != nil, freshness == .live || freshness == .stale else { return (freshness, age) }
        return (.offline, age)
    }

    /// The same state with other values, such as corrected ones.
    public func with(_ values: QuantityMap<LatestValue>) -> DeviceReadings {
        var other = self
        other.values = values
        return other
    }

    /// Raises the order to at least this; it never decreases.
    ///
    /// If it follows the clock, it still grows after the history was lost or restored from a backup.
    public mutating func raiseOrder(to least: UInt64) {
        order = max(order, least)
    }

    /// Whether the device reports regularly: its last message is not older than three expected intervals, and it does
    /// not say that it is offline.
    public func isActive(at now: Timestamp, expectedIntervalSeconds: Int) -> Bool {
        guard let lastSeen, absentSince == nil else { return false }
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
        // The same sample again changes nothing.
        if moment == oldMoment, newcomer.value == old.value { return false }
        // The old time came from the hub's clock, which has been set back since, so the order of arrival decides.
        if oldMoment == old.receivedAt, newcomer.receivedAt < old.receivedAt { return true }
        return moment >= oldMoment
    }
}
