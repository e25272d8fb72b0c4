internal import GRDB
internal import PoolModel

extension HistoryStore {
    /// Writes readings to a file, in the order of their sample times and, of one time, of their arrival.
    ///
    /// The file holds what the history held at one moment, while other readings are recorded; memory does not grow with
    /// it. It gets its name when it is complete and on the disk.
    ///
    /// - Parameters:
    ///   - request: What to write.
    ///   - path: The file.
    ///   - replaces: Whether a file of this name may be replaced.
    /// - Returns: What was written.
    /// - Throws: ``HistoryError``, ``HistoryError/exists(path:)`` among them; under the name there is then what was
    ///   there before.
    @discardableResult
    public func export(
        _ request: ExportRequest, to path: String, replaces: Bool = false
    ) throws(HistoryError) -> ExportReport {
        let file = try NewFile(path, replaces: replaces)
        let rowCount: Int
        do {
            let reader = try HistoryFile.openToRead(self.path)
            rowCount = try reader.read { try $0.writeReadings(request, to: file) }
            try reader.close()
        } catch {
            throw HistoryError(error, path: self.path)
        }
        try file.finish()
        return ExportReport(path: path, rowCount: rowCount, byteCount: file.byteCount)
    }
}

extension Database {
    /// Writes readings to a file; how many there were.
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
            try file.write { text.append(sources[next].reading, to: &$0) }
            count += 1
            if try !sources[next].advance() { sources.remove(at: next) }
        }
        return count
    }
}

extension HistoryTables {
    /// Asks for all readings of a device by its number, from one time through another.
    fileprivate static let readingsOfDevice = """
        SELECT ordinal, identifier, sampledAt, timeQuality, receivedAt, \(quantityColumns.joined(separator: ", "))
        FROM reading JOIN device ON number = device
        WHERE device = ? AND sampledAt BETWEEN ? AND ? ORDER BY sampledAt, ordinal
        """
}
