import SyncCore

/// What the app is to be called with, one at a time (rule R137).
///
/// Calls that belong to the moment come first: the session's own, then messages. Content that waits, which outlives the
/// app's process, follows in the order of its tickets; at the activation these are drawn anew by kinds (rule R140).
struct DelegateCallQueue: Sendable {
    /// What a call is about.
    enum Kind: Hashable, Sendable {
        /// A call that waits for nothing else.
        case plain
        case message(MessageID)
        /// The context of this ticket.
        case context(UInt64)
        case info(RandomID)
        case file(RandomID)
        /// The end of user info, by its number in its lane.
        case infoResult(UInt64)
        case fileResult(UInt64)
        case progress(RandomID)
    }

    /// What the app can be called with, and when its turn is.
    struct Due: Sendable {
        var ticket: UInt64
        var kind: Kind
        var call: PeerState.Call
    }

    /// The call that the app is getting.
    struct InFlight: Sendable {
        var id: PeerState.DeliveryID
        var kind: Kind
        var call: PeerState.Call
        /// Whether it runs; until then it can be withdrawn.
        var isBegun = false
    }

    /// A transfer whose end the app is to be told.
    private struct End: Sendable {
        var ticket: UInt64
        var kind: Kind
    }

    private var calls = Line<PeerState.Call>()
    private var waitingEnds = Line<End>()
    private(set) var inFlight: InFlight?
    private var lastID: UInt64 = 0
    private var lastTicket: UInt64 = 0
    /// While the session is being left: only what has an earlier ticket is still delivered (rule R22).
    private var leavingLimit: UInt64?
    /// Whether the delegate was found gone: content waits for another one (rule R4).
    private(set) var isDelegateGone = false
    /// Draws the order of the kinds, nil for the usual one.
    private var generator: SplitMix64?

    init(seed: UInt64?) {
        generator = seed.map { SplitMix64(seed: $0) }
    }

    mutating func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    // MARK: - Queueing

    /// Puts a call into the line; a change that the app is to be told of anyway is not told twice (rule R44).
    mutating func call(_ call: PeerState.Call) {
        if call.isChange, calls.all.contains(call) || inFlight?.call == call && inFlight?.isBegun == false { return }
        calls.append(call)
    }

    /// The app is to be told of the end of a transfer.
    mutating func tellEnd(_ kind: Kind) {
        waitingEnds.append(End(ticket: nextTicket(), kind: kind))
    }

    /// The ends that the app is to be told.
    var ends: Set<Kind> { Set(waitingEnds.all.map(\.kind)) }

    /// The app was told of an end.
    mutating func endTold(_ kind: Kind) { waitingEnds.remove { $0.kind == kind } }

    /// Nobody is to be told of an end any more.
    mutating func discardEnds() {
        withdraw { kind in
            switch kind {
            case .infoResult, .fileResult: true
            case .plain, .message, .context, .info, .file, .progress: false
            }
        }
        waitingEnds = Line()
    }

    /// There is a delegate, which may be another one.
    mutating func delegateSet() { isDelegateGone = false }

    mutating func delegateMissing() { isDelegateGone = true }

    /// The session is left for that of another watch: what has arrived so far is still delivered.
    mutating func leave() {
        withdraw()
        calls.modifyAll { call in
            if call == .activationDidComplete(.activated, nil) { call = .activationDidComplete(.inactive, nil) }
        }
        leavingLimit = lastTicket
    }

    /// The activation that may be under way goes on with another watch.
    mutating func dropActivation() {
        withdraw()
        calls.removeAll { $0 == .activationDidComplete(.activated, nil) }
    }

    // MARK: - Calling

    /// The next call that waits for nothing else.
    mutating func nextPlain() -> Due? {
        calls.popFirst().map { Due(ticket: 0, kind: .plain, call: $0) }
    }

    /// Which end the app is to be told next.
    var nextEnd: (ticket: UInt64, kind: Kind)? { waitingEnds.first.map { ($0.ticket, $0.kind) } }

    /// Whether something of this ticket may still be delivered.
    func admits(_ due: Due) -> Bool { due.ticket <= leavingLimit ?? .max }

    /// All that may still be delivered was: true once if the session is being left (rule R22).
    mutating func isLeft() -> Bool {
        defer { leavingLimit = nil }
        return leavingLimit != nil
    }

    /// Makes a call the one in flight.
    mutating func emit(_ due: Due) -> PeerState.DeliveryID {
        lastID += 1
        let id = PeerState.DeliveryID(number: lastID)
        inFlight = InFlight(id: id, kind: due.kind, call: due.call)
        return id
    }

    /// The call in flight begins, nil if it is not this one any more.
    mutating func begin(_ id: PeerState.DeliveryID) -> InFlight? {
        guard let call = inFlight, call.id == id, !call.isBegun else { return nil }
        inFlight?.isBegun = true
        return call
    }

    /// The call in flight has returned, nil if it is not this one any more.
    mutating func end(_ id: PeerState.DeliveryID) -> InFlight? {
        guard let call = inFlight, call.id == id, call.isBegun else { return nil }
        inFlight = nil
        return call
    }

    /// Whether the app is being called with this.
    func isBegun(_ kind: Kind) -> Bool {
        inFlight?.kind == kind && inFlight?.isBegun == true
    }

    /// Takes back the call in flight, if it has not begun and is of such a kind.
    mutating func withdraw(where isMeant: (Kind) -> Bool = { _ in true }) {
        guard let call = inFlight, !call.isBegun, isMeant(call.kind) else { return }
        inFlight = nil
        if call.kind == .plain { calls.prepend(call.call) }
    }

    /// Takes back a call with content.
    mutating func withdrawContent() {
        withdraw { kind in
            switch kind {
            case .context, .info, .file: true
            case .plain, .message, .infoResult, .fileResult, .progress: false
            }
        }
    }

    /// The process ended: nothing of the calls is left.
    mutating func processEnded() {
        inFlight = nil
        calls = Line()
        leavingLimit = nil
        isDelegateGone = false
    }

    // MARK: - Order

    /// Gives the ends tickets behind all others.
    mutating func retakeTickets() {
        var ticket = lastTicket
        waitingEnds.modifyAll { end in
            ticket += 1
            end.ticket = ticket
        }
        lastTicket = ticket
    }

    /// Content of one kind.
    enum ContentKind: CaseIterable {
        case contexts
        case infos
        case files
        case results
    }

    /// The order in which what waited for the activation is delivered.
    mutating func drainOrder() -> [ContentKind] {
        guard var generator else { return ContentKind.allCases }
        defer { self.generator = generator }
        return ContentKind.allCases.shuffled(using: &generator)
    }
}
