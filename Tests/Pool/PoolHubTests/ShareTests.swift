import Foundation
import Logging
import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncStore
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@testable import PoolHub

/// Files that a hub shares with watches: queued durably, sent in order, and reported when they end (P88).
@Suite(.timeLimit(.minutes(20))) struct ShareTests {
    private let folder: TestHubFolder

    init() throws { folder = try TestHubFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = URL(filePath: folder.path).deletingLastPathComponent().appending(path: name)
        try Data(text.utf8).write(to: path)
        return path.path
    }

    @discardableResult
    private func share(
        _ hub: TestHub, _ name: String, with watch: String, _ text: String, export: ExportMetadata? = nil
    ) async throws -> SharedFile {
        let path = try file(name, text)
        let answer = try await hub.perform(
            .share(.send(FileToShare(watch: try await id(hub, watch), path: path, export: export))))
        // The user may change or remove the original.
        try FileManager.default.removeItem(atPath: path)
        guard case .shared(let file) = answer else { throw NotRunning() }
        return file
    }

    private func id(_ hub: TestHub, _ watch: String) async throws -> WatchID {
        try #require(try await hub.report().watches.first { $0.name == watch }).id
    }

    private func shares(_ hub: TestHub) async throws -> [SharedFile] {
        guard case .shares(let files) = try await hub.perform(.share(.list)) else { throw NotRunning() }
        return files
    }

    private func reason(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `files wait for a watch that is away, over a restart, and arrive in order with name and metadata`()
        async throws
    {
        let hub = TestHub(folder)
        try await hub.start()
        let watch = try await FileWatch(pairedBy: hub, name: "Kitchen")
        let note = ExportMetadata(readings: 3, format: .csv, values: "corrected", devices: ["Lagoon"])
        try await share(hub, "b.csv", with: "Kitchen", "first", export: note)
        try await share(hub, "a.csv", with: "Kitchen", "second")
        #expect(try await shares(hub).map(\.name) == ["b.csv", "a.csv"])
        #expect(try await shares(hub).map(\.progress) == ["waits", "waits"])
        try await hub.stop()
        guard case .shares(let resting) = try await HubClient.perform(.share(.list), path: folder.path) else {
            throw NotRunning()
        }
        #expect(resting.map(\.name) == ["b.csv", "a.csv"])
        try await hub.start()

        try watch.start(at: try await hub.endpoint)
        await watch.offers.wait { $0.count == 2 }
        await hub.events.wait { events in events.count { $0.shared?.outcome == .arrived } == 2 }

        #expect(watch.offers.items.map(\.name) == ["b.csv", "a.csv"])
        #expect(watch.texts == ["first", "second"])
        let metadata = try #require(watch.offers.items.first?.metadata)
        guard case .dictionary(let members) = try PropertyList(decoding: metadata),
            case .string(let json)? = members["export"]
        else {
            Issue.record("the metadata cannot be read")
            return
        }
        #expect(try CanonicalJSON.decode(ExportMetadata.self, from: Array(json.utf8)) == note)
        #expect(hub.events.items.compactMap(\.shared).map(\.name) == ["b.csv", "a.csv"])
        #expect(try await shares(hub).map(\.outcome) == [.arrived, .arrived])
        // All copies were removed.
        let places = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("files-") }
        #expect(places.count == 1)
        for place in places {
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(place)/outgoing").isEmpty)
        }
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `what a watch declines is told with its reason, and the next one goes`() async throws {
        let hub = TestHub(folder)
        try await hub.start()
        let watch = try await FileWatch(pairedBy: hub, name: "Kitchen", declining: "big.csv")
        try watch.start(at: try await hub.endpoint)
        try await share(hub, "big.csv", with: "Kitchen", "big")
        try await share(hub, "small.csv", with: "Kitchen", "small")

        await hub.events.wait { events in events.count { $0.shared != nil } == 2 }

        #expect(hub.events.items.compactMap(\.shared).map(\.outcome) == [.failed("no room on the shelf"), .arrived])
        #expect(watch.texts == ["small"])
        #expect(try await shares(hub).map(\.progress) == ["failed: no room on the shelf", "arrived"])
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a file can be given up while it waits`() async throws {
        let hub = TestHub(folder)
        try await hub.start()
        let watch = try await FileWatch(pairedBy: hub, name: "Kitchen")
        let given = try await share(hub, "a.csv", with: "Kitchen", "a")
        try await share(hub, "b.csv", with: "Kitchen", "b")
        guard case .done = try await hub.perform(.share(.cancel(given.id))) else {
            throw NotRunning()
        }
        #expect(try await shares(hub).map(\.name) == ["b.csv"])
        let again = await reason { _ = try await hub.perform(.share(.cancel(given.id))) }
        #expect(again.contains("no file with the id"))

        try watch.start(at: try await hub.endpoint)
        await watch.offers.wait { !$0.isEmpty }
        #expect(watch.texts == ["b"])
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a file that a watch sends is declined, and takes no room at the hub`() async throws {
        let hub = TestHub(folder)
        try await hub.start()
        let watch = try await FileWatch(pairedBy: hub, name: "Kitchen")
        try watch.start(at: try await hub.endpoint)

        try await watch.send(try file("a.csv", "a"))

        await watch.results.wait { !$0.isEmpty }
        #expect(watch.results.items.map(\.failure?.words) == ["this hub takes no files from watches"])
        for place in try FileManager.default.contentsOfDirectory(atPath: folder.path) where place.hasPrefix("files-") {
            for part in ["parts", "received"] {
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(place)/\(part)").isEmpty)
            }
        }
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a watch that nobody knows, or that was forgotten, gets nothing, and a hub at rest says so`()
        async throws
    {
        let hub = TestHub(folder)
        try await hub.start()
        let watch = try await FileWatch(pairedBy: hub, name: "Kitchen")
        let path = try file("a.csv", "a")
        let draft = FileToShare(watch: try await id(hub, "Kitchen"), path: path)
        try await share(hub, "b.csv", with: "Kitchen", "b")
        _ = try await hub.perform(.unpair(draft.watch))
        #expect(
            await reason { _ = try await hub.perform(.share(.send(draft))) }.contains(
                "the watch \(draft.watch.short) is not paired any more"))
        #expect(try await shares(hub).isEmpty)
        // The copy was removed together with the watch.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("files-") }.isEmpty)
        try await hub.stop()

        let resting = await reason {
            _ = try await HubClient.perform(.share(.send(draft)), path: folder.path)
        }
        #expect(resting.contains("no hub runs on"))
        _ = watch
    }

    @Test func `a watch that is forgotten at rest leaves no copies and no entries`() async throws {
        let hub = TestHub(folder)
        try await hub.start()
        let watches = [
            try await FileWatch(pairedBy: hub, name: "Kitchen"), try await FileWatch(pairedBy: hub, name: "Attic"),
        ]
        try await share(hub, "a.csv", with: "Kitchen", "a")
        try await share(hub, "b.csv", with: "Attic", "b")
        let kitchen = try await id(hub, "Kitchen")
        try await hub.stop()
        guard case .done = try await HubClient.perform(.unpair(kitchen), path: folder.path) else {
            throw NotRunning()
        }
        let places = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("files-") }
        #expect(places.count == 1)
        let book = try String(contentsOfFile: "\(folder.path)/shares.secret", encoding: .utf8)
        #expect(!book.contains("a.csv") && book.contains("b.csv"))
        _ = watches
    }

    @Test func `a file of which the book lost sight ends with its watch's name`() async throws {
        let hub = TestHub(folder)
        try await hub.start()
        let watch = try await FileWatch(pairedBy: hub, name: "Kitchen")
        try await share(hub, "a.csv", with: "Kitchen", "a")
        try await hub.stop()
        try FileManager.default.removeItem(atPath: folder.path + "/shares.secret")
        try await hub.start()
        try watch.start(at: try await hub.endpoint)
        await hub.events.wait { events in events.contains { $0.shared?.outcome == .arrived } }
        #expect(hub.events.items.compactMap(\.shared).map(\.watch) == ["Kitchen"])
        #expect(try await shares(hub).map(\.watch) == ["Kitchen"])
        try await watch.stop()
        try await hub.stop()
    }

    @Test func `a book that is too large for its file keeps the newest that have room, and all of them in this life`()
        throws
    {
        let state = try StateFolder(path: folder.path)
        let book = try SharedFileStore(in: state, queues: [:])
        var ids: [SharedFileID] = []
        let kitchen = WatchID(bytes: [7])
        for number in 1...600 as ClosedRange<UInt64> {
            let id = RandomID(high: 1, low: number)
            ids.append(SharedFileID(id))
            book.add(
                SharedFile(
                    id: SharedFileID(id), watch: "Kitchen", watchID: kitchen, name: "a.csv", byteCount: 1,
                    sharedAt: .now))
        }
        try book.write()
        let bytes = try #require(try state.readSecret(SharedFileStore.name))
        let written = try CanonicalJSON.decode([SharedFile].self, from: bytes).map(\.id)
        #expect(written == ids.suffix(written.count))
        // Another file would have had no room.
        let byteCount = try CanonicalJSON.encode(
            SharedFile(
                id: ids[0], watch: "Kitchen", watchID: kitchen, name: "a.csv", byteCount: 1, sharedAt: .now)
        ).count
        #expect((StateFolder.secretByteCountMax - 2 * byteCount...StateFolder.secretByteCountMax).contains(bytes.count))
        let first = RandomID(high: 1, low: 1)
        #expect(try book.end(first, .arrived, at: .now, watch: nil)?.id == SharedFileID(first))
    }

    @Test func `a result names the watch as it is called when the file ends`() throws {
        let book = try SharedFileStore(in: try StateFolder(path: folder.path), queues: [:])
        let id = RandomID(high: 1, low: 1)
        book.add(
            SharedFile(
                id: SharedFileID(id), watch: "Kitchen", watchID: WatchID(bytes: [7]), name: "a.csv", byteCount: 1,
                sharedAt: .now))
        #expect(try book.end(id, .arrived, at: .now, watch: "Hall")?.watch == "Hall")
    }

    @Test func `a copy stays when nobody knows whether it was queued, and goes when it was not`() async throws {
        let place = try FileStore(in: try StateFolder(path: folder.path))
        let copy = try place.keep(try file("a.csv", "a")).file
        await #expect(throws: LinkError.ended) {
            try await FileSharing.keeping(copy, in: place) { throw LinkError.ended }
        }
        #expect(try place.read(copy, at: 0, byteCount: 1) == Array("a".utf8))
        await #expect(throws: RequestProblem.self) {
            try await FileSharing.keeping(copy, in: place) { throw RequestProblem("declined") }
        }
        #expect(throws: FileStoreError.self) { try place.read(copy, at: 0, byteCount: 1) }
    }

    @Test func `a file that waits goes on waiting when a backup is put back; one that the backup lacks stays aside`()
        async throws
    {
        let hub = TestHub(folder)
        try await hub.start()
        let watch = try await FileWatch(pairedBy: hub, name: "Kitchen")
        try await share(hub, "a.csv", with: "Kitchen", "a")
        let backup = folder.path + ".backup"
        guard case .done = try await hub.perform(.backUp(backup)) else { throw NotRunning() }
        try await share(hub, "b.csv", with: "Kitchen", "b")
        try await hub.stop()

        // The object keeps the previous state as long as it exists.
        func restore() throws -> String? {
            try HubRestore(backup, to: folder.path).finish(now: Timestamp(milliseconds: 1_780_000_000_000))
        }
        let aside = try #require(try restore())
        #expect(try copyCount(in: folder.path) == 1)
        #expect(try copyCount(in: aside) == 2)

        try await hub.start()
        #expect(try await shares(hub).map(\.name) == ["a.csv"])
        try watch.start(at: try await hub.endpoint)
        await hub.events.wait { events in events.contains { $0.shared != nil } }
        #expect(hub.events.items.compactMap(\.shared).map(\.outcome) == [.arrived])
        #expect(watch.texts == ["a"])
        try await watch.stop()
        try await hub.stop()
    }

    /// The number of copies in a hub's folder.
    private func copyCount(in path: String) throws -> Int {
        let places = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("files-") }
        return try places.reduce(0) { count, place in
            try count + FileManager.default.contentsOfDirectory(atPath: "\(path)/\(place)/outgoing").count
        }
    }

    @Test func `a file that is not there or has no plain place is refused, and nothing waits`() async throws {
        let hub = TestHub(folder)
        try await hub.start()
        _ = try await FileWatch(pairedBy: hub, name: "Kitchen")
        let kitchen = try await id(hub, "Kitchen")
        for path in ["/nowhere/at/all", "relative.csv", folder.path] {
            let words = await reason {
                _ = try await hub.perform(.share(.send(FileToShare(watch: kitchen, path: path))))
            }
            #expect(words.contains(path), "\(words)")
        }
        let named = await reason {
            let draft = FileToShare(watch: kitchen, path: try file("a.csv", "a"), name: "../a.csv")
            _ = try await hub.perform(.share(.send(draft)))
        }
        #expect(named.contains("../a.csv"))
        #expect(try await shares(hub).isEmpty)
        try await hub.stop()
    }
}

extension HubEvent {
    /// The file whose transfer ended; nil for another event.
    fileprivate var shared: SharedFile? {
        if case .shared(let file) = self { file } else { nil }
    }
}

/// A watch that receives files, with its own folder.
private final class FileWatch: Sendable {
    let offers = Recorder<FileOffer>()
    let results = Recorder<FileResult>()
    private let folder: TestHubFolder
    private let keys: CurveKeyPair
    private let code: InvitationCode
    private let store: WatchStore
    private let files: FileStore
    private let declining: String?
    private let running = Lock<(transport: WatchTransport, task: Task<Void, any Error>)?>(nil)

    init(pairedBy hub: TestHub, name: String, declining: String? = nil) async throws {
        guard case .invitation(let text, _) = try await hub.perform(.invite(name: name, validForSeconds: 3600)) else {
            throw NotRunning()
        }
        folder = try TestHubFolder()
        let state = try StateFolder(path: folder.path)
        store = try WatchStore(in: state)
        files = try FileStore(in: state)
        self.declining = declining
        keys = try CurveKeyPair()
        code = try InvitationCode(text)
        _ = try await PairingTransport.pair(
            code, as: keys.publicKey, name: name, app: "poolsensors", patience: .seconds(3600))
    }

    /// The contents of the received files, in their order.
    var texts: [String] {
        offers.items.map { offer in
            String(
                decoding: FileManager.default.contents(atPath: files.path(ofReceived: offer)) ?? Data(), as: UTF8.self)
        }
    }

    func start(at endpoint: Endpoint) throws {
        let transport = WatchTransport(
            configuration: .init(
                endpoint: endpoint, hubKey: code.hubKey, keys: keys,
                engine: .init(
                    name: "watch", app: "poolsensors", schemaVersions: 1...2, node: keys.publicKey.peerKey.node)),
            state: try store.load(), storage: store, files: ChoosyFiles(store: files, declining: declining),
            logger: Logger(label: "watch"),
            onTransfer: { [offers, results] event in
                if case .files(.received(let offer)) = event { offers.record(offer) }
                if case .files(.ended(let result)) = event { results.record(result) }
            }, onEvent: { _ in })
        let task = Task { try await transport.run() }
        running.withLock { $0 = (transport, task) }
    }

    /// Sends a file to the hub.
    func send(_ path: String) async throws {
        guard let transport = running.withLock({ $0?.transport }) else { throw NotRunning() }
        let kept = try files.keep(path)
        _ = try await transport.transfer {
            .files(
                .send($0, file: kept.file, name: kept.name, byteCount: kept.byteCount, kept.digest, metadata: []))
        }
    }

    func stop() async throws {
        let task = running.withLock { $0?.task }
        task?.cancel()
        try await task?.value
    }
}

/// A store that has no room for files with one name.
private struct ChoosyFiles: FileStorage {
    let store: FileStore
    let declining: String?

    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        if case .begin(let offer, _) = output, offer.name == declining {
            return .storeFailed(offer.id, FileFailure(.full, "no room on the shelf"))
        }
        return store.carryOut(output)
    }
}
