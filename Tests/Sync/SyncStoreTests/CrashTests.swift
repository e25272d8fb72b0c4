import Foundation
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// A process that is killed during its writes: everything that was acknowledged is complete afterwards.
@Suite
struct CrashTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    @Test(arguments: 0..<8)
    func `a hub killed in a storm of commits keeps each that was acknowledged`(round: Int) async throws {
        let acknowledged = place.path("acknowledged")

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, acknowledged = acknowledged as String, round = round as Int] in
            let store = try HubStore(at: path)
            let journal = try Journal(acknowledged)
            let killer = Killer(afterCount: 5 + 7 * round, spinning: 3_000 * round)
            var history = SampleHistory()
            while true {
                let transaction = history.next()
                try store.commit(transaction)
                journal.note(transaction.after.revision)
                killer.count()
            }
        }

        let last = try #require(Journal.last(acknowledged))
        let store = try HubStore(at: path)
        let state = try store.load()
        #expect(state.version.revision == last || state.version.revision == last + 1)
        var history = SampleHistory()
        var (hadBringers, hadRejected) = (false, false)
        while history.ledger.version.revision < state.version.revision {
            let transaction = history.next()
            hadBringers = hadBringers || !history.ledger.state.bringers.isEmpty
            hadRejected = hadRejected || transaction.progress?.rejected.isEmpty == false
        }
        #expect(state == history.ledger.state)
        // There were enough writes to include the rows of conflict bringers and of rejected writes.
        if round > 2 { #expect(hadBringers && hadRejected) }
        try store.commit(history.next())
        #expect(try store.load() == history.ledger.state)
    }

    @Test(arguments: 0..<4)
    func `a watch killed in a storm of writes keeps each that was acknowledged`(round: Int) async throws {
        let acknowledged = place.path("acknowledged")

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, acknowledged = acknowledged as String, round = round as Int] in
            let store = try WatchStore(at: path)
            let journal = try Journal(acknowledged)
            let killer = Killer(afterCount: 5 + 7 * round, spinning: 3_000 * round)
            var memory = SampleMemory()
            while true {
                try store.write(memory.next())
                journal.note(memory.count)
                killer.count()
            }
        }

        let last = try #require(Journal.last(acknowledged))
        let store = try WatchStore(at: path)
        #expect(store.setAside == nil)
        let state = try store.load()
        // Snapshot, edits, registers, items, deletions and fence are from the same point in time.
        #expect(state == sampleState(after: last) || state == sampleState(after: last + 1))
        // There were enough writes to include the row of the deletions.
        if round > 1 { #expect((1...last).contains { !sampleState(after: $0).replica.deletions.isEmpty }) }
    }

    @Test(arguments: 0..<8)
    func `a hub killed while it creates its store creates it at the next start`(round: Int) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let killer = Killer(afterCount: 1, spinning: 20_000 * round * round)
            killer.count()
            let store = try HubStore(at: path)
            while true { _ = try store.load() }
        }

        let state = try HubStore(at: path, firstEpoch: 8).load()

        #expect(state == LedgerState(newEpoch: Epoch(number: 7)) || state == LedgerState(newEpoch: Epoch(number: 8)))
        #expect(try !names(in: path).contains("hub.sqlite.new"))
    }

    @Test(arguments: 0..<6)
    func `a secret replaced by a process that is killed is the old or the new one`(round: Int) async throws {
        let acknowledged = place.path("acknowledged")

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, acknowledged = acknowledged as String, round = round as Int] in
            let folder = try StateFolder(path: path)
            let journal = try Journal(acknowledged)
            let killer = Killer(afterCount: 3 + round, spinning: 2_000 * round)
            for number in 1... {
                try folder.writeSecret("key", sampleSecret(number))
                journal.note(UInt64(number))
                killer.count()
            }
        }

        let last = Int(try #require(Journal.last(acknowledged)))
        let folder = try StateFolder(path: path)
        let secret = try folder.readSecret("key")
        #expect(secret == sampleSecret(last) || secret == sampleSecret(last + 1))
        try folder.writeSecret("key", [1])
        #expect(try names(in: path) == ["key.secret", "lock"])
    }
}

/// A secret whose length encodes its number.
private func sampleSecret(_ number: Int) -> [UInt8] {
    Array(repeating: UInt8(truncatingIfNeeded: number), count: 1000 + number)
}
