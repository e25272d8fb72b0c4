import PoolModel
import Testing

@testable import PoolStore

@Suite
struct AlertStoreTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path(of: "history.sqlite"))
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test
    func `states are replaced, removed and survive`() throws {
        try store.alerts.put("oak/ph/high", bytes("1"))
        try store.alerts.apply([
            .put(key: "oak/ph/high", json: bytes("2")), .put(key: "b", json: []), .put(key: "c", json: [0]),
            .remove(key: "b"), .remove(key: "none"),
        ])
        try store.close()

        #expect(try HistoryStore(path: store.path).alerts.all() == ["oak/ph/high": bytes("2"), "c": [0]])
    }

    @Test
    func `an alert is stored with its reading or not at all`() throws {
        let changes: (Reading) -> [AlertChange] = { reading in
            [
                .append(time: reading.sampledAt, json: [1]),
                .enqueue(channel: "mqtt", json: [2], nextAttempt: reading.sampledAt),
            ]
        }
        // The second is a duplicate: it is not judged again.
        try store.record([dated(5), dated(5)], changes: changes)
        #expect(try store.alerts.events(limit: 9).map(\.time) == [moment(5)])

        try store.limitPages(by: 4)
        #expect(throws: HistoryError.full(path: store.path)) {
            try store.record((10..<5000).map { dated($0) }, changes: changes)
        }

        #expect(try store.count() == 1)
        #expect(try store.alerts.events(limit: 9).count == 1)
        #expect(try store.alerts.due(now: moment(.max), limit: 9).count == 1)
    }

    @Test
    func `the log keeps the newest events, and says how many it gave up`() throws {
        let count = AlertStore.eventCountMax + 3
        try store.alerts.apply((0..<count).map { .append(time: moment(Int64($0)), json: bytes("\($0)")) })

        let newest = try store.alerts.events(limit: 2)
        let rest = try store.alerts.events(before: newest.last?.id, limit: .max)

        #expect(newest.map(\.json) == [bytes("\(count - 1)"), bytes("\(count - 2)")])
        #expect(rest.count == AlertStore.eventCountMax - 2)
        #expect(rest.last?.time == moment(3))
        #expect(try store.alerts.prunedCounts() == (3, 0))
    }

    @Test
    func `a message waits for its time, and for its delivery`() throws {
        let alerts = store.alerts
        try alerts.apply([
            .enqueue(channel: "webhook", json: bytes("{}"), nextAttempt: moment(20)),
            .enqueue(channel: "mqtt", json: bytes("[]"), nextAttempt: moment(10)),
        ])

        #expect(try alerts.due(now: moment(9), limit: 9).isEmpty)
        #expect(try alerts.nextAttempt() == moment(10))
        #expect(try alerts.due(now: moment(20), limit: 9).map(\.channel) == ["mqtt", "webhook"])
        let first = try #require(try alerts.due(now: moment(20), limit: 1).first)
        #expect(try alerts.failed(first.id, nextAttempt: moment(90)) == 1)
        #expect(try alerts.failed(first.id, nextAttempt: moment(91)) == 2)
        #expect(try alerts.due(now: moment(20), limit: 9).map(\.channel) == ["webhook"])
        #expect(try alerts.delivered(first.id) && !alerts.delivered(first.id))
        #expect(try alerts.failed(first.id, nextAttempt: moment(91)) == nil)
        // An id is never used again, so that a receiver can tell a repetition.
        try alerts.apply([.enqueue(channel: "mqtt", json: [], nextAttempt: moment(0))])
        #expect(try alerts.due(now: moment(0), limit: 1).map(\.id) == [3])
    }

    @Test
    func `an outbox that nobody empties gives up the oldest messages`() throws {
        try store.alerts.apply(
            (0..<(AlertStore.outboxCountMax + 2)).map {
                .enqueue(channel: "webhook", json: [], nextAttempt: moment(Int64($0)))
            })

        #expect(try store.alerts.nextAttempt() == moment(2))
        #expect(try store.alerts.prunedCounts() == (0, 2))
    }
}
