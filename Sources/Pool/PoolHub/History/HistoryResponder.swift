import PoolControl
import PoolModel
import PoolStore

/// Carries out history commands; it blocks, and may take long.
struct HistoryResponder {
    /// Begins a deletion while nothing is recorded: the closure returns the newest states that changed, and the code that
    /// shows states takes them over.
    typealias Deleting =
        @Sendable (
            _ device: DeviceID?, _ first: Timestamp, _ last: Timestamp, _ begin: () throws -> [DeviceReadings]
        ) throws -> Void

    let history: HistoryStore
    /// Returns the current configuration; a long deletion reads it repeatedly.
    let configuration: () -> PoolConfiguration
    let deleting: Deleting

    /// Carries out a command.
    ///
    /// - Throws: `HistoryError`, `ConfigurationError`, and ``RequestProblem``, in words for the user.
    func answer(_ request: HistoryRequest) throws -> HistoryAnswer {
        switch request {
        case .size: .size(try extent())
        case .page(let device, let before, let limit): .page(try page(of: device, before, limit))
        case .lines(let device, let before, let limit): try lines(of: device, before, limit)
        case .series(let device, let quantity, let first, let last, let points):
            .series(
                device: configuration().shownName(of: device), try series(of: device, quantity, first, last, points))
        case .export(let export): try write(export)
        case .delete(let device, let first, let last, let expected):
            try delete(device, first, last, expected)
        case .backUp(let path, let replaces): try copy(to: path, replaces)
        case .compact: try compact()
        }
    }

    // MARK: - Reading

    private func extent() throws -> HistoryExtent {
        let size = try history.size()
        let configuration = configuration()
        let parts = try history.latest().map(\.deviceID).map { id in
            HistoryExtent.DevicePart(device: configuration.shownName(of: id), readings: try history.count(of: id))
        }
        return HistoryExtent(
            readings: try history.count(),
            devices: parts.filter { $0.readings > 0 }.sorted { $0.device < $1.device },
            fileByteCount: size.fileByteCount, journalByteCount: size.journalByteCount,
            freeByteCount: size.freeByteCount, waitingCount: size.waitingCount, kept: configuration.history,
            mirror: try history.mirrorLag())
    }

    private func page(of device: DeviceID?, _ before: HistoryPlace?, _ limit: Int) throws -> [HistoryRow] {
        guard (1...HistoryRequest.pageMax).contains(limit) else {
            throw RequestProblem("a page of \(limit) readings: choose 1 to \(HistoryRequest.pageMax)")
        }
        let configuration = configuration()
        let place = before.map { HistoryPosition(sampledAt: $0.sampledAt, ordinal: $0.ordinal) }
        let readings = try history.newest(
            of: device, after: place, limit: limit, corrections: configuration.corrections)
        return readings.map { found in
            HistoryRow(
                device: configuration.shownName(of: found.reading.deviceID), deviceID: found.reading.deviceID,
                sampledAt: found.reading.sampledAt, timeQuality: found.reading.timeQuality,
                receivedAt: found.reading.receivedAt, ordinal: found.reading.ordinal ?? 0, raw: found.reading.values,
                corrected: found.corrected)
        }
    }

    private func lines(of device: DeviceID?, _ before: HistoryPlace?, _ limit: Int) throws -> HistoryAnswer {
        let rows = try page(of: device, before, limit)
        var text = HistoryRowText()
        var bytes: [UInt8] = []
        for row in rows { try text.append(row, to: &bytes) }
        return .lines(String(decoding: bytes, as: UTF8.self), count: rows.count, last: rows.last?.place)
    }

    private func series(
        of id: DeviceID, _ quantity: Quantity, _ first: Timestamp, _ last: Timestamp, _ points: Int
    ) throws -> TimeSeries {
        guard (2...HistoryRequest.pointsMax).contains(points) else {
            throw RequestProblem("a chart of \(points) points: choose 2 to \(HistoryRequest.pointsMax)")
        }
        guard first <= last else { throw RequestProblem("the span ends at \(last.iso8601), before it begins") }
        let configuration = configuration()
        let known = configuration.device(id)
        return try history.series(
            SeriesQuery(
                deviceID: id, quantity: quantity, from: first, through: last, pointsMax: points,
                expectedIntervalSeconds: known?.expectedIntervalSeconds ?? 60,
                calibrations: configuration.corrections[id, quantity]))
    }

    // MARK: - Files

    private func write(_ export: HistoryExport) throws -> HistoryAnswer {
        try Self.check(export.path)
        let configuration = configuration()
        let request = ExportRequest(
            format: export.format, values: export.values,
            deviceIDs: export.devices.isEmpty ? nil : export.devices,
            from: export.first ?? Timestamp(milliseconds: .min), through: export.last ?? Timestamp(milliseconds: .max),
            names: configuration.exportNames(in: export.format), corrections: configuration.corrections)
        let report = try history.export(request, to: export.path, replaces: export.replaces)
        return .exported(path: report.path, readings: report.rowCount, byteCount: report.byteCount)
    }

    private func copy(to path: String, _ replaces: Bool) throws -> HistoryAnswer {
        try Self.check(path)
        let report = try history.backUp(to: path, replaces: replaces)
        return .backedUp(path: report.path, readings: report.readingCount, byteCount: report.byteCount)
    }

    private func compact() throws -> HistoryAnswer {
        let before = try history.size()
        try history.compact()
        let after = try history.size()
        return .compacted(
            before: before.fileByteCount + before.journalByteCount, after: after.fileByteCount + after.journalByteCount)
    }

    private static func check(_ path: String) throws {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw RequestProblem("the file \(path) is not an absolute path: the hub has another working folder")
        }
    }

    // MARK: - Deleting

    /// Deletes the readings, if there are not more than the user agreed to.
    ///
    /// Only the beginning of the deletion blocks recording; the readings are removed in steps, between those that
    /// arrive.
    private func delete(
        _ device: DeviceID?, _ first: Timestamp, _ last: Timestamp, _ expected: Int?
    ) throws -> HistoryAnswer {
        guard first <= last else { throw RequestProblem("the span ends at \(last.iso8601), before it begins") }
        let found = try history.count(of: device, from: first, through: last)
        guard let expected else { return .deletion(readings: found, isDone: false) }
        guard found <= expected else { return .deletionGrew(readings: found, expected: expected) }
        try deleting(device, first, last) { [history] in
            try history.beginDeletion(of: device, from: first, through: last)
        }
        // At this time no reading is too old, so the steps remove nothing else.
        let noAge = Timestamp(milliseconds: .min)
        while try history.isDeleting() {
            _ = try history.maintain(now: noAge, retention: .standard, corrections: configuration().corrections)
        }
        return .deletion(readings: found, isDone: true)
    }
}

extension PoolConfiguration {
    /// The name of a device; its id if it was removed.
    func shownName(of id: DeviceID) -> String { device(id)?.name ?? "\(id)" }
}
