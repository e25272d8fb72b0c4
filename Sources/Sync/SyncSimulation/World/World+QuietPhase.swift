import SyncCore

/// What a run is asked for once the faults have ended and everybody holds the truth.
///
/// Whatever is sent from then on has nothing in its way: it arrives, is answered, and stands. It is tried in the sessions
/// that there are, in new ones, and in new lives of all processes; at last nothing is asked for, and nothing may be sent.
struct QuietPhase {
    /// What is done, one after the other; each stage ends when everybody holds the truth again.
    enum Stage: Int, CaseIterable {
        /// Watches that are not paired get an invitation.
        case pairing
        /// Everybody sends and changes something.
        case firstWork
        /// All connections break while files are on their way.
        case newSessions
        case secondWork
        /// All processes end and start again, and the watches' wall clocks go back.
        case newLives
        case thirdWork
        /// Nothing is asked for.
        case rest
    }

    /// The stage of now, nil before the first.
    var stage: Stage?
    /// What was counted before the first.
    var occasions: CoverageCounts?
    /// The messages that have to be answered, with the watch of each and what they say.
    var messages: [UInt64: (watch: Int, payload: [UInt8])] = [:]
    /// What has to reach its handlers.
    var payloads: [[UInt8]] = []
    /// The watches whose numbering contradicted the hub's in this stage: that ends a session, as it has to.
    var contradicted: Set<Int> = []
    /// The values that have to stand, and the watch that brings each, nil for the hub.
    var values = SortedMap<CellKey, (value: String?, watch: Int?)>()
    /// The conflicts that have to be settled, and the watch that does.
    var conflicts: [RandomID: Int] = [:]
    var draws: SplitMix64

    init(draws: SplitMix64) {
        self.draws = draws
    }
}

extension World {
    /// Begins the next stage; false if that was the last.
    mutating func nextStage() -> Bool {
        encore.occasions = encore.occasions ?? occasions
        while let stage = QuietPhase.Stage(rawValue: encore.stage.map { $0.rawValue + 1 } ?? 0) {
            encore.stage = stage
            guard passes(.encore, number: stage.rawValue + 1) else { continue }
            trace.line(now, .world, "is asked for more: \(stage)")
            switch stage {
            case .pairing: inviteAll()
            case .firstWork, .secondWork, .thirdWork: workOnce()
            case .newSessions: breakAll()
            case .newLives: restartAll()
            case .rest: break
            }
            return true
        }
        return false
    }

    /// The time for which nothing may change before a stage ends: at rest longer than after what anything is sent again.
    var calmness: Duration {
        switch encore.stage {
        case nil: .seconds(1)
        case .rest: .milliseconds(2500)
        case .pairing, .firstWork, .newSessions, .secondWork, .newLives, .thirdWork: .milliseconds(300)
        }
    }

    /// What this stage still waits for, nil if nothing.
    func missingInEncore() -> (Violation.Rule, String)? {
        if let number = encore.messages.keys.min() { return (.delivery, "message \(number) has no outcome") }
        guard encore.payloads.allSatisfy(checks.messages.isHandled) else {
            return (.delivery, "a message that nothing stands in the way of never arrives")
        }
        let ledger = world.hub.stored.ledger
        // What comes from a watch whose share of the log is full waits for a person.
        let heldUp = Set(watches.indices.filter { world.watches[$0].engine.map(isHeldUp) ?? false })
        for (key, wanted) in encore.values.pairs where ledger.cells[key]?.value != wanted.value {
            if let watch = wanted.watch, heldUp.contains(watch) { continue }
            return (.delivery, "\(wanted.value ?? "deletion") of \(key.kind)/\(key.group) does not stand")
        }
        guard encore.conflicts.allSatisfy({ ledger.conflicts[$0.key] == nil || heldUp.contains($0.value) }) else {
            return (.restorable, "a conflict that was settled is open")
        }
        return nil
    }

    // MARK: - What may go wrong no more

    /// A message that was sent now has an outcome.
    mutating func answeredInEncore(_ request: RequestID, _ answer: Exchange.Answer) {
        guard let message = encore.messages.removeValue(forKey: request.number), case .failed(let fault) = answer
        else { return }
        guard !encore.contradicted.contains(message.watch) else {
            return encore.payloads.removeAll { $0 == message.payload }
        }
        fail(.delivery, "message \(request.number), which nothing stands in the way of, fails: \(fault)")
    }

    /// Something that was asked for now was declined.
    mutating func declined(_ reason: some Any, at side: Side) {
        guard encore.stage != nil, !isHostile(side) else { return }
        fail(.delivery, "\(side.name) declines what nothing stands in the way of: \(reason)")
    }

    /// A frame is sent.
    mutating func noteAtRest(_ frame: Frame, at side: Side) {
        guard encore.stage == .rest, frame.kind.lane != .control || frame.kind == .credit else { return }
        let isHeldUp = world.watches[side.watch].engine.map(isHeldUp) ?? false
        guard !isHeldUp else { return }
        fail(.thrift, "\(side.name) sends \(frame.kind) when nothing is left to be sent")
    }

    // MARK: - The stages

    /// The watches of which nothing but the truth is expected.
    private var partners: [Int] {
        watches.indices.filter {
            $0 != hostile && world.watches[$0].engine != nil && checks.isPaired(world.watches[$0].key)
        }
    }

    private mutating func inviteAll() {
        for watch in watches.indices
        where watches[watch].role == .idle || isForgotten(watch) {
            application.lastInvitation += 1
            let key = PeerKey.simulated(kind: 2, number: application.lastInvitation, draw: encore.draws.next())
            let request = application.nextRequest()
            application.invitations[request.number] = (key, [watch])
            hub.requests[request.number] = .some(nil)
            stepHub(.invite(request, key: key, name: nil, validMilliseconds: 3_600_000))
        }
    }

    private mutating func workOnce() {
        encore.values = SortedMap()
        encore.conflicts = [:]
        encore.contradicted = []
        for watch in watches.indices {
            for isHub in [false, true] { answerAll(Side(watch: watch, isHub: isHub)) }
        }
        for _ in 0..<application.registerCount {
            let register = application.nextRegister(using: &encore.draws)
            checks.published(register)
            stepHub(.publish(register))
        }
        let partners = partners
        for watch in partners {
            for side in [Side(watch: watch, isHub: false), Side(watch: watch, isHub: true)] {
                for wantsReply in [false, true] { message(wantsReply: wantsReply, from: side) }
                for isUrgent in [false, true] { transfer(isUrgent: isUrgent, from: side) }
                send(byteCount: 1000, from: side)
            }
        }
        for watch in partners { edit(at: watch) }
        let request = application.nextRequest()
        let key = CellKey(kind: "lamp", record: RandomID(using: &encore.draws), group: "wiring")
        encore.values[key] = ("encore \(request.number)", nil)
        hub.requests[request.number] = .some(nil)
        stepHub(.transact(request, [CellChange(key: key, value: "encore \(request.number)")], expected: nil))
    }

    /// The application of a side answers what it left unanswered, so that there is room for more.
    private mutating func answerAll(_ side: Side) {
        let run = world.run(of: side.device)
        for id in checks.messages.unanswered(at: side) { react(.reply(id, .reply), of: side, run: run) }
    }

    private mutating func message(wantsReply: Bool, from side: Side) {
        let request = openRequest(at: side)
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: request.number >> (8 * UInt64($0))) }
        application.messages.insert(request.number)
        encore.messages[request.number] = (side.watch, payload)
        encore.payloads.append(payload)
        let timeout = transferConfiguration.exchange.messageTimeout
        checks.messages.sent(request, at: side, deadline: now.advanced(by: timeout))
        stepTransfer(.exchange(.message(request, Message(payload: payload, wantsReply: wantsReply))), at: side)
    }

    private mutating func transfer(isUrgent: Bool, from side: Side) {
        application.lastItem += 1
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: application.lastItem >> (8 * UInt64($0))) }
        let request = openRequest(at: side)
        stepTransfer(.exchange(.transfer(request, .init(payload: payload, isUrgent: isUrgent))), at: side)
    }

    private mutating func send(byteCount: Int, from side: Side) {
        application.lastFile += 1
        let file = SampleFile(number: application.lastFile, byteCount: byteCount)
        let bytes = file.bytes
        world.keep(bytes, as: file.name, at: side)
        let request = openRequest(at: side)
        stepTransfer(
            .files(
                .send(
                    request, file: file.name, name: file.name, byteCount: UInt64(byteCount),
                    FileDigest.simulated(of: bytes), metadata: file.metadata)), at: side)
    }

    /// The person at a watch puts a conflict back, changes what is shown, and adds something.
    private mutating func edit(at watch: Int) {
        guard let engine = world.watches[watch].engine, let snapshot = engine.snapshot, !isHeldUp(engine)
        else { return }
        let layout = CellKey(kind: "layout", record: Schema.record(of: world.watches[watch].key), group: "order")
        var keys = Set(encore.values.keys).union([layout])
        if let (conflict, together) = conflictToRestore(in: snapshot, without: keys) {
            for lost in together {
                keys.insert(lost.key)
                encore.values[lost.key] = (lost.loser.value, watch)
                encore.conflicts[lost.id] = watch
            }
            settle(conflict, restoring: true, at: watch)
        }
        application.lastValue += 1
        var changes = [CellChange(key: layout, value: "encore \(application.lastValue)")]
        let lamps = snapshot.cells.keys.filter {
            $0.kind == "lamp" && $0.group != "wiring" && !keys.contains($0)
        }
        let added = CellKey(kind: "lamp", record: RandomID(using: &encore.draws), group: "name")
        for key in [added] + (lamps.isEmpty ? [] : [encore.draws.pick(lamps)]) {
            changes.append(CellChange(key: key, value: "encore \(application.lastValue) of \(key.group)"))
        }
        for change in changes {
            encore.values[change.key] = (change.value, watch)
            wish([change], at: watch)
        }
    }

    /// A conflict that the person at a watch can put back with all of its edit: what stands is what it lost against, and
    /// nobody objects to the values.
    private func conflictToRestore(
        in snapshot: Snapshot, without keys: Set<CellKey>
    ) -> (conflict: Conflict, together: [Conflict])? {
        let cells = world.hub.stored.ledger.cells
        for conflict in snapshot.conflicts.values {
            let together = snapshot.conflicts.values.filter { $0.edit == conflict.edit }
            let isRestorable = together.allSatisfy { lost in
                let standing = cells[lost.key]
                return Application.schema.rule(of: lost.key)?.authority == .shared && !keys.contains(lost.key)
                    && Application.objection(lost.key, lost.loser.value) == nil
                    && lost.loser.value != standing?.value
                    && (standing?.value != nil || standing.map { $0.dot == lost.winner?.dot } ?? true)
                    && (standing != nil || lost.loser.value != nil)
            }
            guard isRestorable, Set(together.map(\.key)).count == together.count else { continue }
            return (conflict, together)
        }
        return nil
    }

    private mutating func breakAll() {
        for watch in partners {
            for isHub in [false, true] { send(byteCount: 160_000, from: Side(watch: watch, isHub: isHub)) }
        }
        for watch in watches.indices {
            guard let connection = world.connection(of: watch) else { continue }
            let wait = Duration.milliseconds(20) + encore.draws.duration(upTo: .milliseconds(120))
            world.hangUp(connection, after: wait)
        }
    }

    private mutating func restartAll() {
        crashHub(downtime: .milliseconds(40))
        for watch in watches.indices {
            world.turnClock(of: .watch(watch), milliseconds: -3_600_000)
            crashWatch(watch, downtime: .milliseconds(20))
        }
    }
}
