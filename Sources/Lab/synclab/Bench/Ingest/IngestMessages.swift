import Platform
import PoolHub
import PoolModel

/// The messages of a measurement; the same for all sides.
struct IngestMessages: Codable {
    static let topic = "bench/pool"

    /// The sample time of the first message: a day ago, so that no value is in the future.
    var start = Timestamp.now.advanced(byMilliseconds: -86_400_000)

    /// Flat messages with the device's own time, one second apart.
    func flat(_ count: Int) -> [[UInt8]] {
        (0..<count).map { number in
            let moment = start.advanced(byMilliseconds: Int64(number) * 1000)
            return Array(
                """
                {"temperature":\(25 + Double(number % 40) / 10),"pH":\(7 + Double(number % 50) / 100),\
                "chlorine":\(1 + Double(number % 30) / 10),"orp":\(650 + number % 90),"timestamp":"\(moment.iso8601)"}
                """.utf8)
        }
    }

    /// Which message led to these values, counted from 1; nil if none did.
    func number(of readings: DeviceReadings) -> Int? {
        guard let moment = readings.values.pairs.compactMap(\.value.sampledAt).max() else { return nil }
        return Int(moment.milliseconds(since: start) / 1000) + 1
    }
}
