public import SyncCore
public import ZeroMQ

/// The hub's door: lets only admitted keys finish the handshake.
///
/// libzmq asks it through ZAP (RFC 27). While it does not stand nobody gets in, or at least nobody with a name, without
/// which the hub takes nothing.
///
/// A connection keeps its way to the gate as long as both live, though it asks only once; a thousand of them hold some
/// megabytes. So after a crowd has come, and once it is quiet, another gate takes the place of the one that the crowd
/// asked. Anybody who asks in that moment is turned away, and comes again by itself. That spares memory and no more:
/// while there is no other gate to be had, this one stands on.
struct ZAPAuthenticator: ~Copyable {
    /// The answers after which it pays to renew the gate.
    static let crowdCount = 16
    /// How long nobody may have asked before the gate is renewed.
    static let quietTime = Duration.milliseconds(500)

    private let context: Context
    private var socket: Socket
    private var answeredCount = 0
    /// When another gate is due, nil while there was no crowd.
    private var renewal: Instant?
    /// When it is due to give back to the system what the old gate held, nil if it is not.
    ///
    /// libzmq lets go of a closed gate in the background, so that is later.
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

    /// When ``tend(_:in:allowing:at:)`` has something to do beside questions, nil if it never will.
    var due: Instant? { renewal ?? trimming }

    /// Answers questions, or does what is due.
    ///
    /// - Parameters:
    ///   - item: What ``add(to:)`` gave; another one if another gate stands now.
    ///   - poller: The poller, after a wait.
    ///   - keys: Who may come in.
    ///   - now: The time.
    /// - Throws: `ZeroMQError`, if the context has ended.
    mutating func tend(
        _ item: inout Poller.Item, in poller: inout Poller, allowing keys: Set<PeerKey>, at now: Instant
    ) throws(ZeroMQError) {
        if poller[item].contains(.input) { return try answer(allowing: keys, at: now) }
        guard let due, due <= now else { return }
        guard renewal != nil else {
            trimming = nil
            return Context.trimMemory()
        }
        poller.remove(item)
        try renew(allowing: keys, at: now)
        item = add(to: &poller)
    }

    /// Answers every question that waits.
    mutating func answer(allowing keys: Set<PeerKey>, at now: Instant) throws(ZeroMQError) {
        while let message = try socket.receive() {
            _ = try socket.send(reply(to: message.frames, allowing: keys).frames)
            answeredCount += 1
            if answeredCount >= Self.crowdCount { renewal = now.advanced(by: Self.quietTime) }
        }
    }

    /// Puts another gate in place of this one, or tries it again later if there is none to be had.
    private mutating func renew(allowing keys: Set<PeerKey>, at now: Instant) throws(ZeroMQError) {
        // Before this one lets go: a crowd may have taken the last file descriptors. Two cannot have the name at once.
        guard let other = try? Socket(context, .rep) else {
            renewal = now.advanced(by: Self.quietTime)
            return
        }
        try socket.unbind(.zap)
        // Anybody who asked before that gets an answer.
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

    private func reply(to frames: [[UInt8]], allowing keys: Set<PeerKey>) -> ZAPReply {
        do throws(ZAPRequestError) {
            let request = try ZAPRequest(frames: frames)
            guard case .curve(let key) = request.credentials, keys.contains(key.peerKey) else { return .deny(request) }
            return .allow(request, userID: key.peerKey.hexadecimal)
        } catch {
            return .internalError(requestID: frames.count > 1 ? frames[1] : [], text: "\(error)")
        }
    }
}

extension CurvePublicKey {
    /// The identity of the device that has the secret half.
    public var peerKey: PeerKey {
        guard let key = PeerKey(bytes: bytes) else {
            preconditionFailure("a CURVE key has 32 bytes, not \(bytes.count)")
        }
        return key
    }
}

extension PeerKey {
    /// Reads the name that the gate gave to a peer.
    init?(userID: String) {
        self.init(hexadecimal: userID)
    }
}
