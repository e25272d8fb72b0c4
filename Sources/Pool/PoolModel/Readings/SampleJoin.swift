/// Which readings of a device are shown as one, because a device that sends each value on its own topic stores one
/// reading for each.
///
/// Readings next to each other are joined if they have no quantity in common, and if the first and the last of them were
/// sampled at most ``milliseconds`` apart. The joined reading has the time of the first one. Only lists, exports and the
/// page join; what is stored stays as it is.
public enum SampleJoin {
    /// The longest time from the first value of a sample to the last one; 5 s, as long as a value waits for its time or
    /// unit from another topic.
    public static let milliseconds: Int64 = 5000

    /// Whether values belong to one sample.
    public static func joins(
        _ first: QuantityMap<Double>, at firstMoment: Timestamp, _ second: QuantityMap<Double>,
        at secondMoment: Timestamp
    ) -> Bool {
        let apart = secondMoment.milliseconds(since: firstMoment)
        return (-milliseconds...milliseconds).contains(apart) && !second.pairs.contains { first[$0.quantity] != nil }
    }
}

extension Reading {
    /// Both readings as one, with the time of this one, which is the earlier; nil if they do not belong together.
    public func joined(with later: Reading) -> Reading? {
        guard deviceID == later.deviceID,
            SampleJoin.joins(values, at: sampledAt, later.values, at: later.sampledAt)
        else { return nil }
        var joined = self
        for (quantity, value) in later.values.pairs { joined.values[quantity] = value }
        if later.timeQuality != .device { joined.timeQuality = later.timeQuality }
        return joined
    }
}
