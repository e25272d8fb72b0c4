public import SyncCore
import Synchronization
public import ZeroMQ

/// Pairs a watch with the hub of an invitation.
public enum PairingTransport {
    /// Pairs the watch.
    ///
    /// - Parameters:
    ///   - code: The invitation.
    ///   - publicKey: The watch's own public key.
    ///   - name: The name that the watch would like to have; 1…64 bytes.
    ///   - app: The application that the watch is a part of; nil to name none, as watches did before there were names.
    ///   - patience: How long to try.
    /// - Returns: The name by which the hub knows the watch.
    /// - Throws: ``LinkError/otherApp(watch:hub:)``, ``LinkError/pairingRefused(_:)``, ``LinkError/pairingTimedOut(_:)``,
    ///   ``LinkError/transport(_:)``.
    public static func pair(
        _ code: InvitationCode, as publicKey: CurvePublicKey, name: String, app: AppName?, patience: Duration
    ) async throws -> String {
        // A hub that names none decides itself.
        if let app, let hub = code.app, hub != app { throw LinkError.otherApp(watch: app, hub: hub) }
        let isStopped = Flag()
        return try await runOnThread(stop: { isStopped.set() }) {
            var loop = PairingLoop(code: code, publicKey: publicKey, name: name, app: app, patience: patience)
            return try loop.run { isStopped.isTrue }
        }
    }
}

/// Tells a thread that nobody waits for it any more.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isTrue: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// The thread's work: one connection with the invitation's key.
private struct PairingLoop {
    let code: InvitationCode
    let publicKey: CurvePublicKey
    let name: String
    let app: AppName?
    let patience: Duration

    /// What was seen last; once the hub was asked it may know the watch, whatever is seen then.
    private var obstacle = PairingProblem.nothingAnswers {
        didSet { if oldValue == .noAnswer { obstacle = .noAnswer } }
    }

    init(code: InvitationCode, publicKey: CurvePublicKey, name: String, app: AppName?, patience: Duration) {
        self.code = code
        self.publicKey = publicKey
        self.name = name
        self.app = app
        self.patience = patience
    }

    mutating func run(isStopped: () -> Bool) throws -> String {
        do {
            let deadline = Moment.now.monotonic.advanced(by: patience)
            return try attempt(
                try Context(), keys: try CurveKeyPair(secretKey: code.secret), until: deadline, isStopped: isStopped)
        } catch let error as ZeroMQError {
            throw LinkError.transport(error)
        }
    }

    private mutating func attempt(
        _ context: Context, keys: CurveKeyPair, until deadline: Instant, isStopped: () -> Bool
    ) throws -> String {
        var options = SocketOptions()
        options.immediate = true
        options.connectTimeout = .milliseconds(700)
        options.reconnect = .backoff(shortest: .milliseconds(100), longest: .milliseconds(500))
        options.ipv6 = code.endpoint.text.contains("[")
        options.security = .curveClient(keyPair: keys, serverKey: code.hubKey)
        let dealer = try Socket(context, .dealer, options: options)
        let monitor = try dealer.monitor(.handshake)
        try dealer.connect(to: code.endpoint)
        var poller = Poller()
        _ = poller.add(monitor.socket, for: .input)
        _ = poller.add(dealer, for: .input)
        var seeds = SystemRandomNumberGenerator()
        var client = PairingClient(key: publicKey.peerKey, name: name, app: app, seed: seeds.next())
        while true {
            let now = Moment.now.monotonic
            guard now < deadline, !isStopped() else { throw LinkError.pairingTimedOut(obstacle) }
            // Short enough that a cancelled task does not wait long.
            let wait = min(now.duration(to: deadline), .milliseconds(100))
            _ = try poller.wait(timeout: wait)
            while let event = try monitor.nextEvent() {
                switch event.kind {
                case .handshakeSucceeded:
                    obstacle = .noAnswer
                    _ = try carryOut(client.connected(now: Moment.now.monotonic), dealer)
                case .handshakeFailedAuthentication:
                    // A void invitation and a hub that is just starting look the same; a hub that is up answers at once.
                    obstacle = .notAdmitted
                    throw LinkError.pairingTimedOut(obstacle)
                case .handshakeFailedNoDetail, .handshakeFailedProtocol:
                    obstacle = .anotherProgram
                case .connected, .connectDelayed, .connectRetried, .listening, .bindFailed, .accepted, .acceptFailed,
                    .closed, .closeFailed, .disconnected, .monitorStopped, .unknown:
                    continue
                }
            }
            while let message = try dealer.receive() {
                if let name = try carryOut(client.received(message.frames), dealer) { return name }
            }
            _ = try carryOut(client.timeReached(now: Moment.now.monotonic), dealer)
        }
    }

    /// Carries out an action; gives the name when the watch is paired.
    private func carryOut(_ action: PairingClient.Action, _ dealer: borrowing Socket) throws -> String? {
        switch action {
        case .send(let frame):
            _ = try dealer.send(FrameCodec.parts(of: frame))
            return nil
        case .done(let name): return name
        case .failed(let refusal): throw LinkError.pairingRefused(refusal)
        case .none: return nil
        }
    }
}
