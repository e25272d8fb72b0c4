public import PoolModel

/// The calibrations of all devices, which turn raw values into corrected ones whenever they are read.
public struct Corrections: Hashable, Sendable {
    private let series: [DeviceID: QuantityMap<CalibrationSeries>]

    /// Creates corrections, by default without calibrations.
    public init(_ series: [DeviceID: QuantityMap<CalibrationSeries>] = [:]) {
        self.series = series
    }

    /// The calibrations of a quantity of a device.
    public subscript(deviceID: DeviceID, quantity: Quantity) -> CalibrationSeries {
        series[deviceID]?[quantity] ?? CalibrationSeries()
    }

    /// The corrected values of a reading, by the calibrations that were valid when it was sampled.
    public func corrected(_ reading: Reading) -> QuantityMap<Double> {
        guard let series = series[reading.deviceID] else { return reading.values }
        var values = reading.values
        for (quantity, raw) in reading.values.pairs {
            values[quantity] = series[quantity]?.corrected(raw, sampledAt: reading.sampledAt) ?? raw
        }
        return values
    }

    /// Whether a calibration of the device of a reading begins after it, and not after another time.
    func changes(of reading: Reading, until last: Timestamp) -> Bool {
        starts(of: reading.deviceID).contains { $0 > reading.sampledAt && $0 <= last }
    }

    /// The times at which calibrations of a device begin.
    func starts(of deviceID: DeviceID) -> [Timestamp] {
        series[deviceID].map { $0.pairs.flatMap { $0.value.versions.map(\.validFrom) } } ?? []
    }
}

/// A reading with its raw and its corrected values.
public struct CorrectedReading: Hashable, Sendable {
    /// The reading as it is stored.
    public var reading: Reading
    /// Its corrected values.
    public var corrected: QuantityMap<Double>
}
