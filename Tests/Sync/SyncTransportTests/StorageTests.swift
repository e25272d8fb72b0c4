import Platform
import SyncCore
import TestSupport
import Testing
import ZeroMQ

@testable import SyncTransport

/// Nothing is reported or acknowledged before the store has written it.
@Suite struct StorageTests {
    /// Blocks a store: writes wait until the test releases them.
    private final class Barrier: Sendable {
        private let isShut = Lock(false)
        private let mayGoOn = Semaphore()
        /// The writes that waited so far.
        let waiting = Recorder<Int>()

        func shut() { isShut.withLock { $0 = true } }

        /// Releases the waiting write, and all later ones.
        func open() {
            isShut.withLock { $0 = false }
            mayGoOn.signal()
        }

        func pass() {
            guard isShut.withLock(\.self) else { return }
            waiting.record(1)
            mayGoOn.wait()
        }
    }

    @Test func `a job is told when it is done and not before, and one that fails as failed`() async {
        let (begun, told, mayGoOn) = (Recorder<Int>(), Recorder<String>(), Semaphore())
        let thread = StorageThread<Int>(
            work: { job in
                begun.record(job)
                mayGoOn.wait()
                if job == 2 { throw Missing() }
            },
            report: { job, error in told.record(error == nil ? "\(job)" : "\(job) failed") })
        thread.submit([1, 2, 3])
        for job in 1...3 {
            await begun.wait { $0.count == job }
            #expect(told.items == Array(["1", "2 failed"].prefix(job - 1)), "while job \(job) is being written")
            mayGoOn.signal()
        }
        thread.end()
        #expect(told.items == ["1", "2 failed", "3"])
    }

    /// A linked hub and watch.
    private func linked() async throws -> (hub: TestHub, watch: TestWatch) {
        let (hub, watch) = (try TestHub(), try TestWatch())
        let endpoint = try await hub.start()
        _ = try await watch.pair(with: hub)
        watch.start(endpoint, hubKey: hub.keys.publicKey)
        await watch.waitForLink(true)
        await watch.events.wait { $0.contains(where: \.isSnapshot) }
        return (hub, watch)
    }

    /// Sends a message from the watch to the hub and a reply back; everything sent before has arrived then.
    private func exchangeMessage(_ hub: TestHub, _ watch: TestWatch) async throws {
        let count = hub.transfers.items.count(where: \.isMessage)
        async let answer = watch.transport.transfer {
            .exchange(.message($0, Message(payload: [9], wantsReply: true, timeout: .seconds(600))))
        }
        await hub.transfers.wait { $0.count(where: \.isMessage) > count }
        guard case .exchange(.messageReceived(let message))? = hub.transfers.items.last(where: \.isMessage) else {
            throw Missing()
        }
        let key = watch.keys.publicKey.peerKey
        _ = try await hub.transport.transfer({ .exchange(.reply($0, message.id, [8])) }, with: key)
        _ = try await answer
    }

    @Test func `an item is told and acknowledged when the hub's store has it, and not before`() async throws {
        let (hub, watch) = try await linked()
        let barrier = Barrier()
        hub.storage.beforeWrite.withLock { $0 = { barrier.pass() } }
        barrier.shut()

        _ = try await watch.transport.transfer { .exchange(.transfer($0, .init(payload: [1]))) }
        await barrier.waiting.wait { !$0.isEmpty }
        try await exchangeMessage(hub, watch)

        #expect(!hub.transfers.items.contains { $0.isItem })
        #expect(!watch.transfers.items.contains { $0.isDelivery })
        barrier.open()
        await hub.transfers.wait { $0.contains(where: \.isItem) }
        await watch.transfers.wait { $0.contains(where: \.isDelivery) }
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a request to the hub is done when its store has it, and not before`() async throws {
        let (hub, watch) = try await linked()
        let (barrier, done) = (Barrier(), Recorder<Version>())
        hub.storage.beforeWrite.withLock { $0 = { barrier.pass() } }
        barrier.shut()

        let transport = try hub.transport
        let asking = Task {
            done.record(try await transport.transact([CellChange(key: noteKey(1), value: "one")]))
        }
        await barrier.waiting.wait { !$0.isEmpty }
        try await exchangeMessage(hub, watch)

        #expect(done.items.isEmpty)
        #expect(watch.storage.state.replica.snapshot?.cells[noteKey(1)] == nil)
        barrier.open()
        try await asking.value
        await watch.waitForNote(1, "one")
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a snapshot is shown and acknowledged when the watch's store has it, and not before`() async throws {
        let (hub, watch) = try await linked()
        let barrier = Barrier()
        watch.storage.beforeWrite.withLock { $0 = { barrier.pass() } }
        barrier.shut()

        let version = try await hub.transport.transact([CellChange(key: noteKey(1), value: "one")])
        await barrier.waiting.wait { !$0.isEmpty }
        try await exchangeMessage(hub, watch)

        let isAcknowledged: @Sendable ([HubEngine.Event]) -> Bool = { events in
            events.contains { if case .acknowledged(_, version) = $0 { true } else { false } }
        }
        #expect(!isAcknowledged(hub.events.items))
        #expect(!watch.events.items.contains { $0.shows(version) })
        barrier.open()
        await watch.waitForNote(1, "one")
        await hub.events.wait(until: isAcknowledged)
        try await watch.stop()
        try await hub.stop()
    }
}

extension TransferEvent {
    fileprivate var isMessage: Bool { if case .exchange(.messageReceived) = self { true } else { false } }
    fileprivate var isItem: Bool { if case .exchange(.itemReceived) = self { true } else { false } }
    fileprivate var isDelivery: Bool { if case .exchange(.itemDelivered) = self { true } else { false } }
}

extension WatchTransport.Event {
    fileprivate func shows(_ version: Version) -> Bool {
        guard case .engine(.snapshotChanged(let snapshot)) = self else { return false }
        return snapshot.version == version
    }
}
