import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@Suite struct ControlTests {
    @Test func `requests are answered one after the other`() async throws {
        let endpoint = try Endpoint("ipc:///tmp/sync-control-\(UInt64.random(in: 0...(.max)))")
        let ready = Recorder<Bool>()
        let server = ControlServer(endpoint: endpoint) { $0.reversed() }
        let task = Task { try await server.run { ready.record(true) } }
        await ready.wait { !$0.isEmpty }

        let answers = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for number in UInt8(0)..<8 {
                group.addTask { try await ControlClient.ask([number, 9], at: endpoint, patience: .seconds(3600)) }
            }
            return try await group.reduce(into: [[UInt8]]()) { $0.append($1 ?? []) }
        }

        #expect(answers.sorted { $0.lexicographicallyPrecedes($1) } == (UInt8(0)..<8).map { [9, $0] })
        task.cancel()
        try await task.value
    }

    @Test func `a server that is not there gives no answer`() async throws {
        let endpoint = try Endpoint("ipc:///tmp/sync-nobody-\(UInt64.random(in: 0...(.max)))")
        #expect(try await ControlClient.ask([1], at: endpoint, patience: .milliseconds(50)) == nil)
        // It stops waiting as soon as the server is known to be gone.
        #expect(try await ControlClient.ask([1], at: endpoint, patience: .seconds(86_400), while: { false }) == nil)
    }

    @Test func `who asks stops waiting when the task is cancelled`() async throws {
        let endpoint = try Endpoint("ipc:///tmp/sync-silent-\(UInt64.random(in: 0...(.max)))")
        let looks = Recorder<Bool>()
        let task = Task {
            try await ControlClient.ask([1], at: endpoint, patience: .seconds(86_400)) {
                looks.record(true)
                return true
            }
        }
        await looks.wait { !$0.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
