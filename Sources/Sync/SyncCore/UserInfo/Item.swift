/// An item of user info to send: accepted, durable, and not yet acknowledged by the receiver.
public struct Item: Hashable, Sendable {
    /// The position in the order in which a device accepted its current items; later items have greater ordinals.
    public var ordinal: UInt64
    /// The random identifier by which a receiver recognises the item, whatever its number is.
    public var id: RandomID
    /// The bytes of the application; the engine does not interpret them.
    public var payload: [UInt8]
    /// Whether this is the newest complication item.
    public var isCurrent: Bool

    /// Creates an item.
    public init(ordinal: UInt64, id: RandomID, payload: [UInt8], isCurrent: Bool = false) {
        self.ordinal = ordinal
        self.id = id
        self.payload = payload
        self.isCurrent = isCurrent
    }
}

/// An item that arrived, durable until the application has consumed it.
public struct ReceivedItem: Hashable, Sendable {
    /// The item's identifier; the same item never arrives under two.
    public var id: RandomID
    /// The bytes that the other application sent.
    public var payload: [UInt8]
    /// Whether it arrived as a complication item with priority.
    public var isUrgent: Bool

    /// Creates an item that arrived.
    public init(id: RandomID, payload: [UInt8], isUrgent: Bool) {
        self.id = id
        self.payload = payload
        self.isUrgent = isUrgent
    }
}

/// An item that the receiver has not acknowledged yet, as the application sees it.
public struct OutstandingItem: Hashable, Sendable {
    /// The progress of an item.
    public enum Progress: Hashable, Sendable {
        /// It was never sent, and can be cancelled.
        case waiting
        /// It may have been sent, and so may have arrived.
        case underWay
    }

    /// The item.
    public var item: Item
    /// The track that it is sent on.
    public var track: ItemTrack
    /// Its progress.
    public var progress: Progress
}

/// Why user info was refused, or not cancelled; nothing has changed.
public enum ItemError: Error, Hashable, Sendable {
    /// The payload exceeds the limit; send less, or send a file.
    case payloadTooLarge(byteCount: Int, limit: Int)
    /// This many items and bytes already wait for the receiver; try again when some have arrived.
    case queueFull(count: Int, byteCount: Int)
    /// An item with this id is already outstanding.
    case knownItem(RandomID)
    /// The store could not write it, for this reason.
    case notStored(String)
    /// No item with this id is outstanding: it has arrived, was cancelled, or never existed.
    case unknownItem(RandomID)
    /// The item may have been sent, so it can no longer be cancelled.
    case underWay(RandomID)
    /// The item is already being cancelled.
    case beingCancelled(RandomID)
}

extension ItemError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .payloadTooLarge(let byteCount, let limit):
            "the user info has \(byteCount) bytes, at most \(limit) can be sent: send less, or a file"
        case .queueFull(let count, let byteCount):
            "\(count) items with \(byteCount) bytes wait already: try again when some have arrived"
        case .knownItem: "an item of this id waits already"
        case .notStored(let reason): "it could not be stored: \(reason)"
        case .unknownItem: "no such item is waiting: it has arrived, or was cancelled"
        case .underWay: "the item is under way and cannot be held back any more"
        case .beingCancelled: "the item is being cancelled already"
        }
    }
}
