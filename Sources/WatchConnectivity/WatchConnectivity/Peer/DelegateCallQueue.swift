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
        case infoResult(UInt64)
        case fileResult(UInt64)
        case progress(RandomID)
    }

    /// The call that the app is getting.
    struct InFlight: Sendable {
        var id: PeerState.DeliveryID
        var kind: Kind
        var call: PeerState.Call
        /// Whether it runs; until then it can be withdrawn.
        var isBegun = false
    }

    /// A transfer whose end the app is to be told, by its number in its lane.
    enum ResultKind: Hashable, Sendable {
        case info(UInt64)
        case file(UInt64)
    }

    struct Result: Sendable {
        var ticket: UInt64
        var kind: ResultKind
    }

    var calls = Line<PeerState.Call>()
    var results = Line<Result>()
    var inFlight: InFlight?
    private var lastID: UInt64 = 0
    private(set) var lastTicket: UInt64 = 0
    /// While the session is being left: only what has an earlier ticket is still delivered (rule R22).
    var leavingLimit: UInt64?
    /// Whether the delegate was found gone: content waits for another one (rule R4).
    var isDelegateGone = false
    /// Whether background content is about to launch the app (rule R134).
    var owesBackgroundTask = false
    /// The facts that the app knows.
    var noticed = SessionFacts()
    /// Whether the companion's start is over.
    var hasStarted = false
    /// Draws the order of the kinds, nil for the usual one.
    private var generator: SplitMix64?

    init(seed: UInt64?) {
        generator = seed.map { SplitMix64(seed: $0) }
    }

    mutating func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    /// Puts a call into the line; a change that the app is to be told of anyway is not told twice (rule R44).
    mutating func call(_ call: PeerState.Call) {
        switch call {
        case .reachabilityDidChange, .watchStateDidChange, .companionAppInstalledDidChange:
            guard !calls.all.contains(call), inFlight?.call != call || inFlight?.isBegun == true else { return }
        case .activationDidComplete, .didBecomeInactive, .didDeactivate, .message, .messageWithReply, .context,
            .userInfo, .file, .didFinishUserInfo, .didFinishFile, .replyHandler, .errorHandler, .messageSettled,
            .backgroundTask, .backgroundTaskExpired, .fileProgress:
            break
        }
        calls.append(call)
    }

    /// Makes a call the one in flight.
    mutating func emit(_ kind: Kind, _ call: PeerState.Call) -> PeerState.DeliveryID {
        lastID += 1
        let id = PeerState.DeliveryID(number: lastID)
        inFlight = InFlight(id: id, kind: kind, call: call)
        return id
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
    mutating func forget() {
        inFlight = nil
        calls = Line()
        leavingLimit = nil
        isDelegateGone = false
        owesBackgroundTask = false
    }

    /// Gives the results tickets behind all others.
    mutating func retakeTickets() {
        var ticket = lastTicket
        results.modifyAll { result in
            ticket += 1
            result.ticket = ticket
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
