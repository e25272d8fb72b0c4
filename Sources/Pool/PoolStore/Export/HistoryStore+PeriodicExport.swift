internal import GRDB
public import PoolModel

extension HistoryStore {
    /// Exports the period that is due into a file of its own, if one is.
    ///
    /// The period is written down before its file and marked as exported after it. So a crash in between repeats the
    /// very same period under the same name, in place of that file, and no period is left out or exported under two
    /// names. Readings that arrive after their period was exported are in the history only.
    ///
    /// - Parameters:
    ///   - name: The name of the export: its mark in the history, and the start of the files' names.
    ///   - rhythm: How often.
    ///   - request: What to write; its span is replaced by the period.
    ///   - folder: The folder of the files, which exists.
    ///   - now: The moment.
    /// - Returns: What was exported, nil if nothing was due.
    /// - Throws: ``HistoryError``; the period stays due then.
    public func exportPeriod(
        _ name: String, _ rhythm: ExportSchedule, _ request: ExportRequest, into folder: String, now: Timestamp
    ) throws(HistoryError) -> ExportReport? {
        let period = try write { try $0.beginExport(name, rhythm, now: now) }
        guard let period else { return nil }
        var request = request
        request.first = period.start
        request.last = period.end.advanced(byMilliseconds: -1)
        let path = "\(folder)/\(period.fileName(name)).\(request.format.rawValue)"
        let report = try export(request, to: path, replaces: true)
        try write { database in
            try database.execute(
                sql: """
                    UPDATE exportMark SET exportedUntil = pendingUntil, pendingFrom = NULL, pendingUntil = NULL
                    WHERE name = ?
                    """,
                arguments: [name])
        }
        return report
    }

    /// The end of the last period that was exported, nil if there was none.
    ///
    /// - Throws: ``HistoryError``.
    public func exportedUntil(_ name: String) throws(HistoryError) -> Timestamp? {
        try read { database in
            try Int64.fetchOne(
                database, sql: "SELECT exportedUntil FROM exportMark WHERE name = ? AND exportedUntil IS NOT NULL",
                arguments: [name]
            ).map { Timestamp(milliseconds: $0) }
        }
    }

    /// Forgets what a periodic export has exported: it starts anew with the last whole period.
    ///
    /// - Throws: ``HistoryError``.
    public func forgetExport(_ name: String) throws(HistoryError) {
        try write { try $0.execute(sql: "DELETE FROM exportMark WHERE name = ?", arguments: [name]) }
    }
}

extension Database {
    /// The period that was begun and not finished, or the one that is due and is begun now; nil for none.
    fileprivate func beginExport(_ name: String, _ rhythm: ExportSchedule, now: Timestamp) throws -> ExportPeriod? {
        let row = try Row.fetchOne(
            self, sql: "SELECT exportedUntil, pendingFrom, pendingUntil FROM exportMark WHERE name = ?",
            arguments: [name])
        let until: Int64? = row?[0]
        if let start: Int64 = row?[1], let end: Int64 = row?[2] {
            return ExportPeriod(start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: end))
        }
        guard let period = rhythm.due(now: now, exportedUntil: until.map { Timestamp(milliseconds: $0) }) else {
            return nil
        }
        try execute(
            sql: "INSERT OR REPLACE INTO exportMark VALUES (?, ?, ?, ?)",
            arguments: [name, until, period.start.milliseconds, period.end.milliseconds])
        return period
    }
}
