public import SyncCore
public import ZeroMQ

/// The hub's door: lets only admitted keys finish the handshake.
///
/// libzmq asks it through ZAP (RFC 27). It must stand before the ROUTER is bound, or strangers would get in.
struct Gate: ~Copyable {
    private let socket: Socket

    init(_ context: Context) throws(ZeroMQError) {
        let socket = try Socket(context, .rep)
        try socket.bind(.zap)
        self.socket = socket
    }

    func add(to poller: inout Poller) -> Poller.Item {
        poller.add(socket, for: .input)
    }

    /// Answers every question that waits.
    func answer(allowing keys: Set<PeerKey>) throws(ZeroMQError) {
        while let message = try socket.receive() {
            _ = try socket.send(reply(to: message.frames, allowing: keys).frames)
        }
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
