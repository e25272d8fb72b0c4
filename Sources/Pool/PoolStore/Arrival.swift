public import PoolModel

/// A reading on its way into the history, with what tells it from one that was delivered twice.
public struct Arrival: Hashable, Sendable {
    /// The reading; its ordinal is not looked at.
    public var reading: Reading
    /// The hash of the payload as it came; see `ReadingKey`.
    public var payloadHash: UInt64
    /// How the broker delivered it, nil if it may not deliver it again (QoS 0).
    public var delivery: Delivery?

    /// Creates an arrival.
    public init(reading: Reading, payloadHash: UInt64, delivery: Delivery?) {
        self.reading = reading
        self.payloadHash = payloadHash
        self.delivery = delivery
    }
}

/// How a broker delivered a message that it delivers again unless it is acknowledged (QoS 1 or 2).
public struct Delivery: Hashable, Sendable {
    /// The broker.
    public var serverID: ServerID
    /// The packet identifier; 1…65535.
    public var packetIdentifier: UInt16
    /// The connection to that broker, by any number that this process uses for no other connection to it.
    public var connection: UInt64
    /// Whether the broker said, when it accepted the connection, that it goes on with a session ("session present").
    ///
    /// Without one it has forgotten what it delivered, and can deliver nothing again.
    public var isSessionResumed: Bool

    /// Creates a delivery.
    public init(serverID: ServerID, packetIdentifier: UInt16, connection: UInt64, isSessionResumed: Bool) {
        self.serverID = serverID
        self.packetIdentifier = packetIdentifier
        self.connection = connection
        self.isSessionResumed = isSessionResumed
    }
}

/// What became of an arrival.
public enum RecordingOutcome: Hashable, Sendable {
    /// It is a new reading, and on the disk.
    case stored(ordinal: UInt64)
    /// It is a reading that is in the history already.
    case duplicate
}
