import SyncCore

/// What a companion knows of the two devices, apart from their apps' content.
struct DeviceSide: Sendable {
    /// The keys in the store.
    enum Key {
        static let own = "device.own"
        static let counterpart = "device.counterpart"
    }

    /// Whether the counterpart is paired; durable.
    var isPaired = false
    /// This device; durable, apart from the lock and the app's state.
    var own = DeviceStatus()
    /// The last that the counterpart told, durable: what is known while apart.
    ///
    /// Nil before the first (rule R31).
    var counterpart: DeviceStatus?
    /// What the counterpart told on the link that is open now.
    var counterpartNow: DeviceStatus?
    var isLinked = false

    /// Starts with what a store holds.
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

    /// This device as a value of the store.
    var ownChange: PeerState.StoredChange {
        var packer = ByteWriter()
        packer.put(isPaired ? UInt8(1) : 0)
        packer.putRest(own.packed)
        return PeerState.StoredChange(key: Key.own, value: packer.bytes)
    }
}

/// What a companion makes of the devices: what the app is told of when it changes.
struct SessionFacts: Hashable, Sendable {
    var isPaired = false
    /// Whether the counterpart is paired and has its app.
    var isCounterpartInstalled = false
    var isComplicationEnabled = false
    /// Whether live messages can be sent, if the session is active.
    var isReachable = false
}

/// Tells the counterpart how this device is, once at a time, until it has confirmed; and hears how it is.
struct StatusExchange: Sendable {
    /// Whether the counterpart does not know yet how this device is.
    private var owesStatus = false
    private var isUnderWay = false
    private var retry = Retry(longest: .seconds(8))
    /// Whether the store took what the counterpart told.
    private var isCounterpartStored = true

    init() {}

    var deadline: Instant? { retry.deadline }

    /// This device is not as it was.
    mutating func changed() { owesStatus = true }

    mutating func linkChanged() {
        owesStatus = true
        retry.reset()
    }

    mutating func send(_ core: inout PeerCore) {
        guard retry.isOver(at: core.now), core.device.isLinked, owesStatus, !isUnderWay else { return }
        owesStatus = false
        isUnderWay = true
        var status = core.device.own
        status.appState = core.presence
        core.note(.link("→ status: app \(status.appState.rawValue)"))
        core.send(.status(status), timeout: .seconds(5), .status)
    }

    mutating func answered(_ answer: TransferAnswer?, _ core: inout PeerCore) {
        isUnderWay = false
        if case .exchange(.delivered) = answer { return retry.reset() }
        core.note(.link("the status was not confirmed: \(PeerState.words(of: answer))"))
        owesStatus = true
        if core.device.isLinked { retry.failed(at: core.now) }
    }

    /// The counterpart tells how it is: what is to be known while apart is durable before it is confirmed.
    mutating func received(_ status: DeviceStatus, in message: MessageID, _ core: inout PeerCore) {
        core.note(.link("← status: app \(status.appState.rawValue)"))
        core.device.counterpartNow = status
        var lasting = status
        lasting.appState = .notRunning
        lasting.isLocked = false
        guard lasting != core.device.counterpart || !isCounterpartStored else { return core.confirm(message) }
        core.device.counterpart = lasting
        core.store([.init(key: DeviceSide.Key.counterpart, value: lasting.packed)], .counterpart(message))
    }

    /// What the counterpart told is durable, or cannot be.
    mutating func stored(in message: MessageID, isDurable: Bool, _ core: inout PeerCore) {
        isCounterpartStored = isDurable
        if isDurable {
            core.confirm(message)
        } else {
            core.decline(message, .genericError, "the status could not be stored")
        }
    }
}
