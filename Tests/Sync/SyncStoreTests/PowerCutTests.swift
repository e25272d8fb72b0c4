import Foundation
import GRDB
import Platform
import PowerCut
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// The power is cut at random times and the disk loses everything that was not synced.
///
/// The acknowledged data is complete afterwards, and the store can be opened.
@Suite(.longWork)
struct PowerCutTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    /// Puts the remains of each cut into a separate folder.
    ///
    /// Returns descriptions of what is wrong there.
    private func findings(
        _ disk: ForgetfulDisk, _ look: (_ path: String, _ acknowledged: UInt64) throws -> String?
    ) throws -> [String] {
        #expect(disk.cuts.count > 8)
        return try disk.cuts.enumerated().compactMap { number, cut in
            let path = place.path("\(disk.cuts.count)-\(number)-\(UUID().uuidString)")
            try cut.lay(in: path)
            do {
                return try look(path, cut.acknowledged).map {
                    "after \(cut.acknowledged), with \(cut.words) kept: \($0)"
                }
            } catch {
                return "after \(cut.acknowledged), with \(cut.words) kept: \(error)"
            }
        }
    }

    // MARK: - A hub's store

    /// What power cuts damage in a hub's store.
    ///
    /// `plant` changes the store before anything is written.
    private func findingsOfHub(
        seed: UInt64, groupCount: UInt64 = 1, stepsBetweenOpenings: UInt64? = nil,
        _ plant: (HubStore) throws -> Void = { _ in }
    ) throws -> [String] {
        let disk = try ForgetfulDisk(seed: seed)
        var history = SampleHistory(seed: seed)
        let first = history.ledger.state
        var states = [first.version.revision: first]
        let store = try HubStore(at: disk.path + "/state")
        try plant(store)
        disk.acknowledge(first.version.revision)
        for step in 0..<160 as Range<UInt64> {
            let group = (0..<groupCount).map { _ in history.next() }
            let revision = history.ledger.version.revision
            states[revision] = history.ledger.state
            try store.commit(group)
            disk.acknowledge(revision)
            // The next use opens it again, after the journal was moved into the main file.
            if let stepsBetweenOpenings, step % stepsBetweenOpenings == 0 { store.close() }
        }
        return try findings(disk) { path, acknowledged in
            let store = try HubStore(at: path + "/state")
            let state = try store.load()
            let revision = state.version.revision
            // A commit may be in progress. Before its first revision, the store has nothing to keep.
            guard revision == acknowledged || revision == acknowledged + groupCount || acknowledged == 0 else {
                return "revision \(revision)"
            }
            if let putBack = store.wasPutBack { return "\(putBack)" }
            return state == states[revision] ? nil : "another state of revision \(revision)"
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `a hub's store keeps each commit that was acknowledged through cuts of the power`(seed: UInt64) throws {
        #expect(try findingsOfHub(seed: seed, stepsBetweenOpenings: 5 + seed) == [])
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `a group of transactions survives cuts of the power as a whole or not at all`(seed: UInt64) throws {
        // I17
        #expect(try findingsOfHub(seed: seed, groupCount: 2 + seed, stepsBetweenOpenings: 5 + seed) == [])
    }

    @Test(arguments: ["OFF", "NORMAL"])
    func `a store that does not wait for the disk is found out`(synchronous: String) throws {
        let findings = try findingsOfHub(seed: 1) { store in
            try store.file.current().writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
            }
        }
        #expect(!findings.isEmpty)
    }

    @Test func `what is exchanged with a watch is kept once it was acknowledged`() throws {
        let disk = try ForgetfulDisk(seed: 1)
        let (peer, store) = (samplePeer(1), try HubStore(at: disk.path + "/state"))
        var items = SampleItems(seed: 3)
        var states = [items.state]
        for number in 1...160 as ClosedRange<UInt64> {
            let changes = items.next()
            states.append(items.state)
            try store.commit(.exchange(Exchange.Record(number: number, changes: changes)), of: peer)
            disk.acknowledge(number)
        }
        let found = try findings(disk) { path, acknowledged in
            let state = try HubStore(at: path + "/state").transfers(with: peer).exchange
            let count = Int(acknowledged)
            return state == states[count] || state == states[min(count + 1, 160)] ? nil : "another state"
        }
        #expect(found == [])
    }

    // MARK: - A watch's store

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `a watch's store keeps each record that was acknowledged through cuts of the power`(seed: UInt64) throws {
        let disk = try ForgetfulDisk(seed: seed)
        var memory = SampleMemory(seed: seed)
        var states = [memory.state]
        let store = try WatchStore(at: disk.path + "/state")
        for step in 0..<160 as Range<UInt64> {
            let record = memory.next()
            states.append(memory.state)
            try store.write(record)
            disk.acknowledge(memory.count)
            if step % (5 + seed) == 0 { store.close() }
        }
        let found = try findings(disk) { path, acknowledged in
            let store = try WatchStore(at: path + "/state")
            if let damage = store.setAside { return "\(damage)" }
            let state = try store.load()
            let count = Int(acknowledged)
            return state == states[count] || state == states[min(count + 1, 160)] ? nil : "another state"
        }
        #expect(found == [])
    }

    // MARK: - Files and folders

    @Test func `a secret in a new folder is the last that was acknowledged, or the one after`() throws {
        let disk = try ForgetfulDisk(seed: 1)
        let folder = try StateFolder(path: disk.path + "/state")
        for number in 1...120 as ClosedRange<UInt64> {
            try folder.writeSecret("key", Self.secret(number))
            disk.acknowledge(number)
        }
        let found = try findings(disk) { path, last in
            let secret = try StateFolder(path: path + "/state").readSecret("key")
            let isFit = secret == (last == 0 ? nil : Self.secret(last)) || secret == Self.secret(last + 1)
            return isFit ? nil : "another secret, of \(secret?.count ?? 0) bytes"
        }
        #expect(found == [])
    }

    private static func secret(_ number: UInt64) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number), count: 700 + Int(number))
    }

    @Test func `a new folder is there for good when it is opened, and so are those above it`() throws {
        let disk = try ForgetfulDisk(seed: 1)
        try StateFolder.prepare(disk.path + "/a/b/c")
        let folder = try StateFolder(path: disk.path + "/a/b/c/state")
        try disk.cut().lay(in: place.path("after"))
        #expect(try names(in: place.path("after/a/b/c")) == ["state"])
        withExtendedLifetime(folder) {}
    }

    @Test func `a received file is there for good, and whole, when it is finished`() throws {
        let disk = try ForgetfulDisk(seed: 1)
        let folder = try StateFolder(path: disk.path + "/state")
        let store = try FileStore(in: folder)
        let bytes = Self.secret(7)
        try Data(bytes).write(to: URL(filePath: disk.path + "/photo.jpg"))
        let kept = try store.keep(disk.path + "/photo.jpg")
        let offer = FileOffer(
            id: RandomID(high: 1, low: 2), name: kept.name, byteCount: kept.byteCount, digest: kept.digest, metadata: []
        )
        #expect(try store.begin(offer, durable: 0) == .open(at: 0))
        try store.write(bytes, to: offer.id, at: 0)
        try store.finish(offer)
        try disk.cut().lay(in: place.path("after"))
        let path = store.path(ofReceived: offer).replacing(disk.path, with: place.path("after"))
        #expect(contents(path) == Data(bytes))
    }

    @Test func `a file for a person is there for good when it was written`() throws {
        let disk = try ForgetfulDisk(seed: 1)
        try NewFile.write([1, 2, 3], to: disk.path + "/code.txt")
        try disk.cut().lay(in: place.path("after"))
        #expect(contents(place.path("after/code.txt")) == Data([1, 2, 3]))
    }
}
