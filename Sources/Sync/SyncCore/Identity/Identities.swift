/// The identity of a device: its 32-byte CURVE public key, as the transport authenticated it.
///
/// The engine trusts only this key, nothing that a frame says about its sender.
public struct PeerKey: Hashable, Comparable, Sendable {
    /// The 32 bytes of the public key.
    public let bytes: [UInt8]

    /// Creates a key; nil unless there are exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Creates a key from 64 hexadecimal digits; nil for any other text.
    public init?(hexadecimal text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The 64 hexadecimal digits of the key.
    public var hexadecimal: String { Hexadecimal.text(bytes) }

    /// Whether the left key sorts first.
    public static func < (left: PeerKey, right: PeerKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// One connection of the transport, from its start to its end; a reconnect makes another connection.
public struct ConnectionID: Hashable, Comparable, Sendable {
    /// The transport's identifier of the connection, such as a ZeroMQ routing id.
    public let bytes: [UInt8]

    /// Creates a connection id.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether the left id sorts first.
    public static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// A random 128-bit identifier of a record, a write (its "dot") and the like.
public struct RandomID: Hashable, Comparable, Sendable {
    /// The upper 64 bits.
    public let high: UInt64
    /// The lower 64 bits.
    public let low: UInt64

    /// Creates an id from its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a new id.
    public init(using generator: inout some RandomNumberGenerator) {
        self.init(high: generator.next(), low: generator.next())
    }

    /// Creates an id from 32 hexadecimal digits; nil for any other text.
    public init?(hexadecimal text: String) {
        guard text.utf8.count == 32, let high = Hexadecimal.number(text.prefix(16)),
            let low = Hexadecimal.number(text.suffix(16))
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The 32 hexadecimal digits of the id.
    public var hexadecimal: String { Hexadecimal.text(high: high, low: low) }

    /// Whether the left id sorts first.
    public static func < (left: RandomID, right: RandomID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// One unforked history of a hub; a restore, a clone or a lost tail starts a new one.
public struct Epoch: Hashable, Comparable, Sendable {
    /// The random number that identifies the history.
    public let number: UInt64

    /// Creates an epoch.
    public init(number: UInt64) {
        self.number = number
    }

    /// Whether the left epoch's number is smaller; it says nothing about time.
    public static func < (left: Epoch, right: Epoch) -> Bool { left.number < right.number }
}

/// The version of a whole configuration: its history, the number of transactions, and a digest of them.
///
/// If two devices have the same epoch and revision, they have the same contents; the chain proves it.
public struct Version: Hashable, Sendable {
    /// The history.
    public var epoch: Epoch
    /// The number of transactions since the first history began.
    public var revision: UInt64
    /// The digest over all transactions up to this one.
    public var chain: UInt64

    /// Creates a version.
    public init(epoch: Epoch, revision: UInt64, chain: UInt64) {
        self.epoch = epoch
        self.revision = revision
        self.chain = chain
    }
}

extension PeerKey {
    /// The node of a device's stamps: the first eight bytes of its key, never 0, which is the hub's.
    public var node: UInt64 { max(1, bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
}
