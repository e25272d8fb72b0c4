internal import GRDB
internal import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Database {
    /// Applies a change of alerts within a transaction.
    func apply(_ change: AlertChange) throws {
        switch change {
        case .put(let key, let json):
            try cachedStatement(
                sql: "INSERT INTO alertState VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json"
            ).execute(arguments: [key, Data(json)])
        case .remove(let key):
            try cachedStatement(sql: "DELETE FROM alertState WHERE key = ?").execute(arguments: [key])
        case .append(let time, let json):
            try cachedStatement(sql: "INSERT INTO alertEvent (time, json) VALUES (?, ?)")
                .execute(arguments: [time.milliseconds, Data(json)])
            try keepNewest(AlertStore.eventCountMax, of: "alertEvent")
        }
    }

    /// Removes the oldest rows of a table that exceeds its limit.
    private func keepNewest(_ countMax: Int, of table: String) throws {
        // Consecutive ids, as in the log, give the number without counting rows.
        let span = try Row.fetchOne(cachedStatement(sql: "SELECT min(id), max(id) FROM \(table)"))
        guard let first: Int64 = span?[0], let last: Int64 = span?[1], last - first >= Int64(countMax) else { return }
        let count = try Int.fetchOne(cachedStatement(sql: "SELECT count(*) FROM \(table)")) ?? 0
        guard count > countMax else { return }
        try cachedStatement(
            sql: "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) ORDER BY id LIMIT ?)"
        ).execute(arguments: [count - countMax])
    }
}

extension Row {
    /// The bytes of a column that is never NULL.
    func bytes(_ column: Int) -> [UInt8] {
        let bytes: Data = self[column]
        return Array(bytes)
    }
}
