import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncStore

/// Received files that are kept: each once, under a safe name, and never replacing another one (P88).
@Suite
struct ReceivedFileStoreTests {
    private let place: TemporaryFolder

    init() throws {
        place = try TemporaryFolder()
    }

    private func folder() throws -> StateFolder { try StateFolder(path: place.path("state")) }

    /// Receives a file as the exchange does.
    private func receive(
        _ text: String, name: String, _ number: UInt64, metadata: [UInt8] = [], in store: FileStore
    ) throws -> FileOffer {
        let path = place.path("original")
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
            let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
            // The order of the names and the ids differs from the order of arrival.
            for (number, name) in [(9, "b.csv"), (3, "a.csv")] as [(UInt64, String)] {
                let offer = try receive(name, name: name, number, metadata: [UInt8(number)], in: store)
                let entry = try #require(try shelf.take(offer, from: store, atMilliseconds: Int64(number)))
                #expect(contents(entry.path) == Data(name.utf8))
                #expect(try permissions(entry.path) == 0o600)
                #expect(!FileManager.default.fileExists(atPath: store.path(ofReceived: offer)))
            }
        }
        let entries = try ReceivedFileStore(in: folder()).entries
        #expect(entries.map(\.name) == ["b.csv", "a.csv"])
        #expect(entries.map(\.metadata) == [[9], [3]])
        #expect(entries.map(\.tookAtMilliseconds) == [9, 3])
        #expect(entries.map(\.byteCount) == [5, 5])
        #expect(entries.map(\.number) == [1, 2])
    }

    @Test
    func `a file that is told twice is kept once, and comes not back when it was taken out`() throws {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
        let offer = try receive("one", name: "pool.csv", 1, in: store)
        let entry = try #require(try shelf.take(offer, from: store, atMilliseconds: 0))
        #expect(try shelf.take(offer, from: store, atMilliseconds: 0) == nil)
        #expect(shelf.entries == [entry])
        // The exchange's removal of the consumed file does not affect the file in this store.
        store.remove(offer)
        #expect(contents(entry.path) == Data("one".utf8))

        try shelf.remove(entry)
        #expect(try shelf.take(offer, from: store, atMilliseconds: 0) == nil)
        #expect(shelf.entries.isEmpty)
        #expect(try names(in: place.path("state/shared")).isEmpty)
    }

    @Test(arguments: [0, 1, 2], ["-pool.csv", ".note"])
    func `a crash in the middle of taking a file over loses nothing and doubles nothing`(
        step: Int, name: String
    ) throws {
        let folder = try folder()
        let store = try FileStore(in: folder)
        let offer = try receive("one", name: name, 1, metadata: [4, 2], in: store)
        let source = place.path("state/files/received/\(offer.id.hexadecimal)")
        // The remains of the steps before the crash: another name, a part of the note.
        if step > 0 {
            try FileManager.default.moveItem(atPath: "\(source)/\(name)", toPath: "\(source)/_\(name)")
        }
        if step > 1 { try write(Data([1, 2]), to: source + "/.note") }

        let shelf = try ReceivedFileStore(in: folder)
        #expect(shelf.entries.isEmpty)
        let entry = try #require(try shelf.take(offer, from: store, atMilliseconds: 5))
        #expect(contents(entry.path) == Data("one".utf8))
        #expect(try ReceivedFileStore(in: folder).entries == [entry])
        #expect(entry.metadata == [4, 2])
        #expect(try names(in: place.path("state/files/received")).isEmpty)
    }

    @Test
    func `files of one name stand beside each other, and a hostile one leads nowhere`() throws {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
        let told = [
            "pool.csv", "pool.csv", ".note", "-rf", "..…", "\u{1B}[2J\n.csv", "a\\b;rm *", "e\u{202E}vsc.exe", "=1+1",
            " a",
            "\u{301}a", "re\u{301}sume\u{301}.csv", "पानी.csv",
        ]
        for (number, name) in told.enumerated() {
            let offer = try receive("text \(number)", name: name, UInt64(number), in: store)
            _ = try #require(try shelf.take(offer, from: store, atMilliseconds: 0))
        }
        let entries = shelf.entries
        let expected = [
            "pool.csv", "pool.csv", "_.note", "_-rf", "_.._", "__2J_.csv", "a_b_rm__", "e_vsc.exe", "_=1+1", "_a",
            "_\u{301}a", "re\u{301}sume\u{301}.csv", "पानी.csv",
        ]
        #expect(entries.map(\.name) == expected)
        let root = place.path("state/shared") + "/"
        for (number, entry) in entries.enumerated() {
            #expect(contents(entry.path) == Data("text \(number)".utf8))
            #expect(URL(fileURLWithPath: entry.path).standardized.path.hasPrefix(root))
        }
        #expect(try ReceivedFileStore(in: folder).entries == entries)
        // Names that no file store accepts.
        for name in ["../up", "/etc/passwd", "..", ""] { #expect(!FileOffer.isFit(name: name)) }
    }

    @Test(arguments: [
        (String(repeating: "n", count: 255), 120, ".csv"), (String(repeating: "é", count: 120) + ".csv", 120, ".csv"),
        ("x." + String(repeating: "e", count: 200), 120, ""),
    ])
    func `a long name is cut before its ending`(name: String, byteCount: Int, ending: String) {
        let safe = ReceivedFileStore.safeName(name)
        #expect(safe.utf8.count <= byteCount && safe.utf8.count > byteCount - 4)
        if name.hasSuffix(ending) { #expect(safe.hasSuffix(ending)) }
    }

    @Test
    func `what does not fit is declined before it comes, and room comes back`() throws {
        let folder = try folder()
        let store = try FileStore(in: folder)
        let shelf = try ReceivedFileStore(in: folder, limits: .init(countMax: 2, byteCountMax: 10))
        func offer(_ number: UInt64, _ byteCount: UInt64) throws -> FileOffer {
            let digest = try #require(FileDigest(bytes: [UInt8](repeating: 0, count: 32)))
            return FileOffer(
                id: RandomID(high: 7, low: number), name: "x", byteCount: byteCount, digest: digest, metadata: [])
        }
        #expect(shelf.reserve(try offer(1, 11))?.cause == .full)
        #expect(shelf.reserve(try offer(1, .max))?.cause == .full)
        #expect(shelf.reserve(try offer(1, 6)) == nil)
        // A repeated request needs no additional room.
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
        let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
        let text = String(repeating: "0123456789", count: 60_000)
        let entry = try #require(
            try shelf.take(try receive(text, name: "x.csv", 1, in: store), from: store, atMilliseconds: 0))
        let path = place.path("out.csv")
        try ReceivedFileStore.copy(entry.path, to: path, replaces: false)
        #expect(contents(path) == Data(text.utf8))
        try write(Data("mine".utf8), to: path)
        #expect(throws: FileStoreError.exists(path: path)) {
            try ReceivedFileStore.copy(entry.path, to: path, replaces: false)
        }
        #expect(contents(path) == Data("mine".utf8))
        try ReceivedFileStore.copy(entry.path, to: path, replaces: true)
        #expect(contents(path) == Data(text.utf8))
        #expect(try names(in: place.path).filter { $0.hasSuffix(".partial") }.isEmpty)
    }

    // MARK: - Copying to other folders

    /// A store with one file.
    private func kept(_ text: String) throws -> ReceivedFileStore.Entry {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
        return try #require(
            try shelf.take(try receive(text, name: "pool.csv", 1, in: store), from: store, atMilliseconds: 0))
    }

    @Test
    func `a person's own file with an ending like that of a file in the making stays`() throws {
        let entry = try kept("text")
        let path = place.path("pool.csv")
        try write(Data("mine".utf8), to: path + ".partial")
        try ReceivedFileStore.copy(entry.path, to: path, replaces: false)
        #expect(contents(path + ".partial") == Data("mine".utf8))
        #expect(contents(path) == Data("text".utf8))
    }

    @Test
    func `of two that copy to one name at once, one gets it whole and the other is told`() throws {
        let entry = try kept("text")
        let path = place.path("pool.csv")
        var temporaryPaths: [String] = []
        func giveName(_ newPath: String, _ path: String) -> Int32 {
            temporaryPaths.append(newPath)
            return unsafe link(newPath, path) == 0 ? 0 : errno
        }
        #expect(throws: FileStoreError.exists(path: path)) {
            try ReceivedFileStore.copy(entry.path, to: path, replaces: false) { newPath, path in
                // The other process creates its file just before this one renames its own.
                #expect(throws: Never.self) {
                    try ReceivedFileStore.copy(entry.path, to: path, replaces: false, link: giveName)
                }
                #expect(contents(newPath) == Data("text".utf8))
                return giveName(newPath, path)
            }
        }
        #expect(Set(temporaryPaths).count == 2)
        #expect(contents(path) == Data("text".utf8))
        #expect(try names(in: place.path).filter { $0.hasSuffix(".partial") }.isEmpty)
    }

    @Test
    func `a disk without second names takes a file, and nobody's file gives way to it`() throws {
        let entry = try kept("text")
        let path = place.path("pool.csv")
        try ReceivedFileStore.copy(entry.path, to: path, replaces: false) { _, _ in EPERM }
        #expect(contents(path) == Data("text".utf8))
        let other = place.path("other.csv")
        #expect(throws: FileStoreError.exists(path: other)) {
            try ReceivedFileStore.copy(entry.path, to: other, replaces: false) { _, path in
                #expect(throws: Never.self) { try write(Data("mine".utf8), to: path) }
                return EPERM
            }
        }
        #expect(contents(other) == Data("mine".utf8))
        #expect(try names(in: place.path).filter { $0.hasSuffix(".partial") }.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a symbolic link is never replaced, wherever it leads`(replaces: Bool) throws {
        let entry = try kept("text")
        for target in ["mine.csv", "nowhere.csv"] {
            try write(Data("mine".utf8), to: place.path("mine.csv"))
            let path = place.path("link-to-\(target)")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            #expect(throws: replaces ? FileStoreError.notReplaceable(path: path) : .exists(path: path)) {
                try ReceivedFileStore.copy(entry.path, to: path, replaces: replaces)
            }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        }
        #expect(contents(place.path("mine.csv")) == Data("mine".utf8))
    }

    // MARK: - Numbers, and changes of other programs in the folder

    @Test
    func `a number is never given again, though its file is gone and the shelf was opened anew`() throws {
        for number in 1...3 as ClosedRange<UInt64> {
            let folder = try folder()
            let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
            for half in 0...1 as ClosedRange<UInt64> {
                let offer = try receive("text", name: "x", number * 2 + half, in: store)
                let entry = try #require(try shelf.take(offer, from: store, atMilliseconds: 0))
                #expect(entry.number == number * 2 + half - 1)
                try shelf.remove(entry)
            }
        }
    }

    @Test
    func `what cannot be read hides no other file, and is left as it is`() throws {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
        var entries: [ReceivedFileStore.Entry] = []
        for number in 1...3 as ClosedRange<UInt64> {
            let offer = try receive("text", name: "x", number, in: store)
            entries.append(try #require(try shelf.take(offer, from: store, atMilliseconds: 0)))
        }
        // A link instead of a file, a link instead of a folder, and no folder at all.
        try FileManager.default.removeItem(atPath: entries[0].path)
        try FileManager.default.createSymbolicLink(atPath: entries[0].path, withDestinationPath: entries[2].path)
        let (second, file) = (entries[1].id.hexadecimal, RandomID(high: 8, low: 8).hexadecimal)
        let shared = place.path("state/shared")
        try FileManager.default.moveItem(atPath: "\(shared)/\(second)", toPath: place.path("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(shared)/\(second)", withDestinationPath: place.path("elsewhere"))
        try write(Data("mine".utf8), to: "\(shared)/\(file)")

        let next = try ReceivedFileStore(in: folder)
        #expect(next.entries == [entries[2]])
        #expect(next.troubles.count == 3, "\(next.troubles)")
        #expect(contents("\(shared)/\(file)") == Data("mine".utf8))
        #expect(contents(place.path("elsewhere/x")) == Data("text".utf8))
        #expect(try names(in: shared).count == 4)
    }

    @Test
    func `what an editor leaves beside a file hides it not, and is not removed with it`() throws {
        let folder = try folder()
        let (store, shelf) = (try FileStore(in: folder), try ReceivedFileStore(in: folder))
        let entry = try #require(
            try shelf.take(try receive("text", name: "pool.csv", 1, in: store), from: store, atMilliseconds: 0))
        let home = place.path("state/shared/\(entry.id.hexadecimal)")
        try write(Data("lock".utf8), to: "\(home)/.~lock.pool.csv#")
        let next = try ReceivedFileStore(in: folder)
        #expect(next.entries == [entry])
        #expect(throws: FileStoreError.notAlone(path: home, others: [".~lock.pool.csv#"])) { try next.remove(entry) }
        #expect(contents(entry.path) == Data("text".utf8))
        #expect(try ReceivedFileStore(in: folder).entries == [entry])

        // Without its file, the folder is removed only if it contains no other files.
        try FileManager.default.removeItem(atPath: entry.path)
        #expect(try ReceivedFileStore(in: folder).entries.isEmpty)
        #expect(try names(in: home) == [".note", ".~lock.pool.csv#"])
        try FileManager.default.removeItem(atPath: "\(home)/.~lock.pool.csv#")
        #expect(try ReceivedFileStore(in: folder).entries.isEmpty)
        #expect(try names(in: place.path("state/shared")).isEmpty)
    }
}
