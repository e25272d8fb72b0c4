import SyncCore

/// What two companions send each other as messages of the engine: a byte for the kind, its fields, and the payload
/// last.
///
/// Decoding is total: bytes that are no envelope, or one of a later version, give nil and are declined.
enum Envelope: Hashable, Sendable {
    /// How the sender's device and app are.
    case status(DeviceStatus)
    /// An application context: the name of the sender's numbering, the number in it, and the bytes.
    case context(ContextVersion, [UInt8])
    /// A live message, with the time that its sender waits.
    case live(isData: Bool, timeoutMilliseconds: UInt64, [UInt8])
    /// The sender's app cancelled a transfer which may have arrived: it shall not reach the app (rule R97).
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

    /// The envelope of some bytes; nil if they are not an envelope.
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

/// Which context it is: a number says what is newer only within the numbering of one life of a sender's store.
struct ContextVersion: Hashable, Sendable {
    /// The random name of the store.
    var incarnation: RandomID
    /// The number of the context, from 1.
    var number: UInt64
}

/// What one device tells the other about itself.
struct DeviceStatus: Hashable, Sendable {
    var appState = PeerState.AppState.notRunning
    var isInstalled = true
    /// Whether the app's complication is on the face (watch).
    var isComplicationEnabled = false
    /// Whether the device was rebooted and not unlocked yet (phone).
    var isLocked = false
    /// Whether the app is by design without a counterpart (watch).
    var isWatchOnly = false

    private static let states: [PeerState.AppState] = [.notRunning, .suspended, .background, .foreground]

    init() {}

    /// The status as bytes.
    var packed: [UInt8] {
        let flags = [isInstalled, isComplicationEnabled, isLocked, isWatchOnly]
        let bits = flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }
        return [UInt8(Self.states.firstIndex(of: appState) ?? 0), bits]
    }

    /// Reads a status; what a later version adds behind it is passed over.
    init?(_ unpacker: inout ByteReader) {
        guard let state = unpacker.byte(), Int(state) < Self.states.count, let bits = unpacker.byte() else {
            return nil
        }
        appState = Self.states[Int(state)]
        isInstalled = bits & 1 != 0
        isComplicationEnabled = bits & 2 != 0
        isLocked = bits & 4 != 0
        isWatchOnly = bits & 8 != 0
    }
}
