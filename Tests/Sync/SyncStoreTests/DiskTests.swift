import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// Disks that are full, fail or are read-only.
@Suite
struct DiskTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    @Test
    func `a full disk is named, and the store works on once there is room`() throws {
        // If no disk can be mounted, SQLite's own limit causes the same error.
        let disk = try SmallDisk(at: place.path("disk"), byteCount: 2 << 20)
        let store = try HubStore(at: disk?.path.appending("/state") ?? path)
        var history = SampleHistory()
        for _ in 0..<3 { try store.commit(history.next()) }
        if let disk { try disk.fill() } else { try store.limitPages(by: 10) }
        let (refused, error) = try firstRefused(by: store, &history)

        #expect(error == .full(path: store.path))
        #expect(try store.load() == history.ledger.state)

        if let disk { try disk.empty() } else { try store.limitPages(by: 1000) }
        try store.commit(refused)
        history.ledger.apply(refused)
        store.close()
        #expect(try store.load() == history.ledger.state)
        #expect(try store.loggedTransactions(last: 9999).count == Int(refused.after.revision))
    }

    @Test
    func `a disk that fails within a write leaves what was committed, and the store works on`() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try HubStore(at: path)
            var history = SampleHistory()
            for _ in 0..<5 { try store.commit(history.next()) }
            for byteCount in stride(from: 100_000, to: 400_000, by: 50_021) as StrideTo<UInt> {
                // The limit is in the middle of a page of the journal.
                limitFileSize(to: byteCount)
                let (refused, error) = try firstRefused(by: store, &history)
                guard case .diskFailed(store.path, _) = error else { throw error }
                #expect(try store.load() == history.ledger.state)
                limitFileSize(to: UInt(UInt32.max))
                try store.commit(refused)
                history.ledger.apply(refused)
                #expect(try store.load() == history.ledger.state)
            }
        }
    }

    @Test
    func `a store that finds no room for its journal opens once there is some`() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            var history = SampleHistory()
            do {
                let store = try HubStore(at: path)
                for _ in 0..<5 { try store.commit(history.next()) }
            }
            limitFileSize(to: 0)
            let folder = try StateFolder(path: path)
            do throws(StoreError) {
                _ = try HubStore(in: folder, firstEpoch: Epoch(number: 9))
                Issue.record("the store was opened")
            } catch {
                guard case .diskFailed(path + "/hub.sqlite", _) = error else { throw error }
            }
            limitFileSize(to: UInt(UInt32.max))
            #expect(try HubStore(in: folder, firstEpoch: Epoch(number: 9)).load() == history.ledger.state)
        }
    }

    @Test
    func `a store for which there is no room is created once there is some`() async throws {
        await #expect(processExitsWith: .success) { [path = place.path as String] in
            var refusedCount = 0
            for byteCount in stride(from: 0, to: 100_000, by: 3000) as StrideTo<UInt> {
                limitFileSize(to: byteCount)
                let folder = try StateFolder(path: path + "/\(byteCount)")
                do throws(StoreError) {
                    _ = try HubStore(in: folder, firstEpoch: Epoch(number: 9))
                } catch {
                    refusedCount += 1
                }
                limitFileSize(to: UInt(UInt32.max))
                let store = try HubStore(in: folder, firstEpoch: Epoch(number: 9))
                #expect(try store.load() == LedgerState(newEpoch: Epoch(number: 9)))
            }
            #expect(refusedCount > 5)
        }
    }

    @Test
    func `a full disk does not cost a watch what it remembers`() throws {
        let store = try WatchStore(at: path)
        var memory = SampleMemory()
        for _ in 0..<9 { try store.write(memory.next()) }
        try store.file.limitPages(by: 5)
        let large = Register(key: "large", order: 1, value: Array(repeating: 1, count: 60_000))
        let edit = Edit(
            id: RandomID(high: 0, low: 1),
            changes: (0..<16).map { number in
                Edit.Change(
                    key: CellKey(kind: "thing", record: RandomID(high: 0, low: number), group: "name"),
                    value: String(repeating: "v", count: 2048), base: nil, seen: nil)
            }, stamp: Stamp(milliseconds: 1, counter: 0, node: 5), schema: 1, resolves: nil)
        let step = ReplicaRecord(
            snapshot: nil, fence: EpochFence(), incarnation: sampleIncarnation, nextSequence: 1000,
            pending: .added(NumberedUpload(sequence: 999, upload: .edit(edit))), journaled: [])

        #expect(throws: StoreError.full(path: store.path)) { try store.write(registerRecord(large, epoch: 99)) }
        #expect(throws: StoreError.full(path: store.path)) { try store.write(.replica(step)) }

        #expect(try store.load() == memory.state)
        try store.file.limitPages(by: 1000)
        for _ in 0..<9 { try store.write(memory.next()) }
        #expect(try store.load() == memory.state)
    }

    @Test
    func `a write that failed late on a full disk counts if it is there, and is called full if not`() throws {
        // These file systems never have room for anything.
        #if os(Linux)
            let full = "/proc/version"
        #else
            let full = "/dev/null"
        #endif
        let store = try WatchStore(at: path)
        var memory = SampleMemory()
        for _ in 0..<3 { try store.write(memory.next()) }
        // The error of SQLite while the frames may already be complete in the journal.
        let failure = StoreError(DatabaseError(resultCode: .SQLITE_IOERR_FSYNC), path: full)

        try store.file.settle(after: failure) { try WatchHead($0).writeCount == 3 }
        #expect(throws: StoreError.full(path: full)) {
            try store.file.settle(after: failure) { try WatchHead($0).writeCount == 4 }
        }

        #expect(try store.load() == memory.state)
    }

    @Test
    func `a store that cannot be written is refused`() async throws {
        do { _ = try HubStore(at: path) }
        let file = path + "/hub.sqlite"
        if geteuid() == 0 {
            for name in try names(in: path) { try #require(unsafe chown(path + "/" + name, unprivilegedUser, 0) == 0) }
            try #require(unsafe chown(path, unprivilegedUser, 0) == 0)
        }
        try setPermissions(0o400, of: file)
        try setPermissions(0o755, of: place.path)

        await #expect(processExitsWith: .success) { [path = path as String, file = file as String] in
            giveUpPrivileges()
            #expect(throws: StoreError.notWritable(path: file)) { try HubStore(at: path) }
        }
    }

    @Test
    func `a folder in which no file can be created is refused`() async throws {
        do { _ = try StateFolder(path: path) }
        if geteuid() == 0 {
            try #require(unsafe chown(path, unprivilegedUser, 0) == 0)
            try #require(unsafe chown(path + "/lock", unprivilegedUser, 0) == 0)
        }
        try setPermissions(0o500, of: path)
        try setPermissions(0o755, of: place.path)

        await #expect(processExitsWith: .success) { [path = path as String] in
            giveUpPrivileges()
            #expect(throws: StoreError.notWritable(path: path + "/hub.sqlite")) { try HubStore(at: path) }
            #expect(throws: StoreError.notWritable(path: path + "/watch.sqlite")) { try WatchStore(at: path) }
        }
        try setPermissions(0o700, of: path)
    }

    @Test
    func `every error names the file and a way out`() {
        let version = Version(epoch: Epoch(number: 1), revision: 2, chain: 3)
        let errors: [StoreError] = [
            .full(path: "/s/hub.sqlite"), .notWritable(path: "/s/hub.sqlite"), .locked(path: "/s/hub.sqlite"),
            .damaged(path: "/s/hub.sqlite", finding: "f"), .newerSchema(path: "/s/hub.sqlite", steps: ["9"]),
            .unexpectedVersion(path: "/s/hub.sqlite", stored: version, expected: version),
            .diskFailed(path: "/s/hub.sqlite", reason: "r"), .exists(path: "/s/hub.sqlite"),
            .failed(path: "/s/hub.sqlite", reason: "r"),
        ]
        for error in errors {
            #expect(error.description.contains("/s/hub.sqlite"))
            #expect(error.description.count < 250)
        }
    }
}

/// Commits until the store fails.
///
/// Returns the failed transaction, which is not part of the history.
private func firstRefused(
    by store: HubStore, _ history: inout SampleHistory
) throws -> (Transaction, StoreError) {
    for _ in 0..<2000 {
        var next = history
        let transaction = next.next()
        do throws(StoreError) {
            try store.commit(transaction)
        } catch {
            return (transaction, error)
        }
        history = next
    }
    throw NeverRefused()
}

private struct NeverRefused: Error {}

extension HubStore {
    func limitPages(by count: Int) throws { try file.limitPages(by: count) }
}

extension DatabaseFile {
    /// Lets the file grow by this many pages only; SQLite then reports a full disk.
    func limitPages(by count: Int) throws {
        try current().writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + count)")
        }
    }
}
