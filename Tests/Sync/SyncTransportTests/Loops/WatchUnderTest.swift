import Logging
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@testable import SyncCore

/// A hub that the test controls, on its own socket: it records what the watch's loop sends, and sends frames to it.
final class ScriptedHub {
    let endpoint: Endpoint
    private let socket: Socket
    private var connection: RoutingID?
    private var answeredNonce: UInt64?
    /// The session of the last connection that greeted.
    private(set) var session: UInt64 = 0
    private(set) var greetingCount = 0
    private(set) var hasGoodbye = false
    private(set) var incarnation = RandomID(high: 0, low: 0)
    private(set) var lastUpload = RandomID(high: 0, low: 0)
    private let stream = RandomID(high: 6, low: 6)
    /// The positions of the received items; only the test acknowledges them.
    private var received = ItemPositions()
    /// The number of the last pull in its session, and of all pulls.
    private var pullCount: (session: UInt64, all: UInt64) = (0, 0)
    private var lastAborted: RandomID?
    /// The frames received, each once in a session, because repetitions depend on timing.
    private var seen: Set<String> = []
    private var news: [String] = []

    private init(_ context: Context, keys: CurveKeyPair, at wanted: Endpoint) throws {
        var options = SocketOptions()
        options.linger = .zero
        options.security = .curveServer(secretKey: keys.secretKey, zapDomain: "")
        let opened = try Socket(context, .router, options: options)
        let bound = try opened.bind(wanted)
        socket = opened
        endpoint = bound
    }

    /// Listens as soon as the address is free, because libzmq closes a listener in the background.
    static func listening(_ context: Context, keys: CurveKeyPair, at wanted: Endpoint) async throws -> ScriptedHub {
        var hub: ScriptedHub?
        try await poll("the address \(wanted) is free") {
            do {
                hub = try ScriptedHub(context, keys: keys, at: wanted)
            } catch ZeroMQError.addressInUse {
                return false
            }
            return true
        }
        return try #require(hub)
    }

    func send(_ frame: Frame) throws {
        _ = try socket.send(FrameCodec.parts(of: frame), to: try present(connection))
    }

    /// Waits for more greetings than there were, and receives the frames until then.
    func waitForGreeting(after count: Int = 0) async throws {
        try await poll("greeting after \(count)") {
            _ = try look()
            return greetingCount > count
        }
    }

    /// Returns when everything has arrived that the watch sent before it received this frame.
    func hearAll() async throws {
        var asked = (try pullUnknownFile(), in: session)
        try await poll("an answer about file \(asked.0)") {
            _ = try look()
            // A watch that was kept waiting has connected again, and never got the question.
            if asked.in != session { asked = (try pullUnknownFile(), in: session) }
            return lastAborted == asked.0
        }
    }

    /// Asks for a file that the watch does not have, which it answers at once.
    private func pullUnknownFile() throws -> RandomID {
        pullCount = (pullCount.session + 1, pullCount.all + 1)
        let unknown = RandomID(high: 99, low: pullCount.all)
        let pull = FilePull(id: unknown, number: pullCount.session, offset: 0, byteCount: 1, arrived: 0)
        try send(pull.frame(session: session))
        return unknown
    }

    func waitForGoodbye() async throws {
        try await poll("BYE") {
            _ = try look()
            return hasGoodbye
        }
    }

    /// Sends the configuration: one note, and the position of the accepted uploads.
    func context(_ revision: UInt64, _ note: String, taken: UInt64? = nil) throws {
        let epoch = Epoch(number: 4)
        let place = Cell.Place(epoch: epoch, revision: 1)
        let cell = Cell(
            value: note, dot: RandomID(high: 40, low: revision), stamp: Stamp(milliseconds: 1, counter: 0, node: 0),
            written: Cell.Place(epoch: epoch, revision: revision), created: place)
        var cells = SortedMap<CellKey, Cell>()
        cells[noteKey(1)] = cell
        let version = Version(epoch: epoch, revision: revision, chain: revision)
        let snapshot = Snapshot(version: version, records: 1, cells: cells)
        let receipt = taken.map {
            UploadReceipt(incarnation: incarnation, highest: $0, last: lastUpload, outcomes: [])
        }
        try send(
            ContextFrame.frame(version: version, contents: snapshot.contents, receipt: receipt, session: session))
    }

    func register(_ number: UInt64, _ value: String) throws {
        let register = Register(key: "ph", order: number, value: Array(value.utf8))
        try send(register.frame(session: session, number: number, epoch: Epoch(number: 4)))
    }

    func item(_ number: UInt64, _ payload: String) throws {
        let item = ItemFrame(
            stream: stream, number: number, isFirst: number == 1, id: RandomID(high: 60, low: number),
            track: .ordinary, payload: Array(payload.utf8))
        try send(item.frame(session: session))
    }

    func acknowledgeItem() throws {
        try send(ItemAcknowledgement(try present(received.ordinary)).frame(session: session))
    }

    /// The frames since the last call.
    func takeNews() -> [String] {
        defer { news = [] }
        return news
    }

    /// Receives frames, and answers those that need an immediate answer.
    ///
    /// Returns whether there were any.
    func look() throws -> Bool {
        var hasNews = false
        while let message = try socket.receive() {
            // libzmq numbers the connections. A watch does not return to an earlier one, but what it sent there may come late.
            if let connection, let sender = message.routingID,
                sender.bytes.lexicographicallyPrecedes(connection.bytes)
            {
                continue
            }
            let frame = try FrameCodec.frame(of: message.frames)
            switch frame.kind {
            case .hello:
                let hello = try Hello(frame)
                let isNew = connection != message.routingID
                // The same greeting can arrive twice if this was slow; the first answer is on its way.
                if !isNew, hello.nonce == answeredNonce { continue }
                connection = message.routingID
                answeredNonce = hello.nonce
                if isNew {
                    session += 1
                    greetingCount += 1
                    seen = []
                    pullCount.session = 0
                }
                let welcome = Welcome(
                    nonce: hello.nonce, boot: 3, wire: 1, schema: 1, items: received,
                    hubMilliseconds: 1_790_000_000_000, heartbeatMilliseconds: 3_600_000)
                try send(welcome.frame(session: session))
            case .ping:
                try send(
                    Pong(number: frame.sequence, hubMilliseconds: 1_790_000_000_000).frame(session: session))
            case .item:
                received.ordinary = try ItemFrame(frame).position
            case .upload:
                let batch = try UploadBatch(frame)
                incarnation = batch.incarnation
                lastUpload = batch.uploads.last?.upload.id ?? lastUpload
            case .abort where try FileAbort(frame).id.high == 99:
                lastAborted = try FileAbort(frame).id
                continue
            case .bye: hasGoodbye = true
            default: break
            }
            guard let words = try frame.words else { continue }
            hasNews = true
            // A watch that was kept waiting has connected and greeted again.
            if frame.kind == .hello, news.last == words { continue }
            if seen.insert(words).inserted { news.append(words) }
        }
        return hasNews
    }
}

/// The loop of a watch with a scripted hub, a controlled disk and an application.
///
/// Only this type knows how to create and run a loop.
final class WatchUnderTest {
    let course: Course
    let transport: WatchTransport
    private(set) var hub: ScriptedHub?
    private let keys: CurveKeyPair
    private let context: Context
    private let isEnded = Awaited(false)
    private let task: Task<Void, any Error>
    private var pending: [String] = []

    /// A store that waits for the test before it writes.
    private struct Storage: WatchStorage {
        let disk: HeldDisk
        let memory = MemoryWatchStorage()

        func write(_ record: WatchEngine.Record) throws {
            try disk.pass(record.words)
            try memory.write(record)
        }
    }

    /// Starts a watch, and waits until it is linked.
    init(file contents: [UInt8] = []) async throws {
        let keys = try CurveKeyPair()
        let context = try Context()
        let hub = try await ScriptedHub.listening(context, keys: keys, at: try Endpoint("tcp://127.0.0.1:*"))
        let course = Course(file: contents)
        let storage = Storage(disk: course.disk)
        let own = try CurveKeyPair()
        let transport = WatchTransport(
            configuration: .init(
                endpoint: hub.endpoint, hubKey: keys.publicKey, keys: own,
                engine: .init(
                    name: "wrist", app: testApp, schemaVersions: 1...1, window: 1, node: own.publicKey.peerKey.node),
                recording: course),
            state: storage.memory.state, storage: storage, files: course.files, logger: Logger(label: "watch"),
            onTransfer: { course.tell($0.words) },
            onEvent: { event in
                switch event {
                case .engine(let event): course.tell(event.words)
                case .transport(.connected), .transport(.unreachable): course.tell("transport \(event.transportName)")
                // The duration of a handshake depends on the machine.
                case .transport: break
                }
            })
        let isEnded = isEnded
        task = Task {
            defer { isEnded.change { $0 = true } }
            try await transport.run()
        }
        (self.course, self.transport, self.keys, self.context, self.hub) = (course, transport, keys, context, hub)
        try await hub.waitForGreeting()
        try await rest()
    }

    /// Begins a named section of the text.
    func chapter(_ name: String) { course.write("- \(name)") }

    /// Closes the hub's socket without a farewell; it returns with ``listen(at:)``.
    func loseHub() -> Endpoint? {
        defer { hub = nil }
        return hub?.endpoint
    }

    func listen(at endpoint: Endpoint) async throws {
        let again = try await ScriptedHub.listening(context, keys: keys, at: endpoint)
        hub = again
        try await again.waitForGreeting()
    }

    /// Waits until nothing is left to do, and releases one job of a store after the other.
    func rest(failing failure: String? = nil) async throws {
        try await course.run(failing: failure) { try await settle() }
    }

    /// Waits until nothing is left to do that does not wait for a store.
    private func settle() async throws {
        var hasNews = true
        while hasNews {
            _ = try await transport.view()
            try await hub?.hearAll()
            let news = hub?.takeNews() ?? []
            hasNews = !news.isEmpty
            pending += news.map { "  hub gets \($0)" }
        }
        await course.writeHeard()
        for line in pending { course.write(line) }
        pending = []
    }

    /// Makes a transfer request, without a task.
    func ask(_ name: String, _ input: (RequestID) -> TransferInput) {
        transport.ask(input) { [course] answer in
            switch answer {
            case .success(let answer): course.tell("\(name): \(answer.words)")
            case .failure(let error): course.tell("\(name): \(error)")
            }
        }
    }

    /// Starts a task that writes a note.
    func edit(_ number: UInt64, _ text: String) async -> Task<Void, Never> {
        await course.ask("note \(number)") { [transport] in
            caseName(try await transport.edit([CellChange(key: noteKey(number), value: text)]))
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

extension WatchTransport.Event {
    fileprivate var transportName: String {
        if case .transport(let transport) = self { "\(transport)" } else { "" }
    }
}
