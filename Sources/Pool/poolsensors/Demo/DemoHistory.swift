import CommandSupport
import Foundation
import PoolModel
import PoolStore
import WaterChemistry

/// The day before a demo: what its simulated probes would have published, recorded as a hub records readings.
///
/// The water of a simulated pool depends only on its seed and the time, so the values go on without a step when the
/// probes begin.
enum DemoHistory {
    /// The length of the past.
    private static let milliseconds: Int64 = 86_400_000
    /// The time between two readings of a device.
    private static let interval: Int64 = 120_000

    /// Records the readings of a day.
    ///
    /// - Parameters:
    ///   - devices: The devices, in the order of their probes.
    ///   - seed: The seed of the first probe; those of the others follow.
    ///   - end: The end of the day; the last reading is a minute older.
    ///   - path: The file of the history, which no other process uses.
    /// - Returns: How many readings each device has.
    /// - Throws: ``CommandFailure`` if they cannot be written.
    static func record(
        _ devices: [DeviceID], seed: UInt64, until end: Timestamp, path: String
    ) throws -> [DeviceID: Int] {
        let moments = stride(from: interval / 2, to: milliseconds, by: Int(interval)).reversed()
            .map { end.advanced(byMilliseconds: -$0) }
        var arrivals: [Arrival] = []
        for (index, device) in devices.enumerated() {
            var pool = SimulatedPool(seed: seed &+ UInt64(index), profile: ProbeProfile.garden.pool)
            for moment in moments {
                guard let values = pool.sample(at: moment) else { continue }
                let reading = Reading(
                    deviceID: device, values: values, sampledAt: moment, timeQuality: .device, receivedAt: moment)
                let hash = ReadingKey.hash(of: ProbePayload.json(values, at: moment))
                arrivals.append(Arrival(reading: reading, payloadHash: hash, delivery: nil))
            }
        }
        do {
            let history = try HistoryStore(path: path)
            try history.record(arrivals)
            try history.close()
        } catch {
            throw CommandFailure("cannot record the past day of the demo: \(error)")
        }
        return Dictionary(grouping: arrivals, by: \.reading.deviceID).mapValues(\.count)
    }
}
