/// Accepts items from a session in order, and keeps them until the store has written them.
///
/// It accepts only the next item, and only if there is room; the peer sends everything else again. So the order needs
/// no buffer, and a full inbox slows the sender down.
struct ItemReceiver: Hashable, Sendable {
    /// The result of a received item.
    enum Verdict: Hashable, Sendable {
        /// It waits for the store.
        case queued
        /// It arrived before: acknowledge again.
        case duplicate
        /// An earlier one is missing.
        case ahead
        /// The inbox has no room.
        case full
    }

    private let countMax: Int
    private let byteCountMax: Int
    /// The items for the next record.
    private var queue: [ItemFrame] = []
    /// The items that are being stored.
    private var storing: [ItemFrame] = []
    private var byteCount = 0
    private var owesAcknowledgement = PerTrack(urgent: false, ordinary: false)
    /// The tracks on which an item arrived before an earlier one, until the peer is notified.
    private var isMissingNext = PerTrack(urgent: false, ordinary: false)
    /// The number after which an item was last reported missing in this session.
    private var reportedMissingAfter: PerTrack<UInt64?> = PerTrack(urgent: nil, ordinary: nil)

    /// Creates the receiver of an inbox for at most this many items and bytes.
    init(countMax: Int, byteCountMax: Int) {
        self.countMax = countMax
        self.byteCountMax = byteCountMax
    }

    /// Whether items wait for the next record.
    var isWaiting: Bool { !queue.isEmpty }

    /// Whether items are being stored.
    var isStoring: Bool { !storing.isEmpty }

    /// An item arrived.
    mutating func received(_ item: ItemFrame, inbox: ItemInbox) -> Verdict {
        let verdict = accept(item, inbox: inbox)
        switch verdict {
        case .duplicate: owesAcknowledgement[item.track] = true
        case .ahead: isMissingNext[item.track] = true
        case .queued, .full: break
        }
        return verdict
    }

    private mutating func accept(_ item: ItemFrame, inbox: ItemInbox) -> Verdict {
        let before = position(on: item.track, inbox: inbox)
        let isFollowed = before?.stream == item.stream
        let highest = before?.highest ?? 0
        if isFollowed, item.number <= highest { return .duplicate }
        // A numbering changes only between two sessions, so the first item of another one is not a late duplicate.
        let isNext = isFollowed ? item.number == highest + 1 : item.isFirst
        guard isNext else { return .ahead }
        guard hasRoom(for: item, inbox: inbox) else { return .full }
        queue.append(item)
        byteCount += item.payload.count
        return .queued
    }

    /// Removes and returns the items that wait, for a record.
    mutating func takeAll() -> [ItemFrame] {
        storing = queue
        queue = []
        return storing
    }

    /// The items that were being stored are durable.
    mutating func stored() {
        byteCount -= storing.reduce(0) { $0 + $1.payload.count }
        for item in storing { owesAcknowledgement[item.track] = true }
        storing = []
    }

    /// The items that were being stored are lost, so those after them came too early: the peer sends all of them
    /// again.
    mutating func storingFailed() {
        storing = []
        queue = []
        byteCount = 0
    }

    /// The session ended: the peer sends the items again that no record contains.
    mutating func sessionClosed() {
        byteCount -= queue.reduce(0) { $0 + $1.payload.count }
        queue = []
        for track in ItemTrack.allCases {
            owesAcknowledgement[track] = false
            isMissingNext[track] = false
            reportedMissingAfter[track] = nil
        }
    }

    /// Removes and returns the acknowledgements to send: one for each track that changed or was asked about, and one
    /// for each new gap.
    mutating func takeAcknowledgements(positions: ItemPositions) -> [ItemAcknowledgement] {
        var acknowledgements: [ItemAcknowledgement] = []
        for track in ItemTrack.allCases {
            // While a record is being stored, the position does not yet show where the gap is.
            let isSettled = isMissingNext[track] && queue.isEmpty && storing.isEmpty
            guard owesAcknowledgement[track] || isSettled, let position = positions[track] else { continue }
            let reportsMissing = isSettled && reportedMissingAfter[track] != position.highest
            if owesAcknowledgement[track] || reportsMissing {
                acknowledgements.append(ItemAcknowledgement(position, isMissingNext: reportsMissing))
            }
            owesAcknowledgement[track] = false
            if isSettled { isMissingNext[track] = false }
            if reportsMissing { reportedMissingAfter[track] = position.highest }
        }
        return acknowledgements
    }

    /// The position on a track once everything that waits is durable.
    private func position(on track: ItemTrack, inbox: ItemInbox) -> ItemPosition? {
        let last = queue.last { $0.track == track } ?? storing.last { $0.track == track }
        return last?.position ?? inbox.positions[track]
    }

    private func hasRoom(for item: ItemFrame, inbox: ItemInbox) -> Bool {
        inbox.items.count + storing.count + queue.count < countMax
            && inbox.byteCount + byteCount + item.payload.count <= byteCountMax
    }
}
