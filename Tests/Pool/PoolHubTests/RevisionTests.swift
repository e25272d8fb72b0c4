import GRDB
import PoolControl
import PoolHub
import PoolModel
import TestSupport
import Testing

/// Comparing revisions of the configuration, and restoring one.
@Suite struct RevisionTests {
    private let place: TestHubFolder

    init() throws {
        place = try TestHubFolder()
    }

    @discardableResult
    private func ask(_ request: HubCommand) async throws -> HubReply {
        try await HubClient.perform(request, path: place.path)
    }

    private func report() async throws -> HubState {
        guard case .state(let report) = try await ask(.state) else { throw NotRunning() }
        return report
    }

    private func differences(_ first: UInt64, _ second: UInt64? = nil) async throws -> [ConfigurationDifference] {
        guard case .differences(let all) = try await ask(.diff(from: first, to: second)) else { throw NotRunning() }
        return all
    }

    /// Creates a hub with a server, a device and a pool.
    ///
    /// Returns its revision.
    private func configured() async throws -> UInt64 {
        var server = ServerPatch()
        server.name = "Home"
        server.host = "broker.example"
        try await ask(.edit(.addServer(server)))
        var pool = PoolPatch()
        pool.name = "Garden"
        pool.volume = 48
        try await ask(.edit(.addPool(pool)))
        var device = DevicePatch()
        device.name = "Lagoon"
        device.topic = "pool/1"
        device.poolID = .set(try await report().poolID("Garden"))
        try await ask(.edit(.addDevice(device)))
        return try await report().revision
    }

    @Test func `two revisions are compared in words`() async throws {
        let revision = try await configured()
        let limits = Limits(criticalLow: 6.5, low: 7, high: 7.4, criticalHigh: 7.8)
        try await ask(.edit(.setLimits(.pool(report().poolID("Garden")), .ph, limits)))
        var rename = DevicePatch()
        rename.name = "Spa"
        try await ask(.edit(.editDevice(report().deviceID("Lagoon"), rename)))

        let since = try await differences(revision)
        #expect(since.map(\.subject) == [#"name of the device "Lagoon""#, #"pH limits of the pool "Garden""#])
        #expect(since[0].before == #""Lagoon""#)
        #expect(since[0].after == #""Spa""#)
        #expect(since[1].before == nil)
        #expect(try await differences(revision, revision + 1).map(\.subject) == [since[1].subject])
        #expect(try await differences(revision + 1, revision).first?.after == nil)
        #expect(try await differences(0).count > 5)
    }

    @Test func `a restored revision brings back what was removed, and is one change more`() async throws {
        let revision = try await configured()
        let before = try await report()
        try await ask(.edit(.removeServer(report().serverID("Home"), cascading: true)))
        try await ask(.edit(.removePool(report().poolID("Garden"))))
        let removed = try await report()
        #expect(removed.devices.isEmpty && removed.pools.isEmpty)

        try await ask(.restoreRevision(revision))

        let restored = try await report()
        #expect(restored.devices.map(\.name) == ["Lagoon"])
        #expect(restored.devices.first?.device.poolID == before.pools.first?.id)
        #expect(restored.servers.map(\.id) == before.servers.map(\.id))
        #expect(restored.revision == removed.revision + 1)
        #expect(try await differences(revision) == [])
        guard case .done(let sentence) = try await ask(.restoreRevision(revision)) else { throw NotRunning() }
        #expect(sentence.contains("is what it was"))
    }

    @Test func `an invitation is no change of the configuration`() async throws {
        let hub = TestHub(place)
        try await hub.start()
        _ = try await hub.perform(.invite(name: "Wrist", validForSeconds: 60))
        let revision = try await report().revision
        try await hub.stop()
        #expect(revision > 0)
        #expect(try await differences(revision) == [])
    }

    @Test func `a revision before a gap in the log, which dropped changes of one watch, is not made up`() async throws {
        let revision = try await configured()
        for name in ["Spa", "Lagune"] {
            var rename = DevicePatch()
            rename.name = name
            try await ask(.edit(.editDevice(try #require(report().devices.first).id, rename)))
        }
        let queue = try DatabaseQueue(path: place.path + "/hub.sqlite")
        try await queue.write { database in
            try database.execute(sql: "DELETE FROM log WHERE revision = ?", arguments: [Self.text(revision + 1)])
        }
        try queue.close()

        // The revision behind the gap is known, and nothing before it.
        #expect(try await differences(revision + 2) == [])
        for lost in [revision, revision - 1] {
            let error = await #expect(throws: (any Error).self) { try await differences(lost) }
            #expect("\(try #require(error))".contains("the oldest one that it has is \(revision + 2)"))
        }
    }

    private static func text(_ revision: UInt64) -> String {
        let digits = String(revision, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    @Test func `a revision that is not there yet is refused with the present one`() async throws {
        let revision = try await configured()
        let error = await #expect(throws: (any Error).self) { try await ask(.diff(from: revision + 1, to: nil)) }
        #expect("\(try #require(error))".contains("the configuration is at \(revision)"))
    }
}
