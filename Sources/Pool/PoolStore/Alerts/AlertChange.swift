public import PoolModel

/// A change to an ``AlertStore``; a value, so that several can be stored together.
public enum AlertChange: Hashable, Sendable {
    /// Stores a state under a key, replacing the previous one.
    case put(key: String, json: [UInt8])
    /// Removes the state of a key, if there is one.
    case remove(key: String)
    /// Appends an event to the log.
    case append(time: Timestamp, json: [UInt8])
}

/// An event of the log.
public struct AlertEvent: Hashable, Sendable {
    /// Its number in the log; grows with each event.
    public var id: Int64
    /// The time of the event, given by the caller.
    public var time: Timestamp
    /// The content of the event, written by the caller.
    public var json: [UInt8]
}
