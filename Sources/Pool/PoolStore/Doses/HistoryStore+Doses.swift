internal import GRDB
public import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What became of a dose that was added to the log.
public enum DoseAddition: Hashable, Sendable {
    /// It is stored; `dropped` of the oldest doses from the same source made room for it.
    case stored(dropped: Int)
    /// A dose with its identifier was logged before, or removed; nothing changed.
    case known
    /// Its source has as many newer doses as are kept; nothing changed.
    case tooOld

    /// Whether the dose is stored now and was not before.
    public var isNew: Bool {
        if case .stored = self { true } else { false }
    }
}

/// The log of doses: in the same file as the readings, and so in each of its backups.
///
/// Each watch has a share of the log, and everything else has another one, so what one watch logs displaces nothing of
/// others. Of each share the newest doses by their time are kept, removed ones included; an older one makes room for a
/// newer one. Neither the retention of readings nor their deletion touches them.
extension HistoryStore {
    /// How many doses are kept that did not come from a watch.
    public static let doseCountMax = 10_000
    /// How many doses of each watch are kept.
    public static let doseCountMaxOfWatch = 1000

    /// Which watch logged a dose; a dose without a row did not come from a watch.
    ///
    /// Not part of the migrations: earlier versions open a history with this table, too, and ignore it.
    private static let sources = """
        CREATE TABLE IF NOT EXISTS doseSource (
            identifier TEXT PRIMARY KEY, watch TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS doseSourceByWatch ON doseSource (watch);
        """

    /// Adds a dose; it is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - dose: The dose; its caller has checked it.
    ///   - watch: The key of the watch that logged it, in hexadecimal; nil if no watch did.
    /// - Returns: What became of it. A dose with the identifier of a logged one changes nothing, also if that one was
    ///   removed meanwhile.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func add(_ dose: Dose, of watch: String? = nil) throws(HistoryError) -> DoseAddition {
        try write { database in
            let id = dose.id.description
            guard try !Self.exists(id, database) else { return .known }
            let hasSources = try watch != nil || database.tableExists("doseSource")
            if watch != nil { try database.execute(sql: Self.sources) }
            let countMax = watch == nil ? Self.doseCountMax : Self.doseCountMaxOfWatch
            // The share before the dose, newest first, without as many as stay beside it.
            let others = try String.fetchAll(
                database, sql: Self.share(of: watch, hasSources: hasSources) + " LIMIT -1 OFFSET ?",
                arguments: StatementArguments([watch].compactMap(\.self)) + [countMax - 1])
            if let next = others.first, try Self.isNewer(next, than: dose, database) { return .tooOld }
            let json = Data(try CanonicalJSON.encode(dose))
            try database.cachedStatement(sql: "INSERT INTO dose VALUES (?, ?, ?, ?)").execute(
                arguments: [id, dose.poolID.description, dose.at.milliseconds, json])
            if let watch {
                try database.cachedStatement(sql: "INSERT OR REPLACE INTO doseSource VALUES (?, ?)").execute(
                    arguments: [id, watch])
            }
            for other in others {
                try database.cachedStatement(sql: "DELETE FROM dose WHERE identifier = ?").execute(arguments: [other])
                guard hasSources else { continue }
                try database.cachedStatement(sql: "DELETE FROM doseSource WHERE identifier = ?").execute(
                    arguments: [other])
            }
            return .stored(dropped: others.count)
        }
    }

    /// Selects the identifiers of a share, newest first.
    private static func share(of watch: String?, hasSources: Bool) -> String {
        let order = "ORDER BY at DESC, identifier DESC"
        if watch != nil {
            return "SELECT identifier FROM doseSource JOIN dose USING (identifier) WHERE watch = ? \(order)"
        }
        let isOwn = hasSources ? "WHERE identifier NOT IN (SELECT identifier FROM doseSource)" : ""
        return "SELECT identifier FROM dose \(isOwn) \(order)"
    }

    private static func exists(_ id: String, _ database: Database) throws -> Bool {
        try Row.fetchOne(database, sql: "SELECT 1 FROM dose WHERE identifier = ?", arguments: [id]) != nil
    }

    private static func isNewer(_ id: String, than dose: Dose, _ database: Database) throws -> Bool {
        let at = try Int64.fetchOne(database, sql: "SELECT at FROM dose WHERE identifier = ?", arguments: [id])
        return at.map { ($0, id) > (dose.at.milliseconds, dose.id.description) } ?? false
    }

    /// The logged doses, newest first.
    ///
    /// - Parameters:
    ///   - poolID: The pool; nil for all of them.
    ///   - first: Only doses from this time on; nil for all.
    ///   - limit: The most doses to return.
    /// - Returns: The doses; those of a newer version that this one cannot read are left out.
    /// - Throws: ``HistoryError``.
    public func doses(
        of poolID: PoolID? = nil, from first: Timestamp? = nil, limit: Int
    ) throws(HistoryError) -> [Dose] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT json FROM dose WHERE json IS NOT NULL AND (pool = ?1 OR ?1 IS NULL) AND at >= ?2
                    ORDER BY at DESC, identifier DESC LIMIT ?3
                    """,
                arguments: [poolID?.description, first?.milliseconds ?? .min, max(0, limit)]
            ).compactMap { row in
                // What another version wrote is left out.
                try? CanonicalJSON.decode(Dose.self, from: row.bytes(0))
            }
        }
    }

    /// Removes a dose; its identifier stays known.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func removeDose(_ id: DoseID) throws(HistoryError) -> Bool {
        try write { database in
            try database.cachedStatement(
                sql: "UPDATE dose SET json = NULL WHERE identifier = ? AND json IS NOT NULL"
            ).execute(arguments: [id.description])
            return database.changesCount > 0
        }
    }
}
