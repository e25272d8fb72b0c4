import SyncCore

/// Which items and files were promised to arrive, and which did, at each side.
///
/// A side that is put back forgets what arrived since, and what it promised since: both may then be sent once more, and
/// what the other one was told to be delivered may be lost. Nothing else excuses a loss or a second arrival.
struct ArrivalChecker {
    /// What has arrived at a side, told to its application and not undone by putting the side back.
    struct Arrivals {
        var items: [RandomID] = []
        var known: Set<RandomID> = []
        var files: Set<RandomID> = []

        fileprivate mutating func add(_ item: RandomID) {
            items.append(item)
            known.insert(item)
        }
    }

    /// An item or a file that a side accepted.
    struct Promise {
        var id: RandomID
        /// The track of an item, nil for a file.
        var track: ItemTrack?
        /// Whether its application was told that it was held back.
        var isCancelled = false
        /// Whether nobody knows any more that it was accepted: the side was put back, or it was held back unheard.
        var isVoid = false
        /// Whether the receiver was put back to before it had it.
        var mayBeLost = false
        /// Whether the sender was told of that loss.
        var isReported = false
        /// Whether the side was put back since: what it calls waiting may have arrived long ago.
        var mayHaveArrived = false
        /// Whether its application was told that it failed.
        var hasFailed = false
    }

    private var arrivals: [Arrivals]
    private var promises: [[Promise]]
    private var places: [[RandomID: Int]]
    /// The files that were durable at each side at some time.
    private var everDurable: [Set<RandomID>]
    /// By side, how far each numbering of items was durable there; a numbering that another one took the place of may
    /// still be acknowledged.
    private var positions: [[RandomID: UInt64]]

    init(watchCount: Int) {
        arrivals = Array(repeating: Arrivals(), count: 2 * watchCount)
        promises = Array(repeating: [], count: 2 * watchCount)
        places = Array(repeating: [:], count: 2 * watchCount)
        everDurable = Array(repeating: [], count: 2 * watchCount)
        positions = Array(repeating: [:], count: 2 * watchCount)
    }

    subscript(side: Side) -> Arrivals { arrivals[side.index] }

    func isInUse(_ side: Side) -> Bool {
        !arrivals[side.index].items.isEmpty || !arrivals[side.index].files.isEmpty
            || !promises[side.index].allSatisfy(\.isVoid)
    }

    // MARK: - Promises

    mutating func accepted(_ id: RandomID, track: ItemTrack?, at side: Side, durable: TransferState) -> Checks.Finding?
    {
        places[side.index][id] = promises[side.index].count
        promises[side.index].append(Promise(id: id, track: track))
        let isDurable =
            if let track {
                durable.exchange.outboxes[track].items.contains { $0.id == id }
            } else {
                durable.files.queue.contains { $0.offer.id == id }
            }
        guard !isDurable else { return nil }
        let what = track == nil ? "a file" : "an item"
        return Checks.Finding(.durabilityOrder, "\(side.name) accepts \(what) before it is durable")
    }

    mutating func cancelled(_ id: RandomID, at side: Side) -> Checks.Finding? {
        guard let place = places[side.index][id] else { return nil }
        let promise = promises[side.index][place]
        promises[side.index][place].isCancelled = true
        guard promise.track != nil, !promise.mayHaveArrived, arrivals[side.other.index].known.contains(id) else {
            return nil
        }
        return Checks.Finding(.exactlyOnce, "\(side.name) holds an item back that has arrived")
    }

    /// A record of a side is durable, whether its engine hears of it or not; with it, the side holds this.
    mutating func becameDurable(_ record: TransferRecord, at side: Side, holding state: TransferState) {
        note(state.exchange.inbox.positions, at: side)
        switch record {
        case .exchange(let record):
            for case .cancelled(_, let id) in record.changes { change(id, at: side) { $0.isVoid = true } }
        case .files(.ended(let id, nil)): change(id, at: side) { $0.isVoid = true }
        case .files(.received(let offer)): everDurable[side.index].insert(offer.id)
        case .files: break
        }
    }

    private mutating func note(_ held: ItemPositions, at side: Side) {
        for track in ItemTrack.allCases {
            guard let position = held[track] else { continue }
            positions[side.index][position.stream] = max(
                positions[side.index][position.stream] ?? 0, position.highest)
        }
    }

    /// Whether a side held an item of a numbering durably.
    func wasDurable(_ sequence: UInt64, of stream: String, at side: Side) -> Bool {
        RandomID(hexadecimal: stream).flatMap { positions[side.index][$0] }.map { $0 >= sequence } ?? false
    }

    private mutating func change(_ id: RandomID, at side: Side, _ change: (inout Promise) -> Void) {
        guard let place = places[side.index][id] else { return }
        change(&promises[side.index][place])
    }

    // MARK: - Items

    /// An item reached the application of a side.
    mutating func arrived(_ item: ReceivedItem, at side: Side, isStart: Bool) -> Checks.Finding? {
        if let place = places[side.other.index][item.id] {
            let promise = promises[side.other.index][place]
            if promise.isCancelled, !promise.mayHaveArrived {
                return Checks.Finding(.exactlyOnce, "an item that was held back arrives at \(side.name)")
            }
        }
        guard arrivals[side.index].known.contains(item.id) else {
            arrivals[side.index].add(item.id)
            // What arrives anew is told to be delivered anew: if it is lost once more, that has to be told, too.
            change(item.id, at: side.other) { $0.isReported = false }
            return nil
        }
        return isStart ? nil : Checks.Finding(.exactlyOnce, "an item takes effect twice at \(side.name)")
    }

    mutating func reportedLoss(at side: Side) {
        for index in promises[side.index].indices where promises[side.index][index].mayBeLost {
            promises[side.index][index].isReported = true
        }
    }

    // MARK: - Files

    mutating func arrived(
        _ offer: FileOffer, bytes: [UInt8]?, at side: Side, isStart: Bool
    ) -> Checks.Finding? {
        guard let bytes, let sample = SampleFile(name: offer.name), offer.metadata == sample.metadata,
            bytes.count == sample.byteCount, sample.isThere(bytes, at: 0)
        else {
            return Checks.Finding(.wholeFiles, "\(side.name) is given a file that is not what was sent: \(offer.name)")
        }
        guard arrivals[side.index].files.insert(offer.id).inserted || isStart else {
            return Checks.Finding(.exactlyOnce, "file \(offer.name) arrives twice at \(side.name)")
        }
        return nil
    }

    mutating func ended(_ result: FileResult, at side: Side) -> Checks.Finding? {
        if result.failure != nil {
            change(result.id, at: side) { $0.hasFailed = true }
        } else if !everDurable[side.other.index].contains(result.id) {
            return Checks.Finding(
                .durabilityOrder, "\(side.name) is told of a file that never was durable at the other")
        }
        return nil
    }

    // MARK: - Restores

    /// A side forgets all that it exchanged.
    mutating func forgot(_ side: Side) { restored(side, to: Arrivals(), holding: TransferState()) }

    /// A side is put back.
    mutating func restored(_ side: Side, to earlier: Arrivals, holding state: TransferState) {
        positions[side.index] = [:]
        note(state.exchange.inbox.positions, at: side)
        let outboxes = state.exchange.outboxes
        let kept = Set(
            (outboxes.urgent.items + outboxes.ordinary.items).map(\.id) + state.files.queue.map(\.offer.id))
        for index in promises[side.index].indices {
            let promise = promises[side.index][index]
            // What was accepted after the copy is gone here, wherever it is elsewhere; what was held back is back.
            promises[side.index][index].isVoid = promise.isVoid || promise.isCancelled || !kept.contains(promise.id)
            promises[side.index][index].isCancelled = false
            promises[side.index][index].mayHaveArrived = true
        }
        let lostItems = arrivals[side.index].items.filter { !earlier.known.contains($0) }
        for id in lostItems + arrivals[side.index].files.subtracting(earlier.files) {
            // A loss that was told stays told: a receiver that is put forward to a copy with the item, and back again,
            // tells nobody that it had the item in between.
            change(id, at: side.other) { $0.mayBeLost = true }
        }
        arrivals[side.index] = earlier
    }

    // MARK: - The end

    /// What was promised by a side and never came.
    func missing(from side: Side) -> Checks.Finding? {
        let there = arrivals[side.other.index]
        for promise in promises[side.index] where !promise.isVoid && !promise.isCancelled {
            guard promise.track != nil else {
                guard !there.files.contains(promise.id), !promise.hasFailed, !promise.mayBeLost else { continue }
                return Checks.Finding(.noSilentLoss, "a file of \(side.name) never arrived, and nobody said so")
            }
            guard !there.known.contains(promise.id) else { continue }
            guard promise.mayBeLost else {
                return Checks.Finding(.noSilentLoss, "an item of \(side.name) never arrived")
            }
            guard promise.isReported else {
                return Checks.Finding(.noSilentLoss, "an item of \(side.name) was lost in a restore, in silence")
            }
        }
        for track in ItemTrack.allCases {
            let order = promises[side.index].filter { promise in
                promise.track == track && !promise.isVoid && !(promise.mayBeLost && promise.mayHaveArrived)
            }.map(\.id)
            let expected = Set(order)
            let arrived = there.items.filter { expected.contains($0) }
            guard arrived == order.filter({ there.known.contains($0) }) else {
                return Checks.Finding(.inOrder, "items of \(side.name) arrived out of order")
            }
        }
        return nil
    }
}
