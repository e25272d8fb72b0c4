import PoolSamples
import TestSupport
import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite(.longWork) struct DetectionLimitsTests {
    @Test func `no more topics and bytes are kept than the limits, and the rest is counted`() {
        var limits = Detection.Limits()
        limits.topicCountMax = 10
        limits.payloadByteCountMax = 100
        limits.byteCountMax = 400
        limits.topicByteCountMax = 20
        var detection = Detection(limits: limits)
        func send(_ topic: String, _ count: Int) {
            detection.absorb(
                topic: topic, payload: Array(repeating: 0x31, count: count), isRetained: false, receivedAt: noon)
        }
        send("big", 101)
        send(String(repeating: "t", count: 21), 1)
        #expect(detection.report().counts.dropped == 2)
        for number in 0..<12 { send("t\(number)", 1) }
        #expect(detection.report().topicCount == 10)
        #expect(detection.report().counts.dropped == 4)
        for number in 0..<10 { send("t\(number)", 100) }
        #expect(detection.report().counts.dropped == 11)
        // A deleted announcement makes room.
        send("t0", 0)
        send("t9", 90)
        #expect(detection.report().counts.dropped == 11)
    }

    @Test func `hundreds of devices are looked at, and the first ones shown`() {
        var detection = Detection()
        for number in 0..<500 {
            detection.absorb(
                topic: "site/\(number)/pool", payload: Array(#"{"t":{"temp":26.5},"ph":7.2,"orp":650}"#.utf8),
                isRetained: false, receivedAt: noon)
        }
        let report = detection.report()
        #expect(report.proposals.count == 64)
        #expect(report.counts.droppedProposals == 436)
    }

    @Test func `no more devices are proposed than the limit`() {
        var limits = Detection.Limits()
        limits.proposalCountMax = 3
        var detection = Detection(limits: limits)
        for number in 0..<5 {
            detection.absorb(
                topic: "x/pool\(number)", payload: Array(#"{"ph":7.2}"#.utf8), isRetained: false, receivedAt: noon)
        }
        #expect(detection.report().proposals.count == 3)
        #expect(detection.report().counts.droppedProposals == 2)
    }

    @Test func `10 000 random messages do no harm, and give the same report twice`() {
        func run() -> DetectionReport {
            var random = SplitMix64(seed: 4)
            var detection = Detection()
            let levels = [
                "pool", "ph", "homeassistant", "sensor", "config", "device", "$state", "$homie", "", "zigbee2mqtt",
                "Temp", "é",
                "$SYS", "state", "tele", "spBv1.0", "SENSOR", "x",
            ]
            let pieces = [
                "{", "}", "[", "]", "\"ph\"", ":", ",", "7.2", "\"temp\"", "72", "null", "\"value\"", "\"unit\"",
                "\"°F\"", "1e999",
                "\"~\"", "\"stat_t\"", "\"cmps\"", "\"name\"", "nan", "\u{0}", "online", "\"time\"", "\"val_tpl\"",
                "\"{{ value_json.ph }}\"", "-",
            ]
            for number in 0..<10_000 {
                let topic = (0...Int.random(in: 0...4, using: &random)).map { _ in
                    levels.randomElement(using: &random) ?? ""
                }
                var payload = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
                    Array((pieces.randomElement(using: &random) ?? "").utf8)
                }
                if number % 10 == 0 { payload = payload.map { _ in UInt8.random(in: 0...255, using: &random) } }
                detection.absorb(
                    topic: topic.joined(separator: "/"), payload: payload, isRetained: number % 3 == 0,
                    receivedAt: Timestamp(milliseconds: Int64.random(in: Int64.min...Int64.max, using: &random)))
            }
            return detection.report()
        }
        let report = run()
        #expect(report == run())
        #expect(report.counts.messages == 10_000)
        #expect(!report.jsonLine().isEmpty)
    }

    @Test func `deep and long payloads are looked at within limits`() {
        var detection = Detection()
        let deep = String(repeating: "[", count: 20_000)
        let long = "[" + String(repeating: #"{"ph":7.2},"#, count: 5000) + "{}]"
        let wide = "{" + (0..<5000).map { #""k\#($0)":{"ph":7.2},"# }.joined() + #""z":1}"#
        for (topic, payload) in [("a/deep", deep), ("a/long", long), ("a/wide", wide)] {
            detection.absorb(topic: topic, payload: Array(payload.utf8), isRetained: false, receivedAt: noon)
        }
        let report = detection.report()
        #expect(report.proposals.allSatisfy { $0.remarks.count <= 16 })
        #expect(report.counts.dropped == 1)
    }
}
