/// The durable state of a receiver of items: its positions, the ids that it recognises, and the items for the
/// application.
public struct ItemInbox: Hashable, Sendable {
    /// The number of ids that a receiver recognises; of older items it only knows the numbers.
    public static let recentCountMax = 4096

    /// The position on each track.
    public private(set) var positions: ItemPositions
    /// The ids of the last items, in the order of arrival; at most ``recentCountMax``.
    public private(set) var recent: [RandomID]
    /// The items that the application has not consumed, in the order of arrival.
    public private(set) var items: [ReceivedItem]
    /// The bytes of their payloads.
    public private(set) var byteCount: Int
    /// The ids of `recent`, for lookup.
    private var known: Set<RandomID>

    /// Creates an inbox; by default that of a device that has never received anything.
    public init(positions: ItemPositions = ItemPositions(), recent: [RandomID] = [], items: [ReceivedItem] = []) {
        self.positions = positions
        self.recent = recent.suffix(Self.recentCountMax)
        self.items = items
        byteCount = items.reduce(0) { $0 + $1.payload.count }
        known = Set(self.recent)
    }

    /// Whether the item arrived before.
    func knows(_ id: RandomID) -> Bool { known.contains(id) }

    // MARK: - Changes by a record

    /// Keeps an item for the application, remembers its id, and updates the position.
    mutating func receive(_ item: ReceivedItem, at position: ItemPosition) {
        items.append(item)
        byteCount += item.payload.count
        moveOn(to: position, on: item.isUrgent ? .urgent : .ordinary)
        recent.append(item.id)
        known.insert(item.id)
        guard recent.count > Self.recentCountMax else { return }
        known.remove(recent.removeFirst())
    }

    /// Updates the position without an item for the application.
    mutating func moveOn(to position: ItemPosition, on track: ItemTrack) {
        positions[track] = position
    }

    /// Removes an item that the application has consumed.
    mutating func consume(_ id: RandomID) {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        byteCount -= items.remove(at: index).payload.count
    }
}
