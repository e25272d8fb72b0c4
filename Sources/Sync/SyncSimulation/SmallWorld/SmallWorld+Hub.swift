import SyncCore

extension SmallWorld {
    // MARK: - The person at the hub

    mutating func hubWrites(_ choice: Int) {
        let cells = hub.ledger.state.cells.pairs.filter { $0.value.value != nil }.map(\.key)
        let key = Self.choose(choice, among: cells, creating: true) ?? Self.cellKey(operation)
        commit(key, "\(operation)")
    }

    mutating func hubDeletes(_ choice: Int) {
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
        ghosts.add(
            cell.dot, SmallGroundTruth.Write(author: nil, key: key, isDeletion: value == nil, seen: seen, operation))
        apply(transaction)
    }

    mutating func hubPurges() {
        // A month has passed, and everybody was there.
        let later = wall(-1) + 10 * Ledger.tombstoneMilliseconds + 10_000_000
        guard let purge = hub.ledger.preparePurge(seenByAll: .max, wallMilliseconds: later) else { return }
        apply(purge)
    }

    /// A cell among those that there are, or nil for a new one.
    static func choose(_ choice: Int, among keys: [CellKey], creating: Bool) -> CellKey? {
        guard !keys.isEmpty, !(creating && keys.count < 3 && choice % 4 == 3) else { return nil }
        return keys[choice % keys.count]
    }

    // MARK: - Durability

    mutating func apply(_ transaction: Transaction) {
        hub.ledger.apply(transaction)
        note(transaction)
        hub.durable = hub.ledger.state
        ghosts.effectsDurable()
    }

    mutating func hubSyncs() {
        ghosts.effectsDurable()
        hub.durable = hub.ledger.state
    }

    mutating func hubCrashes() {
        ghosts.hubCrashed()
        restart(hub.durable)
    }

    private mutating func restart(_ state: LedgerState) {
        hub.ledger = Ledger(state: state)
        hub.durable = state
        hub.boot = generators[0].next()
        hub.sessions = Array(repeating: nil, count: watchCount)
    }

    mutating func hubIsRestored() {
        guard let backup = hub.backup else { return }
        ghosts.hubRestored()
        restart(backup)
        hub.sessions = Array(repeating: nil, count: watchCount)
        beginEpoch()
        hubSyncs()
    }

    private mutating func beginEpoch() {
        apply(hub.ledger.prepareFork(generator: &generators[0]))
        hub.sessions = Array(repeating: nil, count: watchCount)
        ghosts.hasForked = true
    }

    // MARK: - Messages

    mutating func hubReceives(_ message: Message) {
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

    mutating func sendSnapshot(to watch: Int) {
        guard let session = hub.sessions[watch] else { return }
        let receipt = hub.ledger.state.uploads[Self.key(watch)]?.receipt
        let snapshot = hub.ledger.snapshot(Self.schema)
        send(.snapshot(session, boot: hub.boot, snapshot, receipt), to: watch)
    }

    func isSession(_ session: SessionName, _ boot: UInt64, of watch: Int) -> Bool {
        watches[watch].session == session && watches[watch].boot == boot
    }

    mutating func send(_ message: Message, to watch: Int?) {
        network.append(Envelope(recipient: watch, message: message))
    }
}
