import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// A watch's damaged store is replaced by a new one that contains every readable edit.
@Suite(.longWork)
struct WatchDamageTests {
    private let place: TemporaryFolder
    private let path: String
    private let file: String
    /// The bytes of the file, undamaged.
    private let whole: Data
    /// The contents of the undamaged file.
    private let state: WatchEngine.State

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
        file = path + "/watch.sqlite"
        (whole, state) = try Self.sample.get()
        do { _ = try StateFolder(path: path) }
        try write(whole, to: file)
    }

    private static let sample = Result {
        let place = try TemporaryFolder()
        var memory = SampleMemory()
        let store = try WatchStore(at: place.path("state"))
        for _ in 0..<60 { try store.write(memory.next()) }
        while memory.state.replica.pending.count < 30 { try store.write(memory.next()) }
        store.close()
        return (try #require(contents(store.path)), memory.state)
    }

    /// A new incarnation, different from the stored one.
    private let incarnation = RandomID(high: 2, low: 2)

    private func open() throws -> WatchStore {
        try WatchStore(in: StateFolder(path: path), newIncarnation: incarnation)
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func ids(_ state: WatchEngine.State) -> [RandomID] { state.replica.pending.map(\.upload.id) }

    /// Whether a repaired store contains only data of the damaged one, numbered from 1.
    private func isPart(_ repaired: WatchEngine.State) -> Bool {
        let pending = state.replica.pending.map(\.upload)
        let saved = repaired.replica.pending.map(\.upload)
        return saved.allSatisfy(pending.contains) && saved == pending.filter(saved.contains)
            && repaired.replica.pending.map(\.sequence) == (0..<saved.count).map { UInt64($0) + 1 }
            && repaired.replica.journal.allSatisfy(state.replica.journal.contains)
            && repaired.replica.incarnation == incarnation
            && repaired.replica.nextSequence == UInt64(saved.count) + 1
            && (repaired.replica.snapshot == nil || repaired.replica.snapshot == state.replica.snapshot)
            && (repaired.replica.deletions.isEmpty || repaired.replica.deletions == state.replica.deletions)
            && (repaired.replica.fence == EpochFence() || repaired.replica.fence == state.replica.fence)
    }

    // MARK: - Recovered data

    @Test
    func `damage outside of the edits costs none of them`() throws {
        try change("UPDATE register SET record = x'00'")

        let store = try open()

        let setAside = try #require(store.setAside)
        #expect(setAside.path == file + ".damaged")
        #expect(setAside.savedUploadCount == state.replica.pending.count)
        #expect(setAside.savedJournalCount == state.replica.journal.count)
        #expect(setAside.unreadableCount == 0)
        let repaired = try store.load()
        #expect(ids(repaired) == ids(state))
        #expect(repaired.replica.journal == state.replica.journal)
        #expect(repaired.replica.snapshot == state.replica.snapshot)
        #expect(repaired.replica.fence == state.replica.fence)
        #expect(!state.replica.deletions.isEmpty && repaired.replica.deletions == state.replica.deletions)
        #expect(repaired.registers.isEmpty)
        #expect(isPart(repaired))
    }

    @Test
    func `a damaged edit is the only one that is lost, and is counted`() throws {
        let middle = state.replica.pending[state.replica.pending.count / 2]
        try change("UPDATE upload SET record = x'00' WHERE key = x'\(Hexadecimal.text(middle.sequence))'")

        let store = try open()

        #expect(store.setAside?.unreadableCount == 1)
        let repaired = try store.load()
        #expect(ids(repaired) == ids(state).filter { $0 != middle.upload.id })
        #expect(isPart(repaired))
    }

    @Test(arguments: [
        "DELETE FROM upload WHERE key = (SELECT min(key) FROM upload)",
        "DELETE FROM upload WHERE key = (SELECT max(key) FROM upload)",
        "DELETE FROM journal WHERE key = (SELECT max(key) FROM journal)",
    ])
    func `a missing row is noticed and counted`(sql: String) throws {
        try change(sql)

        let store = try open()

        #expect(store.setAside?.unreadableCount == 1)
        #expect(try isPart(store.load()))
        #expect(
            try ids(store.load()).count + store.load().replica.journal.count
                == state.replica.pending.count + state.replica.journal.count - 1)
    }

    @Test(arguments: [
        "UPDATE state SET record = x'00'", "DELETE FROM state", "UPDATE state SET record = x'00' WHERE key = 1",
        "UPDATE state SET record = x'00' WHERE key = 2", "UPDATE state SET record = x'00' WHERE key = 3",
        "DELETE FROM state WHERE key = 1", "DELETE FROM state WHERE key = 2", "DELETE FROM state WHERE key = 3",
        "DROP TABLE register", "DELETE FROM head", "UPDATE head SET record = x'00'", "DROP TABLE journal",
        "UPDATE head SET checksum = checksum + 1", "DROP TABLE exchange", "DROP TABLE item",
    ])
    func `rows that are not those that were written cost no edit that waits`(sql: String) throws {
        try change(sql)

        let store = try open()

        let setAside = try #require(store.setAside)
        #expect(setAside.savedUploadCount == state.replica.pending.count)
        if sql.hasPrefix("DELETE FROM head") { #expect(setAside.unreadableCount == nil) }
        #expect(try ids(store.load()) == ids(state))
        #expect(try isPart(store.load()))
    }

    @Test
    func `a page of garbage costs what was on it, and what is saved is what was written`() throws {
        var savedCounts: Set<Int> = []
        for start in stride(from: 0, to: whole.count, by: 4096) {
            var bytes = whole
            bytes.replaceSubrange(start..<(start + 4096), with: Data(repeating: 0xA5, count: 4096))
            try write(bytes, to: file)
            let store = try open()
            guard store.setAside != nil else {
                #expect(try store.load() == state, "page at \(start)")
                continue
            }
            let repaired = try store.load()
            #expect(isPart(repaired), "page at \(start)")
            savedCounts.insert(repaired.replica.pending.count)
        }
        // Most pages contain no pending edits; a page with pending edits never loses all of them.
        #expect(savedCounts.contains(state.replica.pending.count))
    }

    @Test
    func `no flipped bit changes what is read, and none costs more than the row or the page that it hits`() throws {
        var setAsideCount = 0
        for offset in stride(from: 0, to: whole.count, by: 1531) {
            var bytes = whole
            bytes[offset] ^= 1 << UInt8(offset % 8)
            try write(bytes, to: file)
            let folder = try StateFolder(path: path)
            do throws(StoreError) {
                let store = try WatchStore(in: folder, newIncarnation: incarnation)
                guard store.setAside != nil else {
                    #expect(try store.load() == state, "offset \(offset)")
                    continue
                }
                setAsideCount += 1
                #expect(isPart(try store.load()), "offset \(offset)")
            } catch {
                // A flipped bit in the name of a migration makes the file look like one of a newer version.
                guard case .newerSchema = error else { throw error }
            }
        }
        #expect(setAsideCount > 5)
    }

    @Test
    func `a file cut off anywhere is replaced, and the new one works on`() throws {
        for length in Array(stride(from: 0, to: 120, by: 17)) + Array(stride(from: 120, to: whole.count, by: 9007)) {
            try write(whole.prefix(length), to: file)
            let expected: WatchEngine.State
            do {
                let store = try open()
                #expect(store.setAside?.path == file + ".damaged", "\(length) bytes")
                #expect(contents(file + ".damaged") == whole.prefix(length))
                let repaired = try store.load()
                #expect(isPart(repaired))
                let register = Register(key: "a", order: 1, value: [1])
                try store.write(registerRecord(register))
                expected = try store.load()
            }
            let store = try open()
            #expect(store.setAside == nil)
            #expect(try store.load() == expected)
        }
    }

    @Test
    func `garbage is set aside with its journal`() throws {
        try write(Data("no database, really none".utf8), to: file)
        try write(Data("no journal".utf8), to: file + "-wal")

        let store = try open()

        #expect(store.setAside?.finding.isEmpty == false)
        #expect(store.setAside?.unreadableCount == .some(nil))
        #expect(try store.load() == WatchEngine.State(newIncarnation: incarnation))
        #expect(contents(file + ".damaged") == Data("no database, really none".utf8))
        #expect(contents(file + ".damaged-wal") == Data("no journal".utf8))
    }

    @Test
    func `a journal without its file is set aside`() throws {
        try FileManager.default.removeItem(atPath: file)
        try write(Data("a journal".utf8), to: file + "-wal")

        let store = try open()

        #expect(store.setAside != nil)
        #expect(try store.load() == WatchEngine.State(newIncarnation: incarnation))
    }

    @Test
    func `a file of a newer version is refused, not set aside`() throws {
        try change("INSERT INTO grdb_migrations VALUES ('99 later')")
        let before = contents(file)

        #expect(throws: StoreError.newerSchema(path: file, steps: ["99 later"])) { try open() }

        #expect(contents(file) == before)
    }

    // MARK: - A crash during the repair

    @Test
    func `a repair that a crash interrupts goes on at the next opening`() throws {
        try change("UPDATE register SET record = x'00'")
        let damaged = contents(file)
        do { _ = try open() }
        let repaired = try #require(contents(file))
        // A crash after the new file was complete: the damaged one either still has its name or was already renamed.
        for hasMoved in [false, true] {
            try write(repaired, to: file + ".repaired")
            try? FileManager.default.removeItem(atPath: file)
            try? FileManager.default.removeItem(atPath: file + ".damaged")
            try write(try #require(damaged), to: hasMoved ? file + ".damaged" : file)
            try write(Data("its journal".utf8), to: file + "-wal")

            let store = try open()

            #expect(store.setAside?.savedUploadCount == state.replica.pending.count)
            #expect(try ids(store.load()) == ids(state))
            #expect(contents(file + ".damaged") == damaged)
            #expect(contents(file + ".damaged-wal") == Data("its journal".utf8))
            #expect(contents(file + ".repaired") == nil)
        }
    }

    @Test
    func `a repair for which there is no room leaves the damaged file as it is`() async throws {
        try change("UPDATE register SET record = x'00'")
        let damaged = contents(file)
        await #expect(processExitsWith: .success) { [path = path as String] in
            limitFileSize(to: 4096)
            #expect(throws: StoreError.self) { try WatchStore(at: path) }
        }
        #expect(contents(file) == damaged)

        let store = try open()

        #expect(store.setAside?.savedUploadCount == state.replica.pending.count)
        #expect(try ids(store.load()) == ids(state))
    }
}
