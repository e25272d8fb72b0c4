import DatabaseFixture
import HistoryMirror
import PoolModel
import PoolStore
import Postgres
import Primitives
import TestSupport
import Testing

let oak = DeviceID(high: 0, low: 1)
let elm = DeviceID(high: .max, low: .max)

/// The n-th reading of a hub, from 1: its values and times tell which one it is.
func reading(_ number: Int64) -> Reading {
    Reading(
        deviceID: number.isMultiple(of: 3) ? elm : oak,
        values: [.temperature: Double(number) / 8, .ph: 7 + Double(number % 10) / 10],
        sampledAt: Timestamp(milliseconds: 1_700_000_000_000 + number), timeQuality: .estimated,
        receivedAt: Timestamp(milliseconds: 1_700_000_000_500 + number))
}

extension HistoryStore {
    /// Records further readings, in one transaction.
    func record(_ numbers: ClosedRange<Int64>) throws {
        try record(numbers.map { Arrival(reading: reading($0), payloadHash: UInt64($0), delivery: nil) })
    }
}

/// What the database has of a hub, by row.
func rows(of hub: String, in database: Database) async throws -> [Reading] {
    try await database.transaction(isReadOnly: true) { connection in
        try connection.execute(
            """
            SELECT row, device, sampled_at, time_quality, received_at, temperature, ph FROM poolsensors.readings
            WHERE hub = $1 ORDER BY row
            """, .text(hub)
        ).map { row in
            var values = QuantityMap<Double>()
            values[.temperature] = try row["temperature"]
            values[.ph] = try row["ph"]
            let number: Int = try row["row"]
            return Reading(
                deviceID: try #require(DeviceID(try row["device"] as String)), values: values,
                sampledAt: try row["sampled_at"],
                timeQuality: try #require(TimeQuality(rawValue: try row["time_quality"])),
                receivedAt: try row["received_at"], ordinal: UInt64(number))
        }
    }
}

/// The readings from the first to the n-th, with their rows.
func readings(through count: Int64) -> [Reading] {
    (1...count).map { number in
        var reading = reading(number)
        reading.ordinal = UInt64(number)
        return reading
    }
}
