import DatabaseFixture
import Foundation
import HistoryMirror
import PoolModel
import PoolStore
import Postgres
import Primitives
import PrivateCluster
import TestSupport
import Testing

/// A history that is copied into a real PostgreSQL, row by row.
@Suite(.timeLimit(.minutes(20))) struct HistoryMirrorTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("history.sqlite")
    }

    private func mirror(_ database: Database, as hub: String = "hub", of history: String? = nil) -> HistoryMirror {
        HistoryMirror(history: history ?? path, hub: hub, database: database)
    }

    private func copyAll(_ mirror: HistoryMirror, limit: Int = 7) async throws {
        while try await mirror.copy(limit: limit) > 0 {}
    }

    @Test func `each reading is copied once, in order, as it was stored`() async throws {
        let database = Database(try await TestCluster.shared.database(), connections: 1)
        defer { database.close() }
        let store = try HistoryStore(path: path)
        try store.record(1...20)
        let mirror = mirror(database)
        try await mirror.prepare()
        #expect(try await mirror.copy(limit: 15) == 15)
        #expect(try mirror.lag().readings == 5)
        #expect(try await mirror.copy(limit: 15) == 5)
        #expect(try await mirror.copy(limit: 15) == 0)
        try store.record(21...22)
        try await copyAll(mirror)

        #expect(try await rows(of: "hub", in: database) == readings(through: 22))
        let lag = try mirror.lag()
        #expect(lag.readings == 0 && lag.oldest == nil && lag.copiedAt != nil)
        #expect(try store.mirrorLag()?.readings == 0)
        // What is removed from the history stays in the mirror.
        _ = try store.beginDeletion(
            of: oak, from: Timestamp(milliseconds: .min), through: Timestamp(milliseconds: .max))
        while try store.maintain(
            now: Timestamp(milliseconds: 1_700_000_001_000), retention: Retention(rawDays: 30, summaryDays: 365),
            corrections: Corrections()) != .nothing
        {}
        #expect(try store.count() < 22)
        try store.record(23...23)
        try await copyAll(mirror)
        #expect(try await rows(of: "hub", in: database) == readings(through: 23))
    }

    @Test func `every quantity has a column, and values and times at their ends arrive`() async throws {
        let database = Database(try await TestCluster.shared.database(), connections: 1)
        defer { database.close() }
        let store = try HistoryStore(path: path)
        var values = QuantityMap<Double>()
        for (index, quantity) in Quantity.allCases.enumerated() { values[quantity] = 0.1 * Double(index + 1) }
        values[.temperature] = .infinity
        values[.ph] = -.infinity
        values[.orp] = .leastNonzeroMagnitude
        for (number, time) in [Int64.min, .max, -1].enumerated() {
            let reading = Reading(
                deviceID: oak, values: values, sampledAt: Timestamp(milliseconds: time), timeQuality: .device,
                receivedAt: Timestamp(milliseconds: 1))
            try store.record(Arrival(reading: reading, payloadHash: UInt64(number), delivery: nil))
        }
        let mirror = mirror(database)
        try await mirror.prepare()
        try await copyAll(mirror)
        let stored = values
        try await database.transaction { connection in
            let row = try #require(try connection.execute("SELECT * FROM poolsensors.readings ORDER BY row").first)
            for quantity in Quantity.allCases {
                #expect(try row[quantity.rawValue] == stored[quantity], "\(quantity)")
            }
            let times = try connection.execute(
                "SELECT isfinite(sampled_at) AS f, sampled_at < now() AS b FROM poolsensors.readings ORDER BY row"
            ).map { (try $0["f"] as Bool, try $0["b"] as Bool) }
            #expect(times.map(\.0) == [false, false, true])
            #expect(times.map(\.1) == [true, false, true])
        }
    }

    @Test func `a mirror that is killed at any point goes on without a gap, and nothing is there twice`() async throws {
        let string = try await TestCluster.shared.database()
        let database = Database(string, connections: 1)
        defer { database.close() }
        let store = try HistoryStore(path: path)
        try await mirror(database).prepare()
        var count: Int64 = 0
        for round in 0..<12 {
            try store.record((count + 1)...(count + 60))
            count += 60
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, string = string as String, round = round as Int] in
                let database = Database(string, connections: 1)
                let mirror = HistoryMirror(history: path, hub: "hub", database: database)
                let killer = Killer(afterCount: 2 + round % 5, spinning: 30_000 * round)
                while true {
                    _ = try await mirror.copy(limit: 3)
                    killer.count()
                }
            }
        }
        let before = try await rows(of: "hub", in: database)
        #expect(!before.isEmpty && before.count < Int(count))
        #expect(before == readings(through: Int64(before.count)), "a part has no gap")
        try await copyAll(mirror(database))
        #expect(try await rows(of: "hub", in: database) == readings(through: count))
    }

    @Test func `a mirror whose server is killed at any point goes on without a gap, and nothing is there twice`()
        async throws
    {
        var options = PrivateCluster.Options()
        options.settings = ["fsync=off"]
        let cluster = try await PrivateCluster(
            folder: folder.path("c"), environment: ProcessInfo.processInfo.environment, options: options)
        let starts = Recorder<Int>()
        let running = Task {
            try await cluster.run(onTrouble: { _ in starts.record(2) }, onReady: { starts.record(1) })
        }
        await starts.wait { !$0.isEmpty }
        let database = Database(cluster.connectionString, connections: 1, patience: .seconds(600))
        let store = try HistoryStore(path: path)
        try store.record(1...400)
        let mirror = mirror(database)
        try await mirror.prepare()
        let killing = Task { [cluster] in
            for _ in 0..<4 {
                let before = try await rows(of: "hub", in: database).count
                try await poll("the mirror goes on") { try await rows(of: "hub", in: database).count > before }
                if let server = cluster.processIdentifier { kill(server, SIGKILL) }
            }
        }
        while true {
            do {
                if try await mirror.copy(limit: 2) == 0 { break }
            } catch PostgresError.unknownOutcome {
                // The next one finds out.
            }
        }
        killing.cancel()
        _ = try? await killing.value
        #expect(starts.items.contains(2), "the server was killed")
        #expect(try await rows(of: "hub", in: database) == readings(through: 400))

        // The same with the answer to a commit that never arrives.
        let relay = try CommitRelay(to: "\(cluster.folder)/.s.PGSQL.5432", at: folder.path(".s.PGSQL.5432"))
        let cut = Database(
            "host='\(folder.path)' user=postgres dbname=postgres sslmode=disable gssencmode=disable",
            connections: 1, patience: .seconds(600))
        try store.record(401...410)
        let second = self.mirror(cut)
        relay.dropNextCommit()
        let error = await #expect(throws: PostgresError.self) { try await second.copy(limit: 4) }
        guard case .unknownOutcome = error else {
            Issue.record("it was \(String(describing: error))")
            return
        }
        try await copyAll(second, limit: 4)
        #expect(try await rows(of: "hub", in: database) == readings(through: 410))
        for database in [cut, database] { database.close() }
        relay.close()
        running.cancel()
        try? await running.value
    }

    @Test func `several mirrors of a hub at once take turns, while the hub records`() async throws {
        let string = try await TestCluster.shared.database()
        let databases = (0..<4).map { _ in Database(string, connections: 1) }
        defer { for database in databases { database.close() } }
        let store = try HistoryStore(path: path)
        let path = path
        try await withThrowingTaskGroup(of: Int.self) { group in
            for database in databases {
                group.addTask {
                    let mirror = HistoryMirror(history: path, hub: "hub", database: database)
                    try await mirror.prepare()
                    var sum = 0
                    while try await rows(of: "hub", in: database).count < 600 {
                        sum += try await mirror.copy(limit: 11)
                    }
                    return sum
                }
            }
            group.addTask {
                for step in 0..<60 { try store.record((Int64(step) * 10 + 1)...(Int64(step) * 10 + 10)) }
                return 0
            }
            let sum = try await group.reduce(0, +)
            #expect(sum == 600, "what one copied, no other one did")
        }
        #expect(try await rows(of: "hub", in: databases[0]) == readings(through: 600))
    }

    @Test func `another history under the same name is refused, and has a name of its own`() async throws {
        let database = Database(try await TestCluster.shared.database(), connections: 1)
        defer { database.close() }
        let store = try HistoryStore(path: path)
        try store.record(1...10)
        try store.backUp(to: folder.path("copy.sqlite"))
        try store.record(11...20)
        let mirror = mirror(database)
        try await mirror.prepare()
        try await copyAll(mirror)
        try store.close()
        // The copy is put back, and other readings come: those of rows 11 to 20 are not those that were copied.
        try HistoryBackup.restore(folder.path("copy.sqlite"), to: path)
        await #expect(throws: MirrorError.otherHistory(hub: "hub", row: 20, newest: 10)) {
            try await mirror.copy()
        }
        let restored = try HistoryStore(path: path)
        try restored.record(31...45)
        await #expect(throws: MirrorError.otherHistory(hub: "hub", row: 20, newest: 25)) {
            try await mirror.copy()
        }
        #expect(try await rows(of: "hub", in: database) == readings(through: 20), "nothing was mixed")
        let other = self.mirror(database, as: "hub 2")
        try await other.prepare()
        try await copyAll(other)
        #expect(try await rows(of: "hub 2", in: database).count == 25)
    }

    @Test func `readings that wait for an hour are an alarm, unless others were copied meanwhile`() {
        let noon = Timestamp(milliseconds: 1_800_000_000_000)
        func lag(oldest: Int64?, copied: Int64?) -> MirrorLag {
            MirrorLag(
                readings: oldest == nil ? 0 : 3, oldest: oldest.map { noon.advanced(byMilliseconds: -$0 * 1000) },
                copiedAt: copied.map { noon.advanced(byMilliseconds: -$0 * 1000) })
        }
        let table: [(Int64?, Int64?, Bool)] = [
            (nil, nil, false), (nil, 9000, false), (3599, nil, false), (3600, nil, true), (86_400, 10, false),
            (86_400, 3600, true), (10, 86_400, false), (-10, nil, false),
        ]
        for (oldest, copied, isAlarming) in table {
            #expect(lag(oldest: oldest, copied: copied).isAlarming(at: noon) == isAlarming, "\(table)")
        }
        #expect(lag(oldest: 3661, copied: nil).words(at: noon) == "3 readings wait, the first of them for 1h1m1s")
        #expect(lag(oldest: nil, copied: nil).words(at: noon) == "nothing waits")
    }

    @Test func `a mirror without its server says so once, is in alarm after an hour, and catches up`() async throws {
        let string = try await TestCluster.shared.database()
        let store = try HistoryStore(path: path)
        try store.record(1...5)
        let news = Recorder<MirrorNews>()
        // The readings are of 2023, and have waited for longer than an hour.
        let away = Database("host=/nowhere", connections: 1, patience: .milliseconds(1))
        let waiting = Task { [path] in
            try await MirrorRun(HistoryMirror(history: path, hub: "hub", database: away), pause: .milliseconds(5))
                .run { news.record($0) }
        }
        await news.wait { $0.count == 2 }
        waiting.cancel()
        _ = try? await waiting.value
        away.close()
        guard case .trouble(let reason) = news.items.first, case .alarm(let lag) = news.items.last else {
            Issue.record("it was \(news.items)")
            return
        }
        #expect(reason.contains("/nowhere"))
        #expect(lag.readings == 5)

        let later = Recorder<MirrorNews>()
        let database = Database(string, connections: 1)
        defer { database.close() }
        let running = Task { [path] in
            try await MirrorRun(HistoryMirror(history: path, hub: "hub", database: database), pause: .milliseconds(5))
                .run { later.record($0) }
        }
        await later.wait { !$0.isEmpty }
        try store.record(6...9)
        await later.wait { $0.count == 2 }
        running.cancel()
        _ = try? await running.value
        let counts = later.items.map { item -> [Int] in
            guard case .copied(let count, let lag) = item else { return [] }
            return [count, lag.readings]
        }
        #expect(counts == [[5, 0], [4, 0]])
    }
}
