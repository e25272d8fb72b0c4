import SyncCore
import ZeroMQ

/// The connections of the ROUTER, and what each of them and each key may take of the hub's memory.
///
/// libzmq counts messages, which may be large or never whole, and does not know whose they are. So this looks at the
/// connections beneath it, as the system has them. Of connections that are none of TCP the system tells no bytes; only who
/// can write into the folder of such an endpoint reaches it.
struct ConnectionTable {
    /// The connections of one key that stay open: that of its session, and one that takes over or was overtaken.
    private static let countMaxOfKey = 2
    /// The time after which a connection is ended that has not brought one message.
    private static let silenceMax = Duration.seconds(10)
    /// The bytes that may come without a whole message among them.
    private static let unfinishedByteCountMax: UInt64 = 4 << 20
    /// The bytes that may wait for a peer, beyond which frames to it are dropped: more than all windows of the protocol need
    /// but that of the largest registers.
    private static let unreadByteCountMax: UInt64 = 32 << 20
    /// The same for frames that carry the configuration: one of the largest snapshots, and no second one behind it.
    private static let unreadByteCountMaxOfContext: UInt64 = 512 << 10
    /// The time between two looks at the connections.
    private static let lookInterval = Duration.milliseconds(250)

    private struct Line {
        let connection: PeerConnection
        /// Who sent the last message, nil before the first.
        var sender: (name: ConnectionID, peer: PeerKey)?
        /// When the last message came, or the connection.
        var heardAt: Instant
        /// Whether a whole message came since the last look.
        var wasHeard = false
        /// The bytes that had come by the last look, or by the last one with a message before it.
        var receivedByteCount: UInt64 = 0
        /// The bytes that were given to libzmq; never less than the peer's system confirmed.
        var sentByteCount: UInt64 = 0
        /// The bytes of these that the peer's system had confirmed by the last look.
        var confirmedByteCount: UInt64 = 0
        /// Whether it was ended here; what still comes of it is nobody's.
        var isEnded = false

        mutating func end() {
            connection.end()
            isEnded = true
        }

        /// The bytes that wait for the peer, by the last look.
        var unreadByteCount: UInt64 { sentByteCount - confirmedByteCount }

        mutating func note(confirmed byteCount: UInt64) {
            confirmedByteCount = byteCount
            sentByteCount = max(sentByteCount, byteCount)
        }
    }

    /// Where the ROUTER listens.
    private let endpoint: Endpoint
    /// By file descriptor.
    private var lines: [Int32: Line] = [:]
    /// The file descriptors of the connections that brought a message.
    private var descriptors: [ConnectionID: Int32] = [:]
    /// When to look at the connections next, nil while there are none.
    private(set) var deadline: Instant?

    init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
    }

    /// A peer connected.
    mutating func accepted(_ descriptor: Int32, at now: Instant) {
        // Its first message may have been quicker.
        guard let connection = PeerConnection(fileDescriptor: descriptor, to: endpoint),
            lines[descriptor]?.connection != connection
        else { return }
        put(Line(connection: connection, heardAt: now), descriptor, at: now)
    }

    /// A message came; false if it is of a connection that was ended.
    mutating func heard(
        _ descriptor: Int32?, _ name: ConnectionID, from peer: PeerKey, at now: Instant
    ) -> Bool {
        guard let descriptor else { return true }
        guard descriptors[name] == descriptor else {
            // Its first message, or one that was read from a connection that is closed by now.
            guard let connection = PeerConnection(fileDescriptor: descriptor, to: endpoint) else { return true }
            if lines[descriptor]?.connection != connection {
                put(Line(connection: connection, heardAt: now), descriptor, at: now)
            }
            guard lines[descriptor]?.isEnded == false else { return false }
            if let earlier = lines[descriptor]?.sender { descriptors[earlier.name] = nil }
            lines[descriptor]?.sender = (name, peer)
            lines[descriptor]?.heardAt = now
            descriptors[name] = descriptor
            lines[descriptor]?.wasHeard = true
            endSurplus(of: peer)
            return true
        }
        lines[descriptor]?.heardAt = now
        lines[descriptor]?.wasHeard = true
        return lines[descriptor]?.isEnded == false
    }

    /// Of the connections of a key those stay that were heard last.
    private mutating func endSurplus(of peer: PeerKey) {
        let open = lines.filter { !$0.value.isEnded && $0.value.sender?.peer == peer }
        guard open.count > Self.countMaxOfKey else { return }
        let last = open.min { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) }
        if let last { lines[last.key]?.end() }
    }

    /// Ends a connection.
    mutating func end(_ name: ConnectionID) {
        guard let descriptor = descriptors[name] else { return }
        lines[descriptor]?.end()
    }

    /// Whether a frame may be sent: not where too much waits already, which nobody could take back.
    mutating func mayTake(_ byteCount: Int, _ kind: FrameKind, _ name: ConnectionID) -> Bool {
        guard let descriptor = descriptors[name], var line = lines[descriptor] else { return true }
        let isContext = kind == .context || kind == .welcome
        let byteCountMax = isContext ? Self.unreadByteCountMaxOfContext : Self.unreadByteCountMax
        if line.unreadByteCount > byteCountMax {
            // The peer may have read it meanwhile.
            guard let traffic = line.connection.traffic else { return true }
            line.note(confirmed: traffic.sentByteCount)
            lines[descriptor] = line
            guard line.unreadByteCount <= byteCountMax else { return false }
        }
        lines[descriptor]?.sentByteCount += UInt64(byteCount)
        return true
    }

    /// Looks at the connections, if it is time: ends those that nobody uses, forgets those that are closed.
    mutating func look(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        for (descriptor, line) in lines where !line.isEnded || !line.connection.isOpen {
            guard line.connection.isOpen else {
                forget(descriptor)
                continue
            }
            let traffic = line.connection.traffic
            if let traffic { lines[descriptor]?.note(confirmed: traffic.sentByteCount) }
            lines[descriptor]?.wasHeard = false
            let isSilent = line.sender == nil && line.heardAt.advanced(by: Self.silenceMax) <= now
            let received = traffic?.receivedByteCount ?? 0
            if line.wasHeard {
                lines[descriptor]?.receivedByteCount = received
            } else if isSilent || received > line.receivedByteCount + Self.unfinishedByteCountMax {
                lines[descriptor]?.end()
            }
        }
        self.deadline = lines.isEmpty ? nil : now.advanced(by: Self.lookInterval)
    }

    private mutating func put(_ line: Line, _ descriptor: Int32, at now: Instant) {
        forget(descriptor)
        lines[descriptor] = line
        deadline = deadline ?? now.advanced(by: Self.lookInterval)
    }

    private mutating func forget(_ descriptor: Int32) {
        guard let name = lines.removeValue(forKey: descriptor)?.sender?.name else { return }
        if descriptors[name] == descriptor { descriptors[name] = nil }
    }
}
