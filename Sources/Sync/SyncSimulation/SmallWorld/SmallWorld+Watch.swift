import SyncCore

extension SmallWorld {
    /// The edits that a person makes on one watch without the hub, at most; more of them find nothing new.
    static let editCountMax = 8

    // MARK: - The person at a watch

    mutating func watchWrites(_ watch: Int, _ choice: Int) {
        let keys = watches[watch].replica.view.keys
        edit(watch, Self.choose(choice, among: keys, creating: true) ?? Self.cellKey(operation), "\(operation)")
    }

    mutating func watchDeletes(_ watch: Int, _ choice: Int) {
        let keys = watches[watch].replica.view.keys
        guard let key = Self.choose(choice, among: keys, creating: false) else { return }
        edit(watch, key, nil)
    }

    private mutating func edit(_ watch: Int, _ key: CellKey, _ value: String?) {
        guard watches[watch].replica.pendingEdits.count < Self.editCountMax else { return }
        let seen = watches[watch].replica.view(of: key)?.dot
        do throws(EditFault) {
            let prepared = try watches[watch].replica.prepareEdit(
                [CellChange(key: key, value: value)], resolving: nil, schema: 1, wallMilliseconds: wall(watch),
                generator: &generators[watch + 1])
            guard let (edit, record) = prepared else { return }
            ghosts.add(
                edit.id,
                SmallGroundTruth.Write(author: watch, key: key, isDeletion: value == nil, seen: seen, operation))
            watches[watch].replica.apply(record)
        } catch {
            fail(.boundedQueues, "a watch refuses an edit: \(error)")
        }
    }

    // MARK: - The process

    mutating func watchIsRestored(_ watch: Int) {
        guard let backup = watches[watch].backup else { return }
        let lost = watches[watch].replica.state
        watches[watch].replica = Replica(state: backup, node: Self.key(watch).node)
        ghosts.watchRestored(watch, from: lost, to: backup, others: watches.map(\.replica.state))
        watches[watch].session = nil
    }

    mutating func greet(_ watch: Int) {
        let state = watches[watch].replica.state
        let session = SessionName(watch: watch, number: generators[watch + 1].next(), incarnation: state.incarnation)
        watches[watch].session = session
        watches[watch].boot = nil
        send(.hello(session, known: state.snapshot?.version), to: nil)
    }

    mutating func upload(_ watch: Int) {
        let state = watches[watch].replica.state
        guard let session = watches[watch].session, let boot = watches[watch].boot, let first = state.pending.first
        else { return }
        let batch = UploadBatch(
            incarnation: state.incarnation, firstPending: first.sequence, uploads: state.pending)
        send(.uploads(session, boot: boot, batch), to: nil)
    }

    // MARK: - Messages

    mutating func watchReceives(_ watch: Int, _ message: Message) {
        switch message {
        case .welcome(let session, let boot):
            // A session is bound to one life of the hub.
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
        checkVersion(snapshot, after: state.snapshot?.version, at: watch)
        fence.follow(snapshot.version.epoch)
        record.fence = fence
        watches[watch].replica.apply(record)
        if record.incarnation != state.incarnation {
            // What is on its way under the old numbering belongs to a session that is over.
            watches[watch].session = nil
        }
        ghosts.sawSnapshot(snapshot, after: state.snapshot, by: watch)
    }
}
