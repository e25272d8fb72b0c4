import PoolModel
import Testing

/// The fast encoder of a state, compared with the general one.
@Suite struct DeviceReadingsJSONTests {
    @Test func `both ways give the same bytes, whatever the numbers are`() throws {
        var generator = SplitMix64(seed: 1)
        let special: [Double] = [
            0, -0.0, 1, -7, 0.1, 7.4, 1e15, 1e16, 1e17, 1e-4, 1e-5, 1.5e-7, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, 123_456_789_012_345_680, 0.30000000000000004,
        ]
        for round in 0..<4000 {
            var values = QuantityMap<LatestValue>()
            for quantity in Quantity.allCases where generator.next() % 4 != 0 {
                let bits = Double(bitPattern: generator.next())
                let value = round < 2000 ? special[Int(generator.next() % UInt64(special.count))] : bits
                guard value.isFinite else { continue }
                values[quantity] = LatestValue(
                    value: value,
                    sampledAt: generator.next() % 3 == 0
                        ? nil : Timestamp(milliseconds: Int64(truncatingIfNeeded: generator.next() >> 12)),
                    timeQuality: [.device, .estimated, .unknown][Int(generator.next() % 3)],
                    receivedAt: Timestamp(milliseconds: -Int64(truncatingIfNeeded: generator.next() >> 14)))
                values[quantity]?.trend =
                    generator.next() % 2 == 0 ? nil : Trend.allCases.randomElement(using: &generator)
            }
            let state = DeviceReadings(
                deviceID: DeviceID(high: generator.next(), low: generator.next()), order: generator.next(),
                values: values,
                lastSeen: generator.next() % 2 == 0 ? nil : Timestamp(milliseconds: 1_764_000_000_000))
            let bytes = try state.canonicalJSON()
            #expect(bytes == (try CanonicalJSON.encode(state)))
            #expect(try CanonicalJSON.decode(DeviceReadings.self, from: bytes) == state)
        }
    }

    @Test func `a number that is not finite is refused in words`() {
        let state = DeviceReadings(
            deviceID: DeviceID(high: 1, low: 2),
            values: [
                .ph: LatestValue(
                    value: .infinity, sampledAt: nil, timeQuality: .unknown, receivedAt: Timestamp(milliseconds: 0))
            ])
        #expect(throws: CanonicalJSON.Failure.self) { try state.canonicalJSON() }
    }
}
