import CommandSupport
import SyncCore
import SyncTransport
import ZeroMQ

/// One watch of many: a DEALER, and on the engine's side a session.
final class LoadClient {
    /// The most messages to receive before the other watches are served.
    private static let messagesPerTurn = 1000

    private let socket: Socket
    private var session: LoadSession?
    private var message = Message()
    private var hasAnswer = false

    init(_ context: Context, _ options: SocketOptions, _ endpoint: Endpoint, isRaw: Bool, seed: UInt64) throws {
        socket = try Socket(context, .dealer, options: options)
        try socket.connect(to: endpoint)
        if isRaw {
            _ = try socket.send([LoadMark.hello])
        } else {
            session = LoadSession(seed: seed)
            var unused = LoadCounts()
            try handle(.connected, &unused)
        }
    }

    func add(to poller: inout Poller) {
        _ = poller.add(socket, for: .input)
    }

    /// Receives waiting messages, up to the limit; false if there are none.
    func receive(_ tally: inout LoadCounts) throws -> Bool {
        var (messageCount, deliveryCount, byteCount) = (0, 0, 0)
        while messageCount < Self.messagesPerTurn, try socket.receiveFrame(into: &message) {
            messageCount += 1
            if session != nil {
                try receiveFrame(&tally, &deliveryCount, &byteCount)
            } else {
                try receiveRaw(&tally, &deliveryCount, &byteCount)
            }
        }
        tally.delivered(deliveryCount, byteCount: byteCount)
        return messageCount > 0
    }

    /// Lets the engine check its deadlines.
    func timeReached(_ tally: inout LoadCounts) throws {
        guard session != nil else { return }
        try handle(.timeReached, &tally)
        if let credit = session?.restOfCredit() { _ = try socket.send(credit) }
    }

    // MARK: - Questions

    /// Asks the hub repeatedly, each time after the answer; returns the times, in seconds.
    func ask(_ count: Int, _ poller: inout Poller) throws -> [Double] {
        try roundTrips(count, &poller) { number in
            _ = try socket.send(session?.question(number) ?? [LoadMark.question])
        }
    }

    /// Sends live messages, each after the reply to the one before; returns the times, in seconds.
    func converse(_ count: Int, _ poller: inout Poller) throws -> [Double] {
        var unused = LoadCounts()
        return try roundTrips(count, &poller) { _ in
            if let message = session?.message() {
                try handle(message, &unused)
            } else {
                _ = try socket.send([LoadMark.message])
            }
        }
    }

    private func roundTrips(
        _ count: Int, _ poller: inout Poller, _ send: (UInt64) throws -> Void
    ) throws -> [Double] {
        var unused = LoadCounts()
        return try (1...count).map { number in
            let started = ProcessFacts.now
            hasAnswer = false
            try send(UInt64(number))
            while !hasAnswer {
                _ = try poller.wait(timeout: .seconds(5))
                guard try receive(&unused) || ProcessFacts.now - started < 5 else {
                    throw CommandFailure("the hub of the benchmark did not answer")
                }
            }
            return ProcessFacts.now - started
        }
    }

    // MARK: - Messages

    private func receiveRaw(
        _ tally: inout LoadCounts, _ deliveryCount: inout Int, _ byteCount: inout Int
    ) throws {
        while message.hasMore {
            byteCount += message.byteCount
            guard try socket.receiveFrame(into: &message) else { return }
        }
        switch message.byteCount {
        case LoadMark.hello.count where message.bytes == LoadMark.hello: tally.currentCount += 1
        case LoadMark.end.count: tally.endedCount += 1
        case LoadMark.question.count, LoadMark.message.count: hasAnswer = true
        default:
            deliveryCount += 1
            byteCount += message.byteCount
        }
    }

    /// Handles a frame of the engine: registers with as little work as bare messages, all others with the watch's
    /// engine.
    private func receiveFrame(
        _ tally: inout LoadCounts, _ deliveryCount: inout Int, _ byteCount: inout Int
    ) throws {
        let kind = message.withBytes { $0.count > 7 ? UInt16($0[6]) << 8 | UInt16($0[7]) : 0 }
        guard kind == FrameKind.register.rawValue || kind == FrameKind.registers.rawValue else {
            var parts = [message.bytes]
            while message.hasMore, try socket.receiveFrame(into: &message) { parts.append(message.bytes) }
            if kind == FrameKind.pong.rawValue { hasAnswer = true }
            if kind == FrameKind.context.rawValue {
                deliveryCount += 1
                byteCount += parts.reduce(0) { $0 + $1.count }
            }
            return try handle(.received(parts: parts), &tally)
        }
        let (first, count, isEnd) = message.withBytes { bytes in
            let first = (24..<32).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
            let end = FrameCodec.headerByteCount + (32..<36).reduce(0) { $0 << 8 | Int(bytes[$1]) }
            // The value that ends a flood is the last one, and shorter than all others.
            guard kind == FrameKind.registers.rawValue else {
                return (first, 1, bytes.count - end == LoadMark.end.count)
            }
            // The body is an object with one more for each value; no key of these registers has such a character.
            var count = -1
            for position in FrameCodec.headerByteCount..<end where bytes[position] == UInt8(ascii: "{") { count += 1 }
            return (first, count, bytes[bytes.count - 1] == LoadMark.end[0])
        }
        byteCount += message.byteCount
        deliveryCount += count
        if isEnd { tally.endedCount += 1 }
        let credit = session?.credit(for: count, to: first + UInt64(count) - 1, atOnce: isEnd)
        if let credit { _ = try socket.send(credit) }
    }

    private func handle(_ input: WatchEngine.Input, _ tally: inout LoadCounts) throws {
        guard let replyCount = session?.replyCount else { return }
        // Called through the optional, so that the engine is changed in place, and neither copied nor moved.
        let isCurrent = try session?.handle(input) { _ = try socket.send(FrameCodec.parts(of: $0)) }
        if session?.replyCount != replyCount { hasAnswer = true }
        if isCurrent == true { tally.currentCount += 1 }
    }
}
