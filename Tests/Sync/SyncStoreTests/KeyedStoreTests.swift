import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncStore

@Suite
struct KeyedStoreTests {
    private let place: TemporaryFolder
    private let path: String
    private var file: String { path + "/keyed.sqlite" }

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    private func open() throws -> KeyedStore { try KeyedStore(in: try StateFolder(path: path)) }

    @Test func `what was written is there after the store is opened anew, and what was taken away is not`() throws {
        do {
            let store = try open()
            #expect(try store.read().isEmpty)
            try store.write([("a", [1, 2]), ("b", []), ("ü\u{0}", [0])])
            try store.write([("a", [3]), ("b", nil), ("never", nil)])
            #expect(try store.read() == ["a": [3], "ü\u{0}": [0]])
        }
        let store = try open()
        #expect(try store.read() == ["a": [3], "ü\u{0}": [0]])
        #expect(try permissions(file) == 0o600)
    }

    @Test func `what was replaced or removed is soon nowhere on the disk`() async throws {
        func isAnywhere(_ word: String) throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: path).contains { name in
                contents(path + "/" + name)?.range(of: Data(word.utf8)) != nil
            }
        }
        let (first, second, large) = ("Zebedee", "Florence", String(repeating: "Dougal ", count: 3000))
        let store = try open()
        try store.write([("a", Array(first.utf8)), ("b", Array(large.utf8)), ("c", Array(second.utf8))])
        #expect(try isAnywhere(first) && isAnywhere("Dougal"))
        try store.write([("a", [1]), ("b", nil)])
        try await poll("it is gone") { try !isAnywhere(first) && !isAnywhere("Dougal") }
        #expect(try isAnywhere(second))
        // A process that is killed before does it at its next start.
        try store.write([("c", nil)])
        for name in ["keyed.sqlite", "keyed.sqlite-wal"] {
            try FileManager.default.createDirectory(atPath: place.path("killed"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: path + "/" + name, toPath: place.path("killed/" + name))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.path("killed"))
        let again = try KeyedStore(in: try StateFolder(path: place.path("killed")))
        #expect(try again.read() == ["a": [1]])
        for name in try FileManager.default.contentsOfDirectory(atPath: place.path("killed")) {
            #expect(contents(place.path("killed/" + name))?.range(of: Data(second.utf8)) == nil, "\(name)")
        }
    }

    @Test func `changes of one write count in their order`() throws {
        let store = try open()
        try store.write([("a", [1]), ("a", nil), ("a", [2])])
        #expect(try store.read() == ["a": [2]])
    }

    @Test func `a write that the disk has no room for leaves nothing of it`() throws {
        guard let disk = try SmallDisk(at: place.path("disk"), byteCount: 2_000_000) else { return }
        let store = try KeyedStore(in: try StateFolder(path: disk.path + "/state"))
        try store.write([("kept", [7])])
        let large = [UInt8](repeating: 1, count: 4_000_000)
        #expect(throws: StoreError.self) { try store.write([("kept", nil), ("large", large), ("more", large)]) }
        #expect(try store.read() == ["kept": [7]])
        try store.write([("after", [8])])
        #expect(try store.read() == ["kept": [7], "after": [8]])
    }

    @Test(arguments: [KeyedTables.head, KeyedTables.values].flatMap(\.tampering))
    func `rows that are not those that were written are refused, and the file is left as it is`(sql: String) throws {
        do { try open().write([("a", [1]), ("b", [2])]) }
        do { try DatabaseQueue(path: file).write { try $0.execute(sql: sql) } }
        let bytes = contents(file)
        #expect { try open() } throws: {
            guard case .damaged(file, _)? = $0 as? StoreError else { return false }
            return true
        }
        #expect(contents(file) == bytes)
    }

    @Test(arguments: 0..<3)
    func `a process killed in a storm of writes keeps each that was acknowledged`(round: Int) async throws {
        let acknowledged = place.path("acknowledged")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, acknowledged = acknowledged as String, round = round as Int] in
            let store = try KeyedStore(in: try StateFolder(path: path))
            let journal = try Journal(acknowledged)
            let killer = Killer(afterCount: 5 + 7 * round, spinning: 3_000 * round)
            for number in 1... as PartialRangeFrom<UInt64> {
                // Each write moves a mark and increases a counter, which belong together.
                try store.write([
                    ("\(number)", [1]), ("\(number - 1)", nil), ("count", Array("\(number)".utf8)),
                ])
                journal.note(number)
                killer.count()
            }
        }
        let last = try #require(Journal.last(acknowledged))
        let map = try open().read()
        let count = try #require(map["count"].flatMap { UInt64(String(decoding: $0, as: UTF8.self)) })
        #expect(count == last || count == last + 1)
        #expect(map.count == 2 && map["\(count)"] == [1])
    }
}
