import Platform
import SyncCore
import ZeroMQ

/// The connections of the ROUTER, with limits for the memory that each connection and each key may use.
///
/// libzmq counts messages, which may be large or never complete, and it does not know their owners. So this table
/// checks the connections of the operating system below libzmq. The system counts no bytes for connections other than
/// TCP; but those endpoints can only be reached by a user who can write to the endpoint's folder.
struct ConnectionTable {
    /// The number of open connections for each key: that of its session, and one that takes over or was overtaken.
    private static let countMaxOfKey = 2
    /// The time after which a connection without a single message is ended.
    static let silenceMax = Duration.seconds(10)
    /// The most connections without a message, unless the process may have fewer than twice as many files: as many as a
    /// thousand watches that come back at the same time.
    static let silentCountMax = 1024
    /// The most bytes that may arrive without a complete message.
    private static let unfinishedByteCountMax: UInt64 = 4 << 20
    /// The most bytes that may wait for a peer; beyond that, frames for it are dropped.
    ///
    /// This is more than all windows of the protocol need, except that of the largest registers.
    private static let unreadByteCountMax: UInt64 = 32 << 20
    /// The same limit for frames with the configuration: enough for one of the largest snapshots, but not for a
    /// second one.
    private static let unreadByteCountMaxOfContext: UInt64 = 512 << 10
    /// The interval between two checks of the connections.
    private static let lookInterval = Duration.milliseconds(250)

    /// What a message means for its connection.
    enum Hearing: Equatable {
        /// It is the first one.
        case first
        case further
        /// The connection was ended, so the message is ignored.
        case ignored
    }

    private struct Entry {
        let connection: PeerConnection
        /// The sender of the last message, nil before the first.
        var sender: (name: ConnectionID, peer: PeerKey)?
        /// When the last message arrived, or the connection was made.
        var heardAt: Instant
        /// Whether a complete message arrived since the last check.
        var wasHeard = false
        /// The bytes received by the last check, or by the last one before which a message arrived.
        var receivedByteCount: UInt64 = 0
        /// The bytes that libzmq got for sending; never less than the peer's system has confirmed.
        var sentByteCount: UInt64 = 0
        /// The part of these bytes that the peer's system had confirmed by the last check.
        var confirmedByteCount: UInt64 = 0
        /// Whether the connection was ended here; whatever still arrives from it is ignored.
        var isEnded = false

        /// Whether it is open and has not brought a message.
        var isSilent: Bool { sender == nil && !isEnded }

        mutating func end() {
            connection.end()
            isEnded = true
        }

        /// The bytes that wait for the peer, by the last check.
        var unreadByteCount: UInt64 { sentByteCount - confirmedByteCount }

        mutating func note(confirmed byteCount: UInt64) {
            confirmedByteCount = byteCount
            sentByteCount = max(sentByteCount, byteCount)
        }
    }

    /// The endpoint of the ROUTER.
    private let endpoint: Endpoint
    private let silentCountMax: Int
    /// The connections by file descriptor.
    private var entries: [Int32: Entry] = [:]
    /// The number of open connections without a message.
    private var silentCount = 0
    /// The file descriptors of the connections with at least one message.
    private var descriptors: [ConnectionID: Int32] = [:]
    /// When to check the connections next; nil while there are none.
    private(set) var deadline: Instant?

    init(_ endpoint: Endpoint, silentCountMax: Int = Self.silentCountMax) {
        self.endpoint = endpoint
        self.silentCountMax = min(silentCountMax, ProcessLimits.openFiles / 2)
    }

    /// A peer connected.
    mutating func accepted(_ descriptor: Int32, at now: Instant) {
        // The connection's first message may have been reported before.
        guard let connection = PeerConnection(fileDescriptor: descriptor, to: endpoint),
            entries[descriptor]?.connection != connection
        else { return }
        put(Entry(connection: connection, heardAt: now), descriptor, at: now)
        endSurplusSilence()
    }

    /// Ends connections that brought no message, if there are too many: the oldest ones of the address that has the
    /// most, so that nobody else's newcomers are in the way of a flood from one machine.
    ///
    /// It ends some more than it must, so that it searches all of them only now and then.
    private mutating func endSurplusSilence() {
        guard silentCount > silentCountMax else { return }
        let silent = entries.filter(\.value.isSilent)
        let counts = silent.values.reduce(into: [[UInt8]: Int]()) { $0[$1.connection.address, default: 0] += 1 }
        let surplus = silentCount - silentCountMax + silentCountMax / 16
        let last = silent.sorted {
            let (left, right) = (counts[$0.value.connection.address] ?? 0, counts[$1.value.connection.address] ?? 0)
            return (right, $0.value.heardAt, $0.key) < (left, $1.value.heardAt, $1.key)
        }
        for (descriptor, _) in last.prefix(surplus) { end(descriptor) }
    }

    /// A message arrived.
    mutating func heard(
        _ descriptor: Int32?, _ name: ConnectionID, from peer: PeerKey, at now: Instant
    ) -> Hearing {
        guard let descriptor else { return .further }
        guard descriptors[name] == descriptor else {
            // The first message of a connection, or one of a connection that is already closed.
            guard let connection = PeerConnection(fileDescriptor: descriptor, to: endpoint) else { return .further }
            if entries[descriptor]?.connection != connection {
                put(Entry(connection: connection, heardAt: now), descriptor, at: now)
            }
            guard entries[descriptor]?.isEnded == false else { return .ignored }
            if let earlier = entries[descriptor]?.sender { descriptors[earlier.name] = nil } else { silentCount -= 1 }
            entries[descriptor]?.sender = (name, peer)
            entries[descriptor]?.heardAt = now
            descriptors[name] = descriptor
            entries[descriptor]?.wasHeard = true
            endSurplus(of: peer)
            return .first
        }
        entries[descriptor]?.heardAt = now
        entries[descriptor]?.wasHeard = true
        return entries[descriptor]?.isEnded == false ? .further : .ignored
    }

    /// Ends the connection of a key that was silent the longest, if the key has too many.
    private mutating func endSurplus(of peer: PeerKey) {
        let open = entries.filter { !$0.value.isEnded && $0.value.sender?.peer == peer }
        guard open.count > Self.countMaxOfKey else { return }
        let last = open.min { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) }
        if let last { end(last.key) }
    }

    /// Ends a connection.
    mutating func end(_ name: ConnectionID) {
        if let descriptor = descriptors[name] { end(descriptor) }
    }

    private mutating func end(_ descriptor: Int32) {
        if entries[descriptor]?.isSilent == true { silentCount -= 1 }
        entries[descriptor]?.end()
    }

    /// Whether a frame may be sent: not if too much already waits for the peer, because sent frames cannot be taken
    /// back.
    mutating func mayTake(_ byteCount: Int, _ kind: FrameKind, _ name: ConnectionID) -> Bool {
        guard let descriptor = descriptors[name], var entry = entries[descriptor] else { return true }
        let isContext = kind == .context || kind == .welcome
        let byteCountMax = isContext ? Self.unreadByteCountMaxOfContext : Self.unreadByteCountMax
        if entry.unreadByteCount > byteCountMax {
            // The peer may have read some of it meanwhile.
            guard let traffic = entry.connection.traffic else { return true }
            entry.note(confirmed: traffic.sentByteCount)
            entries[descriptor] = entry
            guard entry.unreadByteCount <= byteCountMax else { return false }
        }
        entries[descriptor]?.sentByteCount += UInt64(byteCount)
        return true
    }

    /// Checks the connections, if that is due: ends those that violate a limit, and removes closed ones.
    mutating func look(at now: Instant) {
        guard let deadline, deadline <= now else { return }
        for (descriptor, entry) in entries where !entry.isEnded || !entry.connection.isOpen {
            guard entry.connection.isOpen else {
                forget(descriptor)
                continue
            }
            let traffic = entry.connection.traffic
            if let traffic { entries[descriptor]?.note(confirmed: traffic.sentByteCount) }
            entries[descriptor]?.wasHeard = false
            let isSilent = entry.sender == nil && entry.heardAt.advanced(by: Self.silenceMax) <= now
            let received = traffic?.receivedByteCount ?? 0
            if entry.wasHeard {
                entries[descriptor]?.receivedByteCount = received
            } else if isSilent || received > entry.receivedByteCount + Self.unfinishedByteCountMax {
                end(descriptor)
            }
        }
        self.deadline = entries.isEmpty ? nil : now.advanced(by: Self.lookInterval)
    }

    private mutating func put(_ entry: Entry, _ descriptor: Int32, at now: Instant) {
        forget(descriptor)
        entries[descriptor] = entry
        silentCount += 1
        deadline = deadline ?? now.advanced(by: Self.lookInterval)
    }

    private mutating func forget(_ descriptor: Int32) {
        guard let entry = entries.removeValue(forKey: descriptor) else { return }
        if entry.isSilent { silentCount -= 1 }
        if let name = entry.sender?.name, descriptors[name] == descriptor { descriptors[name] = nil }
    }
}
