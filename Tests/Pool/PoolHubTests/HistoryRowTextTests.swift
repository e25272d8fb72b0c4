import PoolControl
import PoolModel
import SyncCore
import Testing

@testable import PoolHub

@Suite struct HistoryRowTextTests {
    @Test func `a line is what the encoder makes of the reading`() throws {
        var generator = SplitMix64(seed: 5)
        var text = HistoryRowText()
        let names = ["Lagoon", "a \"b\" \\ / \u{1}\n é", "🏊", ""]
        for number in 0..<400 as Range<UInt64> {
            var raw: QuantityMap<Double> = [:]
            var corrected: QuantityMap<Double> = [:]
            for quantity in Quantity.allCases where Bool.random(using: &generator) {
                let values = [0, 7, 7.24, -0.5, 1e-7, 1e21, 650, Double.random(in: -1000...1000, using: &generator)]
                raw[quantity] = values[Int.random(in: 0..<values.count, using: &generator)]
                corrected[quantity] = values[Int.random(in: 0..<values.count, using: &generator)]
            }
            let row = HistoryRow(
                device: names[Int(number) % names.count], deviceID: DeviceID(high: 0, low: number % 4),
                sampledAt: Timestamp(milliseconds: Int64.random(in: -10...4_000_000_000_000, using: &generator)),
                timeQuality: number.isMultiple(of: 2) ? .device : .estimated,
                receivedAt: Timestamp(milliseconds: Int64(number)), ordinal: generator.next() >> 1, raw: raw,
                corrected: corrected)
            var bytes: [UInt8] = []
            try text.append(row, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == (try CanonicalJSON.output(row)) + "\n")
        }
    }
}
