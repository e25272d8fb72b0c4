public import PoolModel

/// A query for a time series.
public struct SeriesQuery: Hashable, Sendable {
    /// The device; it may have been removed.
    public var deviceID: DeviceID
    /// The quantity.
    public var quantity: Quantity
    /// The first sample time, inclusive.
    public var first: Timestamp
    /// The last sample time, inclusive.
    public var last: Timestamp
    /// The most points; at least 2, less counts as 2.
    public var pointsMax: Int
    /// How often the device is expected to report, in seconds; at least 1.
    public var expectedIntervalSeconds: Int
    /// The calibrations of the quantity on this device.
    public var calibrations: CalibrationSeries

    /// Creates a query, by default without calibrations.
    public init(
        deviceID: DeviceID, quantity: Quantity, from first: Timestamp, through last: Timestamp, pointsMax: Int,
        expectedIntervalSeconds: Int, calibrations: CalibrationSeries = CalibrationSeries()
    ) {
        self.deviceID = deviceID
        self.quantity = quantity
        self.first = first
        self.last = last
        self.pointsMax = pointsMax
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.calibrations = calibrations
    }
}
