public import PoolModel

/// A change of what an ``AlertStore`` holds; as a value, so that several can be stored together.
public enum AlertChange: Hashable, Sendable {
    /// Stores a state under a key, in place of the one before.
    case put(key: String, json: [UInt8])
    /// Removes the state of a key, if there is one.
    case remove(key: String)
    /// Appends an event to the log.
    case append(time: Timestamp, json: [UInt8])
}

/// An event of the log.
public struct AlertEvent: Hashable, Sendable {
    /// Its place in the log; grows with each event.
    public var id: Int64
    /// When it happened, as the caller said.
    public var time: Timestamp
    /// What happened, as the caller wrote it.
    public var json: [UInt8]
}
