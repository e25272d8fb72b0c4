import PoolModel

@testable import PoolStore

let oak = DeviceID(high: 0, low: 1)
let elm = DeviceID(high: .max, low: .max)
let home = ServerID(high: 0, low: 7)
let club = ServerID(high: 0, low: 8)

/// A reading of the device `oak` unless told otherwise.
func sampleReading(
    _ values: QuantityMap<Double> = [.temperature: 24.5], of deviceID: DeviceID = oak, at milliseconds: Int64 = 1000,
    quality: TimeQuality = .device, received: Int64 = 2000
) -> Reading {
    Reading(
        deviceID: deviceID, values: values, sampledAt: Timestamp(milliseconds: milliseconds), timeQuality: quality,
        receivedAt: Timestamp(milliseconds: received))
}

/// The arrival of a reading whose device said the time.
func dated(_ milliseconds: Int64, of deviceID: DeviceID = oak, hash: UInt64 = 1) -> Arrival {
    Arrival(reading: sampleReading(of: deviceID, at: milliseconds), payloadHash: hash, delivery: nil)
}

/// The arrival of a reading whose device said no time.
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

    /// What becomes of arrivals, one after the other: true for each new one.
    func recordEach(_ arrivals: [Arrival]) throws -> [Bool] {
        try arrivals.map { try record($0) != .duplicate }
    }
}
