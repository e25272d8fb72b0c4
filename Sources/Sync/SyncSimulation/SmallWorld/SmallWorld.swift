import SyncCore

/// A hub's history and some watches' memories, moved by single operations: the smallest world in which they can go wrong.
///
/// Under test are `Ledger` and `Replica` themselves. Sessions, messages and durability are as simple here as they
/// can be, so that a run costs microseconds, failing runs are short, and all runs of a small size can be tried.
package struct SmallWorld: Sendable {
    /// What is on its way.
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
        var history = DeltaHistory()
        var boot: UInt64
        var sessions: [SessionName?]
        var durable: LedgerState
        var backup: LedgerState?
    }

    struct Watch: Sendable {
        var replica: Replica
        var session: SessionName?
        /// The start of the hub's process to which the session belongs, nil before the welcome.
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
    /// The randomness of the hub, then of the watches: each has its own, so that what two nodes do at the same time
    /// leads to one state in either order.
    var generators: [SplitMix64]
    private var checker = SmallChecker()

    /// The most edits that a person makes on one watch without the hub; more of them find nothing new.
    private static let editCountMax = 8
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
    private static func key(_ watch: Int) -> PeerKey {
        let number = UInt8(200 - watch)
        guard let key = PeerKey(bytes: Array(repeating: number, count: 32)) else {
            preconditionFailure("32 bytes are a key")
        }
        return key
    }

    private static func cellKey(_ number: Int) -> CellKey {
        CellKey(kind: "note", record: RandomID(high: 0, low: UInt64(number)), group: "text")
    }

    private func wall(_ node: Int) -> Int64 { (time + skews[node + 1]) * 1000 }

    /// What broke first, nil if nothing did.
    var violation: SmallViolation? { checker.violation }

    /// The number of the present operation, by which its writes are known.
    private var operation: Int { checker.operation }

    private mutating func fail(_ rule: Violation.Rule, _ text: String) { checker.fail(rule, text) }

    /// The end of a run, for comparison with another implementation.
    package var outcome: SmallOutcome { checker.outcome(of: hub.ledger.state) }

    // MARK: - Runs

    /// Does the operations, then lets all devices come to rest; returns what broke.
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

    /// No more faults: all devices come to rest, and what must hold then is checked.
    package mutating func finish() -> SmallViolation? {
        settle()
        if violation == nil { checker.ends(hub.ledger, watches.map(\.replica)) }
        return violation
    }

    /// The steps so far, with those of the time after the operations.
    package var stepCount: Int { operation }

    /// Does one operation.
    package mutating func perform(_ step: SmallOperation) {
        if !isTimeless { time += 1 }
        checker.beginOperation()
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
            checker.truth.effectsBackedUp()
        case .hubIsRestored: hubIsRestored()
        case .watchCrashes(let watch): watches[watch % watchCount].session = nil
        case .watchBacksUp(let watch):
            watches[watch % watchCount].backup = watches[watch % watchCount].replica.state
            checker.truth.watchBackedUp(watch % watchCount)
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
            let before = SmallChecker.shownCells(watches[watch].replica)
            watchReceives(watch, envelope.message)
            checker.shows(watches[watch].replica, of: watch, after: before, by: hub.ledger.state)
        } else {
            hubReceives(envelope.message)
        }
    }

    /// No more faults: all devices exchange messages until they agree.
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

    // MARK: - The hub: its person

    private mutating func hubWrites(_ choice: Int) {
        let cells = hub.ledger.state.cells.pairs.filter { $0.value.value != nil }.map(\.key)
        let key = Self.choose(choice, among: cells, creating: true) ?? Self.cellKey(operation)
        commit(key, "\(operation)")
    }

    private mutating func hubDeletes(_ choice: Int) {
        let cells = hub.ledger.state.cells.pairs.filter { $0.value.value != nil }.map(\.key)
        guard let key = Self.choose(choice, among: cells, creating: false) else { return }
        commit(key, nil)
    }

    private mutating func commit(_ key: CellKey, _ value: String?) {
        let seen = hub.ledger.state.cells[key]?.dot
        let transaction = hub.ledger.prepare(
            [CellChange(key: key, value: value)], schema: Self.schema, wallMilliseconds: wall(-1),
            generator: &generators[0])
        guard let cell = transaction.written[key] else { return }
        checker.truth.add(
            cell.dot, SmallGroundTruth.Write(author: nil, key: key, isDeletion: value == nil, seen: seen, operation))
        apply(transaction)
    }

    private mutating func hubPurges() {
        // A month has passed, and every watch was connected.
        let later = wall(-1) + 10 * Ledger.tombstoneMilliseconds + 10_000_000
        guard let purge = hub.ledger.preparePurge(seenByAll: .max, wallMilliseconds: later) else { return }
        apply(purge)
    }

    /// A cell among those that there are, or nil for a new one.
    private static func choose(_ choice: Int, among keys: [CellKey], creating: Bool) -> CellKey? {
        guard !keys.isEmpty, !(creating && keys.count < 3 && choice % 4 == 3) else { return nil }
        return keys[choice % keys.count]
    }

    // MARK: - The hub: durability

    private mutating func apply(_ transaction: Transaction) {
        hub.history.add([transaction], to: hub.ledger.state)
        hub.ledger.apply(transaction)
        checker.took(transaction)
        hub.durable = hub.ledger.state
        checker.truth.effectsDurable()
    }

    private mutating func hubSyncs() {
        checker.truth.effectsDurable()
        hub.durable = hub.ledger.state
    }

    private mutating func hubCrashes() {
        checker.truth.hubCrashed()
        restart(hub.durable)
    }

    private mutating func restart(_ state: LedgerState) {
        hub.ledger = Ledger(state: state)
        hub.history = DeltaHistory()
        hub.durable = state
        hub.boot = generators[0].next()
        hub.sessions = Array(repeating: nil, count: watchCount)
    }

    private mutating func hubIsRestored() {
        guard let backup = hub.backup else { return }
        checker.truth.hubRestored()
        restart(backup)
        hub.sessions = Array(repeating: nil, count: watchCount)
        beginEpoch()
        hubSyncs()
    }

    private mutating func beginEpoch() {
        apply(hub.ledger.prepareFork(generator: &generators[0]))
        hub.sessions = Array(repeating: nil, count: watchCount)
        checker.truth.hasForked = true
    }

    // MARK: - The hub: messages

    private mutating func hubReceives(_ message: Message) {
        switch message {
        case .hello(let session, let known):
            if let known, known.epoch == hub.ledger.version.epoch,
                hub.ledger.isContradicted(by: known)
            {
                beginEpoch()
            }
            hub.sessions[session.watch] = session
            send(.welcome(session, boot: hub.boot), to: session.watch)
            sendSnapshot(to: session.watch)
        case .uploads(let session, let boot, let batch):
            guard hub.sessions[session.watch] == session, boot == hub.boot else { return }
            take(batch, session)
        case .welcome, .snapshot, .renumber:
            preconditionFailure("a hub does not get \(message)")
        }
    }

    private mutating func take(_ batch: UploadBatch, _ session: SessionName) {
        let author = Merge.Author(peer: Self.key(session.watch), name: "watch \(session.watch)", records: 1)
        let policy = Merge.Policy(schema: Self.schema, objection: Self.noObjection) { "\($0)" }
        let size = ConfigurationSize(hub.ledger.state, schema: Self.schema)
        let verdict = hub.ledger.prepare(
            batch, author: author, policy: policy, size: size, wallMilliseconds: wall(-1))
        switch verdict {
        case .take(let transaction, _): apply(transaction)
        case .nothing: break
        case .full: fail(.boundedQueues, "the log of conflicts is full after \(operation) operations")
        case .contradiction:
            send(.renumber(session, boot: hub.boot), to: session.watch)
            hub.sessions[session.watch] = nil
        }
        for watch in watches.indices { sendSnapshot(to: watch) }
    }

    private mutating func sendSnapshot(to watch: Int) {
        guard let session = hub.sessions[watch] else { return }
        let receipt = hub.ledger.state.uploads[Self.key(watch)]?.receipt
        let snapshot = hub.ledger.snapshot(Self.schema)
        send(.snapshot(session, boot: hub.boot, snapshot, receipt), to: watch)
    }

    private func isSession(_ session: SessionName, _ boot: UInt64, of watch: Int) -> Bool {
        watches[watch].session == session && watches[watch].boot == boot
    }

    private mutating func send(_ message: Message, to watch: Int?) {
        network.append(Envelope(recipient: watch, message: message))
    }

    // MARK: - Watches: their persons

    private mutating func watchWrites(_ watch: Int, _ choice: Int) {
        let keys = watches[watch].replica.view.keys
        edit(watch, Self.choose(choice, among: keys, creating: true) ?? Self.cellKey(operation), "\(operation)")
    }

    private mutating func watchDeletes(_ watch: Int, _ choice: Int) {
        let keys = watches[watch].replica.view.keys
        guard let key = Self.choose(choice, among: keys, creating: false) else { return }
        edit(watch, key, nil)
    }

    private mutating func edit(_ watch: Int, _ key: CellKey, _ value: String?) {
        guard watches[watch].replica.pendingEdits.count < Self.editCountMax else { return }
        let seen = watches[watch].replica.view(of: key)?.dot
        do throws(EditError) {
            let prepared = try watches[watch].replica.prepareEdit(
                [CellChange(key: key, value: value)], resolving: nil, schema: 1, wallMilliseconds: wall(watch),
                generator: &generators[watch + 1])
            guard let (edit, record) = prepared else { return }
            checker.truth.add(
                edit.id,
                SmallGroundTruth.Write(author: watch, key: key, isDeletion: value == nil, seen: seen, operation))
            watches[watch].replica.apply(record)
        } catch {
            fail(.boundedQueues, "a watch refuses an edit: \(error)")
        }
    }

    // MARK: - Watches: their processes

    private mutating func watchIsRestored(_ watch: Int) {
        guard let backup = watches[watch].backup else { return }
        let lost = watches[watch].replica.state
        watches[watch].replica = Replica(state: backup, node: Self.key(watch).node)
        checker.truth.watchRestored(watch, from: lost, to: backup, others: watches.map(\.replica.state))
        watches[watch].session = nil
    }

    private mutating func greet(_ watch: Int) {
        let state = watches[watch].replica.state
        let session = SessionName(watch: watch, number: generators[watch + 1].next(), incarnation: state.incarnation)
        watches[watch].session = session
        watches[watch].boot = nil
        send(.hello(session, known: state.snapshot?.version), to: nil)
    }

    private mutating func upload(_ watch: Int) {
        let state = watches[watch].replica.state
        guard let session = watches[watch].session, let boot = watches[watch].boot, let first = state.pending.first
        else { return }
        let batch = UploadBatch(
            incarnation: state.incarnation, firstPending: first.sequence, uploads: state.pending)
        send(.uploads(session, boot: boot, batch), to: nil)
    }

    // MARK: - Watches: messages

    private mutating func watchReceives(_ watch: Int, _ message: Message) {
        switch message {
        case .welcome(let session, let boot):
            // A session belongs to one process of the hub.
            if watches[watch].session == session, watches[watch].boot == nil { watches[watch].boot = boot }
        case .renumber(let session, let boot):
            guard isSession(session, boot, of: watch) else { return }
            watches[watch].replica.apply(watches[watch].replica.prepareRenumbering(generator: &generators[watch + 1]))
            watches[watch].session = nil
        case .snapshot(let session, let boot, let snapshot, let receipt):
            guard isSession(session, boot, of: watch) else { return }
            receive(snapshot, receipt, at: watch)
        case .hello, .uploads:
            preconditionFailure("a watch does not get \(message)")
        }
    }

    private mutating func receive(_ snapshot: Snapshot, _ receipt: UploadReceipt?, at watch: Int) {
        let state = watches[watch].replica.state
        var fence = state.fence
        guard fence.admits(snapshot.version.epoch) else { return }
        let verdict = watches[watch].replica.prepare(
            snapshot, receipt: receipt, wallMilliseconds: wall(watch), generator: &generators[watch + 1])
        guard case .take(var record, _) = verdict else { return }
        checker.takes(snapshot, after: state.snapshot?.version, at: watch)
        if let held = state.snapshot, snapshot.version == hub.ledger.version {
            let delta = hub.history.delta(
                from: held.version, to: hub.ledger, schema: Self.schema, records: held.records)
            if let delta { checker.compares(snapshot, with: delta, of: held, at: watch) }
        }
        fence.follow(snapshot.version.epoch)
        record.fence = fence
        watches[watch].replica.apply(record)
        if record.incarnation != state.incarnation {
            // What is on its way under the old numbering belongs to a session that is over.
            watches[watch].session = nil
        }
        checker.truth.sawSnapshot(snapshot, after: state.snapshot, by: watch)
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
