/// The durable items of one track that the receiver has not acknowledged, and their numbering.
///
/// The numbers follow from the order: the first item has the number after ``acknowledged``. So a new numbering
/// changes no item, and removing an item that was never sent leaves no gap. A numbering ends when sender and receiver
/// disagree about its contents, which happens when one of them was restored or cloned.
///
///     acknowledged │ may have been sent │ never sent
///      (dropped)   │   … ≤ released     │   ≤ last
public struct ItemOutbox: Hashable, Sendable {
    /// The numbering of the items.
    package private(set) var numbering: ItemNumbering
    /// The items in order.
    public private(set) var items: [Item]
    /// The bytes of all payloads.
    public private(set) var byteCount: Int

    /// Creates an outbox; by default that of a device that has never sent anything.
    public init(
        stream: RandomID? = nil, base: UInt64 = 0, origin: ItemPosition? = nil, acknowledged: UInt64 = 0,
        acknowledgedID: RandomID? = nil, released: UInt64 = 0, items: [Item] = []
    ) {
        self.init(
            ItemNumbering(
                stream: stream, base: base, origin: origin, acknowledged: acknowledged,
                acknowledgedID: acknowledgedID, released: released, itemCount: UInt64(items.count)),
            items: items)
    }

    /// Creates an outbox of as many items as the numbering counts.
    package init(_ numbering: ItemNumbering, items: [Item]) {
        precondition(numbering.itemCount == UInt64(items.count), "a numbering of other items")
        self.numbering = numbering
        self.items = items
        byteCount = items.reduce(0) { $0 + $1.payload.count }
    }

    /// The random identifier of the numbering; nil before the first.
    public var stream: RandomID? { numbering.stream }

    /// The number before the first one of the numbering; numbers never decrease.
    public var base: UInt64 { numbering.base }

    /// The receiver's position when the numbering began; nil if it had never received anything.
    public var origin: ItemPosition? { numbering.origin }

    /// The highest number that the receiver has acknowledged.
    public var acknowledged: UInt64 { numbering.acknowledged }

    /// The id of that item; nil before the first of the numbering.
    public var acknowledgedID: RandomID? { numbering.acknowledgedID }

    /// The highest number that may have been sent.
    public var released: UInt64 { numbering.released }

    /// The number of the last item.
    public var last: UInt64 { numbering.last }

    /// The item with a number; nil if it is not here.
    func item(_ number: UInt64) -> Item? {
        guard number > acknowledged, number <= last else { return nil }
        return items[Int(number - acknowledged - 1)]
    }

    /// The id that belongs to a number, as far as it is known.
    func id(_ number: UInt64) -> RandomID? {
        number == acknowledged ? acknowledgedID : item(number)?.id
    }

    /// The number of an item; nil if it is not here.
    func number(of id: RandomID) -> UInt64? {
        items.firstIndex { $0.id == id }.map { acknowledged + 1 + UInt64($0) }
    }

    // MARK: - Aligning with a receiver

    /// What a receiver's position means for the numbering.
    enum Alignment: Hashable, Sendable {
        /// The receiver follows the numbering: continue after this number.
        case goOn(after: UInt64)
        /// One side was restored: start a new numbering.
        ///
        /// The receiver has lost the items of `lost`, which this side no longer has.
        case renumber(lost: ClosedRange<UInt64>?)
    }

    /// Compares the numbering with the receiver's position when the session opened.
    ///
    /// A receiver that follows the numbering must hold at least what it has acknowledged. A receiver that does not
    /// follow it yet must be where it was when the numbering began.
    func alignment(with position: ItemPosition?) -> Alignment {
        guard stream != nil || position != nil else { return .goOn(after: 0) }
        let highest = position?.highest ?? 0
        if let position, position.stream == stream {
            if highest >= acknowledged, agrees(with: position) { return .goOn(after: highest) }
        } else if acknowledged == base, position == origin, stream != nil {
            return .goOn(after: base)
        }
        return .renumber(lost: highest < acknowledged ? highest + 1...acknowledged : nil)
    }

    /// Whether the item of a receiver's position is the item with that number here.
    func agrees(with position: ItemPosition) -> Bool {
        guard position.stream == stream, position.highest <= last else { return false }
        return id(position.highest) == position.lastID
    }

    // MARK: - Changes by a record

    /// Adds an item at the end; if it is current, an earlier one no longer is.
    mutating func add(_ item: Item) {
        if item.isCurrent {
            for position in items.indices where items[position].isCurrent { items[position].isCurrent = false }
        }
        items.append(item)
        byteCount += item.payload.count
        numbering.add()
    }

    /// Allows the items up to a number to be sent.
    mutating func release(through number: UInt64) {
        numbering.release(through: number)
    }

    /// Removes the items up to a number: the receiver holds them.
    mutating func acknowledge(through number: UInt64) {
        guard numbering.isNews(number) else { return }
        let id = id(number)
        let arrived = Int(number - acknowledged)
        byteCount -= items[..<arrived].reduce(0) { $0 + $1.payload.count }
        items.removeFirst(arrived)
        numbering.acknowledge(through: number, id)
    }

    /// Removes an item.
    mutating func cancel(_ id: RandomID) {
        guard let number = number(of: id) else { return }
        byteCount -= items.remove(at: Int(number - acknowledged - 1)).payload.count
        numbering.cancel(number)
    }

    /// Starts a new numbering of the same items for a receiver at a position.
    mutating func renumber(_ stream: RandomID, from origin: ItemPosition?) {
        numbering.renumber(stream, from: origin)
    }
}
