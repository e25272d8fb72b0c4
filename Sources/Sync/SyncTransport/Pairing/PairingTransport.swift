import Platform
public import SyncCore
import Synchronization
public import ZeroMQ

/// Pairs a watch with the hub of an invitation.
public enum PairingTransport {
    /// Pairs the watch.
    ///
    /// - Parameters:
    ///   - code: The invitation.
    ///   - publicKey: The watch's own public key. If the answer was lost, use the same key again.
    ///   - name: The name that the watch asks for; 1…64 bytes.
    ///   - app: The application that the watch is a part of; nil to name none, as watches did before applications had
    ///     names.
    ///   - patience: The time limit; the call also ends, within a tenth of a second, when its task is cancelled.
    /// - Returns: The name that the hub uses for the watch.
    /// - Throws: ``LinkError/otherApp(watch:hub:)``, ``LinkError/pairingRefused(_:)``, ``LinkError/pairingTimedOut(_:)``,
    ///   ``LinkError/transport(_:)``.
    public static func pair(
        _ code: InvitationCode, as publicKey: CurvePublicKey, name: String, app: AppName?, patience: Duration
    ) async throws -> String {
        // A hub that names no application in its code decides by itself.
        if let app, let hub = code.app, hub != app { throw LinkError.otherApp(watch: app, hub: hub) }
        let isStopped = StopFlag()
        return try await runOnThread(stop: { isStopped.set() }) {
            var loop = PairingLoop(code: code, publicKey: publicKey, name: name, app: app, patience: patience)
            return try loop.run { isStopped.isTrue }
        }
    }
}

/// Tells a thread that its caller no longer waits.
private final class StopFlag: Sendable {
    private let value = Atomic<Bool>(false)

    var isTrue: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// The work of the thread: one connection with the invitation's key.
private struct PairingLoop {
    let code: InvitationCode
    let publicKey: CurvePublicKey
    let name: String
    let app: AppName?
    let patience: Duration

    /// The last problem that was seen.
    ///
    /// Once the hub has got the request, it may have paired the watch, whatever is seen later.
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
            // Short, so that a cancelled task ends soon.
            let wait = min(now.duration(to: deadline), .milliseconds(100))
            _ = try poller.wait(timeout: wait)
            while let event = try monitor.nextEvent() {
                switch event.kind {
                case .handshakeSucceeded:
                    obstacle = .noAnswer
                    _ = try carryOut(client.connected(now: Moment.now.monotonic), dealer)
                case .handshakeFailedAuthentication:
                    // A void invitation and a hub that is just starting look the same, but a running hub answers at
                    // once.
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

    /// Carries out an action; returns the name when the watch is paired.
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
