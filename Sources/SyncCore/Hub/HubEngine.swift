/// The phone's half of the engine: it owns the configuration and brings it, and live registers, to the watches.
///
/// The one rule: after each ``handle(_:at:)`` drain ``nextOutput()`` until it returns nil; an input before that traps.
/// ``nextDeadline`` says when to come back with ``Input/timeReached`` if nothing else happens before.
/// Time must not go back. There is no I/O, no clock and no randomness inside: the same inputs give the same outputs.
public struct HubEngine: Sendable {
    /// The requests that may wait for the store.
    public static let requestCountMax = 1024

    let configuration: Configuration
    private(set) var ledger: Ledger
    var desk: PairingDesk
    var sessions = SortedMap<ConnectionID, HubSession>()
    var connections = SortedMap<PeerKey, ConnectionID>()
    var records = SortedMap<PeerKey, WatchRecord>()
    var registers = RegisterTable()
    var generator: SplitMix64
    let boot: UInt64
    /// The epoch in which this life began.
    let firstEpoch: Epoch
    let flaws: DesignFlaws

    private var requests: [PendingRequest] = []
    private var inFlight: (request: PendingRequest, transaction: Transaction)?
    private var admitted: [PeerKey] = []
    private var expiry: (wallMilliseconds: Int64, checkAt: Instant)?
    private var outputs: [Output] = []
    private var nextOutputIndex = 0
    private var earliestDeadline: Instant?

    /// What outlives a session in this life of the hub.
    struct WatchRecord: Sendable {
        var acknowledged: Version?
        var lastHeard: Instant?
        var confirmedCount: UInt64 = 0
        var supersededCount: UInt64 = 0
        /// The last connections whose session was taken over.
        var overtaken: [ConnectionID] = []
        /// When such a connection took the session back.
        var flips: [Instant] = []
    }

    /// Starts a hub.
    ///
    /// - Parameters:
    ///   - configuration: What the hub is told once.
    ///   - state: What its store holds.
    ///   - seed: 64 random bits of this life; sessions and identities of writes come from them.
    ///   - moment: Now.
    public init(configuration: Configuration, state: LedgerState, seed: UInt64, at moment: Moment) {
        self.init(configuration: configuration, state: state, seed: seed, at: moment, flaws: [])
    }

    package init(
        configuration: Configuration, state: LedgerState, seed: UInt64, at moment: Moment, flaws: DesignFlaws
    ) {
        let heartbeats = Duration.milliseconds(10)...Duration.seconds(3600)
        precondition(
            heartbeats.contains(configuration.heartbeat), "a heartbeat of \(configuration.heartbeat), not of 10 ms…1 h")
        self.configuration = configuration
        ledger = Ledger(state: state)
        firstEpoch = state.version.epoch
        self.flaws = flaws
        desk = PairingDesk(state.cells)
        generator = SplitMix64(seed: seed)
        boot = generator.next()
        updateAdmission(at: moment)
    }

    // MARK: - The driver's side

    /// Takes in what happened.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained: \(input)")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        switch input {
        case .received(let parts, let connection, let peer):
            received(parts, on: connection, from: peer, at: moment)
        case .unroutable(let connection):
            endSession(on: connection, because: .unroutable)
        case .persisted(let transaction):
            persisted(transaction, at: moment)
        case .persistFailed(let transaction, let reason):
            persistFailed(transaction, reason: reason, at: moment)
        case .transact(let request, let changes, let expected):
            transact(request, changes, expected: expected, at: moment)
        case .publish(let register):
            publish(register, at: moment)
        case .invite(let request, let key, let name, let validMilliseconds):
            invite(request, key, name: name, validMilliseconds: validMilliseconds, at: moment)
        case .unpair(let request, let key):
            enqueue(.unpair(request, key), at: moment)
        case .timeReached:
            timeReached(at: moment)
        }
    }

    /// The next thing to do, nil when all is done.
    public mutating func nextOutput() -> Output? {
        guard nextOutputIndex < outputs.count else { return nil }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    /// Whether there is something to do still.
    public var hasOutput: Bool { nextOutputIndex < outputs.count }

    /// When to come back at the latest; it may be earlier than needed, never later.
    public var nextDeadline: Instant? {
        [earliestDeadline, expiry?.checkAt].compactMap(\.self).min()
    }

    // MARK: - The application's side

    /// The version of the configuration.
    public var version: Version { ledger.version }

    /// The cells, deleted ones included; the engine's own kinds begin with `sync.`.
    public var cells: SortedMap<CellKey, Cell> { ledger.state.cells }

    /// The snapshot that watches get.
    public var snapshot: Snapshot { ledger.snapshot(configuration.schema) }

    /// The keys that may open connections.
    public var admittedKeys: [PeerKey] { admitted }

    /// What the hub knows of each watch, in the order of their keys.
    public var watches: [WatchStatus] {
        desk.watches.values.map { watch in
            let session = connections[watch.key].flatMap { sessions[$0] }
            let record = records[watch.key] ?? WatchRecord()
            return WatchStatus(
                watch: watch, isLinked: session.map(isLinked) ?? false,
                lastHeard: session?.lastHeard ?? record.lastHeard,
                acknowledged: session?.context.acknowledged ?? record.acknowledged,
                backlogCount: session?.live.backlogCount ?? 0,
                confirmedCount: record.confirmedCount + (session?.live.confirmedCount ?? 0),
                supersededCount: record.supersededCount + (session?.live.supersededCount ?? 0))
        }
    }

    private func isLinked(_ session: HubSession) -> Bool {
        session.isLinked || flaws.contains(.hubNeedsNoRoundTrip)
    }

    /// The most values of registers that wait for one watch, for a simulation that watches the bounds.
    package var longestBacklog: Int { sessions.pairs.map(\.value.live.backlogCount).max() ?? 0 }

    mutating func put(_ output: Output) {
        outputs.append(output)
    }

    mutating func comeBack(at deadline: Instant) {
        earliestDeadline = min(earliestDeadline ?? deadline, deadline)
    }

    // MARK: - Requests: one transaction at a time, in the order of arrival

    /// A wish that needs the ledger.
    enum PendingRequest: Hashable, Sendable {
        case transact(RequestID, [CellChange], expected: Version?)
        case invite(RequestID, Invitation)
        case unpair(RequestID, PeerKey)
        case pair(PairRequest, from: PeerKey, ConnectionID)
        case fork(Hello)

        /// Whether a newer request makes this one idle: a watch that asks again waits for one answer only.
        func isOvertaken(by newer: PendingRequest) -> Bool {
            switch (self, newer) {
            case (.pair(_, let peer, _), .pair(_, let newerPeer, _)): peer == newerPeer
            case (.fork, .fork): true
            case (.transact, _), (.invite, _), (.unpair, _), (.pair, _), (.fork, _): false
            }
        }
    }

    mutating func enqueue(_ request: PendingRequest, at moment: Moment) {
        requests.removeAll { $0.isOvertaken(by: request) }
        guard requests.count < Self.requestCountMax else { return decline(request, .busy) }
        requests.append(request)
        startNextRequest(at: moment)
    }

    private mutating func startNextRequest(at moment: Moment) {
        while inFlight == nil, !requests.isEmpty {
            let request = requests.removeFirst()
            guard let transaction = prepare(request, at: moment) else { continue }
            inFlight = (request, transaction)
            put(.persist(transaction))
        }
    }

    /// The transaction that a request needs, nil if it is answered already.
    private mutating func prepare(_ request: PendingRequest, at moment: Moment) -> Transaction? {
        let changes: [CellChange]
        switch request {
        case .transact(let id, let wanted, let expected):
            if let expected, expected != ledger.version {
                put(.answer(id, .refused(.versionMoved(ledger.version))))
                return nil
            }
            changes = wanted
        case .invite(_, let invitation):
            changes = desk.inviting(invitation, wallMilliseconds: moment.wallMilliseconds)
        case .unpair(let id, let key):
            guard desk.watches[key] != nil else {
                put(.answer(id, .refused(.unknownWatch(key))))
                return nil
            }
            changes = desk.unpairing(key)
        case .pair(let pairing, let peer, let connection):
            guard let pairingChanges = judge(pairing, from: peer, on: connection, at: moment) else { return nil }
            changes = pairingChanges
        case .fork(let hello):
            // The question may have been answered by another watch's fork meanwhile.
            guard isContradicted(by: hello) else { return nil }
            return ledger.prepareFork(wallMilliseconds: moment.wallMilliseconds, generator: &generator)
        }
        let transaction = ledger.prepare(
            changes, schema: configuration.schema, wallMilliseconds: moment.wallMilliseconds, generator: &generator)
        if transaction.written.isEmpty, transaction.removed.isEmpty {
            finish(request, at: moment)
            return nil
        }
        let byteCount = ledger.snapshot(configuration.schema, after: transaction).encoded.count
        guard byteCount <= Snapshot.byteCountMax else {
            decline(request, .snapshotTooLarge(byteCount: byteCount))
            return nil
        }
        return transaction
    }

    private mutating func persisted(_ transaction: Transaction, at moment: Moment) {
        guard let (request, expected) = inFlight, expected == transaction else {
            preconditionFailure("the store kept \(transaction.after), which nobody asked for")
        }
        inFlight = nil
        ledger.apply(transaction)
        put(.event(.committed(ledger.version)))
        if transaction.forks { put(.event(.forked(from: transaction.before, to: transaction.after))) }
        if PairingDesk.isTouched(by: transaction) {
            desk = PairingDesk(ledger.state.cells)
            updateAdmission(at: moment)
            if !flaws.contains(.hubForgetsNobody) { endSessionsOfStrangers() }
        }
        finish(request, at: moment)
        for connection in sessions.keys {
            serve(connection, at: moment)
        }
        startNextRequest(at: moment)
    }

    private mutating func persistFailed(_ transaction: Transaction, reason: String, at moment: Moment) {
        guard let (request, expected) = inFlight, expected == transaction else {
            preconditionFailure("the store declined \(transaction.after), which nobody asked for")
        }
        inFlight = nil
        decline(request, .notStored(reason))
        startNextRequest(at: moment)
    }

    private mutating func finish(_ request: PendingRequest, at moment: Moment) {
        switch request {
        case .transact(let id, _, _), .invite(let id, _), .unpair(let id, _):
            put(.answer(id, .done(ledger.version)))
        case .pair(let pairing, _, let connection):
            guard let watch = desk.watches[pairing.key] else { return }
            put(.send(PairAnswer(nonce: pairing.nonce, name: watch.name).frame, connection))
            put(.event(.paired(watch)))
        case .fork:
            break
        }
    }

    private mutating func decline(_ request: PendingRequest, _ fault: Fault) {
        switch request {
        case .transact(let id, _, _), .invite(let id, _), .unpair(let id, _):
            put(.answer(id, .refused(fault)))
        case .pair(let pairing, let peer, let connection):
            let refusal = Refusal(
                code: .failed, text: "the hub could not store the pairing (\(fault)); try again",
                retryAfterMilliseconds: 1000)
            put(.send(refusal.frame(nonce: pairing.nonce), connection))
            put(.event(.refused(peer, refusal)))
        case .fork:
            // The watch greets again, and so asks again.
            break
        }
    }

    private mutating func transact(
        _ request: RequestID, _ changes: [CellChange], expected: Version?, at moment: Moment
    ) {
        for change in changes {
            guard !change.key.kind.hasPrefix("sync.") else {
                return put(.answer(request, .refused(.reservedKind(change.key.kind))))
            }
            for name in [change.key.kind, change.key.group] where !(1...64).contains(name.utf8.count) {
                return put(.answer(request, .refused(.badName(name))))
            }
        }
        enqueue(.transact(request, changes, expected: expected), at: moment)
    }

    private mutating func invite(
        _ request: RequestID, _ key: PeerKey, name: String?, validMilliseconds: Int64, at moment: Moment
    ) {
        if let name, !PairRequest.nameByteCounts.contains(name.utf8.count) {
            return put(.answer(request, .refused(.badName(name))))
        }
        let (expires, overflow) = moment.wallMilliseconds.addingReportingOverflow(validMilliseconds)
        let invitation = Invitation(
            key: key, name: name, expiresMilliseconds: overflow ? .max : expires, usedBy: nil)
        enqueue(.invite(request, invitation), at: moment)
    }

    // MARK: - Admission

    private mutating func updateAdmission(at moment: Moment) {
        let keys = desk.admitted(wallMilliseconds: moment.wallMilliseconds)
        if let expires = desk.nextExpiry(wallMilliseconds: moment.wallMilliseconds) {
            // The wall clock may jump: look again at least each minute.
            let (left, overflow) = expires.subtractingReportingOverflow(moment.wallMilliseconds)
            let wait = overflow ? 60_000 : min(60_000, left)
            expiry = (expires, moment.monotonic.advanced(by: .milliseconds(wait)))
        } else {
            expiry = nil
        }
        guard keys != admitted else { return }
        admitted = keys
        put(.admit(keys))
    }

    private mutating func timeReached(at moment: Moment) {
        if let expiry, expiry.checkAt <= moment.monotonic { updateAdmission(at: moment) }
        guard let earliestDeadline, earliestDeadline <= moment.monotonic else { return }
        self.earliestDeadline = nil
        for connection in sessions.keys {
            serve(connection, at: moment)
        }
    }
}
