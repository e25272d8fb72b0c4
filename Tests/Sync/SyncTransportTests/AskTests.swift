import SyncCore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

/// Requests to a transport without a waiting task.
@Suite struct AskTests {
    private let hub: TestHub
    private let watch: TestWatch

    init() throws {
        hub = try TestHub()
        watch = try TestWatch()
    }

    private var watchKey: PeerKey { watch.keys.publicKey.peerKey }

    private func stopBoth() async throws {
        try await watch.stop()
        try await hub.stop()
    }

    private func item(_ number: Int) -> @Sendable (RequestID) -> TransferInput {
        { .exchange(.transfer($0, Exchange.Transfer(payload: Array("\(number)".utf8)))) }
    }

    /// The payloads of the items that arrived.
    private func numbers(_ events: [TransferEvent]) -> [Int] {
        events.compactMap { event in
            guard case .exchange(.itemReceived(let item)) = event else { return nil }
            return Int(String(decoding: item.payload, as: UTF8.self))
        }
    }

    @Test func `what one thread asks goes out and arrives in its order, both ways`() async throws {
        _ = try await hub.start(with: watch)
        let (atHub, atWatch) = (Recorder<Int>(), Recorder<Int>())
        let (hubTransport, watchTransport) = (try hub.transport, try watch.transport)
        for number in 0..<200 {
            hubTransport.ask(item(number), with: watchKey) { if (try? $0.get()) != nil { atHub.record(number) } }
            watchTransport.ask(item(number)) { if (try? $0.get()) != nil { atWatch.record(number) } }
        }
        await hub.transfers.wait { self.numbers($0).count == 200 }
        await watch.transfers.wait { self.numbers($0).count == 200 }
        await atHub.wait { $0.count == 200 }
        await atWatch.wait { $0.count == 200 }
        let order = Array(0..<200)
        #expect(numbers(hub.transfers.items) == order && numbers(watch.transfers.items) == order)
        #expect(atHub.items == order && atWatch.items == order)
        try await stopBoth()
    }

    @Test func `anybody who asks for an unknown watch, or after the end, is told so`() async throws {
        _ = try await hub.start(with: watch)
        let (hubTransport, watchTransport) = (try hub.transport, try watch.transport)
        let answers = Recorder<Result<TransferAnswer, LinkError>>()
        let stranger = try CurveKeyPair().publicKey.peerKey
        hubTransport.ask(item(1), with: stranger) { answers.record($0) }
        await answers.wait { $0.count == 1 }
        #expect(answers.items == [.failure(.refused(.unknownWatch(stranger)))])
        try await stopBoth()
        hubTransport.ask(item(2), with: watchKey) { answers.record($0) }
        watchTransport.ask(item(3)) { answers.record($0) }
        await answers.wait { $0.count == 3 }
        #expect(Array(answers.items.dropFirst()) == [.failure(.ended), .failure(.ended)])
    }

    @Test func `a watch follows its hub to another endpoint`() async throws {
        let endpoint = try await hub.start(with: watch)
        try await hub.stop()
        await watch.waitForLink(false)
        let blocker = try Socket(try Context(), .router)
        _ = try blocker.bind(endpoint)
        let moved = try await hub.start()
        #expect(moved != endpoint)
        try watch.transport.follow(moved)
        await watch.waitForLink(true)
        try await stopBoth()
    }
}
