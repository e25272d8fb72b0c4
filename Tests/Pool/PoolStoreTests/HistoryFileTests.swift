import Foundation
import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// Files that are damaged, foreign or too new, and disks that are full or read-only.
@Suite
struct HistoryFileTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("history.sqlite")
    }

    /// The error when the history is opened; nil if it can be opened.
    private func refusal() -> HistoryError? {
        do throws(HistoryError) {
            _ = try HistoryStore(path: path)
            return nil
        } catch {
            return error
        }
    }

    private func finding() -> String? {
        guard case .damaged(path, let finding) = refusal() else { return nil }
        return finding
    }

    @Test
    func `a new file is complete when it gets its name`() throws {
        try HistoryFile.create(path)

        #expect(try names(in: place.path) == ["history.sqlite"])
        // Read and write version 2: the file is in WAL mode from its creation on.
        #expect(contents(path)?[18..<20] == Data([2, 2]))
    }

    @Test
    func `a file cut off anywhere is refused and left as it is`() throws {
        let whole = try wholeFile()
        for length in Array(stride(from: 0, to: whole.count, by: 1733)) + [1, 99, whole.count - 1] {
            try write(whole.prefix(length), to: path)
            #expect(finding() != nil, "\(length) of \(whole.count) bytes")
            #expect(contents(path) == whole.prefix(length))
        }
        try write(whole, to: path)
        #expect(try HistoryStore(path: path).count() == 300)
    }

    @Test
    func `a page of garbage is refused, wherever it is`() throws {
        let whole = try wholeFile()
        for start in stride(from: 0, to: whole.count, by: 4096) {
            var bytes = whole
            bytes.replaceSubrange(start..<(start + 4096), with: Data(repeating: 0xA5, count: 4096))
            try write(bytes, to: path)
            #expect(finding() != nil, "page \(start / 4096)")
        }
    }

    @Test
    func `a journal cut off anywhere gives the readings up to some moment`() throws {
        let store = try HistoryStore(path: path)
        let main = try #require(contents(path))
        for number in 1...12 as ClosedRange<Int64> { try store.record(dated(number)) }
        let journal = try #require(contents(path + "-wal"))
        let cut = place.path("cut.sqlite")
        var counts: Set<Int> = []

        for length in stride(from: 0, through: journal.count, by: 509) {
            for suffix in ["", "-wal", "-shm"] { _ = try? FileManager.default.removeItem(atPath: cut + suffix) }
            try write(main, to: cut)
            try write(journal.prefix(length), to: cut + "-wal")
            let readings = try HistoryStore(path: cut).all()
            #expect(readings.map(\.sampledAt.milliseconds) == Array(1...12).prefix(readings.count).map { Int64($0) })
            counts.insert(readings.count)
        }

        #expect(counts.count >= 12)
    }

    @Test
    func `other contents are refused and left as they are`() throws {
        for bytes in [Data(), Data([0]), Data("a letter, no history".utf8), Data(count: 8192)] {
            try write(bytes, to: path)
            #expect(finding() != nil, "\(bytes.count) bytes")
            #expect(contents(path) == bytes)
        }
    }

    @Test
    func `the database of another program is refused`() throws {
        do {
            let stranger = try DatabaseQueue(path: path)
            try stranger.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
        }

        #expect(finding()?.contains("application id") == true)
    }

    @Test
    func `a missing file beside its journal is refused`() throws {
        try write(Data([1]), to: path + "-wal")

        #expect(finding()?.contains("journal") == true)
        #expect(contents(path) == nil)
    }

    @Test
    func `a file of a newer version is refused in words and left as it is`() throws {
        try write(try wholeFile(), to: path)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2 alerts')") }
        try queue.close()
        let before = contents(path)

        let error = refusal()

        #expect(error == .newerSchema(path: path, steps: ["2 alerts"]))
        #expect(error?.description.contains("newer version") == true)
        #expect(contents(path) == before)
    }

    @Test(arguments: [
        "UPDATE reading SET timeQuality = 'guess'", "UPDATE device SET latest = CAST('{' AS BLOB)",
        "DROP TABLE delivery; DROP TABLE reading",
    ])
    func `rows that the program does not write are named as damage`(change sql: String) throws {
        let store = try HistoryStore(path: path)
        try store.record(dated(1)) { DeviceReadings(deviceID: $0.deviceID) }
        try store.queue.write { try $0.execute(sql: sql) }

        let error = #expect(throws: HistoryError.self) {
            _ = try store.latest()
            _ = try store.all()
        }

        guard case .damaged(path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test
    func `a missing folder is named`() {
        let missing = place.path("missing/history.sqlite")

        let error = #expect(throws: HistoryError.self) { try HistoryStore(path: missing) }

        #expect(error?.description.contains(place.path("missing")) == true)
    }

    @Test
    func `a file or folder that cannot be written is named`() async throws {
        do { _ = try HistoryStore(path: path) }
        try setPermissions(0o444, of: path)
        try setPermissions(0o555, of: place.path)

        await #expect(processExitsWith: .success) { [path = path as String] in
            giveUpPrivileges()
            #expect(throws: HistoryError.notWritable(path: path)) { try HistoryStore(path: path) }
            #expect(throws: HistoryError.notWritable(path: path + "2")) { try HistoryStore(path: path + "2") }
        }
    }

    @Test
    func `a full disk is named, nothing of the batch is stored, and the history works on`() throws {
        let store = try HistoryStore(path: path)
        let before = DeviceReadings(deviceID: oak, order: 1)
        try store.record(dated(1)) { _ in before }
        try store.limitPages(by: 8)
        let batch = (2...5000).map { dated($0) }

        #expect(throws: HistoryError.full(path: path)) {
            try store.record(batch) { _ in DeviceReadings(deviceID: oak, order: 2) }
        }
        #expect(try store.count() == 1)
        #expect(try store.latest() == [before])

        try store.limitPages(by: 10_000)
        #expect(try store.record(batch).allSatisfy { $0 != .duplicate })
        #expect(try store.count() == 5000)
    }

    @Test
    func `a file that somebody else locks is named`() throws {
        let store = try HistoryStore(path: path)
        try store.queue.write { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        let stranger = try DatabaseQueue(path: path)

        try stranger.inTransaction(.immediate) { _ in
            #expect(throws: HistoryError.locked(path: path)) { try store.record(dated(1)) }
            return .rollback
        }

        #expect(try store.recordEach([dated(1)]) == [true])
    }

    @Test
    func `every error names the file and a way out`() {
        let errors: [HistoryError] = [
            .full(path: "/s/h.sqlite"), .notWritable(path: "/s/h.sqlite"), .locked(path: "/s/h.sqlite"),
            .damaged(path: "/s/h.sqlite", finding: "f"), .newerSchema(path: "/s/h.sqlite", steps: ["9"]),
            .exists(path: "/s/h.sqlite"), .failed(path: "/s/h.sqlite", reason: "r"),
        ]
        for error in errors {
            #expect(error.description.contains("/s/h.sqlite"))
        }
    }

    /// The contents of a file with 300 readings.
    private func wholeFile() throws -> Data {
        let other = place.path("whole.sqlite")
        let store = try HistoryStore(path: other)
        try store.record((1...300).map { dated($0) })
        try store.close()
        return try #require(contents(other))
    }
}

extension HistoryStore {
    /// Lets the file grow by this many pages only; SQLite then reports a full disk.
    func limitPages(by count: Int) throws {
        try queue.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + count)")
        }
    }
}
