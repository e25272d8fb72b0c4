import Platform
import PoolModel
import SyncCore
import Testing
import ZeroMQ

@testable import PoolWatch

/// What a watch shows of what it has.
@Suite struct WatchStateTests {
    private func state(_ configuration: PoolConfiguration, wanted: String? = nil) throws -> WatchState {
        var memory = WatchMemory()
        _ = memory.receive(Snapshot(configuration, revision: 1))
        return WatchState(
            hub: nil, endpoint: "", wanted: wanted, viewed: nil, memory: memory, notices: [], noticeCount: 0,
            storageFailureCount: 0, now: .now, hubTime: wallClock())
    }

    @Test func `a device that a person chose here is shown as long as it exists`() throws {
        let full = try sampleConfiguration()
        for wanted in [nil, "Lagoon"] {
            var shown = try state(full, wanted: wanted)
            #expect(shown.choice.device?.id == lagoon.id)
            shown.viewed = spa.id
            #expect(shown.choice.device?.id == spa.id)
            #expect(shown.choice(of: nil).device?.id == spa.id)
            #expect(shown.choice(of: "Lagoon").device?.id == lagoon.id)
            _ = shown.memory.receive(Snapshot(try full.removing(device: spa.id), revision: 2))
            #expect(shown.choice.device?.id == lagoon.id)
        }
    }

    @Test func `the name by which a device was found may change`() throws {
        var shown = try state(try sampleConfiguration(), wanted: "Lagoon before its rename")
        #expect(shown.choice.device == nil)
        shown.found = lagoon.id
        #expect(shown.choice.device?.id == lagoon.id)
        _ = shown.memory.receive(Snapshot(try sampleConfiguration().removing(device: lagoon.id), revision: 2))
        #expect(shown.choice.device == nil)
    }

    @Test func `before the first configuration no device is missing`() throws {
        var empty = try state(PoolConfiguration())
        empty.memory = WatchMemory()
        #expect(empty.choice(of: "Lagoon") == .noConfiguration)
        #expect(empty.glance(of: empty.choice.device, clock: "").deviceID == nil)
        #expect(empty.link == .unpaired)
    }
}
