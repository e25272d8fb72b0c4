import SyncCore

/// The queue of calls of the app, one at a time.
///
/// Calls about the present come first: the session's own, then messages. Waiting content, which outlives the app's
/// process, follows in the order of its tickets. At the activation it gets new tickets, in the order of its kinds.
struct DelegateCallQueue: Sendable {
    /// What a call is about.
    enum Kind: Hashable, Sendable {
        /// A call that does not depend on waiting content.
        case plain
        case message(MessageID)
        /// The context with this ticket.
        case context(UInt64)
        case info(RandomID)
        case file(RandomID)
        /// The end of user info, by its number in its lane.
        case infoResult(UInt64)
        case fileResult(UInt64)
        case progress(RandomID)
    }

    /// A possible call of the app, with its position in the order.
    struct Due: Sendable {
        var ticket: UInt64
        var kind: Kind
        var call: PeerState.Call
    }

    /// A call that the app gets.
    struct Delivery: Sendable {
        var id: PeerState.DeliveryID
        var kind: Kind
        var call: PeerState.Call
    }

    /// The call in progress.
    ///
    ///     none ──emit──▶ queued ──begin──▶ running
    ///      ▲               │                  │
    ///      ├──withdrawn────┘                  │
    ///      └──returned, or the process ended──┘
    private enum Progress {
        /// The app is not being called.
        case none
        /// The call waits in the session's queue; it can be withdrawn.
        case queued(Delivery)
        /// The app is being called.
        case running(Delivery)
    }

    /// The end of a transfer that the app has to be notified of.
    private struct End: Sendable {
        var ticket: UInt64
        var kind: Kind
    }

    private var calls = Queue<PeerState.Call>()
    private var waitingEnds = Queue<End>()
    private var progress = Progress.none
    private var lastID: UInt64 = 0
    private var lastTicket: UInt64 = 0
    /// While the session is being left: content is delivered only if its ticket is at most this.
    private var leavingLimit: UInt64?
    /// Whether the delegate was found to be gone: content waits for another one.
    private(set) var isDelegateGone = false
    /// Generates a random order of the kinds; nil for the fixed order.
    private var generator: SplitMix64?

    init(seed: UInt64?) {
        generator = seed.map { SplitMix64(seed: $0) }
    }

    mutating func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    // MARK: - Queueing

    /// Queues a call; a notification of a change is not queued twice.
    mutating func call(_ call: PeerState.Call) {
        if call.isChange, calls.all.contains(call) || queued?.call == call { return }
        calls.append(call)
    }

    /// Queues the notification of the end of a transfer.
    mutating func queueEnd(_ kind: Kind) {
        waitingEnds.append(End(ticket: nextTicket(), kind: kind))
    }

    /// The ends that the app has to be notified of.
    var ends: Set<Kind> { Set(waitingEnds.all.map(\.kind)) }

    /// The app was notified of an end.
    mutating func endReported(_ kind: Kind) { waitingEnds.remove { $0.kind == kind } }

    /// Removes all notifications of ends.
    mutating func discardEnds() {
        withdraw { kind in
            switch kind {
            case .infoResult, .fileResult: true
            case .plain, .message, .context, .info, .file, .progress: false
            }
        }
        waitingEnds = Queue()
    }

    /// A delegate was set, perhaps a new one.
    mutating func delegateSet() { isDelegateGone = false }

    mutating func delegateMissing() { isDelegateGone = true }

    /// The app is being switched to another watch: only what has arrived so far is still delivered.
    mutating func leave() {
        withdraw()
        calls.modifyAll { call in
            if call == .activationDidComplete(.activated, nil) { call = .activationDidComplete(.inactive, nil) }
        }
        leavingLimit = lastTicket
    }

    /// The pending activation continues with another watch.
    mutating func dropActivation() {
        withdraw()
        calls.removeAll { $0 == .activationDidComplete(.activated, nil) }
    }

    // MARK: - Making calls

    /// Whether no call is in progress.
    var isIdle: Bool {
        switch progress {
        case .none: true
        case .queued, .running: false
        }
    }

    /// The call in progress that has not begun.
    private var queued: Delivery? {
        switch progress {
        case .queued(let call): call
        case .none, .running: nil
        }
    }

    /// The call in progress that has begun.
    private var running: Delivery? {
        switch progress {
        case .running(let call): call
        case .none, .queued: nil
        }
    }

    /// The next call that does not depend on waiting content.
    mutating func nextPlain() -> Due? {
        calls.popFirst().map { Due(ticket: 0, kind: .plain, call: $0) }
    }

    /// The next end that the app has to be notified of.
    var nextEnd: (ticket: UInt64, kind: Kind)? { waitingEnds.first.map { ($0.ticket, $0.kind) } }

    /// Whether content with this ticket may still be delivered.
    func admits(_ due: Due) -> Bool { due.ticket <= leavingLimit ?? .max }

    /// Ends the switch when everything that may still be delivered was; true if the session was being left.
    mutating func isLeft() -> Bool {
        defer { leavingLimit = nil }
        return leavingLimit != nil
    }

    /// Starts a call.
    mutating func emit(_ due: Due) -> PeerState.DeliveryID {
        lastID += 1
        let id = PeerState.DeliveryID(number: lastID)
        progress = .queued(Delivery(id: id, kind: due.kind, call: due.call))
        return id
    }

    /// The call in progress begins; nil if it is not this one any more.
    mutating func begin(_ id: PeerState.DeliveryID) -> Delivery? {
        guard let call = queued, call.id == id else { return nil }
        progress = .running(call)
        return call
    }

    /// The call in progress has returned; nil if it is not this one any more.
    mutating func end(_ id: PeerState.DeliveryID) -> Delivery? {
        guard let call = running, call.id == id else { return nil }
        progress = .none
        return call
    }

    /// Whether the app is being called with this.
    func isRunning(_ kind: Kind) -> Bool { running?.kind == kind }

    /// Whether this call has begun and has not returned.
    func isRunning(_ id: PeerState.DeliveryID) -> Bool { running?.id == id }

    /// Withdraws the call in progress, if it has not begun and is of such a kind.
    mutating func withdraw(where isMeant: (Kind) -> Bool = { _ in true }) {
        guard let call = queued, isMeant(call.kind) else { return }
        progress = .none
        if call.kind == .plain { calls.prepend(call.call) }
    }

    /// Withdraws a call with content.
    mutating func withdrawContent() {
        withdraw { kind in
            switch kind {
            case .context, .info, .file: true
            case .plain, .message, .infoResult, .fileResult, .progress: false
            }
        }
    }

    /// The process ended: removes all calls.
    mutating func processEnded() {
        progress = .none
        calls = Queue()
        leavingLimit = nil
        isDelegateGone = false
    }

    // MARK: - Order

    /// Gives the ends new tickets, after all others.
    mutating func retakeTickets() {
        var ticket = lastTicket
        waitingEnds.modifyAll { end in
            ticket += 1
            end.ticket = ticket
        }
        lastTicket = ticket
    }

    /// The kinds of content.
    enum ContentKind: CaseIterable {
        case contexts
        case infos
        case files
        case results
    }

    /// The order of the kinds in which content that waited for the activation is delivered.
    mutating func drainOrder() -> [ContentKind] {
        guard var generator else { return ContentKind.allCases }
        defer { self.generator = generator }
        return ContentKind.allCases.shuffled(using: &generator)
    }
}
