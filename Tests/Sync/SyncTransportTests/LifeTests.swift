import Logging
import Platform
import SyncCore
import TestSupport
import Testing
import ZeroMQ

@testable import SyncTransport

/// Requests to a transport that is stopping, and its last writes.
@Suite struct LifeTests {
    /// A store in which a transaction waits until the test releases it.
    private final class SlowStorage: HubStorage {
        let memory = MemoryHubStorage()
        let begun = Recorder<Version>()
        let mayGoOn = Semaphore()

        func commit(_ group: [Transaction]) throws {
            for transaction in group { begun.record(transaction.after) }
            mayGoOn.wait()
            try memory.commit(group)
        }

        func commit(_ record: TransferRecord, of watch: PeerKey) throws {
            try memory.commit(record, of: watch)
        }
    }

    @Test func `whatever is asked while a hub stops is answered, or told that it has ended`() async throws {
        for _ in 0..<60 {
            let hub = try TestHub()
            _ = try await hub.start()
            let transport = try hub.transport
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Each repeats its request immediately, so that requests are also queued after the request to stop.
                for _ in 0..<16 {
                    group.addTask {
                        do {
                            while true { _ = try await transport.status() }
                        } catch LinkError.ended {
                            // The loop ends in this way.
                        }
                    }
                }
                group.addTask { try await hub.stop() }
                try await group.waitForAll()
            }
        }
    }

    @Test func `what is being written when a hub is to stop is written, and who asked for it hears so`() async throws {
        let (storage, keys) = (SlowStorage(), try CurveKeyPair())
        let transport = HubTransport(
            configuration: .init(
                endpoint: try Endpoint("tcp://127.0.0.1:*"), keys: keys, engine: .init(app: testApp, schema: testSchema)
            ),
            state: storage.memory.state, storage: storage, logger: Logger(label: "hub"), onEvent: { _ in })
        let running = Task { try await transport.run() }
        let asking = Task { try await transport.transact([CellChange(key: noteKey(1), value: "one")]) }
        await storage.begun.wait { !$0.isEmpty }

        running.cancel()
        storage.mayGoOn.signal()
        try await running.value

        #expect(storage.memory.state.cells[noteKey(1)]?.value == "one")
        #expect(try await asking.value == storage.memory.state.version)
    }

    @Test func `what was consumed just before the end is not told again`() async throws {
        let (hub, watch) = (try TestHub(), try TestWatch())
        let key = watch.keys.publicKey.peerKey
        let endpoint = try await hub.start()
        _ = try await watch.pair(with: hub)
        watch.start(endpoint, hubKey: hub.keys.publicKey)
        _ = try await watch.transport.transfer { .exchange(.transfer($0, .init(payload: [1]))) }
        _ = try await hub.transport.transfer({ .exchange(.transfer($0, .init(payload: [2]))) }, with: key)
        await hub.transfers.wait { $0.contains { $0.itemID != nil } }
        await watch.transfers.wait { $0.contains { $0.itemID != nil } }

        try watch.transport.tell(.exchange(.consumed(try present(watch.transfers.items.compactMap(\.itemID).first))))
        try await watch.stop()
        try hub.transport.tell(
            .exchange(.consumed(try present(hub.transfers.items.compactMap(\.itemID).first))), to: key)
        try await hub.stop()

        #expect(watch.storage.state.transfers.exchange.inbox.items == [])
        #expect(try present(hub.storage.transfers[key]).exchange.inbox.items == [])
    }
}

extension TransferEvent {
    /// The item that arrived.
    fileprivate var itemID: RandomID? {
        if case .exchange(.itemReceived(let item)) = self { item.id } else { nil }
    }
}
