import SyncCore

/// A message between two peers, sent as a live message of the engine: a byte for the kind, then the fields, then the
/// payload.
///
/// Decoding is total: bytes that are not an envelope, or one of a later version, give nil; such a message is refused.
enum Envelope: Hashable, Sendable {
    /// The status of the sender's device and app.
    case status(DeviceStatus)
    /// An application context: the identifier of the sender's numbering, the number in it, and the bytes.
    case context(ContextVersion, [UInt8])
    /// A live message, with the time limit of its sender.
    case live(isData: Bool, timeoutMilliseconds: UInt64, [UInt8])
    /// The sender's app cancelled a transfer that may have arrived: it must not reach the app.
    case drop(RandomID)

    private enum Kind: UInt8 {
        case status = 1
        case context = 2
        case dictionary = 3
        case data = 4
        case drop = 5
    }

    /// The envelope as bytes.
    var encoded: [UInt8] {
        switch self {
        case .status(let status):
            var packer = ByteWriter()
            packer.put(Kind.status.rawValue)
            packer.putRest(status.packed)
            return packer.bytes
        case .context(let version, let payload):
            var packer = ByteWriter(byteCount: payload.count + 25)
            packer.put(Kind.context.rawValue)
            packer.put(version.incarnation)
            packer.put(version.number)
            packer.putRest(payload)
            return packer.bytes
        case .live(let isData, let timeout, let payload):
            var packer = ByteWriter(byteCount: payload.count + 9)
            packer.put(isData ? Kind.data.rawValue : Kind.dictionary.rawValue)
            packer.put(timeout)
            packer.putRest(payload)
            return packer.bytes
        case .drop(let id):
            var packer = ByteWriter()
            packer.put(Kind.drop.rawValue)
            packer.put(id)
            return packer.bytes
        }
    }

    /// Reads an envelope; nil if the bytes are not one.
    init?(_ bytes: [UInt8]) {
        var unpacker = ByteReader(bytes)
        guard let kind = unpacker.byte().flatMap(Kind.init) else { return nil }
        switch kind {
        case .status:
            guard let status = DeviceStatus(&unpacker) else { return nil }
            self = .status(status)
        case .context:
            guard let incarnation = unpacker.id(), let number = unpacker.number() else { return nil }
            self = .context(ContextVersion(incarnation: incarnation, number: number), unpacker.all())
        case .dictionary, .data:
            guard let timeout = unpacker.number() else { return nil }
            self = .live(isData: kind == .data, timeoutMilliseconds: timeout, unpacker.all())
        case .drop:
            guard let id = unpacker.id(), unpacker.isAtEnd else { return nil }
            self = .drop(id)
        }
    }
}

/// The version of a context.
///
/// Numbers can be compared only within one numbering of the sender's store.
struct ContextVersion: Hashable, Sendable {
    /// The random identifier of the numbering.
    var incarnation: RandomID
    /// The number of the context, from 1.
    var number: UInt64
}

/// The status of a device, for the other one.
struct DeviceStatus: Hashable, Sendable {
    var appState = PeerState.AppState.notRunning
    var isInstalled = true
    /// Whether the app's complication is on the watch face (watch).
    var isComplicationEnabled = false
    /// Whether the device was rebooted and not unlocked yet (phone).
    var isLocked = false
    /// Whether the app has no counterpart by design (watch).
    var isWatchOnly = false
    /// Whether the app's session is activated (watch).
    ///
    /// It is sent as its opposite, because earlier versions, which send nothing of the kind, count as activated.
    var isActivated = true
    /// Whether the phone uses another one of its watches (phone).
    var usesOtherWatch = false

    private static let states: [PeerState.AppState] = [.notRunning, .suspended, .background, .foreground]

    init() {}

    /// The status as bytes.
    var packed: [UInt8] {
        let flags = [isInstalled, isComplicationEnabled, isLocked, isWatchOnly, !isActivated, usesOtherWatch]
        let bits = flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }
        return [UInt8(Self.states.firstIndex(of: appState) ?? 0), bits]
    }

    /// Reads a status; additions of a later version at the end are skipped.
    init?(_ unpacker: inout ByteReader) {
        guard let state = unpacker.byte(), Int(state) < Self.states.count, let bits = unpacker.byte() else {
            return nil
        }
        appState = Self.states[Int(state)]
        isInstalled = bits & 1 != 0
        isComplicationEnabled = bits & 2 != 0
        isLocked = bits & 4 != 0
        isWatchOnly = bits & 8 != 0
        isActivated = bits & 16 == 0
        usesOtherWatch = bits & 32 != 0
    }
}
