import PoolControl
import PoolHub
import PoolModel

/// The last day of all devices in memory, for the small charts.
///
/// What is from before the console's begin comes from the hub's history, once for each device and again when its
/// calibrations change; what is newer comes with each look.
struct DayMemory {
    /// The time of the charts.
    private static let milliseconds: Int64 = 86_400_000
    /// How many points the history is asked for.
    private static let points = 336

    private var days: [DeviceID: ValueHistory] = [:]
    /// The devices that the history was asked for, with the calibrations that it was to apply.
    private var asked: [DeviceID: QuantityMap<CalibrationSeries>] = [:]

    /// The day of a device, nil if nothing is known of it.
    subscript(device: DeviceID) -> ValueHistory? { days[device] }

    /// Takes in what the devices show; forgets those that are gone.
    ///
    /// - Returns: What to ask the history for, of devices that are new.
    mutating func take(_ devices: [DeviceState], at now: Timestamp) -> [(DeviceID, HistoryRequest)] {
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
        return new.map(\.id).flatMap { id in
            Quantity.allCases.map { quantity in
                (
                    id,
                    .series(
                        device: id, quantity: quantity, from: now.advanced(byMilliseconds: -Self.milliseconds),
                        through: now, points: Self.points)
                )
            }
        }
    }

    /// Takes in what the history knows.
    mutating func take(_ series: TimeSeries, of device: DeviceID) {
        let half = (series.bucketMilliseconds ?? 0) / 2
        for point in series.points {
            days[device, default: ValueHistory()].record(
                series.quantity, mean: point.mean, least: point.least, greatest: point.greatest,
                at: min(point.start.advanced(byMilliseconds: half), series.last))
        }
    }
}
