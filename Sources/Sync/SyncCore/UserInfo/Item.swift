/// An item of user info on its way: accepted, durable, and not yet known to be at the receiver.
public struct Item: Hashable, Sendable {
    /// The place in the order in which a device accepted the items that it still has; later items have greater ones.
    public var ordinal: UInt64
    /// The random name by which a receiver knows the item again, whatever its number is.
    public var id: RandomID
    /// What the application sends; the engine does not look into it.
    public var payload: [UInt8]
    /// Whether this is the newest complication item (rule R111).
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
    /// The item's name; the same item never arrives under two.
    public var id: RandomID
    /// What the other application sent.
    public var payload: [UInt8]
    /// Whether it came as a complication item with priority.
    public var isUrgent: Bool

    /// Creates an item that arrived.
    public init(id: RandomID, payload: [UInt8], isUrgent: Bool) {
        self.id = id
        self.payload = payload
        self.isUrgent = isUrgent
    }
}

/// An item that is not yet known to be at the receiver, as the application sees it.
public struct OutstandingItem: Hashable, Sendable {
    /// How far an item is.
    public enum Progress: Hashable, Sendable {
        /// It was never sent, and can be cancelled.
        case waiting
        /// It may have been sent, and so may have arrived.
        case underWay
    }

    /// The item.
    public var item: Item
    /// The track on which it goes.
    public var track: ItemTrack
    /// How far it is.
    public var progress: Progress
}

/// Why user info was declined, or not cancelled; nothing has changed then.
public enum ItemFault: Error, Hashable, Sendable {
    /// The payload is over the limit; send less, or a file.
    case payloadTooLarge(byteCount: Int, limit: Int)
    /// So many items and bytes wait for the receiver already; try again when some have arrived.
    case queueFull(count: Int, byteCount: Int)
    /// An item of this id is outstanding already.
    case knownItem(RandomID)
    /// The store could not keep it.
    case notStored(String)
    /// No item of this id is outstanding: it has arrived, was cancelled, or never was.
    case unknownItem(RandomID)
    /// The item may have been sent, so it can no longer be held back.
    case underWay(RandomID)
    /// The item is being cancelled already.
    case beingCancelled(RandomID)
}

extension ItemFault: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .payloadTooLarge(let byteCount, let limit):
            "the user info has \(byteCount) bytes, at most \(limit) can be sent: send less, or a file"
        case .queueFull(let count, let byteCount):
            "\(count) items with \(byteCount) bytes wait already: try again when some have arrived"
        case .knownItem: "an item of this id waits already"
        case .notStored(let reason): "it could not be stored: \(reason)"
        case .unknownItem: "no such item waits any more: it has arrived, or was cancelled"
        case .underWay: "the item is under way and cannot be held back any more"
        case .beingCancelled: "the item is being cancelled already"
        }
    }
}
