internal import Platform
package import PoolModel
package import PoolStore
package import Postgres
internal import Primitives

/// Copies a hub's history into a PostgreSQL database, row by row in the order of arrival, each once.
///
/// The history stays what is durable; the database has the place up to which it was copied, in the same transaction as the
/// readings. So a process or a server may be killed at any point, and several mirrors of one hub may run at once: they take
/// turns. What is removed from the history stays in the database.
package struct HistoryMirror: Sendable {
    private let hub: String
    private let path: String
    private let database: Database

    /// Prepares a mirror; nothing is opened.
    ///
    /// - Parameters:
    ///   - history: The path of the history's file, which a hub may be writing.
    ///   - hub: The name under which the database has its rows.
    ///   - database: The database, whose user may create a schema, or owns the schema `poolsensors`.
    package init(history: String, hub: String, database: Database) {
        path = history
        self.hub = hub
        self.database = database
    }

    /// Makes the tables, if they are not there, and the hub's place.
    ///
    /// - Throws: `PostgresError`.
    package func prepare() async throws {
        // Two mirrors that begin at once would make the same twice, which PostgreSQL refuses even with IF NOT EXISTS.
        @Sendable func lock(_ connection: Connection) throws {
            try connection.execute("SELECT pg_advisory_xact_lock(4421)")
        }
        try await database.transaction { [hub] connection in
            try lock(connection)
            try connection.run(MirrorTables.script)
            try connection.execute(
                "INSERT INTO poolsensors.hub (hub) VALUES ($1) ON CONFLICT DO NOTHING", .text(hub))
        }
        do {
            try await database.transaction { connection in
                try lock(connection)
                try connection.run(MirrorTables.view)
            }
        } catch PostgresError.server("42P16", _, _) {
            // A newer program has made it, with more columns.
        }
    }

    /// Copies the readings that come next, in one transaction, and notes the place beside the history.
    ///
    /// - Parameter limit: The most readings, from 1.
    /// - Returns: How many it copied; fewer than `limit` if there are no more.
    /// - Throws: ``MirrorError``, `HistoryError`, `PostgresError`. If the outcome is unknown, the next call finds out.
    package func copy(limit: Int = 1000) async throws -> Int {
        let (path, hub) = (path, hub)
        let (count, row) = try await database.transaction { connection in
            let place = try connection.execute(
                "SELECT last_row FROM poolsensors.hub WHERE hub = $1 FOR UPDATE", .text(hub))
            guard let last: Int = try place.first?["last_row"] else { throw MirrorError.unknownHub(hub) }
            let part = try HistoryTail(path: path).read(after: Int64(last), limit: limit)
            try Self.check(part, continues: last, of: hub, connection)
            guard let end = part.readings.last?.ordinal.map(Int.init) else { return (0, last) }
            try Self.insert(part.readings, of: hub, connection)
            try connection.execute(
                "UPDATE poolsensors.hub SET last_row = $2, copied_at = now() WHERE hub = $1", .text(hub), .int(end))
            return (part.readings.count, end)
        }
        // It is only beside the history: if it is old after a crash, the next call writes it.
        let marked = try MirrorMark.read(ofHistory: path)
        if count > 0 || marked?.row != Int64(row) {
            try MirrorMark(row: Int64(row), copiedAt: .now).write(ofHistory: path)
        }
        return count
    }

    /// What is not copied yet, as the mark beside the history says; it needs no database.
    ///
    /// - Throws: `HistoryError`.
    package func lag() throws(HistoryError) -> MirrorLag {
        try HistoryTail(path: path).lag(behind: try MirrorMark.read(ofHistory: path))
    }

    /// Refuses a history that is not the one that was copied: another one gives the same rows to other readings.
    private static func check(
        _ part: HistoryTail.Part, continues last: Int, of hub: String, _ connection: Connection
    ) throws {
        guard part.newestRow >= last else {
            throw MirrorError.otherHistory(hub: hub, row: last, newest: Int(part.newestRow))
        }
        // If it was removed meanwhile, nothing is left to compare.
        guard let reading = part.last else { return }
        let known = try connection.execute(
            """
            SELECT device = $3 AND sampled_at = $4 AND received_at = $5 AS same
            FROM poolsensors.reading WHERE hub = $1 AND row = $2
            """, .text(hub), .int(last), .text(reading.deviceID.description), .time(reading.sampledAt),
            .time(reading.receivedAt))
        let isSame: Bool? = try known.first?["same"]
        guard isSame != false else {
            throw MirrorError.otherHistory(hub: hub, row: last, newest: Int(part.newestRow))
        }
    }

    private static func insert(_ readings: [Reading], of hub: String, _ connection: Connection) throws {
        try connection.execute(
            """
            INSERT INTO poolsensors.reading (hub, row, device, sampled_at, time_quality, received_at, value)
            SELECT $1, t.row, t.device, t.sampled_at, t.time_quality, t.received_at, t.value::jsonb
            FROM unnest($2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::text[])
                AS t (row, device, sampled_at, time_quality, received_at, value)
            """, .text(hub), .ints(readings.map { Int($0.ordinal ?? 0) }),
            .texts(readings.map(\.deviceID.description)), .times(readings.map(\.sampledAt)),
            .texts(readings.map(\.timeQuality.rawValue)), .times(readings.map(\.receivedAt)),
            .texts(readings.map { MirrorTables.json($0.values) }))
    }
}

/// Why a history cannot be mirrored.
@nonexhaustive
package enum MirrorError: Error, Hashable, Sendable {
    /// The database does not know the hub: its row was removed while the mirror ran.
    case unknownHub(String)
    /// The history is not the one whose rows the database has: its newest row, or the row that was copied last, differs.
    case otherHistory(hub: String, row: Int, newest: Int)
}

extension MirrorError: CustomStringConvertible {
    /// The error, and what to do.
    package var description: String {
        switch self {
        case .unknownHub(let hub):
            "the database has no place of the hub \(hub): start the mirror again, which copies all readings"
        case .otherHistory(let hub, let row, let newest):
            "the database has the readings of \(hub) up to row \(row), and this history, whose newest row is \(newest), is "
                + "another one, such as a restored copy: mirror it under another name with --as"
        }
    }
}
