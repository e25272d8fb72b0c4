/// How the items of one track are numbered, apart from the items themselves.
///
/// The numbers follow from the order: the first item has the number after ``acknowledged``.
package struct ItemNumbering: Hashable, Sendable {
    /// The random name of the numbering, nil before the first.
    package private(set) var stream: RandomID?
    /// The number before the first of the numbering; numbers never go back.
    package private(set) var base: UInt64
    /// Where the receiver was when the numbering began, nil if it had never received anything.
    package private(set) var origin: ItemPosition?
    /// The highest number that the receiver is known to hold durably.
    package private(set) var acknowledged: UInt64
    /// The id of that item, nil before the first of the numbering.
    package private(set) var acknowledgedID: RandomID?
    /// The highest number that may have been sent.
    package private(set) var released: UInt64
    /// How many items have a number and are not acknowledged.
    package private(set) var itemCount: UInt64

    /// Creates a numbering; by default that of a track that never had an item.
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

    /// Whether an acknowledgement of this number is news.
    package func isNews(_ number: UInt64) -> Bool { number > acknowledged && number <= last }

    /// Whether another one says the same, but for how many items there are.
    package func numbersAlike(_ other: ItemNumbering) -> Bool {
        var other = other
        other.itemCount = itemCount
        return self == other
    }

    // MARK: - What a record changes

    /// An item joined at the end.
    package mutating func add() {
        itemCount += 1
    }

    /// The items up to a number may be sent.
    package mutating func release(through number: UInt64) {
        released = min(max(released, number), last)
    }

    /// The receiver holds the items up to a number, which is news; the last of them has this id.
    package mutating func acknowledge(through number: UInt64, _ id: RandomID?) {
        itemCount -= number - acknowledged
        acknowledged = number
        acknowledgedID = id
        released = max(released, number)
    }

    /// The item of a number left.
    package mutating func cancel(_ number: UInt64) {
        itemCount -= 1
        if number <= released { released -= 1 }
    }

    /// Begins a new numbering of the same items, with a receiver that is there.
    ///
    /// The numbers go on after all that either side has counted, so that they tell a later loss.
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

    /// The number after which a new numbering with a receiver begins.
    package func base(from origin: ItemPosition?) -> UInt64 {
        max(acknowledged, min(origin?.highest ?? 0, Self.believedMax))
    }

    /// The highest number that a receiver's word lets a numbering go on after.
    ///
    /// Nobody comes that far by counting; who says so must not leave this side without numbers for good.
    private static let believedMax: UInt64 = 1 << 62
}
