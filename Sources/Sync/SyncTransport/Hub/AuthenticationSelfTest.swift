import Platform
import SyncCore
import ZeroMQ

/// Checks at a hub's start that the handshake of an unknown key fails.
///
/// What libzmq does without a ZAP handler depends on its options and its version, so this is tested, not assumed.
enum AuthenticationSelfTest {
    /// The time limit of a handshake on the same machine.
    private static let timeLimit = Duration.seconds(5)

    static func run(
        against endpoint: Endpoint, hubKey: CurvePublicKey, allowing keys: Set<PeerKey>, context: Context,
        gate: inout ZAPAuthenticator
    ) throws {
        var options = SocketOptions()
        options.security = .curveClient(keyPair: try CurveKeyPair(), serverKey: hubKey)
        options.ipv6 = endpoint.text.contains("[")
        let stranger = try Socket(context, .dealer, options: options)
        let monitor = try stranger.monitor(.handshake)
        try stranger.connect(to: endpoint.reachable)
        var poller = Poller()
        _ = gate.add(to: &poller)
        _ = poller.add(monitor.socket, for: .input)
        let clock = ContinuousClock()
        let deadline = clock.now + timeLimit
        while clock.now < deadline {
            _ = try poller.wait(timeout: clock.now.duration(to: deadline))
            // Watches reconnect at the same time, and a watch that is refused would conclude that it is not paired.
            try gate.answer(allowing: keys, at: Moment.now.monotonic)
            while let event = try monitor.nextEvent() {
                switch event.kind {
                case .handshakeFailedAuthentication: return
                case .handshakeSucceeded: throw LinkError.notProtected(endpoint.text)
                case .connected, .connectDelayed, .connectRetried, .listening, .bindFailed, .accepted, .acceptFailed,
                    .closed, .closeFailed, .disconnected, .monitorStopped, .handshakeFailedNoDetail,
                    .handshakeFailedProtocol, .unknown:
                    continue
                }
            }
        }
        throw LinkError.notProtected(endpoint.text)
    }
}

extension Endpoint {
    /// The endpoint at which a process of the same machine reaches a socket that is bound to this one.
    var reachable: Endpoint {
        let text = self.text
            .replacingPrefix("tcp://0.0.0.0:", with: "tcp://127.0.0.1:")
            .replacingPrefix("tcp://*:", with: "tcp://127.0.0.1:")
            .replacingPrefix("tcp://[::]:", with: "tcp://[::1]:")
        // Only the host was replaced, by a valid one.
        return (try? Endpoint(text)) ?? self
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with replacement: String) -> String {
        hasPrefix(prefix) ? replacement + dropFirst(prefix.count) : self
    }
}
