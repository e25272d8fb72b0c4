internal import GRDB
public import PoolModel

extension HistoryStore {
    /// Exports the next due period, if any, into a separate file.
    ///
    /// The period is stored before its file is written, and marked as exported afterwards. After a crash in between,
    /// the same period is exported again under the same name, replacing that file; no period is left out or exported
    /// under two names. Readings that arrive after the export of their period are only in the history.
    ///
    /// - Parameters:
    ///   - name: The name of the export: its mark in the history, and the beginning of the file names.
    ///   - rhythm: The schedule.
    ///   - request: The readings to write; its span is replaced by the period.
    ///   - folder: The folder of the files, which exists.
    ///   - now: The present time.
    /// - Returns: The result; nil if nothing was due.
    /// - Throws: ``HistoryError``; then the period stays due.
    public func exportPeriod(
        _ name: String, _ rhythm: ExportSettings.Period, _ request: ExportRequest, into folder: String, now: Timestamp
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

    /// Removes the progress of a periodic export.
    ///
    /// The next export begins with the last complete period.
    ///
    /// - Throws: ``HistoryError``.
    public func forgetExport(_ name: String) throws(HistoryError) {
        try write { try $0.execute(sql: "DELETE FROM exportMark WHERE name = ?", arguments: [name]) }
    }
}

extension Database {
    /// The period that was started and not finished, or the due one, which is started now; nil for none.
    fileprivate func beginExport(_ name: String, _ rhythm: ExportSettings.Period, now: Timestamp) throws
        -> ExportPeriod?
    {
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
