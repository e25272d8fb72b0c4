internal import Dispatch
internal import Platform
public import TestSupport

/// A broker for one client of MQTT 3.1.1 whose every packet the test knows.
///
/// It keeps the client's session as real brokers do: what was not acknowledged goes out again, marked as a duplicate, when the
/// client comes back. What waits goes out in one write, so that all of it is there when the client reads. It refuses clients
/// without a name.
public final class PacketBroker: Sendable {
    /// What it heard of its client.
    public enum Heard: Hashable, Sendable {
        /// CONNECT with a name.
        case connected(isSessionResumed: Bool)
        /// SUBSCRIBE.
        case subscribed([String])
        /// PUBACK of the message with this number: the first one is 1.
        case acknowledged(Int)
        /// The connection of a client with a name has ended.
        case ended
    }

    fileprivate struct Delivery {
        var number: Int
        var topic: String
        var payload: String
        /// Whether it went out on an earlier connection.
        var isDuplicate = false
        var isSent = false
    }

    private struct State {
        var peer: ScriptedListener.Peer?
        var hasSession = false
        var isSubscribed = false
        var lastNumber = 0
        /// What the client has not acknowledged, in the order of the numbers.
        var deliveries: [Delivery] = []
        var losesAcknowledgement = false
    }

    /// What it heard so far.
    public let heard = Recorder<Heard>()
    private let listener: ScriptedListener
    private let onAcknowledged: @Sendable (Int) -> Void
    private let state = Lock(State())
    private let serving = Lock<Task<Void, any Error>?>(nil)

    /// Starts to listen.
    ///
    /// - Parameter onAcknowledged: Called with the number of each message whose PUBACK came, before anything else is read.
    /// - Throws: What the system could not do.
    public init(onAcknowledged: @escaping @Sendable (Int) -> Void = { _ in }) throws {
        listener = try ScriptedListener()
        self.onAcknowledged = onAcknowledged
        serving.withLock { serving in
            serving = Task(executorPreference: Lane()) { [self] in
                while !Task.isCancelled { try await serve(Packets(listener.accept())) }
            }
        }
    }

    /// The address it listens at.
    public var host: String { listener.host }
    /// The port it listens at.
    public var port: Int { listener.port }

    /// The numbers of the messages whose PUBACK came, in the order of the packets.
    public var acknowledged: [Int] {
        heard.items.compactMap { event in
            guard case .acknowledged(let number) = event else { return nil }
            return number
        }
    }

    /// Delivers messages with quality of service 1 to a topic, together; as soon as the client has subscribed.
    public func deliver(_ payloads: [String], to topic: String) {
        state.withLock { state in
            for payload in payloads {
                state.lastNumber += 1
                state.deliveries.append(Delivery(number: state.lastNumber, topic: topic, payload: payload))
            }
            Self.send([], &state)
        }
    }

    /// Loses the next PUBACK, and the connection with it.
    public func loseNextAcknowledgement() {
        state.withLock { $0.losesAcknowledgement = true }
    }

    /// Stops to listen, and closes what is open.
    public func end() async {
        let task = serving.withLock { $0.take() }
        task?.cancel()
        // That it was cancelled is how it ends.
        _ = await task?.result
    }

    // MARK: - One connection

    private func serve(_ packets: Packets) async throws {
        defer { packets.peer.close() }
        let (kind, connect) = try await packets.next()
        // The protocol's name and level, flags, keep alive, then the client's name.
        guard kind == 0x10, connect.count >= 12 else { return }
        guard Packets.number(connect[10...]) > 0 else { return packets.peer.send([0x20, 2, 0, 2]) }
        let isClean = connect[7] & 0b10 != 0
        state.withLock { state in
            let isSessionResumed = state.hasSession && !isClean
            if !isSessionResumed { state.isSubscribed = false }
            state.hasSession = !isClean
            for index in state.deliveries.indices {
                state.deliveries[index].isDuplicate = state.deliveries[index].isSent
                state.deliveries[index].isSent = false
            }
            state.peer = packets.peer
            // Before the answer: the client may be quicker than this thread.
            heard.record(.connected(isSessionResumed: isSessionResumed))
            Self.send([0x20, 2, isSessionResumed ? 1 : 0, 0], &state)
        }
        defer {
            state.withLock { $0.peer = nil }
            heard.record(.ended)
        }
        while true {
            let (kind, body) = try await packets.next()
            guard kind != 0, answer(kind, body) else { return }
        }
    }

    /// Answers a packet; false if that ends the connection.
    private func answer(_ kind: UInt8, _ body: [UInt8]) -> Bool {
        switch kind {
        case 0x32, 0x33, 0x3A, 0x3B: answer([0x40, 2] + body.dropFirst(2 + Packets.number(body[...])).prefix(2))
        case 0x40: return take(acknowledgementOf: Packets.number(body[...]))
        case 0x82:
            let filters = Packets.filters(body)
            heard.record(.subscribed(filters))
            state.withLock { $0.isSubscribed = true }
            answer([0x90, UInt8(2 + filters.count)] + body.prefix(2) + filters.map { _ in 1 })
        case 0xA2: answer([0xB0, 2] + body.prefix(2))
        case 0xC0: answer([0xD0, 0])
        // Messages of QoS 0 and the goodbye have no answer.
        default: break
        }
        return true
    }

    private func take(acknowledgementOf number: Int) -> Bool {
        onAcknowledged(number)
        let isLost = state.withLock { state in
            defer { state.losesAcknowledgement = false }
            if !state.losesAcknowledgement { state.deliveries.removeAll { $0.number == number } }
            return state.losesAcknowledgement
        }
        heard.record(.acknowledged(number))
        return !isLost
    }

    private func answer(_ bytes: [UInt8]) {
        state.withLock { Self.send(bytes, &$0) }
    }

    /// Sends an answer, and what waits for the client behind it.
    private static func send(_ answer: [UInt8], _ state: inout State) {
        var bytes = answer
        if state.isSubscribed, state.peer != nil {
            for index in state.deliveries.indices where !state.deliveries[index].isSent {
                bytes += state.deliveries[index].packet
                state.deliveries[index].isSent = true
            }
        }
        if !bytes.isEmpty { state.peer?.send(bytes) }
    }
}

/// Runs a broker where nothing else runs: while a test waits for the end of a process, it holds a thread of those that tasks
/// share, and on a small machine there may be no other one.
private final class Lane: TaskExecutor {
    private let queue = DispatchQueue(label: "packet broker")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension PacketBroker.Delivery {
    /// PUBLISH with QoS 1; at most 127 bytes behind its length.
    fileprivate var packet: [UInt8] {
        let topic = Array(topic.utf8)
        let name = [UInt8(topic.count >> 8), UInt8(truncatingIfNeeded: topic.count)]
        let identifier = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
        let body = name + topic + identifier + Array(payload.utf8)
        precondition(body.count < 128, "a message of \(body.count) bytes needs a length of two bytes")
        return [isDuplicate ? 0x3A : 0x32, UInt8(body.count)] + body
    }
}
