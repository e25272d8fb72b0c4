internal import GRDB
public import PoolModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The log of doses: in the same file as the readings, and so in each of its backups.
///
/// The newest ``doseCountMax`` doses by their time are kept, removed ones included; older ones are removed when a
/// newer one is added. Neither the retention of readings nor their deletion touches them.
extension HistoryStore {
    /// How many doses are kept.
    public static let doseCountMax = 10_000

    /// Adds a dose; it is on the disk when this returns.
    ///
    /// - Parameter dose: The dose; its caller has checked it.
    /// - Returns: Whether it is new. A dose with the identifier of a logged one changes nothing, also if that one was
    ///   removed meanwhile.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func add(_ dose: Dose) throws(HistoryError) -> Bool {
        try write { database in
            let json = Data(try CanonicalJSON.encode(dose))
            try database.cachedStatement(sql: "INSERT INTO dose VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING").execute(
                arguments: [dose.id.description, dose.poolID.description, dose.at.milliseconds, json])
            guard database.changesCount > 0 else { return false }
            try database.cachedStatement(
                sql: """
                    DELETE FROM dose WHERE identifier IN
                        (SELECT identifier FROM dose ORDER BY at DESC, identifier DESC LIMIT -1 OFFSET ?)
                    """
            ).execute(arguments: [Self.doseCountMax])
            return true
        }
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
