public import PoolModel

/// A change of what an ``AlertStore`` holds; as a value, so that it can be stored together with the reading that led
/// to it.
public enum AlertChange: Hashable, Sendable {
    /// Stores a state under a key, in place of the one before.
    case put(key: String, json: [UInt8])
    /// Removes the state of a key, if there is one.
    case remove(key: String)
    /// Appends an event to the log.
    case append(time: Timestamp, json: [UInt8])
    /// Puts a message into the outbox, to be delivered on a channel at a time or later.
    case enqueue(channel: String, json: [UInt8], nextAttempt: Timestamp)
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

/// A message that waits for its delivery.
public struct OutboxEntry: Hashable, Sendable {
    /// Its number, never used again; with it the receiver can tell a second delivery of the same message.
    public var id: Int64
    /// How it is delivered, as the caller said.
    public var channel: String
    /// What is delivered, as the caller wrote it.
    public var json: [UInt8]
    /// How many attempts have failed.
    public var attempts: Int
    /// When to try next.
    public var nextAttempt: Timestamp
}
