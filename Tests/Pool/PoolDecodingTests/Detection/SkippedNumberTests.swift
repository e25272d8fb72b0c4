import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// Every number that is not taken is listed, with the reason.
@Suite struct SkippedNumberTests {
    private func report(_ lines: [(topic: String, payload: String)]) -> DetectionReport {
        var detection = Detection()
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    @Test func `each number of a device is read, known as something else, or listed with its reason`() throws {
        let payload =
            #"{"ph":7.2,"orp":{"value":690,"unit":"mW"},"pool water":26.4,"ph_max":7.6,"swg":{"chlorine":80},"#
            + #""air_temp":31,"salt":3200,"rssi":-70,"xyz":5,"version":"1.2","ts":1780315200}"#
        let report = report([("x/pool", payload)])
        let proposal = try #require(report.proposals.first)
        let reasons = Dictionary(uniqueKeysWithValues: proposal.skipped.map { ("\($0.path)", $0.reason) })
        #expect(
            reasons == [
                "orp.value": "in \"mW\", which is no unit of ORP", #"["pool water"]"#: "its name says no quantity",
                "ph_max": "a limit, a set point or a setting", "swg.chlorine": "of a chlorinator, not of the water",
                "air_temp": "not that of the water", "rssi": "not a reading, by the word \"rssi\"",
                "xyz": "its name says no quantity", "version": "not a reading, by the word \"version\"",
            ])
        #expect(proposal.unused == [])
        #expect(proposal.mapping?.values.map(\.quantity) == [.ph, .salinity])
        #expect(
            report.textLines().contains("   not taken, in \"mW\", which is no unit of ORP: orp.value 690"),
            "\(report.textLines())")
        #expect(report.jsonLine().contains(#""reason":"of a chlorinator, not of the water""#))
    }

    @Test func `without a device, each number is listed`() {
        let report = report([("v1/data/1", "temp,c=26.4"), ("garage/door", #"{"angle":12,"lux":"300 lx"}"#)])
        #expect(report.proposals.isEmpty)
        #expect(
            report.skipped.map { "\($0.raw) \($0.reason)" }.sorted() == [
                "12 no known name", "26.4 no known name", "300 lx no known name",
            ])
        #expect(report.textLines().contains("Numbers that were not taken:"))
    }

    @Test func `the temperature in the probe for pH is not that of the water, if there is another`() throws {
        let both = try #require(report([("x/c", #"{"PH_Temp":26.4,"PH":7.2,"Temp":26.9}"#)]).proposals.first)
        #expect(both.preview.map(\.value) == [26.9, 7.2] && both.openQuantities.isEmpty)
        #expect(both.skipped.map(\.reason) == ["another Temperature"])
        let alone = try #require(report([("x/c", #"{"PH_Temp":26.4,"PH":7.2}"#)]).proposals.first)
        #expect(alone.preview.map(\.value) == [26.4, 7.2])
    }

    @Test func `a number in °C whose name only says water is its temperature`() throws {
        let proposal = try #require(report([("home/pool water", "26.4 °C"), ("home/ph", "7.2")]).proposals.first)
        #expect(proposal.preview.map(\.value) == [26.4, 7.2])
    }

    @Test(arguments: ["1780315200", "1780315200000", "1780315200000000", "1780315200000000000"])
    func `a time in any unit since 1970 is a time`(time: String) throws {
        let proposal = try #require(
            report([("x/pool", #"{"acid":{"ph":7.2},"measured_at":\#(time)}"#)]).proposals.first)
        #expect(proposal.mapping?.time?.notation == "measured_at")
        #expect(!proposal.remarks.contains { $0.contains("start of the device") })
    }
}
