/// The durable items of one track that the receiver is not known to hold, and their numbering.
///
/// The numbers follow from the order: the first item has the number after ``acknowledged``. So a new numbering changes
/// no item, and an item that was never sent can leave without a hole. A numbering ends when sender and receiver do not
/// agree on what it says, which happens when one of them was restored or cloned.
///
///     acknowledged │ may have been sent │ never sent
///      (dropped)   │   … ≤ released     │   ≤ last
public struct ItemOutbox: Hashable, Sendable {
    /// The random name of the numbering, nil before the first.
    public private(set) var stream: RandomID?
    /// The number before the first of the numbering; numbers never go back.
    public private(set) var base: UInt64
    /// Where the receiver was when the numbering began, nil if it had never received anything.
    public private(set) var origin: ItemPosition?
    /// The highest number that the receiver is known to hold durably.
    public private(set) var acknowledged: UInt64
    /// The id of that item, nil before the first of the numbering.
    public private(set) var acknowledgedID: RandomID?
    /// The highest number that may have been sent.
    public private(set) var released: UInt64
    /// The items in order.
    public private(set) var items: [Item]
    /// The bytes of all payloads.
    public private(set) var byteCount: Int

    /// Creates an outbox; by default that of a device that never sent anything.
    public init(
        stream: RandomID? = nil, base: UInt64 = 0, origin: ItemPosition? = nil, acknowledged: UInt64 = 0,
        acknowledgedID: RandomID? = nil, released: UInt64 = 0, items: [Item] = []
    ) {
        self.stream = stream
        self.base = base
        self.origin = origin
        self.acknowledged = acknowledged
        self.acknowledgedID = acknowledgedID
        self.released = released
        self.items = items
        byteCount = items.reduce(0) { $0 + $1.payload.count }
    }

    /// The number of the last item.
    public var last: UInt64 { acknowledged + UInt64(items.count) }

    /// The item of a number, nil if it is not here.
    func item(_ number: UInt64) -> Item? {
        guard number > acknowledged, number <= last else { return nil }
        return items[Int(number - acknowledged - 1)]
    }

    /// The id that a number has or had, as far as it is known.
    func id(_ number: UInt64) -> RandomID? {
        number == acknowledged ? acknowledgedID : item(number)?.id
    }

    /// The number of an item, nil if it is not here.
    func number(of id: RandomID) -> UInt64? {
        items.firstIndex { $0.id == id }.map { acknowledged + 1 + UInt64($0) }
    }

    // MARK: - Finding together with a receiver

    /// What a receiver's position means for the numbering.
    enum Alignment: Hashable, Sendable {
        /// The receiver follows it: go on after this number.
        case goOn(after: UInt64)
        /// One side was restored: begin a new numbering. The receiver has lost the items of `lost`, which are
        /// gone here.
        case renumber(lost: ClosedRange<UInt64>?)
    }

    /// Compares with what a receiver said when the session opened.
    ///
    /// Within a numbering the receiver must hold at least what it has acknowledged. A receiver that does not follow the
    /// numbering yet must be where it was when the numbering began.
    func alignment(with position: ItemPosition?, flaws: DesignFlaws) -> Alignment {
        guard stream != nil || position != nil else { return .goOn(after: 0) }
        let highest = position?.highest ?? 0
        if flaws.contains(.itemsNeverRenumbered), stream != nil {
            return .goOn(after: min(max(highest, acknowledged), last))
        }
        if let position, position.stream == stream {
            if highest >= acknowledged, agrees(with: position, flaws: flaws) { return .goOn(after: highest) }
        } else if acknowledged == base, position == origin, stream != nil {
            return .goOn(after: base)
        }
        return .renumber(lost: highest < acknowledged ? highest + 1...acknowledged : nil)
    }

    /// Whether the item of a receiver's position is the one that has its number here.
    func agrees(with position: ItemPosition, flaws: DesignFlaws) -> Bool {
        guard position.stream == stream, position.highest <= last else { return false }
        return id(position.highest) == position.lastID || flaws.contains(.itemsTrustNumbers)
    }

    // MARK: - What a record changes

    /// Queues an item at the end; if it is current, an earlier one no longer is (rule R111).
    mutating func add(_ item: Item) {
        if item.isCurrent {
            for position in items.indices where items[position].isCurrent { items[position].isCurrent = false }
        }
        items.append(item)
        byteCount += item.payload.count
    }

    /// Lets the items up to a number be sent.
    mutating func release(through number: UInt64) {
        released = min(max(released, number), last)
    }

    /// Drops the items up to a number: the receiver holds them.
    mutating func acknowledge(through number: UInt64) {
        guard number > acknowledged, number <= last else { return }
        acknowledgedID = id(number)
        let arrived = Int(number - acknowledged)
        byteCount -= items[..<arrived].reduce(0) { $0 + $1.payload.count }
        items.removeFirst(arrived)
        acknowledged = number
        released = max(released, number)
    }

    /// Takes an item out.
    mutating func cancel(_ id: RandomID) {
        guard let number = number(of: id) else { return }
        byteCount -= items.remove(at: Int(number - acknowledged - 1)).payload.count
        if number <= released { released -= 1 }
    }

    /// Begins a new numbering of the same items, with a receiver that is there.
    ///
    /// The numbers go on after all that either side has counted, so that they tell a later loss.
    mutating func renumber(_ stream: RandomID, from origin: ItemPosition?) {
        let sentCount = released - acknowledged
        self.stream = stream
        self.origin = origin
        base = max(acknowledged, origin?.highest ?? 0)
        acknowledged = base
        acknowledgedID = nil
        released = base + sentCount
    }
}
