import SyncCore

/// Checks the promises over the journals of a run, with the checkers of the simulator.
///
/// What it cannot know is left out: when something was on its way, and so whether links were rightly reported as up;
/// what applications did with what they received. Losses are judged only if the journals end at rest.
struct JournalChecker {
    private(set) var violation: Violation?
    private(set) var violator: String?
    private(set) var notes: [String] = []

    private var devices: [JournalDevice?]
    private let schema: Schema
    private let mayBeRestored: Bool
    private var checks: Checks
    private var hub: JournaledHub?
    private var watches: [Int: JournaledWatch] = [:]
    /// Whether a run of a process was not recorded to its end: then it is unknown what followed.
    private var isBlind = false

    init(devices: [JournalDevice?], of application: JournalApplication, mayBeRestored: Bool) {
        self.devices = devices
        schema = application.schema
        self.mayBeRestored = mayBeRestored
        checks = Checks(watchCount: devices.count, heartbeat: .seconds(1), options: SimulationOptions())
        checks.edits.schema = schema
    }

    mutating func watch(_ index: Int, _ event: JournalReplay.Event, of device: JournalDevice, at moment: Moment) {
        guard violation == nil, !isBlind else { return }
        // A new process may read other versions of the records.
        devices[index] = device
        watches[index]?.lastSeen = moment.monotonic
        switch event {
        case .hubBegan(let state, let transfers, let outputs):
            checks.clock.looked(at: moment.wallMilliseconds)
            begin(state, transfers, index, at: moment)
            for output in outputs { hubWants(output, at: moment) }
        case .hub(let input, let outputs):
            checks.clock.looked(at: moment.wallMilliseconds)
            hubTakes(input, at: moment)
            for output in outputs { hubWants(output, at: moment) }
        case .watchBegan(let state, let outputs):
            begin(state, index)
            for output in outputs { watchWants(output, index) }
        case .watch(let input, let outputs):
            watchTakes(input, index)
            for output in outputs { watchWants(output, index) }
        case .ended(let end):
            isBlind = true
            notes.append("\(name(index)) was not recorded further, \(end.words): nothing later was judged")
        }
        if violation != nil, violator == nil {
            violation?.time = moment.monotonic
            violator = name(index)
        }
    }

    private func name(_ index: Int) -> String { devices[index]?.name ?? "journal \(index + 1)" }

    private mutating func fail(_ finding: Checks.Finding?) {
        guard violation == nil, let finding else { return }
        violation = Violation(rule: finding.rule, text: finding.text, time: Instant(nanoseconds: 0))
    }

    /// Whether a watch reads the newest records, as the checker of versions assumes for all.
    private func readsAll(_ index: Int) -> Bool {
        devices[index]?.versions.upperBound == schema.versions.upperBound
    }

    /// Whether the checker of versions knows what a watch has to show.
    ///
    /// Without the hub's journal from its beginning it does not; and a snapshot may be that of an older program.
    private func knows(_ snapshot: Snapshot, _ index: Int) -> Bool {
        readsAll(index) && snapshot.records == schema.versions.upperBound && hub?.isFromStart == true
    }

    private func index(of peer: PeerKey) -> Int? {
        devices.firstIndex { $0?.key == peer }
    }

    /// By key, the watches.
    private var authors: [PeerKey: (watch: Int, isHostile: Bool)] {
        var authors: [PeerKey: (watch: Int, isHostile: Bool)] = [:]
        for (index, device) in devices.enumerated().reversed() {
            if let device { authors[device.key] = (index, false) }
        }
        return authors
    }

    // MARK: - The hub

    private mutating func begin(
        _ state: LedgerState, _ transfers: [PeerKey: TransferState], _ index: Int, at moment: Moment
    ) {
        let loaded = HubMemory(ledger: state, transfers: transfers)
        for (peer, held) in transfers {
            guard let watch = self.index(of: peer) else { continue }
            checks.arrivals.restored(Side(watch: watch, isHub: true), to: .init(), holding: held)
        }
        guard hub != nil else {
            hub = JournaledHub(loaded, index: index, isFromStart: state.version.revision == 0)
            checks.began(state, schema: schema)
            checks.hubStarted(state, at: moment)
            remember()
            return
        }
        // What waited may have become durable before the process died.
        while hub?.memory.ledger.version != state.version, let group = hub?.waitingGroup(),
            group.first?.before == hub?.memory.ledger.version
        {
            becameDurable(.group(group))
        }
        if hub?.memory.ledger.version != state.version { restored(to: state) }
        hub?.begin(loaded)
        checks.hubStarted(state, at: moment)
        remember()
    }

    /// The store was restored; if a new epoch began before the engine started, that is a separate step.
    private mutating func restored(to state: LedgerState) {
        if let past = hub?.history[state.version] {
            // A store that notices that it was restored begins a new epoch before it is read.
            if !mayBeRestored { fail(lost("the hub's", from: "revision \(state.version.revision)")) }
            checks.versions.replace(by: past.point)
            checks.edits.hubRestored(past.effects)
            return
        }
        let parent = hub?.history.values.filter { past in
            state.lineage[past.state.version.epoch] == past.state.version.revision
        }.max { $0.order < $1.order }
        guard let parent else {
            notes.append("the hub began with a state that no journal knows: nothing later was judged")
            isBlind = true
            return
        }
        if parent.state.version != hub?.memory.ledger.version {
            checks.versions.replace(by: parent.point)
            checks.edits.hubRestored(parent.effects)
        }
        let fork = Transaction(
            before: parent.state.version, after: state.version,
            stamp: state.lastStamp ?? Stamp(milliseconds: 0, counter: 0, node: 0))
        fail(checks.becameDurable(state, schema: schema))
        fail(checks.edits.tookEffect(fork, after: parent.state, authors: authors))
    }

    private mutating func remember() {
        guard let point = checks.versions.point else { return }
        hub?.remember(point: point, effects: checks.edits.effects)
    }

    private mutating func becameDurable(_ record: HubRecord) {
        guard var ledger = hub?.memory.ledger else { return }
        hub?.apply(record)
        if case .transfer(let peer, let step) = record, let watch = index(of: peer) {
            let held = hub?.memory.transfers[peer] ?? TransferState()
            checks.arrivals.becameDurable(step, at: Side(watch: watch, isHub: true), holding: held)
        }
        guard case .group(let group) = record else { return }
        for transaction in group {
            let before = ledger
            ledger.apply(transaction)
            fail(checks.becameDurable(ledger, schema: schema))
            fail(checks.edits.tookEffect(transaction, after: before, authors: authors))
        }
        remember()
    }

    private mutating func hubTakes(_ input: HubEngine.Input, at moment: Moment) {
        switch input.withoutAuthor {
        case .persisted(let group):
            becameDurable(.group(group))
            if let ledger = hub?.memory.ledger { checks.hubLearned(ledger, at: moment) }
        case .persistFailed: hub?.drop()
        case .recorded(let peer, let record): becameDurable(.transfer(peer, record))
        case .recordFailed: hub?.drop()
        case .transact(let request, _, let expected): hub?.requests[request] = .some(expected)
        case .settle(let request, _, _), .beginEpoch(let request), .invite(let request, _, _, _),
            .unpair(let request, _):
            hub?.requests[request] = .some(nil)
        case .publish(let register): checks.published(register)
        case .received(_, let connection, let peer): hub?.peers[connection] = peer
        case .unroutable, .transfer, .farewell, .timeReached, .authored: break
        }
    }

    private mutating func hubWants(_ output: HubEngine.Output, at moment: Moment) {
        switch output {
        case .send(let frame, let connection):
            guard let peer = hub?.peers[connection] else { break }
            let watch = index(of: peer)
            if watch.map(readsAll) ?? true { fail(checks.hubSends(frame, to: peer)) }
            if let watch, let durable = hub?.memory.transfers[peer] {
                fail(checks.sends(frame, at: Side(watch: watch, isHub: true), durable: durable))
            }
        case .persist(let group):
            for transaction in group { fail(checks.stamps(transaction)) }
            hub?.waiting.append(.group(group))
        case .record(let peer, let record): hub?.waiting.append(.transfer(peer, record))
        case .admit(let keys): fail(checks.admits(keys, at: moment.monotonic))
        case .answer(let request, let answer):
            fail(checks.answers(request, answer, expected: hub?.requests.removeValue(forKey: request)))
        case .transfer, .event, .close: break
        }
    }

    // MARK: - Watches

    private mutating func begin(_ state: WatchEngine.State, _ index: Int) {
        if var known = watches[index] {
            let mayBeDurable = known.lastStates.contains { $0.replica == state.replica }
            if !mayBeDurable {
                if !mayBeRestored { fail(lost("\(name(index))'s", from: "an earlier state")) }
                checks.versions.restored(index, to: state.replica)
                checks.registers.restored(index)
                let before = known.memory.replica
                known.begin(state)
                watches[index] = known
                checks.edits.watchRestored(from: before, to: state.replica, others: replicas)
            }
        } else {
            checks.versions.restored(index, to: state.replica)
        }
        watches[index, default: JournaledWatch(state)].begin(state)
        checks.arrivals.restored(Side(watch: index, isHub: false), to: .init(), holding: state.transfers)
        for pending in state.replica.pending { note(pending.upload, index) }
        for edit in state.replica.journal { note(.edit(edit), index) }
        if let snapshot = state.replica.snapshot, knows(snapshot, index) {
            fail(checks.watchStarted(index, with: state))
        } else {
            checks.registers.watchStarted(index, with: state)
        }
    }

    private func lost(_ whose: String, from start: String) -> Checks.Finding {
        Checks.Finding(.durabilityOrder, "\(whose) store lacks what was durable: the next life begins from \(start)")
    }

    private var replicas: [ReplicaState] {
        devices.indices.map { watches[$0]?.memory.replica ?? ReplicaState(incarnation: RandomID(high: 0, low: 0)) }
    }

    private mutating func note(_ upload: Upload, _ index: Int) {
        guard case .edit(let edit) = upload else { return }
        checks.edits.settles(edit, shown: watches[index]?.memory.replica.snapshot)
        for (position, change) in edit.changes.enumerated() {
            checks.edits.add(
                edit.dot(of: position),
                EditChecker.Write(
                    author: index, key: change.key, value: change.value, seen: change.base, seenValue: change.seen,
                    edit: edit.id, isPromised: false))
        }
    }

    private mutating func watchTakes(_ input: WatchEngine.Input, _ index: Int) {
        switch input {
        case .persisted(let record):
            watches[index]?.apply(record)
            guard let memory = watches[index]?.memory else { return }
            if case .transfer(let step) = record {
                checks.arrivals.becameDurable(step, at: Side(watch: index, isHub: false), holding: memory.transfers)
            }
            if case .replica(let record) = record, record.movesSnapshot {
                checks.edits.seen(memory.replica, by: index)
            }
            fail(checks.watchStored(index, memory))
        case .persistFailed: watches[index]?.drop()
        case .connected, .disconnected, .received, .edit, .settle, .transfer, .retry, .farewell, .timeReached: break
        }
    }

    private mutating func watchWants(_ output: WatchEngine.Output, _ index: Int) {
        guard let memory = watches[index]?.memory else { return }
        switch output {
        case .send(let frame):
            fail(checks.watchSends(frame, durable: memory))
            fail(checks.sends(frame, at: Side(watch: index, isHub: false), durable: memory.transfers))
        case .persist(let record):
            if case .replica(let record) = record, case .added(let upload) = record.pending {
                note(upload.upload, index)
            }
            watches[index]?.waiting.append(record)
        case .answer(_, .accepted(let edit)):
            checks.edits.promised(edit)
            let isDurable =
                memory.replica.pending.contains { $0.upload.id == edit.id }
                || memory.replica.journal.contains { $0.id == edit.id }
            guard !isDurable else { return }
            fail(Checks.Finding(.durabilityOrder, "\(name(index)) accepts an edit before it is durable"))
        case .event(.snapshotChanged(let snapshot)):
            guard knows(snapshot, index) else { return }
            fail(checks.shows(index, snapshot, durable: memory))
        case .reconnect, .transfer, .answer, .event: break
        }
    }

    // MARK: - The end

    /// Whether a watch continued, after this journal ended, on another device with the same key: this one was a copy.
    private func isGone(_ index: Int) -> Bool {
        guard let own = watches[index] else { return true }
        return watches.contains { other in
            devices[other.key]?.key == devices[index]?.key && other.value.lastSeen > own.lastSeen
        }
    }

    mutating func end() {
        guard violation == nil, !isBlind else { return }
        guard let hub else { return notes.append("there is no journal of a hub: versions and losses were not judged") }
        let paired = watches.keys.filter { index in
            devices[index].map { checks.isPaired($0.key) } ?? false
        }.sorted()
        let isAtRest = paired.filter { !isGone($0) }.allSatisfy { index in
            let replica = watches[index]?.memory.replica
            return replica?.snapshot?.version == hub.memory.ledger.version && replica?.pending.isEmpty == true
        }
        guard hub.isFromStart else {
            return notes.append("the hub's journal does not begin at revision 0: losses were not judged")
        }
        guard isAtRest else {
            return notes.append("the journals do not end at rest: losses were not judged")
        }
        guard let lost = checks.edits.lost(in: hub.memory.ledger, watches: replicas, paired: paired) else { return }
        fail(Checks.Finding(.noSilentLoss, lost))
        violator = name(hub.index)
    }
}
