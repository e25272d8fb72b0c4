import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing

/// Commands on behalf of somebody: the log names the author, and a revision can be expected.
@Suite struct AuthoredEditTests {
    private let place: TestHubFolder
    private let hub: TestHub

    init() throws {
        place = try TestHubFolder()
        hub = TestHub(place)
    }

    private func log(_ count: Int = 10) async throws -> [ConfigurationLogEntry] {
        guard case .log(let entries) = try await hub.perform(.log(last: count)) else { throw NotRunning() }
        return entries
    }

    private func garden(volume: Double? = nil) -> PoolPatch {
        var pool = PoolPatch()
        pool.name = "Garden"
        pool.volume = volume
        return pool
    }

    @Test func `V16 the log names who changed something, also after a restart, and the hub where nobody is named`()
        async throws
    {
        try await hub.start()
        _ = try await hub.perform(.edit(.addPool(garden())))
        let id = try await hub.report().poolID("Garden")
        _ = try await hub.perform(.edited(by: "web:Ada", ifRevision: nil, .edit(.editPool(id, garden(volume: 48)))))
        _ = try await hub.perform(
            .edited(by: "web:Ben", ifRevision: nil, .invite(name: "Kitchen", validForSeconds: 60)))
        #expect(try await log().map(\.author).suffix(3) == ["hub", "web:Ada", "web:Ben"])

        try await hub.stop()
        try await hub.start()
        #expect(try await log().map(\.author).suffix(3) == ["hub", "web:Ada", "web:Ben"])
        try await hub.stop()
    }

    @Test func `V16 an edit for another revision changes nothing and says which one it is`() async throws {
        try await hub.start()
        _ = try await hub.perform(.edit(.addPool(garden())))
        let revision = try await hub.report().revision
        let id = try await hub.report().poolID("Garden")
        _ = try await hub.perform(
            .edited(by: "web:Ada", ifRevision: revision, .edit(.editPool(id, garden(volume: 48)))))
        let late = try await hub.perform(
            .edited(by: "web:Ben", ifRevision: revision, .edit(.editPool(id, garden(volume: 12)))))
        guard case .revisionMoved(revision + 1) = late else { throw Unexpected(late) }
        #expect(try await hub.report().pools.first?.volume == 48)
        try await hub.stop()
    }

    @Test func `all limits of a pool are replaced in one change`() async throws {
        try await hub.start()
        _ = try await hub.perform(.edit(.addPool(garden())))
        let id = try await hub.report().poolID("Garden")
        let limits = Limits(criticalLow: 6.5, low: 7, high: 7.4, criticalHigh: 7.8)
        _ = try await hub.perform(
            .edit(.setLimits(.pool(id), .orp, Limits(criticalLow: 1, low: 2, high: 3, criticalHigh: 4))))
        let before = try await hub.report().revision
        _ = try await hub.perform(.edit(.replaceLimits(.pool(id), [.ph: limits])))
        let after = try await hub.report()
        #expect(after.pools.first?.limits == [.ph: limits])
        #expect(after.revision == before + 1)
        try await hub.stop()
    }

    @Test(arguments: ["", String(repeating: "x", count: 97), "web:\u{202E}Ada"])
    func `a name that no log can show is no author`(_ author: String) async throws {
        try await hub.start()
        let answer = try await hub.perform(.edited(by: author, ifRevision: nil, .edit(.addPool(garden()))))
        guard case .refused = answer else { throw Unexpected(answer) }
        #expect(try await hub.report().pools.isEmpty)
        try await hub.stop()
    }
}
