import Logging
import PoolControl
import SyncCore
import SyncStore
import SyncTransport
import TestSupport
import Testing

@testable import PoolHub

/// User info from watches: the hub does not use it, and does not keep it.
@Suite struct UserInfoConsumerTests {
    private static func watch(_ byte: UInt8) throws -> PeerKey {
        try #require(PeerKey(bytes: Array(repeating: byte, count: 32)))
    }

    private static func item(_ number: UInt64) -> TransferEvent {
        .exchange(
            .itemReceived(ReceivedItem(id: RandomID(high: 0, low: number), payload: [1], isUrgent: number == 2)))
    }

    @Test func `each item is consumed, and the log tells of the first one of each watch`() async throws {
        let (lines, consumed) = (Recorder<String>(), Recorder<RandomID>())
        let desk = UserInfoConsumer(logger: Logger(label: "test") { _ in LineHandler(lines: lines) })
        let watches = [try Self.watch(1), try Self.watch(2)]
        for number in 1...3 as ClosedRange<UInt64> { desk.take(Self.item(number), from: watches[0]) }
        desk.take(.exchange(.itemDelivered(RandomID(high: 0, low: 9))), from: watches[0])
        desk.take(Self.item(4), from: watches[1])

        let running = Task { await desk.run { consumed.record($1) } }
        await consumed.wait { $0.count == 4 }
        running.cancel()
        await running.value

        #expect(consumed.items.map(\.low) == [1, 2, 3, 4])
        #expect(lines.items.count == 2)
    }

    @Test func `user info that a watch sends goes at once, and the hub's store keeps none of it`() async throws {
        let hub = TestHub(try TestHubFolder())
        try await hub.start()
        let watch = try await PlainWatch(hub, name: "Wrist")
        for isUrgent in [false, true, false] {
            let item = Exchange.Transfer(payload: [1, 2, 3], isUrgent: isUrgent)
            _ = try await watch.driver.transfer { .exchange(.transfer($0, item)) }
        }
        try await poll("an inbox in which three items were and none is") {
            guard let inbox = try hub.hub?.folder.store.transfers()[watch.key]?.exchange.inbox else { return false }
            return inbox.recent.count == 3 && inbox.items.isEmpty
        }
        try await watch.stop()
        try await hub.stop()
    }
}

/// Passes on the log's lines.
private struct LineHandler: LogHandler {
    let lines: Recorder<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.record("\(event.message)")
    }
}
