import SyncCore

/// A hub's history and some watches' memories, moved by single operations: the smallest world in which they can go wrong.
///
/// Under test are `Ledger` and `Replica` themselves. Sessions, messages and durability are as simple here as they
/// can be, so that a run costs microseconds, failing runs are short, and all runs of a small size can be tried.
package struct SmallWorld: Sendable {
    /// What is under way.
    enum Message: Hashable, Sendable {
        case hello(SessionName, known: Version?)
        case welcome(SessionName, boot: UInt64)
        case uploads(SessionName, boot: UInt64, UploadBatch)
        case snapshot(SessionName, boot: UInt64, Snapshot, UploadReceipt?)
        case renumber(SessionName, boot: UInt64)
    }

    /// A session, as the watch named it.
    struct SessionName: Hashable, Sendable {
        var watch: Int
        var number: UInt64
        var incarnation: RandomID
    }

    struct Envelope: Hashable, Sendable {
        /// The watch, nil for the hub.
        var recipient: Int?
        var message: Message
    }

    /// The hub: its machine, what its disk holds, and what its person made a copy of.
    struct Hub: Sendable {
        var ledger: Ledger
        var boot: UInt64
        var sessions: [SessionName?]
        var durable: LedgerState
        var backup: LedgerState?
    }

    struct Watch: Sendable {
        var replica: Replica
        var session: SessionName?
        /// The hub's life to which the session is bound, nil before the welcome.
        var boot: UInt64?
        var backup: ReplicaState?
    }

    let watchCount: Int
    var hub: Hub
    var watches: [Watch]
    var network: [Envelope] = []
    /// The steps so far; the wall clocks count them, in seconds.
    var time: Int64 = 0
    /// Whether the wall clocks stand still, so that states do not differ by the way that led to them.
    let isTimeless: Bool
    /// How far each wall clock is ahead: the hub's, then the watches', in steps.
    var skews: [Int64]
    /// The randomness of the hub, then of the watches: each its own, so that what two nodes do at the same time leads to
    /// one state in whichever order it is done.
    var generators: [SplitMix64]
    var ghosts = SmallGroundTruth()
    var violation: SmallViolation?
    /// The number of the operation that is done now, by which its writes are known.
    var operation = 0

    static let schema = Schema(
        versions: 1...1, rules: [Schema.Name(kind: "note", group: "text"): Schema.Rule(.shared)])
    static let noObjection: @Sendable (CellKey, String?) -> String? = { _, _ in nil }

    /// Creates a world in which nothing has happened.
    package init(watchCount: Int = 2, isTimeless: Bool = false) {
        self.isTimeless = isTimeless
        self.watchCount = watchCount
        var generators = (0...watchCount).map { SplitMix64(seed: 1).stream(UInt64($0)) }
        let state = LedgerState(newEpoch: Epoch(number: generators[0].next()))
        hub = Hub(
            ledger: Ledger(state: state), boot: generators[0].next(),
            sessions: Array(repeating: nil, count: watchCount), durable: state)
        watches = (0..<watchCount).map { number in
            let state = ReplicaState(incarnation: RandomID(using: &generators[number + 1]))
            return Watch(replica: Replica(state: state, node: Self.key(number).node))
        }
        skews = Array(repeating: 0, count: watchCount + 1)
        self.generators = generators
    }

    /// The key of a watch; of two watches the later one's stamps win ties.
    static func key(_ watch: Int) -> PeerKey {
        let number = UInt8(200 - watch)
        guard let key = PeerKey(bytes: Array(repeating: number, count: 32)) else {
            preconditionFailure("32 bytes are a key")
        }
        return key
    }

    static func cellKey(_ number: Int) -> CellKey {
        CellKey(kind: "note", record: RandomID(high: 0, low: UInt64(number)), group: "text")
    }

    func wall(_ node: Int) -> Int64 { (time + skews[node + 1]) * 1000 }

    mutating func fail(_ rule: Violation.Rule, _ text: String) {
        if violation == nil { violation = SmallViolation(rule: rule, text: text, operation: operation) }
    }

    // MARK: - Runs

    /// Does the operations, then lets everything come to rest; gives what broke.
    package static func run(_ operations: [SmallOperation], watchCount: Int = 2) -> SmallViolation? {
        var world = SmallWorld(watchCount: watchCount)
        return world.run(operations)
    }

    package mutating func run(_ operations: [SmallOperation]) -> SmallViolation? {
        for operation in operations {
            perform(operation)
            if violation != nil { return violation }
        }
        return finish()
    }

    /// No more faults: everything comes to rest, and what must hold then is checked.
    package mutating func finish() -> SmallViolation? {
        settle()
        if violation == nil { checkEnd() }
        return violation
    }

    /// The steps so far, with those of the time after the operations.
    package var stepCount: Int { operation }

    /// Does one operation.
    package mutating func perform(_ step: SmallOperation) {
        if !isTimeless { time += 1 }
        operation += 1
        switch step {
        case .hubWrites(let cell): hubWrites(cell)
        case .hubDeletes(let cell): hubDeletes(cell)
        case .hubPurges: hubPurges()
        case .watchWrites(let watch, let cell): watchWrites(watch % watchCount, cell)
        case .watchDeletes(let watch, let cell): watchDeletes(watch % watchCount, cell)
        case .greet(let watch): greet(watch % watchCount)
        case .upload(let watch): upload(watch % watchCount)
        case .snapshot(let watch): sendSnapshot(to: watch % watchCount)
        case .deliver(let message): deliver(message, keeping: false)
        case .duplicate(let message): deliver(message, keeping: true)
        case .lose(let message): if !network.isEmpty { network.remove(at: message % network.count) }
        case .hubCrashes: hubCrashes()
        case .hubSyncs: hubSyncs()
        case .hubBacksUp:
            hubSyncs()
            hub.backup = hub.ledger.state
            ghosts.effectsBackedUp()
        case .hubIsRestored: hubIsRestored()
        case .watchCrashes(let watch): watches[watch % watchCount].session = nil
        case .watchBacksUp(let watch):
            watches[watch % watchCount].backup = watches[watch % watchCount].replica.state
            ghosts.watchBackedUp(watch % watchCount)
        case .watchIsRestored(let watch): watchIsRestored(watch % watchCount)
        case .skew(let node, let steps): skews[max(-1, node) % watchCount + 1] = Int64(steps)
        }
    }

    private mutating func deliver(_ number: Int, keeping isKept: Bool) {
        guard !network.isEmpty else { return }
        let position = number % network.count
        let envelope = network[position]
        if !isKept { network.remove(at: position) }
        if let watch = envelope.recipient {
            let before = shownCells(watch)
            watchReceives(watch, envelope.message)
            checkShown(watch, before)
        } else {
            hubReceives(envelope.message)
        }
    }

    /// No more faults: everybody talks until all agree.
    private mutating func settle() {
        for round in 0..<40 {
            for watch in watches.indices where watches[watch].session == nil || round % 4 == 0 { greet(watch) }
            for _ in 0..<4 {
                drainNetwork()
                for watch in watches.indices {
                    upload(watch)
                    sendSnapshot(to: watch)
                }
            }
            drainNetwork()
            if violation != nil || watches.allSatisfy({ isAtRest($0) }) { return }
        }
        fail(.convergence, "no rest: \(watches.map { "\($0.replica.state.pending.count) wait" })")
    }

    private mutating func drainNetwork() {
        while !network.isEmpty, violation == nil { perform(.deliver(0)) }
    }

    private func isAtRest(_ watch: Watch) -> Bool {
        watch.replica.state.pending.isEmpty && watch.replica.state.snapshot?.version == hub.ledger.version
    }
}

/// What broke in a small world.
package struct SmallViolation: Hashable, Sendable, CustomStringConvertible {
    /// The promise that is broken.
    package var rule: Violation.Rule
    /// What happened, in words.
    package var text: String
    /// The number of the operation at which it showed.
    package var operation: Int

    package var description: String { "\(rule.rawValue) at operation \(operation): \(text)" }
}
