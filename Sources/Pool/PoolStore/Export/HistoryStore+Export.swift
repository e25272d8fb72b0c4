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
        let devices = try devices().filter { request.deviceIDs?.contains($0.deviceID) ?? true }
        var text = ExportText(request, columns: try quantities(of: devices.map(\.number)))
        let header = text.header
        try file.write { $0 += header }
        var sources = try devices.compactMap {
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

extension Database {
    /// The quantities that lists name for devices: the usual ones, and what any of them has measured.
    ///
    /// The rollups tell it without a search through the readings; the readings that they do not have yet are few.
    private func quantities(of devices: [Int64]) throws -> [Quantity] {
        let rolledThrough = try value(of: .rolledThrough) ?? 0
        var measured: Set<Quantity> = []
        for quantity in Quantity.allCases where !quantity.facts.isUsual {
            let sql = """
                SELECT EXISTS (SELECT * FROM rollup WHERE level = ?1 AND device = ?2 AND quantity = ?3)
                    OR EXISTS (SELECT * FROM reading WHERE ordinal > ?4 AND device = ?2 AND \(quantity.rawValue) IS NOT NULL)
                """
            for device in devices where !measured.contains(quantity) {
                let isMeasured = try Bool.fetchOne(
                    cachedStatement(sql: sql),
                    arguments: [RollupLevel.day.rawValue, device, quantity.facts.number, rolledThrough])
                if isMeasured == true { measured.insert(quantity) }
            }
        }
        return Quantity.listed(where: measured.contains)
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
