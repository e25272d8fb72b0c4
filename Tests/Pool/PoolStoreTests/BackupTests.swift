import Foundation
import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

@Suite
struct BackupTests {
    private let place: TemporaryFolder
    private let store: HistoryStore
    private let backup: String

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
        backup = place.path("backup.sqlite")
        try store.record((0..<500).map { dated($0) })
        try store.rollUpAll()
        try store.alerts.put("k", [1])
    }

    @Test
    func `a backup of a history in use is whole, checked and one file`() throws {
        let report = try store.backUp(to: backup)
        try store.record(dated(1000))

        #expect(report.path == backup && report.readingCount == 500)
        #expect(report.newestSample == Timestamp(milliseconds: 499))
        #expect(report.byteCount == contents(backup)?.count)
        #expect(
            try names(in: place.path) == [
                "backup.sqlite", "history.sqlite", "history.sqlite-shm", "history.sqlite-wal",
            ])
        #expect(try permissions(backup) == 0o600)
        #expect(throws: HistoryError.exists(path: backup)) { try store.backUp(to: backup) }
        #expect(try store.backUp(to: backup, replaces: true).readingCount == 501)
    }

    @Test
    func `a backup comes back as it was`() throws {
        try store.backUp(to: backup)
        let readings = try store.all()
        let rollups = try store.rollups()
        try store.record((600..<700).map { dated($0) })
        try store.close()

        try HistoryBackup.restore(backup, to: store.path)
        let restored = try HistoryStore(path: store.path)

        #expect(try restored.all() == readings)
        #expect(try restored.rollups() == rollups)
        #expect(try restored.alerts.all() == ["k": [1]])
        #expect(try restored.recordEach([dated(5), dated(650)]) == [false, true])
        #expect(contents(backup) != nil)
    }

    @Test
    func `a damaged or foreign backup is refused, and the history stays`() throws {
        try store.backUp(to: backup)
        try store.close()
        var bytes = try #require(contents(backup))
        bytes.replaceSubrange(8192..<12_288, with: Data(repeating: 0xA5, count: 4096))
        for damaged in [bytes, bytes.prefix(9000), Data(), Data("text".utf8)] {
            try write(damaged, to: backup)
            #expect(throws: HistoryError.self) { try HistoryBackup.restore(backup, to: store.path) }
        }
        #expect(throws: HistoryError.self) { try HistoryBackup.restore(place.path("none"), to: store.path) }

        #expect(try HistoryStore(path: store.path).count() == 500)
        #expect(try names(in: place.path).allSatisfy { $0.hasPrefix("history.sqlite") || $0 == "backup.sqlite" })
    }

    @Test
    func `an interrupted restore is finished at the next opening, without the journal of before`() throws {
        try store.backUp(to: backup)
        try store.record(dated(1000))
        let journal = try #require(contents(store.path + "-wal"))
        try store.close()
        // The state after a crash: the copy is complete, and the old file and its journal still exist.
        try write(journal, to: store.path + "-wal")
        try FileManager.default.copyItem(atPath: backup, toPath: store.path + ".restored")

        let restored = try HistoryStore(path: store.path)

        #expect(try restored.count() == 500)
        #expect(contents(store.path + ".restored") == nil)
    }
}
