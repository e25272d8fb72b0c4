import PoolControl
import PoolModel
import Testing

@testable import poolsensors

/// What `hub info` prints.
@Suite struct HubInfoTests {
    private let info = HubInfo(
        version: "0.1.0", processID: 42, startedAt: Timestamp(milliseconds: 1_780_000_000_000), folder: "/state/hub",
        endpoint: "tcp://127.0.0.1:7654")

    @Test func `it says which program runs, where, and for which watches`() {
        let lines = HubInfoCommand.lines(info, readBy: "0.1.0")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("PoolSensors 0.1.0, process 42, since 2026-"))
        #expect(lines[1...] == ["folder: /state/hub", "watches connect to: tcp://127.0.0.1:7654"])
    }

    @Test func `it says so if the hub still runs another version than the program that asks`() {
        #expect(
            HubInfoCommand.lines(info, readBy: "0.2.0").last
                == "this program is 0.2.0: restart the hub, so that both are the same")
    }
}
