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
    /// Whether the store took that.
    var isCounterpartStored = true
    /// What the counterpart told on the link that is open now.
    var counterpartNow: DeviceStatus?
    var isLinked = false

    /// Whether the counterpart does not know yet how this device is.
    var owesStatus = false
    var isStatusUnderWay = false
    var statusRetryAt: Instant?
    var statusPause = DeviceSide.pauseMin

    static let pauseMin = Duration.seconds(1)
    static let pauseMax = Duration.seconds(8)

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
