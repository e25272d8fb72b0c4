public import PoolModel

/// A reading to be recorded, with the data by which a repeated delivery is recognized.
public struct Arrival: Hashable, Sendable {
    /// The reading; its ordinal is ignored.
    public var reading: Reading
    /// The hash of the payload; see `ReadingKey`.
    public var payloadHash: UInt64
    /// The delivery by the broker; nil if the broker does not repeat it (QoS 0).
    public var delivery: Delivery?

    /// Creates an arrival.
    public init(reading: Reading, payloadHash: UInt64, delivery: Delivery?) {
        self.reading = reading
        self.payloadHash = payloadHash
        self.delivery = delivery
    }
}

/// The delivery of a message that a broker repeats until it is acknowledged (QoS 1 or 2).
public struct Delivery: Hashable, Sendable {
    /// The broker.
    public var serverID: ServerID
    /// The packet identifier; 1…65535.
    public var packetIdentifier: UInt16
    /// The connection to that broker, as any number that is unique among this process's connections to it.
    public var connection: UInt64
    /// Whether the broker resumed a session when it accepted the connection ("session present").
    ///
    /// Otherwise it has forgotten its deliveries, and cannot repeat any.
    public var isSessionResumed: Bool

    /// Creates a delivery.
    public init(serverID: ServerID, packetIdentifier: UInt16, connection: UInt64, isSessionResumed: Bool) {
        self.serverID = serverID
        self.packetIdentifier = packetIdentifier
        self.connection = connection
        self.isSessionResumed = isSessionResumed
    }
}

/// The result of recording an arrival.
public enum RecordingOutcome: Hashable, Sendable {
    /// The reading is new, and on the disk.
    case stored(ordinal: UInt64)
    /// The reading is already in the history.
    case duplicate
}
