import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct DetectionReportTests {
    private func report(topic: String = "x/pool") -> DetectionReport {
        var detection = Detection()
        detection.absorb(
            topic: topic, payload: Array(#"{"ph":72,"orp":690}"#.utf8), isRetained: false, receivedAt: noon)
        return detection.report()
    }

    @Test func `the lines show what a person needs to decide`() {
        let lines = report().textLines()
        #expect(lines[0] == "1. x pool  (low confidence, guessed from names)")
        #expect(lines.contains("   topic x/pool"))
        #expect(lines.contains("   pH: 72  from 72 in x/pool ph"))
        #expect(lines.contains("   ORP: 690 mV  from 690 in x/pool orp"))
        #expect(lines.contains("   ! ×10 suspected: 72 can hardly be pH, 7.2 can"))
        #expect(lines.last == "1 messages, 1 topics.")
    }

    @Test func `nothing found is said`() {
        #expect(Detection().report().textLines().first == "No device found among 0 topics.")
    }

    @Test func `foreign texts cannot command a terminal`() {
        let lines = report(topic: "x/\u{1B}[2Jpool").textLines()
        #expect(!lines.contains { $0.contains("\u{1B}") })
    }

    @Test func `the JSON has every key, and is one line`() throws {
        let line = report().jsonLine()
        #expect(!line.contains("\n"))
        let root = try JSONScanner.scan(Array(line.utf8), depthMax: 16)
        guard case .array(let proposals) = root.member(named: "proposals"), case .object(let members) = proposals.first
        else {
            Issue.record("no proposals in \(line)")
            return
        }
        #expect(
            members.map(\.key) == [
                "confidence", "evidence", "expectedIntervalSeconds", "leftOut", "mapping", "name", "openQuantities",
                "preview", "profile", "remarks", "skipped", "source", "suggestions", "topic", "unused",
            ])
        #expect(proposals.first?.member(named: "profile") == .null)
        #expect(proposals.first?.member(named: "suggestions") != .array([]))
        #expect(root.member(named: "counts")?.member(named: "messages") == .number("1"))
    }
}
