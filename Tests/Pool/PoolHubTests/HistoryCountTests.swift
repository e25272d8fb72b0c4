import Testing

@testable import PoolHub

/// What the list of devices adds to the readings that the history holds: those that were stored after it was counted.
@Suite struct HistoryCountTests {
    /// A history and what ingest says of it; a reading may be stored while the history is counted.
    private final class Water {
        var stored: [String: Int] = ["Lagoon": 7]
        /// How many readings are stored in each of the next counts, before and after the rows are read.
        var meanwhile: [(before: Int, after: Int)] = []
        private(set) var countings = 0

        init(meanwhile: [(before: Int, after: Int)] = []) { self.meanwhile = meanwhile }

        func count() -> Int {
            countings += 1
            let (before, after) = meanwhile.isEmpty ? (0, 0) : meanwhile.removeFirst()
            stored["Lagoon", default: 0] += before
            defer { stored["Lagoon", default: 0] += after }
            return stored["Lagoon", default: 0]
        }
    }

    private func counted(_ water: Water) async throws -> (count: Int, stored: [String: Int]) {
        try await HubStateObserver.counted({ water.stored }, while: { water.count() })
    }

    @Test func `a history that nothing is added to is counted once`() async throws {
        let water = Water()
        let (count, stored) = try await counted(water)
        #expect(count == 7 && stored == ["Lagoon": 7] && water.countings == 1)
    }

    @Test func `a reading that is stored while the history is counted is not added to the count`() async throws {
        let water = Water(meanwhile: [(before: 1, after: 0), (before: 0, after: 2)])
        let (count, stored) = try await counted(water)
        #expect(count == 10 && stored == ["Lagoon": 10] && water.countings == 3)
    }

    @Test func `where readings never pause, none is in the sum twice`() async throws {
        let water = Water(meanwhile: Array(repeating: (before: 1, after: 1), count: 100))
        let (count, stored) = try await counted(water)
        let later = water.stored["Lagoon", default: 0] + 5
        #expect(water.countings == HubStateObserver.countAttemptMax)
        #expect(count + later - stored["Lagoon", default: 0] <= later)
    }
}
