import GRDB
import PoolModel
import TestSupport

@testable import PoolStore

let oak = DeviceID(high: 0, low: 1)
let elm = DeviceID(high: .max, low: .max)
let home = ServerID(high: 0, low: 7)
let club = ServerID(high: 0, low: 8)

/// A reading; by default of the device `oak`.
func sampleReading(
    _ values: QuantityMap<Double> = [.temperature: 24.5], of deviceID: DeviceID = oak, at milliseconds: Int64 = 1000,
    quality: TimeQuality = .device, received: Int64 = 2000
) -> Reading {
    Reading(
        deviceID: deviceID, values: values, sampledAt: Timestamp(milliseconds: milliseconds), timeQuality: quality,
        receivedAt: Timestamp(milliseconds: received))
}

/// The arrival of a reading with a time from the device.
func dated(_ milliseconds: Int64, of deviceID: DeviceID = oak, hash: UInt64 = 1) -> Arrival {
    Arrival(reading: sampleReading(of: deviceID, at: milliseconds), payloadHash: hash, delivery: nil)
}

/// The arrival of a reading without a time from the device.
func undated(
    _ packetIdentifier: UInt16?, connection: UInt64 = 1, server: ServerID = home, of deviceID: DeviceID = oak,
    hash: UInt64 = 1, received: Int64 = 5000, resumed: Bool = true, quality: TimeQuality = .estimated
) -> Arrival {
    let delivery = packetIdentifier.map {
        Delivery(serverID: server, packetIdentifier: $0, connection: connection, isSessionResumed: resumed)
    }
    return Arrival(
        reading: sampleReading(of: deviceID, at: received, quality: quality, received: received), payloadHash: hash,
        delivery: delivery)
}

extension HistoryStore {
    /// All readings of a device.
    func all(of deviceID: DeviceID = oak) throws -> [Reading] {
        try readings(
            of: deviceID, from: Timestamp(milliseconds: .min), through: Timestamp(milliseconds: .max), limit: .max)
    }

    /// Deletes the readings in a span, and waits until they are removed; returns how many, and the newest states that
    /// changed.
    @discardableResult
    func delete(
        of deviceID: DeviceID?, from first: Timestamp, through last: Timestamp, rowsMax: Int = 2000
    ) throws -> (count: Int, latest: [DeviceReadings]) {
        let latest = try beginDeletion(of: deviceID, from: first, through: last)
        var count = 0
        while true {
            let step = try continueDeletion(rowsMax: rowsMax)
            guard step > 0 else { return (count, latest) }
            count += step
        }
    }

    /// Deletes all readings of a device; returns how many.
    @discardableResult
    func deleteAll(of deviceID: DeviceID) throws -> Int {
        try delete(of: deviceID, from: Timestamp(milliseconds: .min), through: Timestamp(milliseconds: .max)).count
    }

    /// Records arrivals one after the other.
    ///
    /// Returns true for each new one.
    func recordEach(_ arrivals: [Arrival]) throws -> [Bool] {
        try arrivals.map { try record($0) != .duplicate }
    }
}

/// The arrival of a pH value without a time from the device; it never counts as a redelivery.
func sample(_ ph: Double, of deviceID: DeviceID = oak, at milliseconds: Int64) -> Arrival {
    Arrival(
        reading: sampleReading(
            [.ph: ph], of: deviceID, at: milliseconds, quality: .estimated, received: milliseconds),
        payloadHash: 1, delivery: nil)
}

/// A calibration that is valid from a time on.
func calibration(from milliseconds: Int64, slope: Double, offset: Double) -> Calibration {
    let moment = Timestamp(milliseconds: milliseconds)
    return Calibration(
        slope: slope, offset: offset, method: .manual, points: [], validFrom: moment, madeAt: moment, author: "a tester"
    )
}

extension HistoryStore {
    /// Adds some of the waiting readings to the rollups.
    func rollUp(rowsMax: Int) throws {
        _ = try queue.write { try $0.rollUp(rowsMax: rowsMax) }
    }

    /// Adds all waiting readings to the rollups.
    func rollUpAll() throws {
        while try queue.write({ try $0.rollUp(rowsMax: 1000) }) > 0 {}
    }

    /// Computes the rollups again from all existing readings.
    func rollUpAnew() throws {
        try queue.write { try $0.execute(sql: "DELETE FROM rollup; DELETE FROM mark") }
        try rollUpAll()
    }

    /// Runs maintenance until there is nothing left to do.
    @discardableResult
    func maintainAll(
        now: Int64, _ retention: Retention = .standard, corrections: Corrections = Corrections(), rowsMax: Int = 2000
    ) throws -> [MaintenanceStep] {
        var steps: [MaintenanceStep] = []
        while true {
            let step = try maintain(
                now: Timestamp(milliseconds: now), retention: retention, corrections: corrections, rowsMax: rowsMax)
            if step == .nothing { return steps }
            steps.append(step)
        }
    }

    /// The contents of the rollups as text.
    func rollups() throws -> [String] {
        try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM rollup").map { "\($0)" }
        }
    }
}
