import PoolModel
import TestSupport
import Testing

@testable import PoolStore

@Suite(.longWork)
struct AlertStoreTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
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
    func `the log keeps the newest events`() throws {
        let count = AlertStore.eventCountMax + 3
        try store.alerts.apply((0..<count).map { .append(time: moment(Int64($0)), json: bytes("\($0)")) })

        let newest = try store.alerts.events(limit: 2)
        let rest = try store.alerts.events(before: newest.last?.id, limit: .max)

        #expect(newest.map(\.json) == [bytes("\(count - 1)"), bytes("\(count - 2)")])
        #expect(rest.count == AlertStore.eventCountMax - 2)
        #expect(rest.last?.time == moment(3))
    }
}
