import CreditWindows
import Logging
import Platform
import SyncCore
import TestSupport
import Testing
import ZeroMQ

@testable import SyncTransport

/// What the hub sends beyond the confirmed frames over real sockets, counted from the frames of its loop.
@Suite struct CreditTests {
    /// Reads the frames of a hub.
    private final class Reader: HubRecording {
        let book = Awaited(CreditBook())
        private let watches: [PeerKey: Int]
        private let names = Lock<[ConnectionID: Int]>([:])

        init(_ watches: [PeerKey]) {
            self.watches = Dictionary(uniqueKeysWithValues: watches.enumerated().map { ($1, $0) })
        }

        func began(
            _ ledger: LedgerState, transfers: [PeerKey: TransferState], seed: UInt64, at moment: Moment,
            outputs: [HubEngine.Output]
        ) {}

        func stepped(_ input: HubEngine.Input, at moment: Moment, outputs: [HubEngine.Output]) {
            let names = names.withLock { names in
                if case .received(_, let connection, let peer) = input { names[connection] = watches[peer] }
                return names
            }
            book.change { book in
                if case .received(let parts, let connection, _) = input, let watch = names[connection],
                    let frame = try? FrameCodec.frame(of: parts)
                {
                    let side = CreditBook.Side(watch: watch, isHub: true)
                    book.receives(frame, at: side, now: moment.monotonic)
                    // Everything that the watch sends arrives: no frame is lost between the two.
                    if frame.kind == .pull {
                        book.sends(frame, at: .init(watch: watch, isHub: false), now: moment.monotonic)
                    }
                }
                for case .send(let frame, let connection) in outputs {
                    guard let watch = names[connection] else { continue }
                    book.sends(frame, at: .init(watch: watch, isHub: true), now: moment.monotonic)
                }
            }
        }
    }

    /// Blocks a thread of a watch until the test releases it.
    private final class Brake: Sendable {
        private let isOn = Lock(false)
        private let mayGoOn = Semaphore()

        func stop() { isOn.withLock { $0 = true } }

        func letGo() {
            isOn.withLock { $0 = false }
            mayGoOn.signal()
        }

        func pass() { if isOn.withLock(\.self) { mayGoOn.wait() } }
    }

    /// A file in memory: equal bytes at the hub, only their count at the watch.
    private struct Files: FileStorage {
        func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
            switch output {
            case .read(let id, _, let offset, let byteCount):
                return .read(id, offset: offset, [UInt8](repeating: 1, count: byteCount))
            case .begin(let offer, let durable): return .began(offer.id, at: durable)
            case .write(let id, let offset, let bytes): return .written(id, upTo: offset + UInt64(bytes.count))
            case .finish(let offer): return .finished(offer.id)
            case .discard(let id): return .discarded(id)
            case .sync, .release, .remove, .send, .persist, .answer, .event: return nil
            }
        }
    }

    /// A watch with a given window, which can be blocked.
    private final class Taker: Sendable {
        let keys: CurveKeyPair
        let storage = MemoryWatchStorage()
        let transfers = Recorder<TransferEvent>()
        let registers = Awaited<[String: UInt64]>([:])
        let link = Brake()
        private let window: UInt32
        private let running = Lock<(transport: WatchTransport, task: Task<Void, any Error>)?>(nil)

        init(_ watch: TestWatch, window: UInt32) {
            keys = watch.keys
            self.window = window
        }

        var transport: WatchTransport { get throws { try present(running.withLock { $0?.transport }) } }

        func start(at endpoint: Endpoint, hubKey: CurvePublicKey) {
            let transport = WatchTransport(
                configuration: .init(
                    endpoint: endpoint, hubKey: hubKey, keys: keys,
                    engine: .init(
                        name: "wrist", app: testApp, schemaVersions: 1...1, window: window,
                        node: keys.publicKey.peerKey.node)),
                state: storage.state, storage: storage, files: Files(), logger: Logger(label: "watch"),
                onTransfer: { [transfers] in transfers.record($0) },
                onEvent: { [registers, link] event in
                    guard case .engine(.registerChanged(let register)) = event else { return }
                    registers.change { $0[register.key] = register.order }
                    link.pass()
                })
            let task = Task { try await transport.run() }
            running.withLock { $0 = (transport, task) }
        }

        func stop() async throws {
            guard let task = running.withLock({ $0?.task }) else { return }
            task.cancel()
            try await task.value
        }
    }

    /// A hub whose frames are recorded, and two watches with different windows.
    private struct Place {
        let transport: HubTransport
        let reader: Reader
        let events = Recorder<HubEngine.Event>()
        let takers: [Taker]
        private let task: Task<Void, any Error>

        init(windows: [UInt32]) async throws {
            let before = try TestHub()
            _ = try await before.start()
            var takers: [Taker] = []
            for (number, window) in windows.enumerated() {
                let watch = try TestWatch()
                _ = try await watch.pair(with: before, name: "watch \(number)")
                takers.append(Taker(watch, window: window))
            }
            try await before.stop()
            let reader = Reader(takers.map(\.keys.publicKey.peerKey))
            let transport = HubTransport(
                configuration: .init(
                    endpoint: try Endpoint("tcp://127.0.0.1:*"), keys: before.keys,
                    engine: .init(app: testApp, schema: testSchema, heartbeat: .seconds(600)), recording: reader),
                state: before.storage.state, storage: before.storage, files: { _ in Files() },
                logger: Logger(label: "hub"), onEvent: { [events] in events.record($0) })
            let ready = Recorder<Endpoint>()
            task = Task { try await transport.run { ready.record($0) } }
            await ready.wait { !$0.isEmpty }
            (self.transport, self.reader, self.takers) = (transport, reader, takers)
            for taker in takers { taker.start(at: try present(ready.items.first), hubKey: before.keys.publicKey) }
            await events.wait { events in
                events.count { if case .linked = $0 { true } else { false } } == windows.count
            }
        }

        func key(of number: Int) -> PeerKey { takers[number].keys.publicKey.peerKey }

        /// Waits until the hub has sent this much and has handled all requests.
        func waitUntil(
            _ number: Int, isHub: Bool = true, _ isSo: @escaping @Sendable (CreditBook.Most) -> Bool
        ) async throws {
            await reader.book.wait { isSo($0.most[.init(watch: number, isHub: isHub)] ?? .init()) }
            _ = try await transport.status()
        }

        func most(_ number: Int, isHub: Bool = true) -> CreditBook.Most {
            reader.book.value.most[.init(watch: number, isHub: isHub)] ?? .init()
        }

        func end() async throws {
            #expect(reader.book.value.findings == [])
            for taker in takers { try await taker.stop() }
            task.cancel()
            try await task.value
        }
    }

    private static let windows: [UInt32] = [1, 16, 64]

    @Test(arguments: windows)
    func `registers go ahead by the window of each watch, and all arrive`(_ window: UInt32) async throws {
        let others = window == 1 ? UInt32(64) : 1
        let place = try await Place(windows: [window, others])
        for taker in place.takers { taker.link.stop() }
        for number in 0..<200 {
            place.transport.publish(Register(key: "r\(number)", order: 1, value: [UInt8(number)]))
        }
        // Neither watch confirms more than the first value.
        try await place.waitUntil(0) { $0.registerCount >= Int(window) }
        try await place.waitUntil(1) { $0.registerCount >= Int(others) }
        for taker in place.takers {
            taker.link.letGo()
            await taker.registers.wait { $0.count == 200 }
        }
        #expect(place.most(0).registerCount == Int(window))
        #expect(place.most(1).registerCount == Int(others))
        try await place.end()
    }

    @Test(arguments: windows)
    func `items, chunks and messages go ahead by their windows, and all arrive`(_ window: UInt32) async throws {
        let place = try await Place(windows: [window])
        let (taker, key) = (place.takers[0], place.key(of: 0))
        let store = Brake()
        taker.storage.beforeWrite.withLock { $0 = { store.pass() } }

        // The watch acknowledges nothing while its store is blocked.
        store.stop()
        for number in 0..<100 {
            place.transport.ask({ .exchange(.transfer($0, .init(payload: [UInt8(number)]))) }, with: key) { _ in }
        }
        try await place.waitUntil(0) { $0.itemCount >= 32 }
        store.letGo()
        await taker.transfers.wait { $0.count(where: \.isItem) == 100 }
        #expect(place.most(0).itemCount == 32)

        store.stop()
        for _ in 0..<6 {
            let payload = [UInt8](repeating: 1, count: 65_536)
            place.transport.ask({ .exchange(.transfer($0, .init(payload: payload))) }, with: key) { _ in }
        }
        try await place.waitUntil(0) { $0.itemByteCount >= 4 * 65_536 }
        store.letGo()
        await taker.transfers.wait { $0.count(where: \.isItem) == 106 }
        #expect(place.most(0).itemByteCount == 4 * 65_536)

        let answers = Awaited<[TransferAnswer?]>([])
        for number in 0..<300 {
            let message = Message(payload: [UInt8(number % 256)], wantsReply: true, timeout: .seconds(3600))
            place.transport.ask({ .exchange(.message($0, message)) }, with: key) { answer in
                answers.change { $0.append(try? answer.get()) }
            }
        }
        try await place.waitUntil(0) { $0.messageCount >= 256 }
        await taker.transfers.wait { $0.count { $0.messageID != nil } == 256 }
        for id in taker.transfers.items.compactMap(\.messageID) {
            _ = try await taker.transport.transfer { .exchange(.reply($0, id, [2])) }
        }
        await answers.wait { $0.count == 300 }
        #expect(answers.value.count { $0 == .exchange(.replied([2])) } == 256)
        #expect(place.most(0).messageCount == 256)

        let digest = try present(FileDigest(hexadecimal: String(repeating: "0", count: 64)))
        _ = try await place.transport.transfer(
            { .files(.send($0, file: "copy", name: "log", byteCount: 1_048_576, digest, metadata: [])) }, with: key)
        await taker.transfers.wait { $0.contains(where: \.isFile) }
        #expect(place.most(0, isHub: false).chunkByteCount == 262_144)
        try await place.end()
    }
}

extension TransferEvent {
    fileprivate var isItem: Bool { if case .exchange(.itemReceived) = self { true } else { false } }
    fileprivate var isFile: Bool { if case .files(.received) = self { true } else { false } }

    fileprivate var messageID: MessageID? {
        if case .exchange(.messageReceived(let message)) = self { message.id } else { nil }
    }
}
