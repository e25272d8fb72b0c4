import Postgres
import Primitives
import RidesApp
import RidesModel
import RidesServer
import TestSupport
import Testing

/// The feed of events: in order, each once, none lost, whatever commits when.
@Suite(.timeLimit(.minutes(20))) struct EventTests {
    @Test func `a serial number alone loses an event that commits late, and the feed does not`() async throws {
        let town = try await Town()
        defer { town.database.close() }
        let client = try await town.client()
        guard case .client(let id) = client else { return }
        let ride = try await town.ask(client)
        let insert: StaticString =
            "INSERT INTO course_evenement (course_id, client_id, genre) VALUES ($1, $2, 'arrive') RETURNING id"
        _ = try await town.events(of: client)
        let slow = try Connection(town.string)
        try slow.execute("BEGIN")
        let late = try #require(try slow.execute(insert, .int(ride), .int(id)).first?["id"] as Int?)
        let early = try await town.database.transaction {
            try #require(try $0.execute(insert, .int(ride), .int(id)).first?["id"] as Int?)
        }
        #expect(late < early)
        let seen = try await town.database.transaction {
            try $0.execute("SELECT max(id) AS id FROM course_evenement").first?["id"] as Int?
        }
        #expect(seen == early, "a reader by number goes on behind it, and never sees the late one")
        let before = try await town.store.events(after: .start, limit: 99, as: .person(client))
        #expect(before.map(\.genre) == [.demande], "what may still be overtaken waits")
        #expect(try await town.store.oldestTransactionSeconds() > 0)
        try slow.execute("COMMIT")
        let last = try #require(before.last?.position)
        let after = try await town.events(of: client).filter { $0.position > last }
        #expect(Set(after.map(\.position.id)) == [late, early])
    }

    @Test func `readers who page while many write see each event once, in one order`() async throws {
        let town = try await Town(connections: 10)
        defer { town.database.close() }
        let client = try await town.client()
        guard case .client(let id) = client else { return }
        let ride = try await town.ask(client)
        let (writers, each) = (6, Town.rounds(40, large: 2000))
        let done = Recorder<Int>()
        let read = try await withThrowingTaskGroup(of: [RideEvent.Position]?.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var generator = SplitMix64(seed: UInt64(writer))
                    for _ in 0..<each {
                        let pause = Double.random(in: 0...0.004, using: &generator)
                        try await town.database.transaction { connection in
                            for _ in 0..<2 {
                                try connection.execute(
                                    "INSERT INTO course_evenement (course_id, client_id, genre) VALUES ($1, $2, 'arrive')",
                                    .int(ride), .int(id))
                                try connection.execute("SELECT pg_sleep($1)", .double(pause))
                            }
                        }
                    }
                    return nil
                }
            }
            group.addTask {
                var positions: [RideEvent.Position] = []
                while true {
                    // In this order: what is held back now is on the next page.
                    let isDone = !done.items.isEmpty
                    let isLast = try await town.isSettled() && isDone
                    let page = try await town.store.events(
                        after: positions.last ?? .start, limit: 7, as: .person(client))
                    positions += page.map(\.position)
                    if isLast, page.isEmpty { return positions }
                }
            }
            for _ in 0..<writers { _ = try await group.next() }
            done.record(writers)
            return try await group.next() ?? nil
        }
        let positions = try #require(read)
        #expect(positions.count == writers * each * 2 + 1)
        #expect(positions == positions.sorted())
        #expect(Set(positions).count == positions.count)
    }
}
