import PoolModel
import Testing

@testable import PoolScreens

/// The text of a watch about the hub's answer to the key `r`.
@Suite struct RefreshSummaryTests {
    private let now = Timestamp(milliseconds: 1_780_308_540_000)
    private let device = DeviceID(high: 1, low: 1)

    private func words(ageSeconds: Int64?, isConnected: Bool? = true) -> RefreshSummary {
        var readings: DeviceReadings?
        if let ageSeconds {
            let moment = now.advanced(byMilliseconds: 0 - ageSeconds * 1000)
            let value = LatestValue(value: 7.2, sampledAt: moment, timeQuality: .device, receivedAt: moment)
            readings = DeviceReadings(deviceID: device, order: 1, values: [.ph: value], lastSeen: moment)
        }
        let connection = isConnected.map {
            ServerReport(isConnected: $0, since: now.advanced(byMilliseconds: -180_000))
        }
        return RefreshSummary(
            NewestReply(
                readings: readings, server: "Home", connection: connection, revision: 1, muted: [], now: now),
            device: "Lagoon", milliseconds: 12)
    }

    @Test func `the age of the newest value comes first`() {
        #expect(words(ageSeconds: 4).sentence == "newest value 4 s old, answered in 12 ms")
        #expect(!words(ageSeconds: 4).isProblem)
        #expect(words(ageSeconds: 7200).sentence.hasPrefix("newest value 2 h old"))
    }

    @Test func `a broker that is away, and a device that never spoke, are problems`() {
        let away = words(ageSeconds: 300, isConnected: false)
        #expect(away.sentence == "newest value 5 min old, Home not connected for 3 min, answered in 12 ms")
        #expect(away.isProblem)
        #expect(words(ageSeconds: nil).sentence.hasPrefix("no value of Lagoon has been received"))
        #expect(words(ageSeconds: nil, isConnected: nil).isProblem)
    }
}
