import SyncCore

/// What a run requests once the faults have ended and all devices have converged.
///
/// What is sent from then on meets no fault: it arrives, is answered, and is kept. It is tried in the existing
/// sessions, in new ones, and after a restart of all processes; at last nothing is requested, and nothing may be sent.
/// ``QuietChecker`` checks the results.
struct QuietPhase {
    private var draws: SplitMix64

    init(draws: SplitMix64) {
        self.draws = draws
    }

    /// Begins the next phase; false if that was the last.
    mutating func beginNext(_ checked: inout CheckedWorld) -> Bool {
        while let phase = QuietChecker.Phase(rawValue: checked.record.quiet.phase.map { $0.rawValue + 1 } ?? 0) {
            checked.record.quiet.begin(phase)
            guard checked.passes(.encore, number: phase.rawValue + 1) else { continue }
            checked.record.line(.world, "is asked for more: \(phase)")
            switch phase {
            case .pairing: inviteAll(&checked)
            case .firstWork, .secondWork, .thirdWork: workOnce(&checked)
            case .newSessions: breakAll(&checked)
            case .newLives: Self.restartAll(&checked)
            case .rest: break
            }
            return true
        }
        return false
    }

    /// The watches that have to converge.
    private static func partners(_ checked: CheckedWorld) -> [Int] {
        checked.watches.indices.filter {
            $0 != checked.record.hostile && checked.world.watches[$0].engine != nil
                && checked.record.checks.isPaired(checked.world.watches[$0].key)
        }
    }

    private mutating func inviteAll(_ checked: inout CheckedWorld) {
        for watch in checked.watches.indices
        where checked.watches[watch].role == .idle || checked.isForgotten(watch) {
            let key = checked.application.nextInvitation(using: &draws)
            let request = checked.application.nextRequest()
            checked.askHub(
                request, for: .invitation(key, watches: [watch]),
                .invite(request, key: key, name: nil, validMilliseconds: 3_600_000))
        }
    }

    private mutating func breakAll(_ checked: inout CheckedWorld) {
        for watch in Self.partners(checked) {
            for isHub in [false, true] {
                Self.sendFile(byteCount: 160_000, from: Side(watch: watch, isHub: isHub), &checked)
            }
        }
        for watch in checked.watches.indices {
            guard let connection = checked.world.connection(of: watch) else { continue }
            let wait = Duration.milliseconds(20) + draws.duration(upTo: .milliseconds(120))
            checked.world.hangUp(connection, after: wait)
        }
    }

    private static func restartAll(_ checked: inout CheckedWorld) {
        checked.crashHub(downtime: .milliseconds(40))
        for watch in checked.watches.indices {
            checked.world.turnClock(of: .watch(watch), milliseconds: -3_600_000)
            checked.crashWatch(watch, downtime: .milliseconds(20))
        }
    }

    // MARK: - Work

    private mutating func workOnce(_ checked: inout CheckedWorld) {
        checked.record.quiet.beginWork()
        for watch in checked.watches.indices {
            for isHub in [false, true] { Self.answerAll(Side(watch: watch, isHub: isHub), &checked) }
        }
        for _ in 0..<checked.application.registerCount {
            let register = checked.application.nextRegister(using: &draws)
            checked.record.checks.published(register)
            checked.give(.publish(register))
        }
        let partners = Self.partners(checked)
        for watch in partners {
            for side in [Side(watch: watch, isHub: false), Side(watch: watch, isHub: true)] {
                for wantsReply in [false, true] { Self.sendMessage(wantsReply: wantsReply, from: side, &checked) }
                for isUrgent in [false, true] { Self.sendItem(isUrgent: isUrgent, from: side, &checked) }
                Self.sendFile(byteCount: 1000, from: side, &checked)
            }
        }
        for watch in partners { edit(at: watch, &checked) }
        let request = checked.application.nextRequest()
        let key = CellKey(kind: "lamp", record: RandomID(using: &draws), group: "wiring")
        let value = "encore \(request.number)"
        checked.record.quiet.expect(value, of: key, by: nil)
        checked.askHub(
            request, for: .change(expected: nil),
            .transact(request, [CellChange(key: key, value: value)], expected: nil))
    }

    /// The application of a side answers what it left unanswered, so that there is room for more.
    private static func answerAll(_ side: Side, _ checked: inout CheckedWorld) {
        let run = checked.world.run(of: side.device)
        for id in checked.record.checks.messages.unanswered(at: side) {
            checked.react(.reply(id, .reply), at: side, run: run)
        }
    }

    private static func sendMessage(wantsReply: Bool, from side: Side, _ checked: inout CheckedWorld) {
        let request = checked.newRequest(at: side)
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: request.number >> (8 * UInt64($0))) }
        checked.record.quiet.expect(message: request, payload, of: side.watch)
        checked.transfers.sent(message: request, at: side, &checked.record)
        checked.give(.exchange(.message(request, Message(payload: payload, wantsReply: wantsReply))), to: side)
    }

    private static func sendItem(isUrgent: Bool, from side: Side, _ checked: inout CheckedWorld) {
        let number = checked.application.nextItem()
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        let request = checked.newRequest(at: side)
        checked.give(.exchange(.transfer(request, .init(payload: payload, isUrgent: isUrgent))), to: side)
    }

    private static func sendFile(byteCount: Int, from side: Side, _ checked: inout CheckedWorld) {
        let file = SampleFile(number: checked.application.nextFile(), byteCount: byteCount)
        let bytes = file.bytes
        checked.world.keep(bytes, as: file.name, at: side)
        let request = checked.newRequest(at: side)
        checked.give(
            .files(
                .send(
                    request, file: file.name, name: file.name, byteCount: UInt64(byteCount),
                    FileDigest.simulated(of: bytes), metadata: file.metadata)), to: side)
    }

    /// The person at a watch restores a conflict, changes what is shown, and adds something.
    private mutating func edit(at watch: Int, _ checked: inout CheckedWorld) {
        guard let snapshot = checked.world.watches[watch].engine?.snapshot, !checked.world.isHeldUp(watch)
        else { return }
        let record = Schema.record(of: checked.world.watches[watch].key)
        let layout = CellKey(kind: "layout", record: record, group: "order")
        var keys = Set(checked.record.quiet.keys).union([layout])
        let ledger = checked.world.hub.stored.ledger
        if let (conflict, together) = Self.conflictToRestore(in: snapshot, without: keys, by: ledger) {
            for lost in together {
                keys.insert(lost.key)
                checked.record.quiet.expect(lost.loser.value, of: lost.key, by: watch)
                checked.record.quiet.expect(settled: lost.id, by: watch)
            }
            checked.settle(conflict, isRestored: true, at: watch)
        }
        let number = checked.application.nextValue()
        var changes = [CellChange(key: layout, value: "encore \(number)")]
        let lamps = snapshot.cells.keys.filter {
            $0.kind == "lamp" && $0.group != "wiring" && !keys.contains($0)
        }
        let added = CellKey(kind: "lamp", record: RandomID(using: &draws), group: "name")
        for key in [added] + (lamps.isEmpty ? [] : [draws.pick(lamps)]) {
            changes.append(CellChange(key: key, value: "encore \(number) of \(key.group)"))
        }
        for change in changes {
            checked.record.quiet.expect(change.value, of: change.key, by: watch)
            checked.edit([change], at: watch)
        }
    }

    /// A conflict that the person at a watch can restore with all of its edit: the current value is the one that it
    /// lost against, and the hub's application accepts the values.
    private static func conflictToRestore(
        in snapshot: Snapshot, without keys: Set<CellKey>, by ledger: LedgerState
    ) -> (conflict: Conflict, together: [Conflict])? {
        for conflict in snapshot.conflicts.values {
            let together = snapshot.conflicts.values.filter { $0.edit == conflict.edit }
            let isRestorable = together.allSatisfy { lost in
                let standing = ledger.cells[lost.key]
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
}
