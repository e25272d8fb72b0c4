import Platform
import SyncCore
import ZeroMQ

/// Authenticates the hub's peers: only admitted keys can finish the handshake, and none of them without a limit.
///
/// libzmq sends it requests through ZAP (RFC 27). While its socket does not exist, nobody can connect, or at least
/// not with a user id; and the hub ignores messages without one.
///
/// libzmq keeps a pipe from each connection to the authenticator's socket as long as both exist, although each
/// connection asks only once; a thousand pipes take some megabytes. So after many connections, once there are no more
/// requests, another socket replaces the one that has the pipes. A peer that asks at that moment is refused, and
/// tries again by itself. This only saves memory: if no other socket is available, the old one stays.
struct ZAPAuthenticator: ~Copyable {
    /// The number of answers after which replacing the socket is worth while.
    static let renewalAnswerCount = 16
    /// How long requests are answered before other work is done: strangers decide how many there are.
    private static let turnTime = Duration.milliseconds(5)
    /// How long there must be no request before the socket is replaced.
    static let quietTime = Duration.milliseconds(500)

    private let context: Context
    private var socket: Socket
    private var limit = HandshakeLimit()
    private var answeredCount = 0
    /// When to replace the socket; nil if that is not necessary.
    private var renewal: Instant?
    /// When to return the memory of the old socket to the system, or nil.
    ///
    /// That is later, because libzmq frees a closed socket in the background.
    private var trimming: Instant?

    init(_ context: Context) throws(ZeroMQError) {
        self.context = context
        socket = try Self.open(context)
    }

    private static func open(_ context: Context) throws(ZeroMQError) -> Socket {
        let socket = try Socket(context, .rep)
        try socket.bind(.zap)
        return socket
    }

    func add(to poller: inout Poller) -> Poller.Item {
        poller.add(socket, for: .input)
    }

    /// When ``tend(_:in:allowing:at:)`` has something to do besides requests; nil if it never has.
    var due: Instant? { renewal ?? trimming }

    /// Answers requests, or does what is due.
    ///
    /// - Parameters:
    ///   - item: The result of ``add(to:)``; replaced if the socket is replaced.
    ///   - poller: The poller, after a wait.
    ///   - keys: The admitted keys.
    ///   - now: The time.
    /// - Throws: `ZeroMQError`, if the context has ended.
    mutating func tend(
        _ item: inout Poller.Item, in poller: inout Poller, allowing keys: Set<PeerKey>, at now: Instant
    ) throws(ZeroMQError) {
        if poller[item].contains(.input) {
            return try answer(allowing: keys, at: now, until: now.advanced(by: Self.turnTime))
        }
        guard let due, due <= now else { return }
        guard renewal != nil else {
            trimming = nil
            return Context.trimMemory()
        }
        poller.remove(item)
        try renew(allowing: keys, at: now)
        item = add(to: &poller)
    }

    /// Answers all waiting requests, or those that it can by a deadline.
    mutating func answer(
        allowing keys: Set<PeerKey>, at now: Instant, until deadline: Instant? = nil
    ) throws(ZeroMQError) {
        while let message = try socket.receive() {
            _ = try socket.send(reply(to: message.frames, allowing: keys, at: now).frames)
            answeredCount += 1
            if answeredCount >= Self.renewalAnswerCount { renewal = now.advanced(by: Self.quietTime) }
            if let deadline, deadline <= Moment.now.monotonic { return }
        }
    }

    /// The first message of a connection of this key arrived.
    mutating func heard(_ key: PeerKey) { limit.heard(key) }

    /// Replaces the socket, or tries again later if none is available.
    private mutating func renew(allowing keys: Set<PeerKey>, at now: Instant) throws(ZeroMQError) {
        // The new socket is created first, because many connections may have used up the file descriptors. Two
        // sockets cannot be bound to the name at the same time.
        guard let other = try? Socket(context, .rep) else {
            renewal = now.advanced(by: Self.quietTime)
            return
        }
        try socket.unbind(.zap)
        // Requests that arrived before the unbinding are answered.
        try answer(allowing: keys, at: now)
        do throws(ZeroMQError) {
            try other.bind(.zap)
        } catch {
            try socket.bind(.zap)
            renewal = now.advanced(by: Self.quietTime)
            return
        }
        socket = other
        (answeredCount, renewal, trimming) = (0, nil, now.advanced(by: Self.quietTime))
    }

    private mutating func reply(to frames: [[UInt8]], allowing keys: Set<PeerKey>, at now: Instant) -> ZAPReply {
        do throws(ZAPRequestError) {
            let request = try ZAPRequest(frames: frames)
            guard case .curve(let key) = request.credentials, keys.contains(key.peerKey) else { return .deny(request) }
            guard limit.admits(key.peerKey, at: now) else {
                // Not a denial: the watch is told that the handshake was not finished, and tries again.
                return .internalError(requestID: request.requestID, text: "too many connections without a message")
            }
            return .allow(request, userID: key.peerKey.hexadecimal)
        } catch {
            return .internalError(requestID: frames.count > 1 ? frames[1] : [], text: "\(error)")
        }
    }
}

extension PeerKey {
    /// Reads the user id that the authenticator gave to a peer.
    init?(userID: String) {
        self.init(hexadecimal: userID)
    }
}
