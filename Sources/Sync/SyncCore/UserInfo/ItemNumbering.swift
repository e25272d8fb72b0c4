/// The numbering of one track's items, without the items.
///
/// The numbers follow from the order: the first item has the number after ``acknowledged``.
package struct ItemNumbering: Hashable, Sendable {
    /// The random identifier of the numbering; nil before the first.
    package private(set) var stream: RandomID?
    /// The number before the first one of the numbering; numbers never decrease.
    package private(set) var base: UInt64
    /// The receiver's position when the numbering began; nil if it had never received anything.
    package private(set) var origin: ItemPosition?
    /// The highest number that the receiver has acknowledged.
    package private(set) var acknowledged: UInt64
    /// The id of that item; nil before the first of the numbering.
    package private(set) var acknowledgedID: RandomID?
    /// The highest number that may have been sent.
    package private(set) var released: UInt64
    /// The number of items that have a number and are not acknowledged.
    package private(set) var itemCount: UInt64

    /// Creates a numbering; by default that of a track that has never had an item.
    package init(
        stream: RandomID? = nil, base: UInt64 = 0, origin: ItemPosition? = nil, acknowledged: UInt64 = 0,
        acknowledgedID: RandomID? = nil, released: UInt64 = 0, itemCount: UInt64 = 0
    ) {
        self.stream = stream
        self.base = base
        self.origin = origin
        self.acknowledged = acknowledged
        self.acknowledgedID = acknowledgedID
        self.released = released
        self.itemCount = itemCount
    }

    /// The number of the last item.
    package var last: UInt64 { acknowledged + itemCount }

    /// Whether an acknowledgement of this number is new.
    package func isNews(_ number: UInt64) -> Bool { number > acknowledged && number <= last }

    /// Whether another numbering is the same except for the number of items.
    package func numbersAlike(_ other: ItemNumbering) -> Bool {
        var other = other
        other.itemCount = itemCount
        return self == other
    }

    // MARK: - Changes by a record

    /// An item was added at the end.
    package mutating func add() {
        itemCount += 1
    }

    /// The items up to a number may be sent.
    package mutating func release(through number: UInt64) {
        released = min(max(released, number), last)
    }

    /// The receiver acknowledged the items up to a number, which is new; the last of them has this id.
    package mutating func acknowledge(through number: UInt64, _ id: RandomID?) {
        itemCount -= number - acknowledged
        acknowledged = number
        acknowledgedID = id
        released = max(released, number)
    }

    /// The item with a number was removed.
    package mutating func cancel(_ number: UInt64) {
        itemCount -= 1
        if number <= released { released -= 1 }
    }

    /// Starts a new numbering of the same items for a receiver at a position.
    ///
    /// The numbers continue after all numbers that either side has used, so that they reveal a later loss.
    package mutating func renumber(_ stream: RandomID, from origin: ItemPosition?) {
        let base = base(from: origin)
        let sentCount = released - acknowledged
        self.stream = stream
        self.origin = origin
        self.base = base
        acknowledged = base
        acknowledgedID = nil
        released = base + sentCount
    }

    /// The number after which a new numbering for a receiver at a position begins.
    package func base(from origin: ItemPosition?) -> UInt64 {
        max(acknowledged, min(origin?.highest ?? 0, Self.believedMax))
    }

    /// The highest number of a receiver that a new numbering continues from.
    ///
    /// No count gets that high; a false number from a receiver must not use up all numbers of this side.
    private static let believedMax: UInt64 = 1 << 62
}
