import PoolModel
import PoolSamples
import Testing

@testable import PoolDecoding

@Suite struct UnusedValueTests {
    private func report(_ lines: [(topic: String, payload: String)]) -> DetectionReport {
        var detection = Detection()
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report()
    }

    @Test func `what a device sends and nothing uses is said`() throws {
        let report = report([
            (
                "x/pool",
                #"{"ph":7.2,"orp":690,"salt":3200,"ec":1180,"bat":88,"pump":true,"hardness":210,"salt_max":4000,"#
                    + #""sensors":[{"name":"TDS","value":590}]}"#
            )
        ])
        let proposal = try #require(report.proposals.first)
        #expect(
            proposal.unused.map { "\($0.kind) \($0.raw)" } == [
                "pump true", "hardness 210", "dissolved solids 590",
            ])
        #expect(report.textLines().contains("   not used: pump true, hardness 210, dissolved solids 590"))
        let values = try #require(proposal.mapping).values
        #expect(values.map(\.quantity) == [.ph, .orp, .salinity, .conductivity, .battery])
        #expect(values.map(\.unit) == [.ph, .millivolts, .milligramsPerLitre, .microsiemens, .percent])
        #expect(proposal.preview.map(\.value) == [7.2, 690, 3.2, 1180, 88])
        #expect(report.unused == [])
    }

    @Test func `without a device it is said too, as far as it is of water`() {
        let report = report([("pool/SWG/salt", "3200"), ("pool/pump/state", "on"), ("garage/sensor/battery", "90")])
        // A battery alone is no device of a pool.
        #expect(report.proposals.map(\.topic) == ["pool/SWG"])
        #expect(report.unused.map(\.words) == ["pump on at pool/pump/state"])
        #expect(report.textLines().contains("Seen, and not used:"))
    }

    @Test func `topics of water of which nothing can be read are named`() {
        let report = report([
            ("piscine/raw", "t26.5,p7.22,c1.1,r690"), ("spa/status", "online"), ("garage/raw", "1,2"),
            ("pool/ph", "7.2"),
        ])
        #expect(report.unreadTopics == ["piscine/raw"])
        #expect(report.textLines().contains("  piscine/raw"))
    }

    @Test(arguments: ["T 26.4C PH 7.2 ORP 700", "pool temp 26.5; ph 7.2; orp 701"])
    func `a text that names quantities is named, too, if nothing can be read of it`(text: String) {
        let report = report([("kv/line", text), ("garage/raw", "1,2"), ("notes", "ph 7 is neutral")])
        #expect(report.proposals.isEmpty)
        #expect(report.unreadTopics == ["kv/line"])
    }

    @Test func `who hears nothing is told what to do`() {
        #expect(Detection().report().textLines().contains { $0.contains("--for 1h") })
        #expect(Detection().report().textLines().contains { $0.contains("must be allowed to read #") })
        #expect(report([("light/1", "on")]).textLines().contains { $0.contains("added by hand") })
    }
}
