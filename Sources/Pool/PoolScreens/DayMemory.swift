import PoolControl
import PoolModel

/// A request for the time series of a quantity of a device.
typealias SeriesRequest = HubRequest<(device: String, series: TimeSeries)>

/// The last day of all devices, for the small charts.
///
/// Values from before the start of the screens come from the hub's history, once for each device and again when its
/// calibrations change; newer ones come with each state.
struct DayMemory {
    /// The time of the charts.
    private static let milliseconds: Int64 = 86_400_000
    /// The number of points that are requested from the history.
    private static let points = 336

    private var days: [DeviceID: ValueHistory] = [:]
    /// The devices whose history was requested, with the calibrations that it had to apply.
    private var asked: [DeviceID: QuantityMap<CalibrationSeries>] = [:]

    /// The day of a device; nil if no value is known.
    subscript(device: DeviceID) -> ValueHistory? { days[device] }

    /// Adds the current values of the devices, and removes devices that no longer exist.
    ///
    /// - Returns: The requests to the history for devices that are new.
    mutating func take(_ devices: [DeviceState], at now: Timestamp) -> [(DeviceID, SeriesRequest)] {
        let known = Set(devices.map(\.id))
        days = days.filter { known.contains($0.key) }
        asked = asked.filter { known.contains($0.key) }
        let new = devices.filter { asked[$0.id] != $0.device.calibrations }
        for device in new {
            days[device.id] = nil
            asked[device.id] = device.device.calibrations
        }
        for device in devices {
            guard let readings = device.readings else { continue }
            days[device.id, default: ValueHistory()].record(readings)
        }
        return new.flatMap { device in
            device.listedQuantities.map { quantity in
                (
                    device.id,
                    .series(
                        of: device.id, quantity, from: now.advanced(byMilliseconds: -Self.milliseconds), through: now,
                        points: Self.points)
                )
            }
        }
    }

    /// Takes a time series of the history.
    mutating func take(_ series: TimeSeries, of device: DeviceID) {
        let half = (series.bucketMilliseconds ?? 0) / 2
        for point in series.points {
            days[device, default: ValueHistory()].record(
                series.quantity, mean: point.mean, least: point.least, greatest: point.greatest,
                at: min(point.start.advanced(byMilliseconds: half), series.last))
        }
    }
}
