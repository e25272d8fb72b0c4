/// The watch's side of pairing, on a connection that uses the invitation's key.
///
///     waiting ──connected──▶ asking ──PAIRED: done, REFUSE: failed──▶ ended
///                             │ ▲ │ ▲
///                             │ │ └─┘ no answer in time: the same question again
///                             └─┘ connected: another question
public struct PairingClient: Hashable, Sendable {
    /// The time limit for the hub's answer.
    public static let patience = Duration.seconds(1)

    private enum State: Hashable, Sendable {
        /// The state before there is a connection.
        case waiting
        /// The state while a request waits for its answer.
        case asking(nonce: UInt64, deadline: Instant)
        /// The state after the end, successful or not.
        case ended
    }

    /// What the driver has to do.
    public enum Action: Hashable, Sendable {
        /// Send a frame.
        case send(Frame)
        /// The hub has paired the watch under this name.
        case done(name: String)
        /// The hub refused.
        case failed(Refusal)
        /// Nothing.
        case none
    }

    private let key: PeerKey
    private let name: String
    private let app: AppName?
    private var generator: SplitMix64
    private var state = State.waiting

    /// Creates the client.
    ///
    /// - Parameters:
    ///   - key: The watch's own public key, which identifies it from then on.
    ///   - name: The name that the watch asks for; 1…64 bytes.
    ///   - app: The application that the watch is a part of; nil to name none, as watches did before applications had
    ///     names.
    ///   - seed: 64 random bits.
    public init(key: PeerKey, name: String, app: AppName?, seed: UInt64) {
        precondition(
            PairRequest.nameByteCounts.contains(name.utf8.count), "a name of \(name.utf8.count) bytes, not of 1…64")
        self.key = key
        self.name = name
        self.app = app
        generator = SplitMix64(seed: seed)
    }

    /// When ``timeReached(now:)`` is due.
    public var deadline: Instant? {
        switch state {
        case .waiting, .ended: nil
        case .asking(_, let deadline): deadline
        }
    }

    /// The transport has an encrypted connection to the hub.
    public mutating func connected(now: Instant) -> Action {
        switch state {
        case .waiting, .asking: ask(nonce: generator.next(), now: now)
        case .ended: .none
        }
    }

    /// A deadline has passed, or may have.
    public mutating func timeReached(now: Instant) -> Action {
        switch state {
        case .waiting, .ended: return .none
        // The same request again: a late answer to the first one still counts.
        case .asking(let nonce, let deadline): return deadline <= now ? ask(nonce: nonce, now: now) : .none
        }
    }

    /// A message arrived; anything but the answer changes nothing.
    public mutating func received(_ parts: [[UInt8]]) -> Action {
        // A message that is not a frame, or not the answer, is ignored; the next request makes up for it.
        guard case .asking(let nonce, _) = state, let frame = try? FrameCodec.frame(of: parts) else { return .none }
        if frame.kind == .paired, let answer = try? PairAnswer(frame), answer.nonce == nonce {
            state = .ended
            return .done(name: answer.name)
        }
        if frame.kind == .refuse, (try? Refusal.nonce(frame)) == nonce, let refusal = try? Refusal(frame) {
            state = .ended
            return .failed(refusal)
        }
        return .none
    }

    private mutating func ask(nonce: UInt64, now: Instant) -> Action {
        state = .asking(nonce: nonce, deadline: now.advanced(by: Self.patience))
        return .send(PairRequest(nonce: nonce, key: key, name: name, app: app).frame)
    }
}
