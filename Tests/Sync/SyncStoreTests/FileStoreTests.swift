import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncStore

/// Files on a real disk: outgoing copies, partial files that are resumed, and names that only verified files have.
@Suite
struct FileStoreTests {
    private let place: TemporaryFolder
    private let id = RandomID(high: 1, low: 2)

    init() throws {
        place = try TemporaryFolder()
    }

    private func store(reserve: UInt64 = 0) throws -> FileStore {
        try FileStore(in: StateFolder(path: place.path("state")), reservedByteCount: reserve)
    }

    private func file(_ byteCount: Int, name: String = "photo.jpg") throws -> (path: String, bytes: [UInt8]) {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let path = place.path(name)
        try write(Data(bytes), to: path)
        return (path, bytes)
    }

    private func offer(_ kept: FileStore.KeptFile) -> FileOffer {
        FileOffer(id: id, name: kept.name, byteCount: kept.byteCount, digest: kept.digest, metadata: [])
    }

    @Test
    func `a copy is sent, whatever the application does with its file`() throws {
        // R124, R128, R156.
        let (path, bytes) = try file(600_000)
        var store: FileStore? = try store()
        let kept = try #require(try store?.keep(path))
        #expect(kept.name == "photo.jpg" && kept.byteCount == 600_000)
        try FileManager.default.removeItem(atPath: path)

        store = nil
        let again = try self.store()
        #expect(try again.read(kept.file, at: 599_990, byteCount: 32_768) == Array(bytes.suffix(10)))
        #expect(try again.read(kept.file, at: 0, byteCount: 32_768) == Array(bytes.prefix(32_768)))
        let outgoing = place.path("state/files/outgoing")
        #expect(try permissions(outgoing) == 0o700)
        #expect(try permissions(outgoing + "/" + kept.file) == 0o600)
        again.release(kept.file)
        #expect(throws: FileStoreError.missing(path: outgoing + "/" + kept.file)) {
            try again.read(kept.file, at: 0, byteCount: 1)
        }
    }

    @Test
    func `only a copy that is not there is called gone`() throws {
        let store = try store()
        let kept = try store.keep(try file(10).path)
        let copy = place.path("state/files/outgoing/\(kept.file)")
        func cause() -> FileFailure.Cause? {
            let answer = store.carryOut(.read(id, file: kept.file, offset: 0, byteCount: 10))
            guard case .readFailed(id, let failure) = answer else { return nil }
            return failure.cause
        }
        try FileManager.default.removeItem(atPath: copy)
        #expect(cause() == .gone)
        // A folder can be opened but not read, like a failing disk.
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        #expect(cause() == .failed)
    }

    @Test
    func `the digest is SHA-256`() throws {
        // The example "abc" of FIPS 180-2, and the digest of no bytes.
        try write(Data("abc".utf8), to: place.path("abc"))
        try write(Data(), to: place.path("empty"))
        let store = try store()
        #expect(
            try store.keep(place.path("abc")).digest.hexadecimal
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            try store.keep(place.path("empty")).digest.hexadecimal
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test
    func `what is not a regular file, too large or not there is refused, and leaves nothing`() throws {
        // R122, R123.
        let store = try store()
        let (path, _) = try file(1001)
        #expect(throws: FileStoreError.notAPlainFile(path: place.path)) { try store.keep(place.path) }
        let missing = place.path("none")
        #expect(throws: FileStoreError.missing(path: missing)) { try store.keep(missing) }
        #expect(throws: FileStoreError.tooLarge(path: path, byteCount: 1001, byteCountMax: 1000)) {
            try store.keep(path, byteCountMax: 1000)
        }
        #expect(try names(in: place.path("state/files/outgoing")).isEmpty)
    }

    @Test
    func `a part goes on at its durable bytes after a crash, and what lies beyond them is void`() throws {
        let (path, bytes) = try file(100_000)
        var store: FileStore? = try store()
        let offer = offer(try #require(try store?.keep(path)))
        #expect(try store?.begin(offer, durable: 0) == .open(at: 0))
        try store?.write(Array(bytes[..<63_000]), to: id, at: 0)
        #expect(try store?.sync(id) == 63_000)
        try store?.write(Array(repeating: 0, count: 5000), to: id, at: 63_000)

        store = nil
        let again = try self.store()
        #expect(try again.begin(offer, durable: 63_000) == .open(at: 63_000))
        try again.write(Array(bytes[63_000...]), to: id, at: 63_000)
        try again.finish(offer)
        #expect(contents(again.path(ofReceived: offer)) == Data(bytes))
        #expect(try permissions(again.path(ofReceived: offer)) == 0o600)
        #expect(try names(in: place.path("state/files/parts")).isEmpty)
        // A crash before the record: the file is found complete.
        #expect(try again.begin(offer, durable: 63_000) == .finished)
    }

    @Test
    func `a part that lost more than its record says goes on at what is there`() throws {
        let (path, _) = try file(1000)
        let store = try store()
        #expect(try store.begin(offer(try store.keep(path)), durable: 700) == .open(at: 0))
    }

    @Test
    func `a file with another content never gets its name`() throws {
        let (path, bytes) = try file(1000)
        let store = try store()
        let offer = offer(try store.keep(path))
        var wrong = bytes
        wrong[500] ^= 1
        for content in [wrong, Array(bytes.dropLast())] {
            _ = try store.begin(offer, durable: 0)
            try store.write(content, to: id, at: 0)
            #expect(throws: FileStoreError.damaged(path: place.path("state/files/parts/\(id.hexadecimal)"))) {
                try store.finish(offer)
            }
        }
        #expect(contents(store.path(ofReceived: offer)) == nil)
        store.discard(id)
        #expect(try names(in: place.path("state/files/parts")).isEmpty)
    }

    @Test
    func `damage to a part while the program was away is found`() throws {
        let (path, bytes) = try file(1000)
        var store: FileStore? = try store()
        let offer = offer(try #require(try store?.keep(path)))
        _ = try store?.begin(offer, durable: 0)
        try store?.write(bytes, to: id, at: 0)
        _ = try store?.sync(id)
        store = nil
        let part = place.path("state/files/parts/\(id.hexadecimal)")
        var spoilt = try #require(contents(part))
        spoilt[10] ^= 1
        try write(spoilt, to: part)

        let again = try self.store()
        #expect(try again.begin(offer, durable: 1000) == .open(at: 1000))
        #expect(throws: FileStoreError.damaged(path: part)) { try again.finish(offer) }
    }

    @Test
    func `what no record knows is removed at the start, and the rest is kept`() throws {
        let store = try store()
        let (path, bytes) = try file(1000)
        let kept = try store.keep(path)
        let other = try store.keep(path)
        let offer = offer(kept)
        var known = FileExchange.State()
        known.apply(.queued(OutgoingFile(number: 1, file: kept.file, offer: offer)))
        for number in UInt64(10)...13 {
            var copy = offer
            copy.id = RandomID(high: 0, low: number)
            _ = try store.begin(copy, durable: 0)
            if number < 12 {
                try store.write(bytes, to: copy.id, at: 0)
                try store.finish(copy)
            }
            if number == 10 { known.apply(.received(copy)) }
            if number == 12 { known.apply(.receiving(IncomingFile(offer: copy, durable: 0))) }
        }

        try store.removeAbandoned(keeping: known)

        let folder = place.path("state/files") + "/"
        #expect(try names(in: folder + "outgoing") == [kept.file])
        #expect(try names(in: folder + "parts") == [RandomID(high: 0, low: 12).hexadecimal])
        #expect(try names(in: folder + "received") == [RandomID(high: 0, low: 10).hexadecimal])
        #expect(kept.file != other.file)
    }

    @Test
    func `a consumed file is removed, also after the application moved it away`() throws {
        // R119.
        let store = try store()
        let (path, bytes) = try file(1000)
        let offer = offer(try store.keep(path))
        _ = try store.begin(offer, durable: 0)
        try store.write(bytes, to: id, at: 0)
        try store.finish(offer)
        try FileManager.default.moveItem(atPath: store.path(ofReceived: offer), toPath: place.path("mine"))
        store.remove(offer)
        #expect(contents(place.path("mine")) == Data(bytes))
        #expect(try names(in: place.path("state/files/received")).isEmpty)
    }

    @Test
    func `an offer that would fill the disk is declined`() throws {
        let store = try store(reserve: .max)
        var offer = FileOffer(
            id: id, name: "a", byteCount: 10, digest: try #require(FileDigest(bytes: Array(repeating: 0, count: 32))),
            metadata: [])
        guard case .storeFailed(id, let failure) = store.carryOut(.begin(offer, durable: 0)) else {
            return #expect(Bool(false))
        }
        #expect(failure == FileFailure(.full, "10 bytes are needed and 0 are free"))
        #expect(try names(in: place.path("state/files/parts")).isEmpty)
        offer.name = "../a"
        #expect(throws: FileStoreError.badName("../a")) { try store.begin(offer, durable: 0) }
    }

    @Test
    func `a disk that fills in the middle is named, and nothing of the file stays`() throws {
        guard let disk = try SmallDisk(at: place.path("disk"), byteCount: 2 << 20) else { return }
        let (path, bytes) = try file(1_000_000)
        let source = try store()
        let offer = offer(try source.keep(path))
        let store = try FileStore(in: StateFolder(path: disk.path + "/state"), reservedByteCount: 0)
        #expect(store.carryOut(.begin(offer, durable: 0)) == .began(id, at: 0))
        try disk.fill()
        guard case .storeFailed(id, let failure) = store.carryOut(.write(id, offset: 0, bytes)) else {
            return #expect(Bool(false))
        }
        #expect(failure.cause == .full)
        // Chunks that were already on their way after the failed write fail too.
        guard case .storeFailed = store.carryOut(.write(id, offset: 1_000_000, [1])) else {
            return #expect(Bool(false))
        }
        #expect(store.carryOut(.discard(id)) == .discarded(id))
        #expect(try names(in: disk.path + "/state/files/parts").isEmpty)
        try disk.empty()
        #expect(store.carryOut(.begin(offer, durable: 0)) == .began(id, at: 0))
    }

    @Test
    func `two exchanges bring a file from disk to disk`() throws {
        let (path, bytes) = try file(300_000)
        let stores = [
            try FileStore(in: StateFolder(path: place.path("hub")), peer: "watch-1", reservedByteCount: 0),
            try FileStore(in: StateFolder(path: place.path("watch")), reservedByteCount: 0),
        ]
        var ends = [UInt64(1), 2].map { FileExchange(configuration: .init(), state: .init(), seed: $0) }
        var waiting: [(end: Int, input: FileExchange.Input)] = [(0, .sessionOpened(7)), (1, .sessionOpened(7))]
        let kept = try stores[0].keep(path)
        waiting.append(
            (
                0,
                .send(
                    .init(number: 1), file: kept.file, name: kept.name, byteCount: kept.byteCount, kept.digest,
                    metadata: [5])
            ))
        while !waiting.isEmpty {
            let (end, input) = waiting.removeFirst()
            ends[end].handle(input, at: Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0))
            while let output = ends[end].nextOutput() {
                switch output {
                case .send(let frame): waiting.append((1 - end, .received(frame)))
                case .persist(let record): waiting.append((end, .persisted(record)))
                default:
                    if let answer = stores[end].carryOut(output) { waiting.append((end, answer)) }
                }
            }
        }
        let received = try #require(ends[1].state.received.first)
        #expect(received.metadata == [5])
        #expect(contents(stores[1].path(ofReceived: received)) == Data(bytes))
        #expect(ends[0].state.results.map(\.failure) == [nil])
        #expect(try names(in: place.path("hub/watch-1/outgoing")).isEmpty)
    }
}
