import PoolModel
import Testing

@testable import poolsensors

@Suite struct TriedMessageTests {
    private let now = Timestamp(milliseconds: 1_780_315_200_000)

    private func tried(
        _ text: String, topic: String = "plant/7", values: [String] = [],
        calibrations: QuantityMap<CalibrationSeries> = [:]
    ) throws -> TriedMessage {
        let mapping = try values.isEmpty ? nil : DeviceMapping(values: values.map { try ValueSource(notation: $0) })
        return try TriedMessage(
            Array(text.utf8), topic: topic, deviceTopic: "plant/7", mapping: mapping, isRetained: false,
            calibrations: calibrations, receivedAt: now)
    }

    @Test func `values come out in their units, with what was noticed`() throws {
        let message = try tried(
            #"{"st":2,"v":[2612,731,9999]}"#, values: ["temperature=v[0]*0.01", "ph=v[1]*0.01 if st!=0", "orp=v[2]"])

        #expect(message.lines.contains("Temperature: 26.1 °C"))
        #expect(message.lines.contains("pH: 7.31"))
        #expect(message.lines.contains { $0.hasPrefix("ORP 9999.0 is quarantined") })
        #expect(message.saysSomething)
    }

    @Test func `what cannot be read is refused with the topic, the place and what is there`() throws {
        let message = try tried(#"{"a":1}"#, values: ["ph=b.c"])

        #expect(
            message.lines == [
                #"nothing was measured: On the topic "plant/7": There is nothing at "b.c"; the payload has the keys "a"."#
            ])
        #expect(!message.saysSomething)
    }

    @Test func `a topic that is not the device's is said to be none, with those that are`() throws {
        let message = try tried("7.2", topic: "plant/8", values: ["ph=~/ph"])

        #expect(message.lines[0].contains("its topics are plant/7/ph"))
        #expect(try tried(#"{"ph":7.2}"#, topic: "x").isForDevice == false)
    }

    @Test func `a flat message needs no mapping, and a calibration is carried out`() throws {
        let calibration = Calibration(
            slope: 1, offset: 0.2, method: .zeroPoint, points: [.init(measured: 6.8, reference: 7)],
            validFrom: Timestamp(milliseconds: 0), madeAt: now, author: "A")
        let message = try tried(#"{"ph":7.2}"#, calibrations: [.ph: CalibrationSeries([calibration])])

        #expect(message.lines[0] == "pH: 7.20, calibrated 7.40")
    }
}
