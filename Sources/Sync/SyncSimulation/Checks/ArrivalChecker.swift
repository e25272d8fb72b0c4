import SyncCore

/// The items and files that each side accepted, and those that arrived.
///
/// A side that is restored forgets what it received and what it accepted since the copy was made. Both may then be sent
/// once more, and what its peer reported as delivered may be lost. Nothing else excuses a loss or a second arrival.
struct ArrivalChecker {
    /// What arrived at a side, was reported to its application and was not undone by a restore of the side.
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
        /// Whether its application was notified that it was held back.
        var isCancelled = false
        /// Whether no device knows any more that it was accepted: the side was restored, or the item was held back
        /// without notice.
        var isVoid = false
        /// Whether the receiver was restored to a copy from before it arrived.
        var mayBeLost = false
        /// Whether the sender was notified of that loss.
        var isReported = false
        /// Whether the side was restored since: what it reports as waiting may have arrived long ago.
        var mayHaveArrived = false
        /// Whether its application was notified that it failed.
        var hasFailed = false
    }

    private var arrivals: [Arrivals]
    private var promises: [[Promise]]
    private var places: [[RandomID: Int]]
    /// The files that were durable at each side at some time.
    private var everDurable: [Set<RandomID>]
    /// By side, how far each numbering of items was durable there; a numbering that another one has replaced may still
    /// be acknowledged.
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

    /// A record of a side is durable, whether its engine knows that or not; so the side holds its items.
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
            // What arrives again is reported as delivered again; if it is lost once more, that has to be reported, too.
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

    /// A side forgets everything that it exchanged.
    mutating func forgot(_ side: Side) { restored(side, to: Arrivals(), holding: TransferState()) }

    /// A side is restored.
    mutating func restored(_ side: Side, to earlier: Arrivals, holding state: TransferState) {
        positions[side.index] = [:]
        note(state.exchange.inbox.positions, at: side)
        let outboxes = state.exchange.outboxes
        let kept = Set(
            (outboxes.urgent.items + outboxes.ordinary.items).map(\.id) + state.files.queue.map(\.offer.id))
        for index in promises[side.index].indices {
            let promise = promises[side.index][index]
            // What was accepted after the copy was made is gone here, but not at other devices; what was held back is
            // back.
            promises[side.index][index].isVoid = promise.isVoid || promise.isCancelled || !kept.contains(promise.id)
            promises[side.index][index].isCancelled = false
            promises[side.index][index].mayHaveArrived = true
        }
        let lostItems = arrivals[side.index].items.filter { !earlier.known.contains($0) }
        for id in lostItems + arrivals[side.index].files.subtracting(earlier.files) {
            // A reported loss stays reported: a receiver that is restored to a copy with the item, and then to one
            // without it, does not report that it had the item in between.
            change(id, at: side.other) { $0.mayBeLost = true }
        }
        arrivals[side.index] = earlier
    }

    // MARK: - The end

    /// What a side accepted and never arrived.
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
