import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite(.longWork)
struct HubDamageTests {
    private let place: TemporaryFolder
    private let path: String
    private let file: String
    /// The bytes of the file, undamaged.
    private let whole: Data
    /// The contents of the undamaged file.
    private let state: LedgerState

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
        file = path + "/hub.sqlite"
        (whole, state) = try Self.sample.get()
        do { _ = try StateFolder(path: path) }
        try write(whole, to: file)
    }

    private static let sample = Result {
        let place = try TemporaryFolder()
        var history = SampleHistory()
        let store = try HubStore(at: place.path("state"))
        for _ in 0..<60 { try store.commit(history.next()) }
        try store.commit(history.fork())
        for _ in 0..<60 { try store.commit(history.next()) }
        store.close()
        let state = history.ledger.state
        // The sample has rows in each table.
        #expect(!state.conflicts.isEmpty && !state.written.ids.isEmpty)
        #expect(state.uploads.values.contains { !$0.outcomes.isEmpty && !$0.taken.ids.isEmpty })
        #expect(!state.bringers.isEmpty && state.uploads.values.contains { $0.rejected.count > 1 })
        return (try #require(contents(store.path)), state)
    }

    /// The result of opening and reading the store.
    private func open() throws -> Result<LedgerState, StoreError> {
        let folder = try StateFolder(path: path)
        do throws(StoreError) {
            return .success(try HubStore(in: folder, firstEpoch: Epoch(number: 99)).load())
        } catch {
            return .failure(error)
        }
    }

    /// The damage that is reported when the store is opened; nil if none is reported.
    private func finding() throws -> String? {
        guard case .failure(.damaged(file, let finding)) = try open() else { return nil }
        return finding
    }

    // MARK: - Rejected files

    @Test
    func `a file cut off anywhere is refused and left as it is`() throws {
        #expect(try open() == .success(state))

        let lengths = [Array(stride(from: 0, to: 120, by: 5)), Array(stride(from: 120, to: whole.count, by: 997))]
        for length in lengths.joined() + [whole.count - 1] {
            try write(whole.prefix(length), to: file)
            #expect(try finding() != nil, "\(length) of \(whole.count) bytes")
            #expect(contents(file) == whole.prefix(length), "\(length) bytes")
        }
    }

    @Test
    func `a page of garbage is refused, even where nothing is read at the start`() throws {
        let freeCount = try DatabaseQueue(path: file).read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") ?? 0 }
        var acceptedCount = 0
        for start in stride(from: 0, to: whole.count, by: 4096) {
            var bytes = whole
            bytes.replaceSubrange(start..<(start + 4096), with: Data(repeating: 0xA5, count: 4096))
            try write(bytes, to: file)
            if case .success = try open() { acceptedCount += 1 }
        }
        #expect(acceptedCount <= freeCount)
    }

    @Test
    func `no flipped bit changes what is read`() throws {
        var refusedCount = 0
        for offset in stride(from: 0, to: whole.count, by: 397) {
            var bytes = whole
            bytes[offset] ^= 1 << UInt8(offset % 8)
            try write(bytes, to: file)
            switch try open() {
            // The bit was in an unused part of the file, or in the log.
            case .success(let read): #expect(read == state, "offset \(offset)")
            case .failure: refusedCount += 1
            }
        }
        #expect(refusedCount > 20)
    }

    @Test
    func `a missing file beside its journal is refused`() throws {
        try FileManager.default.removeItem(atPath: file)
        try write(Data([1]), to: file + "-wal")

        #expect(try finding()?.contains("journal") == true)
        #expect(contents(file) == nil)
    }

    @Test
    func `other contents are refused and left as they are`() throws {
        let garbage = Data("This is a letter to a friend, and no database at all.".utf8) + [0, 1, 2, 255]
        for bytes in [Data(), Data([0]), garbage, Data(count: 8192)] {
            try write(bytes, to: file)
            #expect(try finding() != nil, "\(bytes.count) bytes")
            #expect(contents(file) == bytes)
        }
    }

    @Test
    func `the database of another program is refused`() throws {
        try FileManager.default.removeItem(atPath: file)
        do {
            let stranger = try DatabaseQueue(path: file)
            try stranger.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
        }

        #expect(try finding()?.contains("application id") == true)
    }

    @Test
    func `the store of a watch is not taken for that of a hub`() throws {
        let other = place.path("other")
        do { _ = try WatchStore(at: other) }
        try write(try #require(contents(other + "/watch.sqlite")), to: file)

        #expect(try finding()?.contains("application id") == true)
    }

    @Test
    func `a folder in the place of the file is refused`() throws {
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)

        guard case .failure = try open() else {
            Issue.record("the folder was opened")
            return
        }
    }

    @Test
    func `a file of a version before 0_1 is refused with the way out and left as it is`() throws {
        try change("UPDATE grdb_migrations SET identifier = '1 ledger and log'")
        let before = contents(file)

        guard case .failure(let error) = try open() else {
            Issue.record("the store was opened")
            return
        }

        #expect(error.description.contains("open it once with version 0.1"))
        #expect(contents(file) == before)
    }

    @Test
    func `a file of a newer version is refused in words and left as it is`() throws {
        try change("INSERT INTO grdb_migrations VALUES ('99 later')")
        let before = contents(file)

        let result = try open()

        #expect(result == .failure(.newerSchema(path: file, steps: ["99 later"])))
        guard case .failure(let error) = result else { return }
        #expect(error.description.contains("newer version"))
        #expect(contents(file) == before)
    }

    @Test
    func `a refused file is left as it is with its journal`() throws {
        let other = place.path("other")
        do { _ = try StateFolder(path: other) }
        do {
            // While a connection is open, its writes are only in the journal.
            let queue = try DatabaseQueue(path: file)
            try queue.writeWithoutTransaction { database in
                try database.execute(
                    sql: "PRAGMA journal_mode = WAL; INSERT INTO grdb_migrations VALUES ('99 later')")
            }
            for suffix in ["", "-wal"] {
                try write(try #require(contents(file + suffix)), to: other + "/hub.sqlite" + suffix)
            }
        }
        let before = [contents(other + "/hub.sqlite"), contents(other + "/hub.sqlite-wal")]
        #expect(before[1]?.isEmpty == false)

        #expect(throws: StoreError.newerSchema(path: other + "/hub.sqlite", steps: ["99 later"])) {
            try HubStore(at: other)
        }

        #expect(before == [contents(other + "/hub.sqlite"), contents(other + "/hub.sqlite-wal")])
    }

    @Test(arguments: (LedgerTables.summed + [LedgerTables.head]).flatMap(\.tampering))
    func `rows that are not those that were written are refused`(change sql: String) throws {
        try change(sql)

        guard case .failure = try open() else {
            Issue.record("\(sql) was not noticed")
            return
        }
    }

    /// Each row fits its own checksum.
    ///
    /// Some tables have rows that never change, or only rows that are gone by then.
    @Test(arguments: (LedgerTables.summed + [LedgerTables.head]).map(\.name))
    func `rows of an older state are refused`(table: String) throws {
        let store = try HubStore(at: place.path("older"))
        try store.file.withoutWaitingForTheDisk()
        var history = SampleHistory()
        for _ in 0..<60 { try store.commit(history.next()) }
        try store.commit(history.fork())
        for _ in 0..<20 { try store.commit(history.next()) }
        store.close()

        var changeCount = 0
        for removal in ["", "DELETE FROM \(table);"] {
            try write(whole, to: file)
            let queue = try DatabaseQueue(path: file)
            let isChanged = try queue.writeWithoutTransaction { database in
                let before = try Row.fetchAll(database, sql: "SELECT * FROM main.\(table) ORDER BY key")
                try database.execute(
                    sql: """
                        ATTACH '\(store.path)' AS older; \(removal)
                        INSERT OR REPLACE INTO \(table) SELECT * FROM older.\(table);
                        """)
                return try before != Row.fetchAll(database, sql: "SELECT * FROM main.\(table) ORDER BY key")
            }
            try queue.close()
            guard isChanged else { continue }
            changeCount += 1
            guard case .failure(.damaged) = try open() else {
                Issue.record("\(removal) older rows of \(table) were not noticed")
                return
            }
        }
        #expect(changeCount > 0 || table == "lineage")
    }

    @Test
    func `an undamaged copy in its place is all that it takes`() throws {
        try write(whole.dropLast(5000), to: file)
        #expect(try finding() != nil)

        try write(whole, to: file)

        #expect(try open() == .success(state))
    }

    // MARK: - The journal

    @Test
    func `a journal cut off anywhere gives a state that was committed`() throws {
        let folder = place.path("cut")
        let (main, journal, states) = try storeWithJournal()
        var seen: Set<UInt64> = []

        let lengths = [0, 1, 31, 32, 33] + Array(stride(from: 56, to: journal.count, by: 1021)) + [journal.count]
        for length in lengths {
            _ = try? FileManager.default.removeItem(atPath: folder)
            do { _ = try StateFolder(path: folder) }
            try write(main, to: folder + "/hub.sqlite")
            try write(journal.prefix(length), to: folder + "/hub.sqlite-wal")
            let store = try HubStore(at: folder)
            let state = try store.load()
            let revision = state.version.revision
            #expect(revision < states.count && state == states[Int(revision)], "\(length) bytes")
            seen.insert(revision)
        }

        #expect(seen == Set(0..<UInt64(states.count)))
    }

    /// The file of a store, its journal with all commits, and the state after each of them.
    private func storeWithJournal() throws -> (main: Data, journal: Data, states: [LedgerState]) {
        let folder = place.path("journal")
        let store = try HubStore(at: folder)
        var history = SampleHistory()
        var states = [history.ledger.state]
        let main = try #require(contents(folder + "/hub.sqlite"))
        for _ in 0..<12 {
            try store.commit(history.next())
            states.append(history.ledger.state)
        }
        #expect(contents(folder + "/hub.sqlite") == main)
        #expect(!history.ledger.state.bringers.isEmpty)
        #expect(history.ledger.state.uploads.values.contains { !$0.rejected.isEmpty })
        return (main, try #require(contents(folder + "/hub.sqlite-wal")), states)
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
