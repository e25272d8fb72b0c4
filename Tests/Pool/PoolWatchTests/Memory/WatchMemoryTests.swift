import PoolModel
import SyncCore
import Testing

@testable import PoolWatch

@Suite struct WatchMemoryTests {
    private func receive(_ register: Register, into memory: inout WatchMemory) -> [WatchMemory.Remark] {
        memory.receive(ReceivedRegister(register), of: register)
    }

    @Test func `P100 P101 P103 configuration, readings and reports are kept`() throws {
        var memory = WatchMemory()
        let readings = goodReadings(of: lagoon.id, order: 3)
        let report = ServerReport(isConnected: false, since: Timestamp(milliseconds: 5))

        #expect(memory.receive(ReceivedConfiguration(Snapshot(try sampleConfiguration(), revision: 7))) == [])
        #expect(receive(try register(readings), into: &memory) == [])
        #expect(receive(try register(report, of: home.id, order: 1), into: &memory) == [])

        #expect(memory.revision == 7)
        #expect(memory.configuration.devices.map(\.name) == ["Lagoon", "Spa"])
        #expect(memory.readings == [lagoon.id: readings])
        #expect(memory.reports == [home.id: report])
        #expect(memory.histories[lagoon.id]?.columns(of: .ph, now: wallClock()).last == 7.2)
    }

    @Test func `readings that come before their device are kept for it`() throws {
        var memory = WatchMemory()
        let full = try sampleConfiguration()
        _ = receive(try register(goodReadings(of: spa.id, order: 1)), into: &memory)
        _ = memory.receive(ReceivedConfiguration(Snapshot(try full.removing(device: spa.id), revision: 1)))
        _ = memory.receive(ReceivedConfiguration(Snapshot(full, revision: 2)))
        #expect(memory.readings[spa.id] != nil)
    }

    @Test func `what a device left behind goes with it, but its count stays`() throws {
        var memory = WatchMemory()
        let full = try sampleConfiguration()
        _ = memory.receive(ReceivedConfiguration(Snapshot(full, revision: 1)))
        _ = receive(try register(goodReadings(of: spa.id, order: 1)), into: &memory)
        _ = receive(try register(goodReadings(of: lagoon.id, order: 1)), into: &memory)

        _ = memory.receive(ReceivedConfiguration(Snapshot(try full.removing(device: spa.id), revision: 2)))

        #expect(Set(memory.readings.keys) == [lagoon.id])
        #expect(Set(memory.histories.keys) == [lagoon.id])
        #expect(memory.tallies[spa.id]?.receivedCount == 1)
    }

    @Test func `an entry that cannot be read costs its record, is counted and said once`() throws {
        var memory = WatchMemory()
        let full = try sampleConfiguration()
        let broken = Snapshot(full, revision: 1, replacing: [cellKey(spa.id, "name"): "not JSON"])
        let remarks = memory.receive(ReceivedConfiguration(broken))
        #expect(memory.configuration.devices.map(\.name) == ["Lagoon"])
        #expect(remarks.count == 2, "unreadable, and so incomplete: \(remarks)")
        #expect(memory.problems.count == 2)

        let stillBroken = Snapshot(
            full, revision: 2,
            replacing: [cellKey(spa.id, "name"): "not JSON", cellKey(lagoon.id, "colour"): #"{"rgb":1}"#])
        #expect(memory.receive(ReceivedConfiguration(stillBroken)).count == 1)
        #expect(memory.problems.count == 3)

        #expect(memory.receive(ReceivedConfiguration(Snapshot(full, revision: 3))) == [])
        #expect(memory.problems == [])
        #expect(memory.configuration.devices.count == 2)
    }

    @Test func `a deleted cell is no entry`() throws {
        let snapshot = Snapshot(try sampleConfiguration(), revision: 1, replacing: [cellKey(spa.id, "name"): nil])
        let received = ReceivedConfiguration(snapshot)
        #expect(received.configuration.devices.map(\.name) == ["Lagoon"])
    }

    @Test(arguments: [
        "", "not JSON", "{}", "[]", "null", #"{"deviceID":"22220000-0000-0000-0000-000000000001"}"#,
        #"{"deviceID":"22220000-0000-0000-0000-000000000001","order":1,"values":{"ph":{"value":"high"}}}"#,
    ])
    func `a value that cannot be read changes nothing, is counted and said once`(_ text: String) throws {
        var memory = WatchMemory()
        let good = goodReadings(of: lagoon.id, order: 1)
        _ = receive(try register(good), into: &memory)
        let bad = Register(key: RegisterKey.device(lagoon.id).text, order: 2, value: Array(text.utf8))

        #expect(receive(bad, into: &memory).count == 1)
        #expect(receive(bad, into: &memory) == [])

        #expect(memory.undecodableRegisterCount == 2)
        #expect(memory.readings == [lagoon.id: good])
        #expect(memory.tallies[lagoon.id]?.receivedCount == 1)
    }

    @Test func `X10 readings of one device in the register of another are credited to neither`() throws {
        var memory = WatchMemory()
        let foreign = Register(
            key: RegisterKey.device(spa.id).text, order: 1,
            value: try CanonicalJSON.encode(goodReadings(of: lagoon.id, order: 1)))
        #expect(receive(foreign, into: &memory).count == 1)
        #expect(memory.readings == [:])
    }

    @Test func `a register of a later version is left alone`() {
        var memory = WatchMemory()
        #expect(receive(Register(key: "alert/1", order: 1, value: []), into: &memory).count == 1)
        #expect(memory.undecodableRegisterCount == 1)
    }

    @Test func `what arrives is counted, and a new epoch may order anew`() throws {
        var memory = WatchMemory()
        for order: UInt64 in [5, 6, 9, 1] {
            _ = receive(try register(goodReadings(of: lagoon.id, order: order)), into: &memory)
        }
        let tally = try #require(memory.tallies[lagoon.id])
        #expect(tally.newestOrder == 1)
        #expect(tally.receivedCount == 4)
    }

    @Test func `P112 what the store kept is shown again, and not counted as received`() throws {
        let readings = goodReadings(of: lagoon.id, order: 8)
        var registers = SortedMap<String, HeldRegister>()
        for register in [try register(readings), Register(key: "x", order: 1, value: [])] {
            registers[register.key] = HeldRegister(register: register, epoch: Epoch(number: 1))
        }
        let replica = ReplicaState(
            snapshot: Snapshot(try sampleConfiguration(), revision: 3), incarnation: RandomID(high: 1, low: 1))
        let state = WatchEngine.State(replica: replica, registers: registers)

        var memory = WatchMemory()
        let remarks = memory.recall(state)

        #expect(remarks == [.undecodable(key: "x", reason: "this version does not know the register")])
        #expect(memory.revision == 3)
        #expect(memory.snapshotCount == 0)
        #expect(memory.readings == [lagoon.id: readings])
        #expect(memory.tallies == [lagoon.id: ReadingCount(newestOrder: 8)])
    }
}
