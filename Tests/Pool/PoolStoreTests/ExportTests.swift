import Foundation
import GRDB
import Platform
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// Exports of readings for other programs (P87, X17).
@Suite
struct ExportTests {
    private let place: TemporaryFolder
    private let store: HistoryStore
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
        path = place.path("readings.csv")
    }

    private func text(_ path: String) -> String? { contents(path).map { String(decoding: $0, as: UTF8.self) } }

    private func record(_ values: QuantityMap<Double>, of device: DeviceID = oak, at milliseconds: Int64) throws {
        try store.record(
            Arrival(
                reading: sampleReading(values, of: device, at: milliseconds, quality: .estimated),
                payloadHash: 1, delivery: nil))
    }

    @Test
    func `a table has the header, UTC with milliseconds, points and quotes`() throws {
        try record([.temperature: 24.5, .ph: 7.2, .chlorine: 0.1, .orp: 685], at: 1_780_315_200_250)
        try record([.orp: -0.5], of: elm, at: 1_780_315_200_250)
        try record([.ph: 7], at: -1)
        try record([.chlorine: 1e-7, .temperature: .infinity], of: elm, at: 86_400_000)

        let report = try store.export(
            ExportRequest(format: .csv, values: .raw, names: [oak: "Pool \"Ost\", tief\nunten"]), to: path)

        #expect(
            text(path)
                == [
                    "Timestamp,Device,Temperature,pH,Chlorine,ORP",
                    "1969-12-31T23:59:59.999Z,\"Pool \"\"Ost\"\", tief\nunten\",,7,,",
                    "1970-01-02T00:00:00.000Z,\(elm),,,1e-07,",
                    "2026-06-01T12:00:00.250Z,\"Pool \"\"Ost\"\", tief\nunten\",24.5,7.2,0.1,685",
                    "2026-06-01T12:00:00.250Z,\(elm),,,,-0.5", "",
                ].joined(separator: "\r\n"))
        #expect(report == ExportReport(path: path, rowCount: 4, byteCount: contents(path)?.count ?? 0))
        #expect(try permissions(path) == 0o600)
    }

    @Test(arguments: [false, true])
    func `a column stands for a further quantity only where a device has measured it`(isRolledUp: Bool) throws {
        try record([.ph: 7.2, .battery: 97], at: 0)
        try record([.ph: 7.1], of: elm, at: 0)
        if isRolledUp { try store.maintainAll(now: 0) }

        try store.export(ExportRequest(format: .csv, values: .both), to: path)
        #expect(
            text(path)?.hasPrefix(
                "Timestamp,Device,Temperature,pH,Chlorine,ORP,Battery,"
                    + "Raw Temperature,Raw pH,Raw Chlorine,Raw ORP,Raw Battery\r\n") == true)
        try store.export(ExportRequest(format: .csv, deviceIDs: [elm]), to: path, replaces: true)
        #expect(text(path)?.hasPrefix("Timestamp,Device,Temperature,pH,Chlorine,ORP\r\n") == true)
    }

    @Test(arguments: [
        ("Pool, Ost", "\"Pool, Ost\""), ("Pool \"Ost\"", "\"Pool \"\"Ost\"\"\""), ("Pool\nOst", "\"Pool\nOst\""),
        ("Pool\rOst", "\"Pool\rOst\""), ("Pool;'Ost", "Pool;'Ost"),
    ])
    func `a name is quoted for a comma, a quote or an end of a line alone`(name: String, field: String) throws {
        try record([.ph: 7], at: 0)
        try store.export(ExportRequest(format: .csv, values: .raw, names: [oak: name]), to: path)
        #expect(text(path)?.hasSuffix("\r\n1970-01-01T00:00:00.000Z,\(field),,7,,\r\n") == true)
    }

    @Test
    func `values are raw, corrected or both`() throws {
        try record([.ph: 7, .orp: 600], at: 5)
        let corrections = Corrections([oak: [.ph: CalibrationSeries([calibration(from: 5, slope: 2, offset: 0.25)])]])
        func line(_ values: ExportedValues) throws -> String? {
            try store.export(
                ExportRequest(format: .csv, values: values, names: [oak: "p"], corrections: corrections), to: path,
                replaces: true)
            return text(path)?.split(separator: "\r\n").joined(separator: "|")
        }

        let header = "Timestamp,Device,Temperature,pH,Chlorine,ORP"
        #expect(try line(.raw) == "\(header)|1970-01-01T00:00:00.005Z,p,,7,,600")
        #expect(try line(.corrected) == "\(header)|1970-01-01T00:00:00.005Z,p,,14.25,,600")
        #expect(
            try line(.both) == "\(header),Raw Temperature,Raw pH,Raw Chlorine,Raw ORP"
                + "|1970-01-01T00:00:00.005Z,p,,14.25,,600,,7,,600")
    }

    @Test
    func `each line of JSON is an object`() throws {
        try record([.ph: 7.25, .temperature: .infinity], at: 5)
        let request = ExportRequest(format: .jsonl, values: .both, names: [oak: "a\"\\\u{1}é"])
        try store.export(request, to: path)

        #expect(
            text(path)
                == "{\"timestamp\":\"1970-01-01T00:00:00.005Z\",\"timeQuality\":\"estimated\","
                + "\"receivedAt\":\"1970-01-01T00:00:02.000Z\",\"deviceId\":\"\(oak)\","
                + "\"device\":\"a\\\"\\\\\\u0001é\",\"ph\":7.25,\"raw\":{\"ph\":7.25}}\n")
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: contents(path) ?? Data()) }
    }

    @Test
    func `the values of one sample that were stored one by one are one line of a table, the stored rows stay`() throws {
        for (quantity, value, time) in [
            (Quantity.temperature, 24.5, 0), (.ph, 7.2, 40), (.orp, 685, 900), (.temperature, 24.6, 1000),
            (.ph, 7.3, 1040), (.chlorine, 1, 6001), (.orp, 690, 6041),
        ] as [(Quantity, Double, Int64)] {
            try record([quantity: value], at: time)
            try record([.ph: 7], of: elm, at: time)
        }
        var request = ExportRequest(format: .csv, values: .raw, deviceIDs: [oak], names: [oak: "p"])
        #expect(try store.export(request, to: path).rowCount == 3)
        #expect(
            text(path)?.split(separator: "\r\n").dropFirst().map(String.init) == [
                "1970-01-01T00:00:00.000Z,p,24.5,7.2,,685", "1970-01-01T00:00:01.000Z,p,24.6,7.3,,",
                "1970-01-01T00:00:06.001Z,p,,,1,690",
            ])
        request.format = .jsonl
        #expect(try store.export(request, to: path, replaces: true).rowCount == 7)
        #expect(try store.count(of: oak) == 7)
    }

    @Test
    func `only the devices and the span that were asked for`() throws {
        for time in [1, 2, 3, 4] as [Int64] {
            try record([.ph: 7], at: time)
            try record([.ph: 8], of: elm, at: time)
        }
        let request = ExportRequest(
            format: .csv, deviceIDs: [elm], from: Timestamp(milliseconds: 2), through: Timestamp(milliseconds: 3))

        #expect(try store.export(request, to: path).rowCount == 2)
        #expect(text(path)?.contains("\(oak)") == false)
    }

    @Test
    func `a file that is there is replaced only on request, and nothing is left beside it`() throws {
        try record([.ph: 7], at: 5)
        try write(Data("mine".utf8), to: path)

        #expect(throws: HistoryError.exists(path: path)) { try store.export(ExportRequest(format: .csv), to: path) }
        #expect(text(path) == "mine")
        // It arrived during the export.
        let late = place.path("late")
        let file = try NewFile(late, replaces: false)
        try write(Data("mine".utf8), to: late)
        #expect(throws: NewFileError.exists(path: late)) { try file.finish() }
        #expect(text(late) == "mine")

        try store.export(ExportRequest(format: .csv), to: path, replaces: true)
        #expect(text(path)?.hasPrefix("Timestamp") == true)
        #expect(throws: HistoryError.self) { try store.export(ExportRequest(format: .csv), to: "/none/such/file") }
    }

    @Test
    func `an export is what the history was at its start, while readings go on`() throws {
        try store.record((0..<3000).map { sample(7, at: $0) })
        let reader = try HistoryFile.openToRead(store.path)
        try reader.read { database in
            let before = try Int.fetchOne(database, sql: "SELECT count(*) FROM reading")
            // The two do not wait for each other.
            try store.record((3000..<4000).map { sample(7, at: $0) })
            try store.maintainAll(now: 100 * 86_400_000)
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM reading") == before)
        }
        #expect(try store.count() == 0)
    }

    @Test
    func `a full disk and a folder that cannot be written leave nothing`() async throws {
        try store.record((0..<5000).map { sample(7, at: $0) })
        try store.close()

        await #expect(processExitsWith: .success) { [folder = place.path as String] in
            let store = try HistoryStore(path: folder + "/history.sqlite")
            limitFileSize(to: 100_000)
            let path = folder + "/a.csv"
            #expect(throws: HistoryError.full(path: path)) { try store.export(ExportRequest(format: .csv), to: path) }
            let copy = folder + "/b.sqlite"
            #expect(throws: HistoryError.self) { try store.backUp(to: copy) }
        }
        try setPermissions(0o755, of: place.path)
        try FileManager.default.createDirectory(atPath: place.path("closed"), withIntermediateDirectories: false)
        try setPermissions(0o555, of: place.path("closed"))
        await #expect(processExitsWith: .success) { [folder = place.path as String] in
            let store = try HistoryStore(path: folder + "/history.sqlite")
            giveUpPrivileges()
            let path = folder + "/closed/a.csv"
            #expect(throws: HistoryError.notWritable(path: path)) {
                try store.export(ExportRequest(format: .csv), to: path)
            }
        }

        #expect(try names(in: place.path).allSatisfy { $0.hasPrefix("history.sqlite") || $0 == "closed" })
        #expect(try names(in: place.path("closed")).isEmpty)
    }

    @Test
    func `what a dead process left goes with the next file of that name, what a living one writes does not`() throws {
        // The first process of a system lives for as long as the system.
        let kept = [".other.csv.999999999-1.partial", ".readings.csv.1-1.partial"]
        for name in kept + [".readings.csv.999999999-1.partial"] { try write(Data(), to: place.path(name)) }

        try store.export(ExportRequest(format: .csv), to: path)

        #expect(try names(in: place.path).filter { $0.hasPrefix(".") } == kept)
    }
}
