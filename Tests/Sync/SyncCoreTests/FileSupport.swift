@testable import SyncCore

/// A file of a size whose contents follow from its number; blocks of 1024 equal bytes, so that checks are quick.
struct SampleFile: Hashable {
    var bytes: [UInt8] = []
    var file: String
    var metadata: [UInt8]

    init(byteCount: Int, number: UInt64 = 0, metadata: [UInt8] = [9]) {
        file = "copy-\(byteCount)-\(number)"
        self.metadata = metadata
        bytes.reserveCapacity(byteCount)
        for block in 0..<UInt64(byteCount + 1023) / 1024 {
            let byte = UInt8(truncatingIfNeeded: SplitMix64.mix(number &* 7919 &+ block &+ 1)) | 1
            bytes += Array(repeating: byte, count: min(1024, byteCount - bytes.count))
        }
    }

    var digest: FileDigest { Self.digest(of: bytes) }

    /// A stand-in for SHA-256 that looks at one byte of each block.
    static func digest(of bytes: [UInt8]) -> FileDigest {
        var hash = UInt64(bytes.count)
        for position in stride(from: 0, to: bytes.count, by: 1024) {
            hash = SplitMix64.mix(hash ^ UInt64(bytes[position]))
        }
        hash = SplitMix64.mix(hash ^ UInt64(bytes.last ?? 0))
        let digits = Hexadecimal.text(hash)
        guard let digest = FileDigest(hexadecimal: digits + digits + digits + digits) else {
            preconditionFailure("64 digits")
        }
        return digest
    }

    func request(_ number: UInt64) -> FileExchange.Input {
        .send(
            .init(number: number), file: file, name: "\(file).txt", byteCount: UInt64(bytes.count), digest,
            metadata: metadata)
    }

    func offer(_ id: RandomID) -> FileOffer {
        FileOffer(
            id: id, name: "\(file).txt", byteCount: UInt64(bytes.count), digest: digest, metadata: metadata)
    }

    func chunk(_ id: RandomID, _ position: Int) -> FileChunk {
        let start = position * 32_768
        return FileChunk(id: id, offset: UInt64(start), bytes: Array(bytes[start..<min(start + 32_768, bytes.count)]))
    }
}

struct NotAccepted: Error {}

/// One end whose outputs a test claims one by one.
struct FileScript {
    private(set) var exchange: FileExchange
    var outputs: [FileExchange.Output] = []

    init(state: FileExchange.State = .init(), byteCountMax: UInt64 = 1 << 30) {
        exchange = FileExchange(configuration: .init(fileByteCountMax: byteCountMax), state: state, seed: 1)
        drain()
    }

    mutating func feed(_ input: FileExchange.Input, at milliseconds: Int64 = 0) {
        exchange.handle(input, at: moment(milliseconds))
        drain()
    }

    private mutating func drain() {
        while let output = exchange.nextOutput() { outputs.append(output) }
    }

    mutating func claim() -> [FileExchange.Output] {
        defer { outputs = [] }
        return outputs
    }

    /// Takes all outputs that are no events.
    mutating func claimDeeds() -> [FileExchange.Output] {
        claim().filter { if case .event = $0 { false } else { true } }
    }

    mutating func claimPulls() -> [FilePull] {
        claim().compactMap { output in
            guard case .send(let frame) = output, frame.kind == .pull else { return nil }
            return try? FilePull(frame)
        }
    }

    mutating func claimAborts() -> [FileAbort] {
        claim().compactMap { output in
            guard case .send(let frame) = output, frame.kind == .abort else { return nil }
            return try? FileAbort(frame)
        }
    }

    /// Queues a file durably.
    mutating func send(_ file: SampleFile) throws -> RandomID {
        feed(file.request(1))
        guard case .persist(let record) = claim().first else { throw NotAccepted() }
        feed(.persisted(record))
        guard case .answer(_, .accepted(let id)) = claim().first else { throw NotAccepted() }
        return id
    }

    /// Opens session 7 and begins to receive a file in it.
    mutating func startReceiving(byteCount: Int) -> (FileOffer, SampleFile) {
        let file = SampleFile(byteCount: byteCount)
        let offer = file.offer(RandomID(high: 3, low: 4))
        feed(.sessionOpened(7))
        feed(.received(offer.frame(session: 7, number: 1)))
        feed(.began(offer.id, at: 0))
        return (offer, file)
    }

    mutating func take(_ chunk: FileChunk, session: UInt64) {
        feed(.received(chunk.frame(session: session)))
    }
}

/// The files and the records of one end, in memory; what is not synced does not survive a crash.
struct MemoryDisk {
    struct Part {
        var bytes: [UInt8] = []
        var synced = 0
    }

    var state = FileExchange.State()
    var outgoing: [String: [UInt8]] = [:]
    var parts: [RandomID: Part] = [:]
    var received: [RandomID: [UInt8]] = [:]
    var room = UInt64.max
    var writesUntilFull = Int.max
    /// Where each part was begun.
    var beganAt: [UInt64] = []

    /// Does what the machine wants and gives its answer, nil for what has none.
    mutating func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        switch output {
        case .persist(let record):
            state.apply(record)
            return .persisted(record)
        case .read(let id, let file, let offset, let byteCount):
            guard let bytes = outgoing[file], offset <= bytes.count else {
                return .readFailed(id, FileFailure(.gone, "no \(file)"))
            }
            return .read(id, offset: offset, Array(bytes[Int(offset)...].prefix(byteCount)))
        case .release(let file):
            outgoing[file] = nil
        case .begin(let offer, let durable):
            return begin(offer, durable: Int(durable))
        case .write(let id, let offset, let bytes):
            writesUntilFull -= 1
            guard writesUntilFull > 0 else { return .storeFailed(id, FileFailure(.full, "no room")) }
            // Without a copy of the part: it would be copied at each chunk.
            guard parts[id]?.bytes.count == Int(offset) else { return nil }
            parts[id]?.bytes += bytes
            return .written(id, upTo: offset + UInt64(bytes.count))
        case .sync(let id):
            guard let part = parts[id] else { return nil }
            parts[id]?.synced = part.bytes.count
            return .synced(id, upTo: UInt64(part.bytes.count))
        case .finish(let offer):
            guard let part = parts.removeValue(forKey: offer.id) else { return nil }
            guard SampleFile.digest(of: part.bytes) == offer.digest else {
                return .storeFailed(offer.id, FileFailure(.damaged, "another digest"))
            }
            received[offer.id] = part.bytes
            return .finished(offer.id)
        case .discard(let id):
            (parts[id], received[id]) = (nil, nil)
            return .discarded(id)
        case .remove(let offer):
            received[offer.id] = nil
        case .send, .answer, .event: break
        }
        return nil
    }

    private mutating func begin(_ offer: FileOffer, durable: Int) -> FileExchange.Input {
        if received[offer.id] != nil { return .finished(offer.id) }
        guard offer.byteCount <= room else { return .storeFailed(offer.id, FileFailure(.full, "no room")) }
        var part = parts[offer.id] ?? Part()
        part.bytes = Array(part.bytes.prefix(durable))
        part.synced = part.bytes.count
        parts[offer.id] = part
        beganAt.append(UInt64(part.bytes.count))
        return .began(offer.id, at: UInt64(part.bytes.count))
    }

    /// Loses what was not synced, and removes what nothing refers to, as a store does at its start.
    mutating func crash(keepingLength: Bool = true) {
        for (id, part) in parts {
            let lost = keepingLength ? part.bytes.count - part.synced : 0
            parts[id]?.bytes = Array(part.bytes.prefix(part.synced)) + Array(repeating: 0, count: lost)
        }
        let files = Set(state.queue.map(\.file))
        outgoing = outgoing.filter { files.contains($0.key) }
        parts = parts.filter { $0.key == state.incoming?.offer.id }
        let names = Set(state.received.map(\.id))
        received = received.filter { names.contains($0.key) || $0.key == state.incoming?.offer.id }
    }
}

/// One end with its disk; what it sends and what its disk is to do wait in queues.
struct FileEnd {
    private(set) var exchange: FileExchange
    var disk = MemoryDisk()
    var outputs: [FileExchange.Output] = []
    var answers: [FileExchange.Answer] = []
    var frames: [Frame] = []
    var tasks: [FileExchange.Output] = []
    var now: Int64 = 0
    private var seed: UInt64

    init(state: FileExchange.State = .init(), seed: UInt64) {
        self.seed = seed
        disk.state = state
        exchange = FileExchange(configuration: .init(), state: state, seed: seed)
        drain()
    }

    mutating func feed(_ input: FileExchange.Input) {
        exchange.handle(input, at: moment(now))
        drain()
    }

    private mutating func drain() {
        while let output = exchange.nextOutput() {
            outputs.append(output)
            switch output {
            case .send(let frame): frames.append(frame)
            case .answer(_, let answer): answers.append(answer)
            case .event: break
            default: tasks.append(output)
            }
        }
    }

    /// Does what the disk is to do next; false if that is nothing.
    mutating func work() -> Bool {
        guard !tasks.isEmpty else { return false }
        if let answer = disk.carryOut(tasks.removeFirst()) { feed(answer) }
        return true
    }

    mutating func crash(keepingLength: Bool = true) {
        disk.crash(keepingLength: keepingLength)
        (frames, tasks, outputs) = ([], [], [])
        seed = SplitMix64.mix(seed)
        exchange = FileExchange(configuration: .init(), state: disk.state, seed: seed)
        drain()
    }

    mutating func send(_ file: SampleFile) throws -> RandomID {
        disk.outgoing[file.file] = file.bytes
        feed(file.request(1))
        while work() {}
        guard case .accepted(let id) = answers.last else { throw NotAccepted() }
        return id
    }
}

/// Two ends on a link that loses nothing while it is up.
struct FilePair {
    var left = FileEnd(seed: 1)
    var right: FileEnd
    private var session: UInt64 = 0

    init(right state: FileExchange.State = .init()) {
        right = FileEnd(state: state, seed: 2)
    }

    /// Opens a session and goes on until nothing is left to do, or a condition holds.
    mutating func connect(until isEnough: (FilePair) -> Bool = { _ in false }) {
        session += 1
        left.feed(.sessionOpened(session))
        right.feed(.sessionOpened(session))
        run(until: isEnough)
    }

    mutating func disconnect() {
        left.feed(.sessionClosed)
        right.feed(.sessionClosed)
        while left.work() || right.work() {}
        (left.frames, right.frames) = ([], [])
    }

    mutating func run(until isEnough: (FilePair) -> Bool = { _ in false }) {
        while !isEnough(self) {
            if left.work() || right.work() { continue }
            if !left.frames.isEmpty {
                right.feed(.received(left.frames.removeFirst()))
            } else if !right.frames.isEmpty {
                left.feed(.received(right.frames.removeFirst()))
            } else {
                return
            }
        }
    }
}
