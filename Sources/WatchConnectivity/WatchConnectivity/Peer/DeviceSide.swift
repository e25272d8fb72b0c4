import SyncCore

/// What a peer knows of the two devices, without the contents of their apps.
struct DeviceSide: Sendable {
    /// The keys in the store.
    enum Key {
        static let own = "device.own"
        static let counterpart = "device.counterpart"
    }

    /// Whether the counterpart is paired; durable.
    var isPaired = false
    /// This device; durable, except for the lock and the app's state and session.
    var own = DeviceStatus()
    /// The counterpart's last status; durable, so that it is known while the devices are apart.
    ///
    /// Nil before the first status.
    var counterpart: DeviceStatus?
    /// The counterpart's status on the present link.
    var counterpartNow: DeviceStatus?
    var isLinked = false

    /// Starts from the contents of a store.
    init(_ stored: [String: [UInt8]]) {
        if let bytes = stored[Key.own] {
            var unpacker = ByteReader(bytes)
            isPaired = unpacker.byte() == 1
            own = DeviceStatus(&unpacker) ?? DeviceStatus()
            own.appState = .notRunning
            own.isLocked = false
        }
        if let bytes = stored[Key.counterpart] {
            var unpacker = ByteReader(bytes)
            counterpart = DeviceStatus(&unpacker)
        }
    }

    /// The state of this device, as a value for the store.
    var ownChange: PeerState.StoredChange {
        var packer = ByteWriter()
        packer.put(isPaired ? UInt8(1) : 0)
        packer.putRest(own.packed)
        return PeerState.StoredChange(key: Key.own, value: packer.bytes)
    }
}

/// The facts that the app is notified of when they change.
struct SessionFacts: Hashable, Sendable {
    var isPaired = false
    /// Whether the counterpart is paired and has its app.
    var isCounterpartInstalled = false
    var isComplicationEnabled = false
    /// Whether live messages can be sent if the session is active.
    var isReachable = false
}

/// Sends this device's status to the counterpart, one message at a time, until it is confirmed, and receives the
/// counterpart's.
///
///     confirmed ──changed──▶ unsent ──────sent──────▶ sending ──changed──▶ outdated
///         ▲                   ▲  ▲                     │   │                  │
///         │                   │  └────not confirmed────┘   │                  │
///         │                   └────────────────────────────┼─────answered─────┘
///         └───────────────────delivered────────────────────┘
struct StatusExchange: Sendable {
    private enum State {
        /// The counterpart has the present status, or needs none yet.
        case confirmed
        /// The counterpart does not have the present status.
        case unsent
        /// The present status is on its way.
        case sending
        /// An earlier status is on its way.
        case outdated

        /// The state after a change of the status, or of the link.
        var changed: State {
            switch self {
            case .confirmed, .unsent: .unsent
            case .sending, .outdated: .outdated
            }
        }
    }

    private var state = State.confirmed
    private var retry = Retry(longest: .seconds(8))
    /// Whether the store has the counterpart's status.
    private var isCounterpartStored = true

    init() {}

    var deadline: Instant? { retry.deadline }

    /// The status of this device changed.
    mutating func changed() { state = state.changed }

    mutating func linkChanged() {
        state = state.changed
        retry.reset()
    }

    mutating func send(_ core: inout PeerCore) {
        guard retry.isOver(at: core.now), core.device.isLinked, state == .unsent else { return }
        state = .sending
        var status = core.device.own
        status.appState = core.presence
        status.isActivated = core.role == .phone || core.activation != .notActivated
        status.usesOtherWatch = !core.isChosen && core.activation == .notActivated
        core.note(.link("→ status: \(status.words)"))
        core.send(.status(status), timeout: .seconds(5), .status)
    }

    mutating func answered(_ answer: TransferAnswer?, _ core: inout PeerCore) {
        if case .exchange(.delivered) = answer {
            state = state == .sending ? .confirmed : .unsent
            return retry.reset()
        }
        core.note(.link("the status was not confirmed: \(PeerState.words(of: answer))"))
        state = .unsent
        if core.device.isLinked { retry.failed(at: core.now) }
    }

    /// The counterpart's status arrived.
    ///
    /// The part that must be known while apart is made durable before the status is confirmed.
    mutating func received(_ status: DeviceStatus, in message: MessageID, _ core: inout PeerCore) {
        core.note(.link("← status: \(status.words)"))
        core.device.counterpartNow = status
        var lasting = status
        lasting.appState = .notRunning
        lasting.isActivated = true
        lasting.isLocked = false
        lasting.usesOtherWatch = false
        guard lasting != core.device.counterpart || !isCounterpartStored else { return core.confirm(message) }
        core.device.counterpart = lasting
        core.store([.init(key: DeviceSide.Key.counterpart, value: lasting.packed)], .counterpart(message))
    }

    /// The counterpart's status is durable, or could not be stored.
    mutating func stored(in message: MessageID, isDurable: Bool, _ core: inout PeerCore) {
        isCounterpartStored = isDurable
        if isDurable {
            core.confirm(message)
        } else {
            core.decline(message, .genericError, "the status could not be stored")
        }
    }
}

extension DeviceStatus {
    /// The app's part of the status, for a trace.
    fileprivate var words: String { "app \(appState.rawValue)\(isActivated ? "" : ", not activated")" }
}
