import CommandSupport
import PoolControl
import PoolHub
import PoolModel
import Testing

@testable import poolsensors

@Suite struct HubEventTextTests {
    private func readings(_ temperature: Double, isLastKnown: Bool = false) -> DeviceReadings {
        let moment = Timestamp(milliseconds: 1000)
        return DeviceReadings(
            deviceID: Samples.deviceID,
            values: [
                .temperature: LatestValue(
                    value: temperature, sampledAt: isLastKnown ? nil : moment,
                    timeQuality: isLastKnown ? .unknown : .device, receivedAt: moment)
            ])
    }

    @Test func `readings are summed up, so that any number of them can be followed`() {
        var digest = ReadingDigest()
        digest.add(readings(25.94), of: "Lagoon")
        digest.add(readings(30), of: "Spa")
        digest.add(readings(26.06), of: "Lagoon")

        #expect(digest.takeLines() == ["Lagoon: Temperature 26.1 °C  (2 readings)", "Spa: Temperature 30.0 °C"])
        #expect(digest.takeLines().isEmpty)
    }

    @Test func `a value of unknown age is marked`() {
        var digest = ReadingDigest()
        digest.add(readings(25, isLastKnown: true), of: "Lagoon")

        #expect(digest.takeLines() == ["Lagoon: Temperature 25.0 °C (last known)"])
    }

    @Test func `the line that a demo waits for is the one that a hub writes`() throws {
        let line = try #require(HubEvent.listening(endpoint: "tcp://127.0.0.1:1").line)
        #expect(line.contains(HubOutputMarkers.listening))
    }

    @Test func `an event as JSON says what, when, and no more than it knows`() throws {
        let record = HubEventRecord(.linked(watch: "Wrist"), at: Timestamp(milliseconds: 0))

        #expect(
            try JSONText.line(record) == #"{"at":"1970-01-01T00:00:00.000Z","event":"linked","watch":"Wrist"}"#)
    }

    @Test func `a reading as JSON holds the readings`() throws {
        let line = try JSONText.line(
            HubEventRecord(.reading(device: "Lagoon", readings(25)), at: Timestamp(milliseconds: 0)))

        #expect(line.hasPrefix(#"{"at":"1970-01-01T00:00:00.000Z","device":"Lagoon","event":"reading","readings":{"#))
    }
}
