import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// The sample times of the values of unknown devices.
@Suite struct SideTimesTests {
    private func proposed(_ lines: [(topic: String, payload: String)], zone: String = "Europe/Paris") -> DeviceProposal?
    {
        var detection = Detection(localZone: zone)
        for line in lines {
            detection.absorb(topic: line.topic, payload: Array(line.payload.utf8), isRetained: false, receivedAt: noon)
        }
        return detection.report().proposals.first
    }

    @Test(arguments: [
        // A poller's result from twelve hours ago is not current; the flat message has no such key.
        (#"{"ph":7.2,"orp":690,"received_at":"2026-06-01T00:00:00Z"}"#, "received_at"),
        (#"{"ph":7.2,"time":"2026-06-01T12:00:00Z","measured_at":"2026-06-01T00:00:00Z"}"#, "measured_at"),
        (#"{"ph":7.2,"updated":1780315199,"recorded":1780272000,"sent_at":1780315198}"#, "recorded"),
        (#"{"ph":7.2,"calibrated_at":"2026-05-01T00:00:00Z","ts":1780315199000}"#, "ts"),
        // Without a zone: local time or UTC, whichever is close to the present time.
        (#"{"ph":7.2,"Time":"2026-06-01T14:00:01"}"#, "Time local"),
        (#"{"ph":7.2,"Time":"2026-06-01 11:59:59"}"#, "Time iso8601"),
    ])
    func `the time in a payload is proposed`(payload: String, notation: String) throws {
        let proposal = try #require(proposed([("x/pool", payload)]))
        #expect(proposal.mapping?.time?.notation == notation)
        #expect(proposal.profile == nil)
    }

    @Test func `a time without a zone that is of neither is told and not used`() throws {
        let proposal = try #require(proposed([("x/pool", #"{"ph":7.2,"Time":"2026-06-01T09:00:00"}"#)]))
        #expect(proposal.mapping?.time == nil)
        #expect(proposal.remarks.contains { $0.contains("--time 'PLACE local'") })
    }

    @Test func `a time on a topic of its own is proposed, the nearest one`() throws {
        let shared = try #require(
            proposed([
                ("x/pool/ph", "7.2"), ("x/pool/orp", "690"), ("x/pool/last_measurement", "2026-06-01T00:00:00Z"),
                ("x/pool/time", "2026-06-01T12:00:00Z"), ("x/other/last_measurement", "2026-06-01T01:00:00Z"),
            ]))
        #expect(shared.mapping?.time?.notation == "~/last_measurement")
        let own = try #require(
            proposed([
                ("x/pool/ph/state", "7.2"), ("x/pool/ph/last_updated", "\"2026-06-01T00:00:00Z\""),
                ("x/pool/orp/state", "690"), ("x/pool/orp/last_updated", "\"2026-06-01T01:00:00Z\""),
            ]))
        #expect(own.mapping?.time == nil)
        #expect(own.mapping?.values.map { $0.time?.notation } == ["~/ph/last_updated", "~/orp/last_updated"])
    }

    @Test func `an announced device is dated too`() throws {
        let proposal = try #require(
            proposed([
                (
                    "homeassistant/sensor/x/config",
                    #"{"name":"Pool pH","dev_cla":"ph","stat_t":"x/pool","val_tpl":"{{ value_json.ph }}"}"#
                ), ("x/pool", #"{"ph":7.2,"received_at":"2026-06-01T00:00:00Z"}"#),
            ]))
        #expect(proposal.source == .homeAssistant)
        #expect(proposal.mapping?.time?.notation == "received_at")
    }
}
