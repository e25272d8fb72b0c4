import Logging
import PoolModel
import SyncCore
import SyncStore
import SyncTransport
import TestSupport
import Testing

@testable import PoolWatch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files that a watch receives: kept once, shown on its face, and taken out by a user (P88).
@Suite(.timeLimit(.minutes(20))) struct WatchFilesTests {
    /// A hub with a file to send, and its paired watch.
    private struct Scene {
        let home: TestPlace
        let place: TestPlace
        let store: FileStore
        let hub: TestHub

        init() throws {
            (home, place) = (try TestPlace(), try TestPlace())
            store = try FileStore(in: StateFolder(path: home.path))
            hub = try TestHub(files: store)
        }

        /// Sends a file to the only watch.
        @discardableResult
        func send(_ text: String, name: String, metadata: [UInt8] = []) async throws -> RandomID {
            let path = home.path + "/original"
            try Data(text.utf8).write(to: URL(filePath: path))
            let kept = try store.keep(path)
            let watch = try #require(try await hub.transport.status().watches.first).watch.key
            let answer = try await hub.transport.transfer(
                {
                    .files(
                        .send(
                            $0, file: kept.file, name: name, byteCount: kept.byteCount, kept.digest, metadata: metadata)
                    )
                }, with: watch)
            guard case .files(.accepted(let id)) = answer else { throw Missing() }
            return id
        }
    }

    private func kept(_ watch: PoolWatch) async throws -> [ReceivedFile] {
        guard case .files(let files) = try await watch.perform(.files) else { throw Missing() }
        return files
    }

    @Test func `a file is kept and told on the face with its name, size and place, also by the next life`() async throws
    {
        let scene = try Scene()
        _ = try await scene.hub.start()
        try await scene.place.pair(with: scene.hub)
        var watch = try await scene.place.start()
        let note = ExportMetadata(readings: 2, format: .csv, values: "both", devices: ["Lagoon"])
        let json = String(decoding: try CanonicalJSON.encode(note), as: UTF8.self)
        try await scene.send(
            "a,b\r\n", name: "-pool\u{1B}.csv",
            metadata: try PropertyList.dictionary(["export": .string(json)]).encoded())

        await watch.waitForGlance { $0.fileNotice != nil }

        let files = try await kept(watch.watch)
        let file = try #require(files.first)
        #expect(files.count == 1 && file.name == "_-pool_.csv" && file.byteCount == 5 && file.export == note)
        #expect(FileManager.default.contents(atPath: file.path) == Data("a,b\r\n".utf8))
        #expect(
            watch.glance.fileNotice == ReceivedFileSummary(name: "_-pool_.csv", byteCount: 5, path: file.path))
        #expect(file.path.hasPrefix(scene.place.path + "/shared/"))

        try await watch.stop()
        watch = try await scene.place.start()
        #expect(try await kept(watch.watch) == files)
        #expect(watch.glance.fileNotice?.path == file.path)
        guard case .removedFile(file) = try await watch.watch.perform(.removeFile(file.id)) else { throw Missing() }
        #expect(try await kept(watch.watch).isEmpty)
        #expect(watch.glance.fileNotice == nil)
        try await watch.stop()
        try await scene.hub.stop()
    }

    @Test func `a file of the hub before is still there after pairing with another hub`() async throws {
        let scene = try Scene()
        _ = try await scene.hub.start()
        try await scene.place.pair(with: scene.hub)
        let watch = try await scene.place.start()
        try await scene.send("text", name: "pool.csv")
        await watch.waitForGlance { $0.fileNotice != nil }
        try await watch.stop()
        try await scene.hub.stop()

        let other = try TestHub()
        _ = try await other.start()
        try await scene.place.pair(with: other)
        guard case .files(let files) = try await WatchClient.perform(.files, path: scene.place.path) else {
            throw Missing()
        }
        #expect(files.map(\.name) == ["pool.csv"])
        try await other.stop()
    }

    @Test func `a file that cannot be taken over is not consumed, and comes in the next life`() async throws {
        let scene = try Scene()
        _ = try await scene.hub.start()
        try await scene.place.pair(with: scene.hub)
        let (lines, said) = AsyncStream.makeStream(of: String.self)
        var watch = try await scene.place.start(logger: Logger(label: "watch") { _ in LineHandler(said: said) })
        await watch.waitForLink()
        // The folder is removed while the watch runs.
        try FileManager.default.removeItem(atPath: scene.place.path + "/shared")
        try await scene.send("text", name: "pool.csv")
        _ = await lines.first { $0 == "a file could not be taken in" }
        try await watch.stop()

        let received = try await scene.place.received()
        try #require(received.map(\.name) == ["pool.csv"])
        watch = try await scene.place.start()
        await watch.waitForGlance { $0.fileNotice?.name == "pool.csv" }
        let files = try await kept(watch.watch)
        #expect(files.count == 1)
        #expect(files.first.map { FileManager.default.contents(atPath: $0.path) } == Data("text".utf8))
        try await watch.stop()
        try await scene.hub.stop()
    }

    @Test func `a file that cannot be taken in now is taken in after a pause, and holds up no other`() async throws {
        let scene = try Scene()
        _ = try await scene.hub.start()
        try await scene.place.pair(with: scene.hub)
        let id = try await scene.send("first", name: "first.csv")
        // An obstacle prevents the file from being stored, as a full disk would.
        let obstacle = "\(scene.place.path)/shared/\(id.hexadecimal)"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: obstacle + "/.obstacle"))
        let (lines, said) = AsyncStream.makeStream(of: String.self)
        let (turns, turning) = AsyncStream.makeStream(of: Void.self)
        let watch = try await scene.place.start(
            logger: Logger(label: "watch") { _ in LineHandler(said: said) },
            pauseOfFiles: {
                said.yield("pause")
                guard await turns.first(where: { true }) != nil else { throw CancellationError() }
            })
        _ = await lines.first { $0 == "a file could not be taken in" }
        try await scene.send("second", name: "second.csv")
        await watch.waitForGlance { $0.fileNotice?.name == "second.csv" }
        _ = await lines.first { $0 == "pause" }
        turning.yield()
        // The obstacle is still there.
        _ = await lines.first { $0 == "pause" }
        #expect(try await kept(watch.watch).map(\.name) == ["second.csv"])

        try FileManager.default.removeItem(atPath: obstacle)
        turning.yield()
        await watch.waitForGlance { $0.fileNotice?.name == "first.csv" }
        #expect(try await kept(watch.watch).map(\.name) == ["second.csv", "first.csv"])
        try await watch.stop()
        try await scene.hub.stop()
    }

    @Test func `files of which nothing is known but their names are told apart by their ids`() throws {
        let folder = try StateFolder(path: try TestPlace().path)
        var ids: [String] = []
        for number in 1...2 as ClosedRange<UInt64> {
            let id = RandomID(high: 1, low: number).hexadecimal
            ids.append(id)
            let place = "\(folder.path)/shared/\(id)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try Data("text".utf8).write(to: URL(filePath: "\(place)/\(number).csv"))
        }
        let files = try WatchFiles(in: folder, keeping: FileExchange.State())
        #expect(files.kept.map(\.number) == [0, 0])
        #expect(throws: ReceivedFile.MatchError.alike("0", ids: ids)) {
            try ReceivedFile.matching("0", among: files.received)
        }
        #expect(throws: ReceivedFile.MatchError.missing("0")) { try files.remove("0") }
        #expect(try files.remove(ids[1]).id == ids[1])
        #expect(files.kept.map(\.id.hexadecimal) == [ids[0]])
    }

    @Test func `what was received before a crash is kept once, however often it is told`() throws {
        let place = try TestPlace()
        let folder = try StateFolder(path: place.path)
        let store = try FileStore(in: folder)
        let path = place.path + "/original"
        try Data("text".utf8).write(to: URL(filePath: path))
        let original = try store.keep(path)
        var state = FileExchange.State()
        for number in 1...2 as ClosedRange<UInt64> {
            let offer = FileOffer(
                id: RandomID(high: 1, low: number), name: "x", byteCount: 4, digest: original.digest, metadata: [])
            _ = try store.begin(offer, durable: 0)
            try store.write(Array("text".utf8), to: offer.id, at: 0)
            try store.finish(offer)
            state.apply(.received(offer))
        }
        // The first run takes one file over and ends before the engine is notified; the second run is notified of both.
        let first = try WatchFiles(in: folder, keeping: state)
        _ = try first.take(state.received[0], at: Timestamp(milliseconds: 1))
        first.close()
        let second = try WatchFiles(in: folder, keeping: state)
        for offer in state.received { _ = try second.take(offer, at: Timestamp(milliseconds: 2)) }
        #expect(second.kept.map(\.id) == state.received.map(\.id))
        #expect(second.kept.map(\.tookAtMilliseconds) == [1, 2])
        // After it was given back, it reports no file, because the engine would consume that file.
        second.close()
        #expect(throws: WatchFiles.Closed.self) {
            try second.take(state.received[0], at: Timestamp(milliseconds: 3))
        }
    }

    @Test func `a file that finds no room is declined before its first byte, those on their way counted`() throws {
        let folder = try StateFolder(path: try TestPlace().path)
        let digest = try #require(FileDigest(bytes: [UInt8](repeating: 0, count: 32)))
        func offer(_ number: UInt64, _ byteCount: UInt64) -> FileOffer {
            FileOffer(id: RandomID(high: 1, low: number), name: "x", byteCount: byteCount, digest: digest, metadata: [])
        }
        var state = FileExchange.State()
        state.received = [offer(1, 60)]
        let files = try WatchFiles(in: folder, keeping: state, limits: .init(countMax: 8, byteCountMax: 100))

        guard case .storeFailed(_, let failure)? = files.carryOut(.begin(offer(2, 41), durable: 0)) else {
            Issue.record("it was begun")
            return
        }
        #expect(failure.cause == .full && failure.words.contains("40 are free"))
        #expect(files.carryOut(.begin(offer(3, 40), durable: 0)) == .began(offer(3, 40).id, at: 0))
        // A cancelled file leaves its room to the next one.
        #expect(files.carryOut(.discard(offer(3, 40).id)) == .discarded(offer(3, 40).id))
        #expect(files.carryOut(.begin(offer(4, 40), durable: 0)) == .began(offer(4, 40).id, at: 0))
        files.close()
        #expect(files.carryOut(.begin(offer(5, 1), durable: 0)) == nil)
    }

    @Test func `a file is meant by its number, its id or a name that is the only one`() throws {
        func file(_ number: UInt64, _ name: String) -> ReceivedFile {
            ReceivedFile(
                number: number, id: RandomID(high: number, low: number).hexadecimal, name: name, byteCount: 1,
                at: Timestamp(milliseconds: 0), path: "/\(number)")
        }
        let files = [file(1, "a.csv"), file(2, "b.csv"), file(3, "b.csv")]
        #expect(try ReceivedFile.matching("a.csv", among: files) == files[0])
        #expect(try ReceivedFile.matching("3", among: files) == files[2])
        #expect(try ReceivedFile.matching(files[1].id, among: files) == files[1])
        #expect(throws: ReceivedFile.MatchError.ambiguous("b.csv", numbers: [2, 3])) {
            try ReceivedFile.matching("b.csv", among: files)
        }
        #expect(throws: ReceivedFile.MatchError.missing("c")) { try ReceivedFile.matching("c", among: files) }
    }
}

extension TestPlace {
    /// The files that the engine of a stopped watch has received and not consumed.
    fileprivate func received() async throws -> [FileOffer] {
        var received: [FileOffer]?
        // A task ends slightly before its objects are destroyed.
        try await poll("the folder of the watch") {
            do {
                received = try WatchStore(in: StateFolder(path: path)).load().transfers.files.received
                return true
            } catch FolderError.inUse {
                return false
            }
        }
        return try #require(received)
    }
}

/// Passes on the log's lines.
private struct LineHandler: LogHandler {
    let said: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        said.yield("\(event.message)")
    }
}
