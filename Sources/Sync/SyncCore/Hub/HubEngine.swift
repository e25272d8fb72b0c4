/// The phone's half of the engine: it owns the configuration, and sends it and the live registers to the watches.
///
/// After each ``handle(_:at:)``, drain ``nextOutput()`` until it returns nil; an input before that traps.
/// ``nextDeadline`` says when to call with ``Input/timeReached`` if nothing else happens before. Time must not go
/// back. There is no I/O, no clock and no randomness inside: the same inputs give the same outputs.
public struct HubEngine: Sendable {
    /// The most requests that may wait for the store.
    public static let requestCountMax = 1024
    /// The most transactions that become durable in one step.
    public static let groupCountMax = 64
    /// The most bytes of the cells that watches see: a snapshot has room for them and for a full conflict log.
    public static let cellByteCountMax = ConfigurationSize.cellByteCountMax

    /// The most sessions that a watch may open within a second; for each, the hub sends a snapshot over the link that
    /// all watches share.
    static let greetingLimit = 8

    let configuration: Configuration
    var ledger: Ledger
    var pairings: PairingRegistry
    var sessions = SortedMap<ConnectionID, Boxed<HubSession>>()
    var connections = SortedMap<PeerKey, ConnectionID>()
    var activities = SortedMap<PeerKey, WatchActivity>()
    var registers = RegisterTable()
    var registerContents = RegisterContents()
    /// When a value was published that watches which take several in one frame were not sent yet; nil if there is none.
    ///
    /// They are sent it as soon as the driver has passed on everything that has happened, with all that came meanwhile.
    private(set) var registersDue: Instant?
    var transfers = SortedMap<PeerKey, Boxed<Transfers>>()
    var generator: SplitMix64
    let boot: UInt64
    /// The epoch in which the hub started.
    let firstEpoch: Epoch

    var size: ConfigurationSize
    /// The size with the transactions of the group that is being prepared or stored; nil if there is none.
    var sizeAhead: ConfigurationSize?
    /// The encoded contents of the current version.
    var contexts = ContextContents()
    /// The bytes of frame bodies read so far, for a simulation in which reading takes time.
    package var readByteCount = 0
    /// The cells, conflicts and writes that the ledger has looked at so far, for a simulation in which that takes time.
    package var stepCount: Int { ledger.index.stepCount }
    var requests = LedgerQueue()
    /// The authors of the requests that wait or are in flight; requests without an author are missing.
    var authors = SortedMap<RequestID, String>()
    private var admitted: [PeerKey] = []
    /// When the next invitation expires.
    private var expiry: Instant?
    private var outputs: [Output] = []
    private var nextOutputIndex = 0
    private var earliestDeadline: Instant?
    private var purgeAt: Instant
    /// Watches that are not paired, about which the store may still hold records.
    var pendingForgets: Set<PeerKey> = []
    /// Until when the hub does not notify the application again that the store failed.
    var storeComplaintAfter: Instant?

    /// The interval between two searches for tombstones that are no longer needed.
    private static let purgeInterval = Duration.seconds(3600)
    /// The least interval between two notifications that the store failed.
    static let storeComplaintInterval = Duration.seconds(30)

    /// Starts a hub.
    ///
    /// - Parameters:
    ///   - configuration: What never changes while the hub runs.
    ///   - state: What its store holds.
    ///   - transfers: What its store holds about the transfers with each watch.
    ///   - seed: 64 random bits, different at each start; session numbers and write identities come from them.
    ///   - moment: Now.
    public init(
        configuration: Configuration, state: LedgerState, transfers: [PeerKey: TransferState] = [:], seed: UInt64,
        at moment: Moment
    ) {
        let heartbeats = Duration.milliseconds(10)...Duration.seconds(3600)
        precondition(
            heartbeats.contains(configuration.heartbeat), "a heartbeat of \(configuration.heartbeat), not of 10 ms…1 h")
        self.configuration = configuration
        ledger = Ledger(state: state)
        size = ConfigurationSize(state, schema: configuration.schema)
        firstEpoch = state.version.epoch
        pairings = PairingRegistry(state.cells, at: moment)
        generator = SplitMix64(seed: seed)
        purgeAt = moment.monotonic.advanced(by: Self.purgeInterval)
        boot = generator.next()
        updateAdmission(at: moment)
        for peer in pairings.watches.keys {
            beginTransfers(with: peer, transfers[peer] ?? TransferState(), at: moment)
        }
        pendingForgets = Set(transfers.keys.filter { pairings.watches[$0] == nil })
        forgetStrangers(at: moment)
        // A store of an earlier version may have any number of tombstones.
        if ledger.index.tombstones.isOverfull { enqueue(.purge, at: moment) }
    }

    // MARK: - The driver's side

    /// Handles an input.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained: \(input)")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        carryOut(input, at: moment)
    }

    private mutating func carryOut(_ input: Input, at moment: Moment) {
        switch input {
        case .authored(let author, let input):
            if let request = input.authoredRequest { authors[request] = author }
            carryOut(input, at: moment)
        case .received(let parts, let connection, let peer):
            received(parts, on: connection, from: peer, at: moment)
        case .recorded(let peer, let record):
            recorded(record, of: peer, at: moment)
        case .recordFailed(let peer, let record, let reason):
            transfer(record.failed(reason: reason), with: peer, at: moment)
        case .transfer(let peer, let input):
            transfer(input, with: peer, at: moment)
        case .unroutable(let connection):
            endSession(on: connection, because: .unroutable, at: moment)
        case .persisted(let group):
            persisted(group, at: moment)
        case .persistFailed(let group, let reason):
            persistFailed(group, reason: reason, at: moment)
        case .transact(let request, let changes, let expected):
            transact(request, changes, expected: expected, at: moment)
        case .settle(let request, let conflict, let restoring):
            enqueue(.settle(request, conflict: conflict, restoring: restoring), at: moment)
        case .beginEpoch(let request):
            enqueue(.beginEpoch(request), at: moment)
        case .publish(let register):
            publish(register, at: moment)
        case .invite(let request, let key, let name, let validMilliseconds):
            invite(request, key, name: name, validMilliseconds: validMilliseconds, at: moment)
        case .unpair(let request, let key):
            enqueue(.unpair(request, key), at: moment)
        case .farewell:
            endTransfers(at: moment)
        case .timeReached:
            timeReached(at: moment)
        }
    }

    /// The next output; nil when all were taken.
    public mutating func nextOutput() -> Output? {
        guard nextOutputIndex < outputs.count else { return nil }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    /// Whether an output is left.
    public var hasOutput: Bool { nextOutputIndex < outputs.count }

    /// The latest time for the next ``Input/timeReached``.
    ///
    /// It may be earlier than necessary, never later.
    public var nextDeadline: Instant? {
        var deadline = purgeAt
        if let earliestDeadline { deadline = min(deadline, earliestDeadline) }
        if let expiry { deadline = min(deadline, expiry) }
        if let registersDue { deadline = min(deadline, registersDue) }
        return deadline
    }

    /// Whether nothing is under way: only heartbeats of linked watches are due, and perhaps the end of an invitation.
    package var isResting: Bool {
        !hasOutput && registersDue == nil && sessions.values.allSatisfy(\.value.isResting)
            && transfers.values.allSatisfy { $0.value.nextDeadline == nil }
    }

    // MARK: - The application's side

    /// The version of the configuration.
    public var version: Version { ledger.version }

    /// The cells, deleted ones included; the engine's own kinds begin with `sync.`.
    public var cells: SortedMap<CellKey, Cell> { ledger.state.cells }

    /// The open conflicts, by the write that lost.
    public var conflicts: SortedMap<RandomID, Conflict> { ledger.state.conflicts }

    /// The snapshot that watches of the newest version get.
    public var snapshot: Snapshot { ledger.snapshot(configuration.schema) }

    /// The keys that may open connections.
    public var admittedKeys: [PeerKey] { admitted }

    /// The status of each watch, in the order of their keys.
    public var watches: [WatchStatus] {
        pairings.watches.values.map { watch in
            let session = connections[watch.key].flatMap { sessions[$0]?.value }
            let activity = activities[watch.key] ?? WatchActivity()
            let live = session?.live.looking(at: registers)
            return WatchStatus(
                watch: watch, isLinked: session.map(isLinked) ?? false,
                lastHeard: session?.lastHeard ?? activity.lastHeard,
                acknowledged: session?.context.acknowledged ?? activity.acknowledged,
                backlogCount: live?.backlogCount ?? 0,
                confirmedCount: activity.confirmedCount + (live?.confirmedCount ?? 0),
                supersededCount: activity.supersededCount + (live?.supersededCount ?? 0))
        }
    }

    private func isLinked(_ session: HubSession) -> Bool {
        session.isLinked
    }

    /// The largest number of register values that wait for one watch, for a simulation that checks the limits.
    package var longestBacklog: Int {
        sessions.pairs.map { $0.value.value.live.looking(at: registers).backlogCount }.max() ?? 0
    }

    mutating func put(_ output: Output) {
        outputs.append(output)
    }

    mutating func comeBack(at deadline: Instant) {
        earliestDeadline = min(earliestDeadline ?? deadline, deadline)
    }

    /// Values wait until the driver has passed on everything that has happened.
    mutating func registersWait(now: Instant) { registersDue = registersDue ?? now }

    // MARK: - Admission

    mutating func updateAdmission(at moment: Moment) {
        let keys = pairings.admitted(at: moment.monotonic)
        expiry = pairings.nextExpiry(after: moment.monotonic)
        guard keys != admitted else { return }
        admitted = keys
        put(.admit(keys))
    }

    private mutating func timeReached(at moment: Moment) {
        if registersDue.take() != nil {
            for connection in sessions.keys where sessions[connection]?.value.takesRegisters == true {
                serve(connection, at: moment)
            }
        }
        if let expiry, expiry <= moment.monotonic { updateAdmission(at: moment) }
        if purgeAt <= moment.monotonic {
            purgeAt = moment.monotonic.advanced(by: Self.purgeInterval)
            enqueue(.purge, at: moment)
            forgetStrangers(at: moment)
            forgetActivitiesOfStrangers(at: moment)
        }
        guard let earliestDeadline, earliestDeadline <= moment.monotonic else { return }
        self.earliestDeadline = nil
        for connection in sessions.keys {
            serve(connection, at: moment)
        }
        serveTransfers(at: moment)
    }
}
