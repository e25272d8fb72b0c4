/// What a receiver of items holds durably: how far it is, which items it knows again, and what waits for the application.
public struct ItemInbox: Hashable, Sendable {
    /// The ids that a receiver knows again; of older items it only knows the numbers.
    public static let recentCountMax = 4096

    /// How far each track is.
    public private(set) var positions: ItemPositions
    /// The ids of the last items, in the order of their arrival; at most ``recentCountMax``.
    public private(set) var recent: [RandomID]
    /// The items that the application has not consumed, in the order of their arrival.
    public private(set) var items: [ReceivedItem]
    /// The bytes of their payloads.
    public private(set) var byteCount: Int
    /// The ids of `recent`, for looking up.
    private var known: Set<RandomID>

    /// Creates an inbox; by default that of a device that never received anything.
    public init(positions: ItemPositions = ItemPositions(), recent: [RandomID] = [], items: [ReceivedItem] = []) {
        self.positions = positions
        self.recent = recent.suffix(Self.recentCountMax)
        self.items = items
        byteCount = items.reduce(0) { $0 + $1.payload.count }
        known = Set(self.recent)
    }

    /// Whether the item arrived before.
    func knows(_ id: RandomID) -> Bool { known.contains(id) }

    // MARK: - What a record changes

    /// Keeps an item for the application, remembers its id, and moves on.
    mutating func receive(_ item: ReceivedItem, at position: ItemPosition) {
        items.append(item)
        byteCount += item.payload.count
        moveOn(to: position, on: item.isUrgent ? .urgent : .ordinary)
        recent.append(item.id)
        known.insert(item.id)
        guard recent.count > Self.recentCountMax else { return }
        known.remove(recent.removeFirst())
    }

    /// Moves on without an item for the application.
    mutating func moveOn(to position: ItemPosition, on track: ItemTrack) {
        positions[track] = position
    }

    /// Lets an item go that the application has consumed.
    mutating func consume(_ id: RandomID) {
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        byteCount -= items.remove(at: index).payload.count
    }
}
