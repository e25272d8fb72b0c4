import Logging
import SyncCore
import SyncTransport
import ZeroMQ

/// Sizes and marks of the bare transfer; the sizes are the engine's.
enum RawFile {
    static let chunkByteCount = FileExchange.chunkByteCount
    static let creditByteCount = Int(FileExchange.creditByteCount)
    /// Sent by the watch when it has written enough for the hub to send another half of the credit.
    static let more: [UInt8] = [5]
    /// Sent by the watch when it has received the complete file.
    static let done: [UInt8] = [6]
}

/// Files of any length that are generated in memory.
struct MemoryFiles: FileStorage {
    private static let chunk = [UInt8](repeating: 0x5A, count: FileExchange.chunkByteCount)

    func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        switch output {
        case .read(let id, _, let offset, let byteCount):
            .read(
                id, offset: offset, byteCount == Self.chunk.count ? Self.chunk : Array(Self.chunk.prefix(byteCount)))
        case .begin(let offer, _): .began(offer.id, at: 0)
        case .write(let id, let offset, let bytes): .written(id, upTo: offset + UInt64(bytes.count))
        case .sync(let id): .synced(id, upTo: .max)
        case .finish(let offer): .finished(offer.id)
        case .discard(let id): .discarded(id)
        case .release, .remove, .send, .persist, .answer, .event: nil
        }
    }
}

/// The watch that gets a file: on the engine's side the whole transport, otherwise a bare DEALER.
struct FileWatch {
    private let byteCount: Int
    private let endpoint: Endpoint

    init(byteCount: Int, endpoint: String) throws {
        self.byteCount = byteCount
        self.endpoint = try Endpoint(endpoint)
    }

    /// Receives the file, and then runs without end.
    func run() async throws {
        let transport = WatchTransport(
            configuration: .init(
                endpoint: endpoint, hubKey: try BenchKeys.hub().publicKey, keys: try BenchKeys.watch(0),
                engine: .init(name: "bench", app: nil, schemaVersions: 1...1)),
            state: WatchEngine.State(newIncarnation: RandomID(high: 0, low: 1)), storage: ForgetfulWatch(),
            files: MemoryFiles(), logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() },
            onTransfer: { event in
                if case .files(.received) = event { PartReport.send(LoadFindings(joinSeconds: 0)) }
            }, onEvent: { _ in })
        try await transport.run()
    }

    /// Receives the bare chunks, and then runs without end.
    func runRaw() throws {
        let context = try Context(maxSockets: 64)
        let socket = try Socket(context, .dealer, options: try BenchSockets.watch(0))
        try socket.connect(to: endpoint)
        var poller = Poller()
        _ = poller.add(socket, for: .input)
        _ = try socket.send([LoadMark.hello])
        var arrived = 0
        var uncredited = 0
        while true {
            _ = try poller.wait(timeout: nil)
            while let message = try socket.receive() {
                guard let chunk = message.frames.first, chunk.count == RawFile.chunkByteCount else { continue }
                arrived += chunk.count
                uncredited += chunk.count
                if arrived == byteCount {
                    _ = try socket.send([RawFile.done])
                    PartReport.send(LoadFindings(joinSeconds: 0))
                } else if uncredited >= RawFile.creditByteCount / 2 {
                    uncredited -= RawFile.creditByteCount / 2
                    _ = try socket.send([RawFile.more])
                }
            }
        }
    }
}

/// Stores nothing: other rows measure the disk.
private struct ForgetfulWatch: WatchStorage {
    func write(_ record: WatchEngine.Record) throws {}
}
