internal import GRDB
internal import Platform
internal import PoolModel

extension HistoryStore {
    /// Writes readings to a file, ordered by sample time and, for equal times, by arrival.
    ///
    /// The file contains the history as of one moment, while other readings are recorded; memory use does not depend
    /// on its size. It gets its name only when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - request: The readings to write.
    ///   - path: The file.
    ///   - replaces: Whether an existing file may be replaced.
    /// - Returns: The result.
    /// - Throws: ``HistoryError``, for example ``HistoryError/exists(path:)``; then an existing file is unchanged.
    @discardableResult
    public func export(
        _ request: ExportRequest, to path: String, replaces: Bool = false
    ) throws(HistoryError) -> ExportReport {
        do {
            let file = try NewFile(path, replaces: replaces)
            let reader = try HistoryFile.openToRead(self.path)
            let rowCount = try reader.read { try $0.writeReadings(request, to: file) }
            try reader.close()
            try file.finish()
            return ExportReport(path: path, rowCount: rowCount, byteCount: file.byteCount)
        } catch {
            throw HistoryError(error, path: self.path)
        }
    }
}

extension Database {
    /// Writes readings to a file; returns how many.
    fileprivate func writeReadings(_ request: ExportRequest, to file: NewFile) throws -> Int {
        var text = ExportText(request)
        let header = text.header
        try file.write { $0 += header }
        var sources = try devices().filter { request.deviceIDs?.contains($0.deviceID) ?? true }.compactMap {
            try ReadingSource(
                HistoryTables.readingsOfDevice, [$0.number, request.first.milliseconds, request.last.milliseconds],
                in: self)
        }
        var count = 0
        // One index serves each device, so that their readings come sorted and only need merging.
        while let next = sources.indices.min(by: { sources[$0].place < sources[$1].place }) {
            var reading = sources[next].reading
            var isLast = try !sources[next].advance()
            // A line of JSON has no empty fields, so that each reading has one there. Values of different calibrations
            // cannot have one time.
            while request.format == .csv, !isLast, let joined = reading.joined(with: sources[next].reading),
                !request.corrections.changes(of: reading, until: sources[next].reading.sampledAt)
            {
                reading = joined
                isLast = try !sources[next].advance()
            }
            try file.write { text.append(reading, to: &$0) }
            count += 1
            if isLast { sources.remove(at: next) }
        }
        return count
    }
}

extension HistoryTables {
    /// Selects all readings of a device by its number, between two times.
    fileprivate static let readingsOfDevice = """
        SELECT ordinal, identifier, sampledAt, timeQuality, receivedAt, \(quantityColumns.joined(separator: ", "))
        FROM reading JOIN device ON number = device
        WHERE device = ? AND sampledAt BETWEEN ? AND ? ORDER BY sampledAt, ordinal
        """
}
