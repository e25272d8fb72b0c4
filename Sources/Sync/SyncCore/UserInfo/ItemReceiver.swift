/// Takes items from a link in order, and lets them wait for the store.
///
/// It takes only the item that comes next, as far as there is room; everything else is left to be sent again. So the
/// order needs no buffer, and a full inbox holds the sender back.
struct ItemReceiver: Hashable, Sendable {
    /// What became of an item.
    enum Verdict: Hashable, Sendable {
        /// It waits for the store.
        case queued
        /// It was here before: say again how far the receiver is.
        case duplicate
        /// One before it is missing.
        case ahead
        /// The inbox has no room.
        case full
    }

    private let countMax: Int
    private let byteCountMax: Int
    private let flaws: DesignFlaws
    /// What waits for the next record.
    private var queue: [ItemFrame] = []
    /// What is being stored.
    private var storing: [ItemFrame] = []
    private var byteCount = 0

    /// Creates the receiver of an inbox that holds so many items and bytes.
    init(countMax: Int, byteCountMax: Int, flaws: DesignFlaws) {
        self.countMax = countMax
        self.byteCountMax = byteCountMax
        self.flaws = flaws
    }

    /// Whether something waits for the next record.
    var isWaiting: Bool { !queue.isEmpty }

    /// Whether the durable position says all that arrived in order.
    var isIdle: Bool { queue.isEmpty && storing.isEmpty }

    /// An item arrived.
    mutating func received(_ item: ItemFrame, inbox: ItemInbox) -> Verdict {
        let before = position(on: item.track, inbox: inbox)
        let isFollowed = before?.stream == item.stream
        let highest = before?.highest ?? 0
        if isFollowed, item.number <= highest { return .duplicate }
        // A numbering changes only between two sessions, so the first of another one is no straggler.
        let isNext = isFollowed ? item.number == highest + 1 : item.isFirst
        guard isNext || flaws.contains(.itemsTakenOutOfOrder) else { return .ahead }
        guard hasRoom(for: item, inbox: inbox) || flaws.contains(.itemsOverfillInbox) else { return .full }
        queue.append(item)
        byteCount += item.payload.count
        return .queued
    }

    /// Takes what waits, for a record.
    mutating func takeAll() -> [ItemFrame] {
        storing = queue
        queue = []
        return storing
    }

    /// What was being stored is durable.
    mutating func stored() {
        byteCount -= storing.reduce(0) { $0 + $1.payload.count }
        storing = []
    }

    /// What was being stored is lost, and what follows it came too early: it will be sent again.
    mutating func storingFailed() {
        storing = []
        queue = []
        byteCount = 0
    }

    /// The session ended: what no record holds yet will be sent again.
    mutating func sessionClosed() {
        byteCount -= queue.reduce(0) { $0 + $1.payload.count }
        queue = []
    }

    /// How far a track will be once all that waits is durable.
    private func position(on track: ItemTrack, inbox: ItemInbox) -> ItemPosition? {
        let last = queue.last { $0.track == track } ?? storing.last { $0.track == track }
        return last?.position ?? inbox.positions[track]
    }

    private func hasRoom(for item: ItemFrame, inbox: ItemInbox) -> Bool {
        inbox.items.count + storing.count + queue.count < countMax
            && inbox.byteCount + byteCount + item.payload.count <= byteCountMax
    }
}
