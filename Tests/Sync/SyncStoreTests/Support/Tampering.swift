import SyncCore

@testable import SyncStore

extension RecordTable {
    /// SQL changes of a table without the store; each leaves rows that differ from the written ones.
    var tampering: [String] {
        let first = "WHERE key = (SELECT min(key) FROM \(name))"
        let isNumbered = (ExchangeTables.summed + [LedgerTables.head, KeyedTables.head]).contains { $0.name == name }
        let otherKey = isNumbered ? "key + 1000000" : "CAST(x'FF' || substr(key, 2) AS BLOB)"
        return [
            "DELETE FROM \(name) \(first)", "DELETE FROM \(name) WHERE key = (SELECT max(key) FROM \(name))",
            "DELETE FROM \(name)", "UPDATE \(name) SET record = CAST(record || x'00' AS BLOB) \(first)",
            "UPDATE \(name) SET record = CAST(x'FE' || substr(record, 2) AS BLOB) \(first)",
            "UPDATE \(name) SET checksum = checksum + 1 \(first)",
            "UPDATE \(name) SET key = \(otherKey) \(first)",
            "INSERT INTO \(name) SELECT \(otherKey), record, checksum FROM \(name) LIMIT 1", "DROP TABLE \(name)",
        ]
    }
}
