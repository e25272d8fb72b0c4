import DatabaseFixture
import Platform
import Postgres
import Primitives
import PrivateCluster
import TestSupport
import Testing

/// The wrapper of libpq on a real server.
@Suite(.timeLimit(.minutes(20))) struct PostgresTests {
    private func database(connections: Int = 2) async throws -> (Database, string: String) {
        let string = try await TestCluster.shared.database()
        return (Database(string, connections: connections), string)
    }

    @Test func `C24 values go in and come out in binary, with their ends`() async throws {
        let (database, _) = try await database()
        defer { database.close() }
        try await database.transaction { connection in
            let row = try #require(
                try connection.execute(
                    """
                    SELECT $1::bigint AS i, $2::bool AS b, $3::float8 AS d, $4::text AS t, $5::bytea AS y,
                        $6::timestamptz AS m, $7::bigint AS n, -7::smallint AS s, -8 AS o, '{"a":1}'::json AS j,
                        $8::bigint[] = '{1,-2}' AS a, $9::text[] = '{"x",""}' AS c, $10::float8[] = '{}' AS e
                    """, .int(.max), .bool(true), .double(-0.1), .text("é\u{1F600} '; --"), .bytes([0, 255, 1]),
                    .time(Timestamp(milliseconds: -1)), .int(nil), .ints([1, -2]), .texts(["x", ""]), .doubles([])
                ).first)
            #expect(try row["i"] == Int.max)
            #expect(try row["b"] == true)
            #expect(try row["d"] == -0.1)
            #expect(try row["t"] == "é\u{1F600} '; --")
            #expect((try row["y"] as RawBytes).bytes == [0, 255, 1])
            #expect(try row["m"] == Timestamp(milliseconds: -1))
            #expect(try row["n"] as Int? == nil)
            #expect(try row["s"] == -7)
            #expect(try row["o"] == -8)
            #expect(try row["j"] == #"{"a":1}"#)
            for name in ["a", "c", "e"] { #expect(try row[name] == true, "\(name)") }
            #expect(throws: PostgresError.column("n", "is NULL, which was not expected")) { try row["n"] as Int }
            #expect(throws: PostgresError.column("t", "has the type 25, which was not expected")) {
                try row["t"] as Int
            }
            #expect(throws: PostgresError.column("zz", "is not in the result")) { try row["zz"] as Int }
        }
    }

    @Test func `what another program has locked is waited for, but not for ever`() async throws {
        let (database, string) = try await database()
        defer { database.close() }
        let usual = try Connection(string)
        #expect(try usual.execute("SELECT current_setting('lock_timeout') AS v").first?["v"] == "10s")
        try usual.execute("CREATE TABLE locked (id bigint)")
        try usual.execute("BEGIN")
        try usual.execute("LOCK TABLE locked IN ACCESS EXCLUSIVE MODE")
        // A time of the string's own stays.
        let hasty = Database("\(string) options='-c lock_timeout=50ms'", connections: 1)
        defer { hasty.close() }
        do {
            try await hasty.execute("SELECT * FROM locked")
            Issue.record("it did not wait")
        } catch let error as PostgresError {
            #expect(error.isLocked && !error.isConnectionLost, "\(error)")
        }
        try usual.execute("COMMIT")
        #expect(try await hasty.execute("SELECT * FROM locked") == 0)
    }

    @Test(arguments: [
        ("0", Int64(0)), ("0.01", 1), ("-0.01", -1), ("12.50", 1250), ("99999999.99", 9_999_999_999),
        ("-99999999.99", -9_999_999_999), ("10000", 1_000_000), ("0.10", 10), ("1234567890123", 123_456_789_012_300),
    ])
    func `C15 C24 numerics are exact hundredths`(_ text: String, _ hundredths: Int64) async throws {
        let (database, _) = try await database(connections: 1)
        defer { database.close() }
        let value = try await database.transaction { connection in
            try connection.execute("SELECT $1::text::numeric AS v", .text(text)).first?["v"] as Hundredths?
        }
        #expect(value?.value == hundredths)
    }

    @Test(arguments: [
        ("NaN", "is NaN: expected a number"), ("Infinity", "is infinite: expected a number"),
        ("0.001", "has more than two decimals"), ("100000000000000000000", "is too large"),
    ])
    func `C15 a numeric that is no amount is an error`(_ text: String, _ reason: String) async throws {
        let (database, _) = try await database(connections: 1)
        defer { database.close() }
        await #expect(throws: PostgresError.column("v", reason)) {
            try await database.transaction { connection in
                try connection.execute("SELECT $1::text::numeric AS v", .text(text)).first?["v"] as Hundredths?
            }
        }
    }

    @Test func `a refused statement names its state and constraint, and nothing of the transaction stays`() async throws
    {
        let (database, _) = try await database()
        defer { database.close() }
        try await database.execute("CREATE TABLE t (n bigint CONSTRAINT small CHECK (n < 5))")
        let error = await #expect(throws: PostgresError.self) {
            try await database.transaction { connection in
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT INTO t VALUES ($1)", .int(9))
            }
        }
        guard case .server("23514", _, "small") = error else {
            Issue.record("it was another error: \(String(describing: error))")
            return
        }
        let count = try await database.transaction { try $0.execute("SELECT count(*) AS n FROM t").first?["n"] as Int? }
        #expect(count == 0)
    }

    @Test func `an error that the work swallows does not pass for a commit`() async throws {
        let (database, _) = try await database(connections: 1)
        defer { database.close() }
        let error = await #expect(throws: PostgresError.self) {
            try await database.transaction { connection in _ = try? connection.execute("SELECT 1/0") }
        }
        #expect(error?.sqlState == "25P02")
    }

    @Test func `work that a lost connection cut before its commit is done again, once`() async throws {
        let (database, string) = try await database(connections: 1)
        defer { database.close() }
        let killer = Database(string, connections: 1)
        defer { killer.close() }
        try await database.execute("CREATE TABLE t (n bigint)")
        let runs = Lock(0)
        try await database.transaction { connection in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            try connection.execute("INSERT INTO t VALUES (1)")
            guard run == 1 else { return }
            // It ends the connection that it runs on.
            try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        let count = try await killer.transaction { try $0.execute("SELECT count(*) AS n FROM t").first?["n"] as Int? }
        #expect(count == 1)
        #expect(runs.withLock(\.self) == 2)
    }

    @Test func `two that change the same rows in two orders are both done`() async throws {
        let (database, _) = try await database(connections: 2)
        defer { database.close() }
        try await database.execute("CREATE TABLE t AS SELECT g AS id, 0::bigint AS n FROM generate_series(1, 2) g")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<20 {
                let order = round.isMultiple(of: 2) ? [1, 2] : [2, 1]
                group.addTask {
                    try await database.transaction { connection in
                        for id in order { try connection.execute("UPDATE t SET n = n + 1 WHERE id = $1", .int(id)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let sum = try await database.transaction {
            try $0.execute("SELECT sum(n)::bigint AS n FROM t").first?["n"] as Int?
        }
        #expect(sum == 40)
    }

    @Test func `a listener wakes for notifications, and again when its connection was ended`() async throws {
        let (database, string) = try await database()
        defer { database.close() }
        let listener = try Notifications(string)
        let wakes = Recorder<Int>()
        let running = Task {
            try await listener.run("LISTEN words", onTrouble: { _ in }, onWake: { wakes.record(0) })
        }
        await wakes.wait { !$0.isEmpty }
        try await database.execute("SELECT pg_notify('words', '')")
        await wakes.wait { $0.count == 2 }
        try await database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()"
        )
        await wakes.wait { $0.count == 3 }
        running.cancel()
        try await running.value
    }

    @Test func `a server that is not there is told with the reason`() async throws {
        let database = Database("host=/nowhere", connections: 1, patience: .milliseconds(100))
        defer { database.close() }
        let error = await #expect(throws: PostgresError.self) {
            try await database.execute("SELECT 1")
        }
        #expect(error?.isConnectionLost == true)
        #expect(error?.description.contains("/nowhere") == true)
        database.close()
        await #expect(throws: PostgresError.closed) { try await database.transaction { _ in } }
    }
}
