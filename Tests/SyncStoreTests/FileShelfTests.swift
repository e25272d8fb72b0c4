import Foundation
import SyncCore
import Testing

@testable import SyncStore

/// Received files that are kept: each once, under a name that leads nowhere, and never in place of another (P88).
@Suite
struct FileShelfTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    private func folder() throws -> StateFolder { try StateFolder(path: place.path(of: "state")) }

    /// Receives a file as the exchange does.
    private func receive(
        _ text: String, name: String, _ number: UInt64, metadata: [UInt8] = [], in store: FileStore
    ) throws -> FileOffer {
        let path = place.path(of: "original")
        try write(Data(text.utf8), to: path)
        let kept = try store.keep(path)
        let offer = FileOffer(
            id: RandomID(high: 7, low: number), name: name, byteCount: kept.byteCount, digest: kept.digest,
            metadata: metadata)
        _ = try store.begin(offer, durable: 0)
        try store.write(Array(text.utf8), to: offer.id, at: 0)
        try store.finish(offer)
        return offer
    }

    @Test
    func `a file is kept with what was told of it, in the order of arrival, also by the next life`() throws {
        do {
            let folder = try folder()
            let (store, shelf) = (try FileStore(in: folder), try FileShelf(in: folder))
            // The names and ids are in another order than the arrivals.
            for (number, name) in [(9, "b.csv"), (3, "a.csv")] as [(UInt64, String)] {
                let offer = try receive(name, name: name, number, metadata: [UInt8(number)], in: store)
                let entry = try #require(try shelf.take(offer, from: store, atMilliseconds: Int64(number)))
                #expect(contents(entry.path) == Data(name.utf8))
                #expect(try permissions(entry.path) == 0o600)
                #expect(!FileManager.default.fileExists(atPath: store.path(ofReceived: offer)))
            }
        }
        let entries = try FileShelf(in: folder()).entries
        #expect(entries.map(\.name) == ["b.csv", "a.csv"])
        #expect(entries.map(\.metadata) == [[9], [3]])
        #expect(entries.map(\.tookAtMilliseconds) == [9, 3])
        #expect(entries.map(\.byteCount) == [5, 5])
        #expect(entries.map(\.number) == [1, 2])
    }

    @Test
    func `a file that is told twice is kept once, and comes not back when it was taken out`() throws {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try FileShelf(in: folder))
        let offer = try receive("one", name: "pool.csv", 1, in: store)
        let entry = try #require(try shelf.take(offer, from: store, atMilliseconds: 0))
        #expect(try shelf.take(offer, from: store, atMilliseconds: 0) == nil)
        #expect(shelf.entries == [entry])
        // What the exchange removes after it was consumed is not the file.
        store.remove(offer)
        #expect(contents(entry.path) == Data("one".utf8))

        try shelf.remove(entry)
        #expect(try shelf.take(offer, from: store, atMilliseconds: 0) == nil)
        #expect(shelf.entries.isEmpty)
        #expect(try names(in: place.path(of: "state/shared")).isEmpty)
    }

    @Test(arguments: [0, 1, 2])
    func `a crash in the middle of taking a file over loses nothing and doubles nothing`(step: Int) throws {
        let folder = try folder()
        let store = try FileStore(in: folder)
        let offer = try receive("one", name: "-pool.csv", 1, metadata: [4, 2], in: store)
        let source = place.path(of: "state/files/received/\(offer.id.hexadecimal)")
        // What the steps before the crash have left: another name, a part of the note.
        if step > 0 {
            try FileManager.default.moveItem(atPath: source + "/-pool.csv", toPath: source + "/_-pool.csv")
        }
        if step > 1 { try write(Data([1, 2]), to: source + "/.note") }

        let shelf = try FileShelf(in: folder)
        #expect(shelf.entries.isEmpty)
        let entry = try #require(try shelf.take(offer, from: store, atMilliseconds: 5))
        #expect(contents(entry.path) == Data("one".utf8))
        #expect(try FileShelf(in: folder).entries == [entry])
        #expect(entry.metadata == [4, 2])
        #expect(try names(in: place.path(of: "state/files/received")).isEmpty)
    }

    @Test
    func `files of one name stand beside each other, and a hostile one leads nowhere`() throws {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try FileShelf(in: folder))
        let told = ["pool.csv", "pool.csv", ".note", "-rf", "..…", "\u{1B}[2J\n.csv", "a\\b;rm *", "e\u{202E}vsc.exe"]
        for (number, name) in told.enumerated() {
            let offer = try receive("text \(number)", name: name, UInt64(number), in: store)
            _ = try #require(try shelf.take(offer, from: store, atMilliseconds: 0))
        }
        let entries = shelf.entries
        #expect(
            entries.map(\.name)
                == ["pool.csv", "pool.csv", "_.note", "_-rf", "_.._", "__2J_.csv", "a_b_rm _", "e_vsc.exe"])
        let root = place.path(of: "state/shared") + "/"
        for (number, entry) in entries.enumerated() {
            #expect(contents(entry.path) == Data("text \(number)".utf8))
            #expect(URL(fileURLWithPath: entry.path).standardized.path.hasPrefix(root))
        }
        #expect(try FileShelf(in: folder).entries == entries)
        // What no file store would receive.
        for name in ["../up", "/etc/passwd", "..", ""] { #expect(!FileOffer.isFit(name: name)) }
    }

    @Test(arguments: [
        (String(repeating: "n", count: 255), 120, ".csv"), (String(repeating: "é", count: 120) + ".csv", 120, ".csv"),
        ("x." + String(repeating: "e", count: 200), 120, ""),
    ])
    func `a long name is cut before its ending`(name: String, byteCount: Int, ending: String) {
        let safe = FileShelf.safeName(name)
        #expect(safe.utf8.count <= byteCount && safe.utf8.count > byteCount - 4)
        if name.hasSuffix(ending) { #expect(safe.hasSuffix(ending)) }
    }

    @Test
    func `what does not fit is declined before it comes, and room comes back`() throws {
        let folder = try folder()
        let store = try FileStore(in: folder)
        let shelf = try FileShelf(in: folder, limits: .init(countMax: 2, byteCountMax: 10))
        func offer(_ number: UInt64, _ byteCount: UInt64) throws -> FileOffer {
            let digest = try #require(FileDigest(bytes: [UInt8](repeating: 0, count: 32)))
            return FileOffer(
                id: RandomID(high: 7, low: number), name: "x", byteCount: byteCount, digest: digest, metadata: [])
        }
        #expect(shelf.reserve(try offer(1, 11))?.cause == .full)
        #expect(shelf.reserve(try offer(1, .max))?.cause == .full)
        #expect(shelf.reserve(try offer(1, 6)) == nil)
        // Asked for again, it needs no other room.
        #expect(shelf.reserve(try offer(1, 6)) == nil)
        #expect(shelf.reserve(try offer(2, 5))?.cause == .full)
        shelf.release(RandomID(high: 7, low: 1))
        #expect(shelf.reserve(try offer(2, 5)) == nil)

        let taken = try receive("12345", name: "x", 2, in: store)
        let entry = try #require(try shelf.take(taken, from: store, atMilliseconds: 0))
        #expect(shelf.reserve(try offer(3, 6))?.cause == .full)
        #expect(shelf.reserve(try offer(3, 5)) == nil)
        #expect(shelf.reserve(try offer(4, 0))?.words.contains("2 files are kept") == true)
        try shelf.remove(entry)
        #expect(shelf.reserve(try offer(4, 5)) == nil)
    }

    @Test
    func `a file is copied out whole, and in place of another only when that is wanted`() throws {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try FileShelf(in: folder))
        let text = String(repeating: "0123456789", count: 60_000)
        let entry = try #require(
            try shelf.take(try receive(text, name: "x.csv", 1, in: store), from: store, atMilliseconds: 0))
        let path = place.path(of: "out.csv")
        try FileShelf.copy(entry.path, to: path, replaces: false)
        #expect(contents(path) == Data(text.utf8))
        try write(Data("mine".utf8), to: path)
        #expect(throws: FileStoreError.exists(path: path)) {
            try FileShelf.copy(entry.path, to: path, replaces: false)
        }
        #expect(contents(path) == Data("mine".utf8))
        try FileShelf.copy(entry.path, to: path, replaces: true)
        #expect(contents(path) == Data(text.utf8))
        #expect(try names(in: place.path).filter { $0.hasSuffix(".partial") }.isEmpty)
    }
}
