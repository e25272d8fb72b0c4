import PoolControl
import PoolModel
import PoolSamples
import Testing

@testable import poolsensors

/// The lines of `history list`.
@Suite struct HistoryRowTests {
    private func row(
        _ values: QuantityMap<Double>, at milliseconds: Int64, of device: DeviceID = lagoon.id
    ) -> HistoryRow {
        HistoryRow(
            device: "\(device)", deviceID: device, sampledAt: noon.advanced(byMilliseconds: milliseconds),
            timeQuality: .estimated, receivedAt: noon, ordinal: UInt64(milliseconds + 10), raw: values,
            corrected: values)
    }

    @Test func `the values of one sample that came one by one are one line, newest first`() {
        let other = DeviceID(high: 9, low: 9)
        let rows = [
            row([.orp: 690], at: 60_900), row([.ph: 7.3], at: 60_040), row([.ph: 8], at: 60_020, of: other),
            row([.temperature: 24.6], at: 60_000), row([.orp: 685], at: 900), row([.ph: 7.2], at: 40),
            row([.temperature: 24.5], at: 0),
        ]
        let joined = rows.joined()
        #expect(
            joined.map(\.raw) == [
                [.temperature: 24.6, .ph: 7.3, .orp: 690], [.ph: 8], [.temperature: 24.5, .ph: 7.2, .orp: 685],
            ])
        #expect(joined.map(\.place.sampledAt) == [60_000, 60_020, 0].map { noon.advanced(byMilliseconds: $0) })
        #expect(HistoryFormatter.lines(joined, at: noon).count == 1 + 3 + 1)
    }

    @Test func `equal quantities, and what is more than five seconds apart, are lines of their own`() {
        let rows = [
            row([.ph: 7.3], at: 20_000), row([.ph: 7.2], at: 19_000), row([.orp: 650], at: 10_000),
            row([.temperature: 25], at: 4999),
        ]
        #expect(rows.joined() == rows)
    }
}
