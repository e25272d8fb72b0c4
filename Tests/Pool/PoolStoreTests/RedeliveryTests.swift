import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// Which messages count as one reading, and which as another one (P13, X18).
@Suite
struct RedeliveryTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
    }

    // MARK: - With a time from the device

    @Test
    func `the same device, time and payload are one reading, however late`() throws {
        #expect(try store.recordEach([dated(1), dated(1)]) == [true, false])
        try store.record((2...200).map { dated($0) })

        #expect(try store.recordEach([dated(1), dated(200)]) == [false, false])
        #expect(try store.count() == 200)
    }

    @Test(arguments: [dated(2), dated(1, hash: 2), dated(1, of: elm)])
    func `another time, payload or device is another reading`(other: Arrival) throws {
        #expect(try store.recordEach([dated(1), other, dated(1), other]) == [true, true, false, false])
    }

    @Test
    func `the path of a dated reading does not matter`() throws {
        var ways = [dated(1), dated(1), dated(1)]
        ways[1].delivery = Delivery(serverID: home, packetIdentifier: 1, connection: 1, isSessionResumed: false)
        ways[2].delivery = Delivery(serverID: club, packetIdentifier: 9, connection: 2, isSessionResumed: true)
        ways[2].reading.receivedAt = Timestamp(milliseconds: 99)

        #expect(try store.recordEach(ways) == [true, false, false])
    }

    // MARK: - Without a time from the device

    @Test(arguments: [TimeQuality.estimated, .corrected])
    func `a message that comes again after a reconnect is one reading`(quality: TimeQuality) throws {
        let first = undated(7, connection: 1, received: 100, quality: quality)
        let again = undated(7, connection: 2, received: 900, quality: quality)

        #expect(try store.recordEach([first, again]) == [true, false])
        #expect(try store.all().map(\.sampledAt.milliseconds) == [100])
    }

    @Test(arguments: [
        undated(8, connection: 2),  // another packet identifier: a quiet pool repeats its values
        undated(7, connection: 1),  // the same connection: the identifier was reused
        undated(7, connection: 2, server: club),  // another broker
        undated(7, connection: 2, hash: 2),  // another payload
        undated(7, connection: 2, of: elm),  // another device of the same topic
        undated(7, connection: 2, resumed: false),  // the broker had forgotten everything
        undated(nil),  // QoS 0 is delivered at most once
    ])
    func `anything else is another reading`(other: Arrival) throws {
        #expect(try store.recordEach([undated(7, connection: 1), other]) == [true, true])
    }

    @Test
    func `equal messages without a packet identifier are all readings`() throws {
        #expect(try store.recordEach([undated(nil), undated(nil), undated(nil)]) == [true, true, true])
    }

    @Test
    func `a message may come again on every connection`() throws {
        #expect(
            try store.recordEach((1...5).map { undated(7, connection: $0) }) == [true, false, false, false, false])
    }

    @Test
    func `on one connection a message comes again only once, then it is a new one`() throws {
        #expect(
            try store.recordEach([
                undated(1, connection: 1), undated(1, connection: 2), undated(1, connection: 2),
                undated(1, connection: 2),
            ]) == [true, false, true, true])
    }

    @Test
    func `two equal messages under way come again as two`() throws {
        // A broker that reused the identifier delivered both.
        #expect(
            try store.recordEach([
                undated(1, connection: 1), undated(1, connection: 1), undated(1, connection: 2),
                undated(1, connection: 2), undated(1, connection: 2),
            ]) == [true, true, false, false, true])
    }

    @Test
    func `connections of an earlier opening are others, even with the same number`() throws {
        #expect(try store.recordEach([undated(7, connection: 1)]) == [true])
        try store.close()

        let reopened = try HistoryStore(path: place.path("history.sqlite"))

        #expect(try reopened.recordEach([undated(7, connection: 1), undated(7, connection: 1)]) == [false, true])
    }

    @Test
    func `the last 64 deliveries of a broker are remembered`() throws {
        let count = UInt16(HistoryStore.deliveryCountMax)
        try store.record((1...count).map { undated($0) })
        try store.record((1...200).map { undated($0, server: club) })

        let rows = try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM delivery") }

        #expect(rows == 2 * HistoryStore.deliveryCountMax)
        #expect(try store.recordEach([undated(1, connection: 2), undated(count, connection: 2)]) == [false, false])
        #expect(try store.recordEach([undated(500, connection: 2)]) == [true])
        #expect(try store.recordEach([undated(2, connection: 3), undated(1, connection: 3)]) == [false, true])
    }

    @Test
    func `all that a broker has under way comes again in one burst`() throws {
        let burst = (1...64).map { undated($0) }
        try store.record(burst)

        let again = try store.record((1...64).map { undated($0, connection: 2) })

        #expect(again.allSatisfy { $0 == .duplicate })
    }

    @Test
    func `what was deleted is still recognised when it comes again`() throws {
        try store.record([undated(7, connection: 1), dated(3)])
        try store.deleteAll(of: oak)

        #expect(try store.recordEach([undated(7, connection: 2), dated(3)]) == [false, false])
        #expect(try store.count() == 0)
    }
}
