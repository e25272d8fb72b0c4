import Foundation
import Platform
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// The file beside a hub's folder that shows that the folder was restored from a backup.
@Suite
struct VersionGuardTests {
    private let place: TemporaryFolder
    private let path: String
    private let clock = HandClock()
    private var note: String { path + ".guard" }
    private var file: String { path + "/hub.sqlite" }

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    private func open() throws -> HubStore {
        try HubStore(in: StateFolder(path: path), firstEpoch: Epoch(number: 7)) { [clock] in clock.now }
    }

    private func noted() -> Version? { VersionGuard(besides: path) { [clock] in clock.now }.read() }

    @Test
    func `the note is written at most once a second, and at the end`() throws {
        var history = SampleHistory()
        var store: HubStore? = try open()
        #expect(noted()?.revision == 0)

        for _ in 0..<3 { try store?.commit(history.next()) }
        #expect(noted()?.revision == 0)
        clock.advance(by: .seconds(1))
        try store?.commit(history.next())
        #expect(noted() == history.ledger.version)
        #expect(try permissions(note) == 0o600)

        for _ in 0..<3 { try store?.commit(history.next()) }
        #expect(noted()?.revision == 4)
        store?.close()
        #expect(noted()?.revision == 7)
        try store?.commit(history.next())
        store = nil
        #expect(noted() == history.ledger.version)
        #expect(try names(in: place.path) == ["state", "state.guard"])
    }

    @Test
    func `a store that is as new as its note, or newer, is taken as it is`() throws {
        var history = SampleHistory()
        for _ in 0..<4 {
            let store = try open()
            #expect(store.wasPutBack == nil)
            for _ in 0..<5 { try store.commit(history.next()) }
            try store.commit(history.fork())
            // As after a crash: the file is a second old.
            let old = try #require(contents(note))
            store.close()
            try write(old, to: note)
        }
    }

    @Test
    func `a backup that was put back is noticed until a new epoch has begun`() throws {
        var history = SampleHistory()
        do {
            let store = try open()
            for _ in 0..<5 { try store.commit(history.next()) }
        }
        let backup = try #require(contents(file))
        let backedUp = history
        do {
            let store = try open()
            for _ in 0..<5 { try store.commit(history.next()) }
        }
        try write(backup, to: file)

        for _ in 0..<2 {
            let store = try open()
            let expected = HubStore.PutBack(stored: backedUp.ledger.version, guarded: history.ledger.version)
            #expect(store.wasPutBack == expected)
        }
        var continued = backedUp
        do { try open().commit(continued.fork()) }

        #expect(try open().wasPutBack == nil)
        #expect(noted() == continued.ledger.version)
    }

    @Test
    func `another past of the same length is noticed`() throws {
        var history = SampleHistory()
        do {
            let store = try open()
            for _ in 0..<5 { try store.commit(history.next()) }
        }
        let backup = try #require(contents(file))
        var other = SampleHistory(history.ledger.state, seed: 2)
        do { try open().commit(history.next()) }
        let guarded = try #require(contents(note))
        try write(backup, to: file)
        try FileManager.default.removeItem(atPath: note)
        do {
            let store = try open()
            for _ in 0..<3 { try store.commit(other.next()) }
        }
        try write(guarded, to: note)

        #expect(try open().wasPutBack?.guarded == history.ledger.version)
    }

    @Test
    func `a backup from before a new epoch is noticed`() throws {
        var history = SampleHistory()
        do { try open().commit(history.next()) }
        let backup = try #require(contents(file))
        do { try open().commit(history.fork()) }
        try write(backup, to: file)

        #expect(try open().wasPutBack?.guarded == history.ledger.version)
    }

    @Test
    func `no note, or one that cannot be read, is no error`() throws {
        var history = SampleHistory()
        do { try open().commit(history.next()) }
        let whole = try #require(contents(note))
        var flipped = whole
        flipped[14] ^= 1
        for bytes in [Data(), whole.prefix(20), flipped, Data("no note".utf8)] {
            try write(bytes, to: note)
            let store = try open()
            #expect(store.wasPutBack == nil)
            // The file is repaired when the store is closed.
            store.close()
            #expect(noted() == history.ledger.version)
        }
        try FileManager.default.removeItem(atPath: note)
        try FileManager.default.createDirectory(atPath: note, withIntermediateDirectories: false)
        let store = try open()
        #expect(store.wasPutBack == nil)
        try store.commit(history.next())
        #expect(try store.load() == history.ledger.state)
    }

    @Test
    func `a store made anew has nothing to be compared with`() throws {
        var history = SampleHistory()
        do { try open().commit(history.next()) }
        try FileManager.default.removeItem(atPath: path)

        let store = try HubStore(at: path, firstEpoch: 8)

        #expect(store.wasPutBack == nil)
        #expect(noted()?.epoch == Epoch(number: 8))
    }

    @Test(arguments: ["state/", "state//"])
    func `a slash behind the folder's name does not move the note into it`(name: String) throws {
        do { _ = try HubStore(at: place.path(name)) }

        #expect(try names(in: place.path) == ["state", "state.guard"])
    }
}

/// A manually controlled clock.
private final class HandClock: Sendable {
    private let time = Lock(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock(\.self) }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
