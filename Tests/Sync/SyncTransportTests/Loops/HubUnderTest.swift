import Logging
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@testable import SyncCore

/// A watch that the test controls, on its own socket: it records what the hub's loop sends, and sends frames to it.
final class ScriptedWatch {
    let name: String
    private let socket: Socket
    private let incarnation = RandomID(high: 5, low: 5)
    private(set) var session: UInt64 = 0
    private var lastPing: UInt64 = 0
    private var lastPong: UInt64 = 0
    /// The last item received, which only the test acknowledges.
    private var item: ItemFrame?
    /// The frames received, each once, because repetitions depend on timing.
    private var seen: Set<String> = []
    private var news: [String] = []
    /// The last file that the hub offered.
    private(set) var offered: FileOffer?

    init(_ context: Context, name: String, keys: CurveKeyPair, hubKey: CurvePublicKey, to endpoint: Endpoint) throws {
        self.name = name
        var options = SocketOptions()
        options.linger = .zero
        options.security = .curveClient(keyPair: keys, serverKey: hubKey)
        let opened = try Socket(context, .dealer, options: options)
        try opened.connect(to: endpoint)
        socket = opened
    }

    func send(_ frame: Frame) throws { _ = try socket.send(FrameCodec.parts(of: frame)) }

    /// Opens a session, and becomes linked.
    func greet() async throws {
        let hello = Hello(
            nonce: 7, wire: 1...1, schema: 1...1, name: name, app: testApp, epoch: nil, known: nil, window: 1)
        try send(hello.frame)
        try await poll("WELCOME") {
            _ = try look()
            return session != 0
        }
        try await hearAll()
    }

    /// Returns when everything has arrived that the hub sent before it received this frame.
    func hearAll() async throws {
        lastPing += 1
        try send(Ping(number: lastPing).frame(session: session))
        try await poll("PONG \(lastPing)") {
            _ = try look()
            return lastPong == lastPing
        }
    }

    func upload(_ number: UInt64, _ record: UInt64, _ value: String) throws {
        let edit = Edit(
            id: RandomID(high: 50, low: number),
            changes: [Edit.Change(key: noteKey(record), value: value, base: nil, seen: nil)],
            stamp: Stamp(milliseconds: Int64(number), counter: 0, node: 5), schema: 1, resolves: nil)
        let batch = UploadBatch(
            incarnation: incarnation, firstPending: number,
            uploads: [NumberedUpload(sequence: number, upload: .edit(edit))])
        try send(batch.frame(session: session))
    }

    func item(_ number: UInt64, _ payload: String) throws {
        let item = ItemFrame(
            stream: incarnation, number: number, isFirst: number == 1, id: RandomID(high: 60, low: number),
            track: .ordinary, payload: Array(payload.utf8))
        try send(item.frame(session: session))
    }

    func acknowledgeItem() throws {
        try send(ItemAcknowledgement(try present(item).position).frame(session: session))
    }

    /// The frames since the last call.
    func takeNews() -> [String] {
        defer { news = [] }
        return news
    }

    /// Receives and confirms frames.
    ///
    /// Returns whether there were any.
    func look() throws -> Bool {
        var hasNews = false
        while let message = try socket.receive() {
            let frame = try FrameCodec.frame(of: message.frames)
            switch frame.kind {
            case .pong: lastPong = frame.sequence
            case .welcome: session = frame.session
            case .offer: offered = try FileOffer(frame)
            case .context:
                let body = try JSONValue(decoding: frame.body)
                let place = JSONValue.members(["chain": body["chain"] ?? .null, "epoch": body["epoch"] ?? .null])
                try send(
                    Frame(
                        kind: .contextAcknowledged, session: session, sequence: frame.sequence, body: place.encoded))
            case .register:
                try send(Credit(highest: frame.sequence, missing: []).frame(session: session))
            case .registers:
                let highest = frame.sequence + UInt64(try RegisterBatch.read(frame).registers.count) - 1
                try send(Credit(highest: highest, missing: []).frame(session: session))
            case .item: item = try ItemFrame(frame)
            default: break
            }
            guard let words = try frame.words else { continue }
            hasNews = true
            if seen.insert(words).inserted { news.append(words) }
        }
        return hasNews
    }
}

/// The loop of a hub with scripted watches, a controlled disk and an application.
///
/// Only this type knows how to create and run a loop.
final class HubUnderTest {
    let course: Course
    let transport: HubTransport
    private(set) var watches: [ScriptedWatch] = []
    private let keys: CurveKeyPair
    private let watchKeys: [CurveKeyPair]
    private let context: Context
    private let endpoint: Endpoint
    private let isEnded = Awaited(false)
    private let task: Task<Void, any Error>

    /// A store that waits for the test before it writes.
    private struct Storage: HubStorage {
        let disk: HeldDisk
        let memory: MemoryHubStorage

        func commit(_ group: [Transaction]) throws {
            try disk.pass(group.map(\.words).joined(separator: "; "))
            try memory.commit(group)
        }

        func commit(_ record: TransferRecord, of watch: PeerKey) throws {
            try disk.pass(record.words)
            try memory.commit(record, of: watch)
        }
    }

    /// Starts a hub that is paired with some watches.
    init(watches names: [String], file contents: [UInt8] = []) async throws {
        let before = try TestHub()
        _ = try await before.start()
        var watchKeys: [CurveKeyPair] = []
        for name in names {
            let watch = try TestWatch()
            _ = try await watch.pair(with: before, name: name)
            watchKeys.append(watch.keys)
        }
        try await before.stop()
        let course = Course(file: contents)
        let transport = HubTransport(
            configuration: .init(
                endpoint: try Endpoint("tcp://127.0.0.1:*"), keys: before.keys,
                engine: .init(app: testApp, schema: testSchema, heartbeat: .seconds(3600)), recording: course),
            state: before.storage.state, transfers: before.storage.transfers,
            storage: Storage(disk: course.disk, memory: before.storage), files: { _ in course.files },
            logger: Logger(label: "hub"), onTransfer: { course.tell($1.words) }, onEvent: { course.tell($0.words) })
        let (ready, isEnded) = (Recorder<Endpoint>(), isEnded)
        task = Task {
            defer { isEnded.change { $0 = true } }
            try await transport.run { ready.record($0) }
        }
        await ready.wait { !$0.isEmpty }
        (self.course, self.transport, self.watchKeys, keys) = (course, transport, watchKeys, before.keys)
        context = try Context()
        endpoint = try present(ready.items.first)
        for (name, keys) in zip(names, watchKeys) {
            let watch = try ScriptedWatch(
                context, name: name, keys: keys, hubKey: self.keys.publicKey, to: endpoint)
            try await watch.greet()
            watches.append(watch)
            try await rest()
        }
    }

    func key(of number: Int) -> PeerKey { watchKeys[number].publicKey.peerKey }

    /// Closes the socket of a watch without a farewell.
    func close(_ number: Int) { watches.remove(at: number) }

    /// Begins a named section of the text.
    func chapter(_ name: String) { course.write("- \(name)") }

    /// Waits until nothing is left to do, and releases one job of a store after the other.
    func rest(failing failure: String? = nil) async throws {
        try await course.run(failing: failure) { try await settle() }
    }

    /// Waits until nothing is left to do that does not wait for a store.
    private func settle() async throws {
        var hasNews = true
        while hasNews {
            hasNews = false
            _ = try await transport.status()
            for watch in watches {
                try await watch.hearAll()
                // Its confirmation can cause more frames.
                let news = watch.takeNews()
                hasNews = hasNews || !news.isEmpty
                pending += news.map { "  \(watch.name) gets \($0)" }
            }
        }
        await course.writeHeard()
        for line in pending { course.write(line) }
        pending = []
    }

    private var pending: [String] = []

    /// Makes a transfer request, without a task.
    func ask(_ name: String, with number: Int, _ input: (RequestID) -> TransferInput) {
        transport.ask(input, with: key(of: number)) { [course] answer in
            switch answer {
            case .success(let answer): course.tell("\(name): \(answer.words)")
            case .failure(let error): course.tell("\(name): \(error)")
            }
        }
    }

    /// Starts a task that writes a note.
    func transact(_ number: UInt64, _ text: String) async -> Task<Void, Never> {
        await course.ask("note \(number)") { [transport] in
            "done, revision \(try await transport.transact([CellChange(key: noteKey(number), value: text)]).revision)"
        }
    }

    /// Stops the loop; `late` makes requests after the loop has received the request to stop.
    func stop(late: () -> Void) async throws {
        task.cancel()
        await course.passed.wait { $0.hasFarewell }
        late()
        try await course.finish(isEnded)
        try await task.value
    }
}
