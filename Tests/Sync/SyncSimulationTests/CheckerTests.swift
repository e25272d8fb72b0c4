import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// Checks that report something only if the engine has a design fault, or if an attacker has a watch's key.
@Suite(.longWork) struct CheckerTests {
    private let peer = PeerKey.simulated(kind: 1, number: 0, draw: 7)
    private let numbering = RandomID(high: 8, low: 8)
    private let side = Side(watch: 0, isHub: false)

    // MARK: - Uploads

    /// The frames of an upload of edits with these names under consecutive numbers.
    private func upload(_ names: [UInt64], from first: UInt64) -> [[UInt8]] {
        let uploads = names.enumerated().map { place, name in
            let edit = Edit(
                id: RandomID(high: name, low: 0), changes: [], stamp: Stamp(milliseconds: 1, counter: 0, node: 7),
                schema: 1, resolves: nil)
            return NumberedUpload(sequence: first + UInt64(place), upload: .edit(edit)).json
        }
        let body = JSONValue.members([
            "incarnation": .string(numbering.hexadecimal), "first": .hexadecimal(first), "uploads": .array(uploads),
        ])
        return FrameCodec.parts(of: Frame(kind: .upload, session: 1, sequence: first, body: body.encoded))
    }

    private func mark(_ highest: UInt64, names: [UInt64]) -> UploadMark {
        UploadMark(
            incarnation: numbering, highest: highest, last: RandomID(high: names.last ?? 0, low: 0),
            taken: RecentIDs(names.map { RandomID(high: $0, low: 0) }))
    }

    private func taking(through highest: UInt64) -> Transaction {
        let version = Version(epoch: Epoch(number: 1), revision: 1, chain: 0)
        var transaction = Transaction(
            before: version, after: version, stamp: Stamp(milliseconds: 1, counter: 0, node: 0))
        transaction.progress = UploadProgress(
            peer: peer, incarnation: numbering, highest: highest, last: nil, firstPending: 1, outcomes: [], taken: [])
        return transaction
    }

    @Test func `a hub that takes an upload before the ones in front of it came is found`() {
        // I6
        var book = UploadChecker()
        let empty = LedgerState(newEpoch: Epoch(number: 1))
        book.arrives(upload([1], from: 1), from: peer, confirmed: nil)
        book.arrives(upload([3], from: 3), from: peer, confirmed: nil)
        #expect(book.took(taking(through: 1), after: empty) == nil)
        #expect(book.took(taking(through: 3), after: empty)?.rule == .inOrder)
        book.arrives(upload([2], from: 2), from: peer, confirmed: nil)
        #expect(book.took(taking(through: 3), after: empty) == nil)
        #expect(book.took(taking(through: .max), after: empty)?.rule == .inOrder)
    }

    @Test func `a hub that passes over another upload under a number that it has taken is found`() {
        // C14
        var book = UploadChecker()
        book.arrives(upload([1, 2], from: 1), from: peer, confirmed: mark(2, names: [1, 2]))
        #expect(book.handled() == nil, "the same uploads once more")
        book.arrives(upload([3], from: 3), from: peer, confirmed: mark(2, names: [1, 2]))
        #expect(book.handled() == nil, "a new number")
        book.arrives(upload([9], from: 2), from: peer, confirmed: mark(2, names: [1, 2]))
        book.refused()
        #expect(book.handled() == nil, "the hub said so, or dropped it")
        book.arrives(upload([9], from: 2), from: peer, confirmed: mark(2, names: [1, 2]))
        #expect(book.handled()?.rule == .noSilentLoss)
        #expect(book.handled() == nil)
        book.groupBegan()
        book.arrives(upload([9], from: 2), from: peer, confirmed: mark(2, names: [1, 2]))
        #expect(book.handled() == nil, "the hub waits for its store, and looks at it later")
    }

    // MARK: - Salvage

    private func lost(_ id: UInt64, edit: UInt64, _ group: String) -> Conflict {
        let stamp = Stamp(milliseconds: 1, counter: 0, node: 7)
        let loser = Conflict.Side(value: "a", dot: RandomID(high: 1, low: id), stamp: stamp, author: "")
        return Conflict(
            id: loser.dot, edit: RandomID(high: 1, low: edit),
            key: CellKey(kind: "lamp", record: RandomID(high: 0, low: 1), group: group), base: nil, loser: loser,
            winner: nil, rule: .lostInRestore, place: Cell.Place(epoch: Epoch(number: 1), revision: 1))
    }

    @Test func `a watch that brings the cells of a lost edit as edits of their own is found`() {
        // I15
        let record = RandomID(high: 0, low: 1)
        let changes = ["name", "place"].map {
            Edit.Change(key: CellKey(kind: "lamp", record: record, group: $0), value: "a", base: nil, seen: nil)
        }
        let edit = Edit(
            id: RandomID(high: 1, low: 5), changes: changes, stamp: Stamp(milliseconds: 1, counter: 0, node: 7),
            schema: 1, resolves: nil)
        let state = ReplicaState(incarnation: numbering, journal: [edit])
        func finding(_ salvage: [Conflict]) -> Checks.Finding? {
            let uploads = salvage.map { NumberedUpload(sequence: 1, upload: .salvage($0)) }
            let stored = ReplicaRecord(
                snapshot: nil, fence: EpochFence(), incarnation: numbering, nextSequence: 3,
                pending: .replaced(uploads),
                journaled: [])
            return SalvageChecker.finding(stored, remembering: state, at: 0)
        }
        #expect(finding([lost(5, edit: 5, "name"), lost(6, edit: 5, "place")]) == nil)
        #expect(finding([lost(5, edit: 5, "name"), lost(6, edit: 6, "place")])?.rule == .atomicGroups)
        #expect(finding([lost(9, edit: 9, "name")]) == nil, "a cell of which it does not know the edit")
    }

    @Test func `a hub that logs the cells of a lost edit as edits of their own is found`() {
        // I15
        var book = SalvageChecker()
        book.arrives(
            [lost(5, edit: 5, "name"), lost(6, edit: 5, "place")].map {
                NumberedUpload(sequence: 1, upload: .salvage($0))
            },
            from: peer)
        func logging(_ conflict: Conflict) -> Transaction {
            var transaction = taking(through: 1)
            transaction.progress?.taken = [conflict.id]
            transaction.progress?.remembered = [RandomID(high: 9, low: 9)]
            transaction.logged[conflict.id] = conflict
            return transaction
        }
        #expect(book.took(logging(lost(6, edit: 5, "place"))) == nil)
        #expect(book.took(logging(lost(6, edit: 6, "place")))?.rule == .atomicGroups)
        #expect(book.took(logging(lost(8, edit: 8, "place"))) == nil, "it has got another name")
    }

    // MARK: - Deltas

    @Test func `a delta that does not add up is found, at the hub and at a watch`() throws {
        // I23
        let schema = Schema(versions: 1...1, projected: [.init(kind: "lamp", group: "name")])
        func key(_ number: UInt64) -> CellKey {
            CellKey(kind: "lamp", record: RandomID(high: 0, low: number), group: "name")
        }
        var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
        var (generator, history, versions) = (SplitMix64(seed: 1), DeltaHistory(), VersionChecker(watchCount: 1))
        #expect(versions.becameDurable(ledger.state, schema: schema) == nil)
        func commit(_ changes: [CellChange]) {
            let transaction = ledger.prepare(changes, schema: schema, wallMilliseconds: 0, generator: &generator)
            history.add([transaction], to: ledger.state)
            ledger.apply(transaction)
            _ = versions.becameDurable(ledger.state, schema: schema)
        }
        commit([CellChange(key: key(1), value: "a"), CellChange(key: key(2), value: "b")])
        let base = ledger.version
        commit([CellChange(key: key(1), value: "c"), CellChange(key: key(2), value: nil)])
        let whole = try #require(
            history.delta(from: base, to: ledger, schema: schema, records: 1))

        func finding(_ change: (inout SnapshotDelta) -> Void) -> Violation.Rule? {
            var delta = whole
            change(&delta)
            let body = JSONValue.members([
                "base": .members([
                    "epoch": .hexadecimal(1), "revision": .hexadecimal(delta.base.revision),
                    "chain": .hexadecimal(delta.base.chain),
                ]),
                "epoch": .hexadecimal(1), "chain": .hexadecimal(delta.version.chain), "receipt": .null,
            ])
            let frame = Frame(
                kind: .context, session: 1, sequence: delta.version.revision, body: body.encoded, blob: delta.contents)
            return versions.sends(frame, of: ledger.version)?.rule
        }
        #expect(finding { _ in } == nil)
        #expect(finding { $0.gone = [] } == .exactDeltas)
        #expect(finding { $0.gone.append(key(3)) } == .exactDeltas)
        #expect(finding { $0.written = SortedMap() } == .exactDeltas)
        #expect(finding { $0.stamp = nil } == .exactDeltas)
        #expect(finding { $0.settled = [RandomID(high: 1, low: 1)] } == .exactDeltas)
        #expect(finding { $0.base.chain ^= 1 } == .exactDeltas)

        var held = ledger.snapshot(schema)
        #expect(versions.stored(held, byDeltaAt: 0) == nil)
        held.cells[key(2)] = held.cells[key(1)]
        #expect(versions.stored(held, byDeltaAt: 0)?.rule == .exactDeltas)
        #expect(versions.stored(nil, byDeltaAt: 0)?.rule == .exactDeltas)
    }

    // MARK: - The budget

    /// A record with a priority item, paid from the budget or not.
    private func record(_ number: UInt64, isPaid: Bool = true) -> TransferRecord {
        let item = Item(ordinal: number, id: RandomID(high: number, low: 0), payload: [], isCurrent: true)
        let paid: [Exchange.Change] = isPaid ? [.spent(UrgentBudget(day: 0, spent: 1))] : []
        return .exchange(Exchange.Record(number: number, changes: paid + [.added(item, .urgent)]))
    }

    /// The findings if items are requested on these days, with a budget of two.
    private func findings(_ days: [Int64], putBackAfter: Int? = nil) -> [Bool] {
        var book = BudgetChecker(watchCount: 1, perDay: 2)
        return days.enumerated().map { place, day in
            book.asked(record(UInt64(place)), wallMilliseconds: day * 86_400_000 + 5)
            defer { if place == putBackAfter { book.restored(side) } }
            return book.becameDurable(record(UInt64(place)), at: side) != nil
        }
    }

    @Test func `only a clock that goes forward to another day refills a budget`() {
        // R112, R115
        #expect(findings([1, 1, 2, 2, 3, 3]) == [false, false, false, false, false, false])
        #expect(findings([1, 1, 1]) == [false, false, true])
        #expect(findings([1, 1, 0]) == [false, false, true])
        #expect(findings([-1, -1, -2]) == [false, false, true])
        #expect(findings([9, 8, 8]) == [false, false, true])
        // The same applies to a clock that goes back and forth.
        #expect(findings([9, 9, 8, 9, 10]) == [false, false, true, true, false])
        #expect(findings([9, 0, 1, 10]) == [false, false, true, false])
        // A restored store has the budget of its time.
        #expect(findings([1, 1, 1], putBackAfter: 0) == [false, false, false])
    }

    // MARK: - Messages and files

    @Test func `a message that waits when its session is over is found`() {
        var book = MessageChecker()
        book.sent(RequestID(number: 4), at: side, deadline: Instant(nanoseconds: 5))
        #expect(book.sessionEnded(side.other) == nil)
        #expect(book.sessionEnded(side)?.rule == .atMostOnce)
        _ = book.ended(RequestID(number: 4), now: Instant(nanoseconds: 1), awake: Instant(nanoseconds: 0))
        #expect(book.sessionEnded(side) == nil)
    }

    // MARK: - Windows and timers

    private func register(_ number: UInt64, order: UInt64) -> Frame {
        let value = (0..<8).map { UInt8(truncatingIfNeeded: order >> (8 * $0)) }
        return Frame(kind: .register, session: 5, sequence: number, blob: value)
    }

    private func credit(_ highest: UInt64, missing: [UInt64] = []) -> Frame {
        let body = JSONValue.members(["missing": .array(missing.map { .hexadecimal($0) })])
        return Frame(kind: .credit, session: 5, sequence: highest, body: body.encoded)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test(arguments: [1, 2, 4, 16, 64])
    func `one register more than the window is found, whatever the window`(_ window: Int) {
        var book = CreditChecker(watchCount: 1)
        for number in 1...UInt64(window) {
            #expect(book.hubSends(register(number, order: number), to: 0, window: window, now: at(0)) == nil)
        }
        let next = UInt64(window) + 1
        var full = book
        #expect(full.hubSends(register(next, order: next), to: 0, window: window, now: at(1))?.rule == .boundedQueues)
        var credited = book
        credited.hubReceives(credit(1), now: at(1))
        #expect(credited.hubSends(register(next, order: next), to: 0, window: window, now: at(1)) == nil)
        // Values that count as lost after the timeout make room.
        #expect(book.hubSends(register(next, order: 1), to: 0, window: window, now: at(2000)) == nil)
    }

    @Test func `a register that goes again for nothing, or does not go again in time, is found`() {
        var book = CreditChecker(watchCount: 1)
        #expect(book.hubSends(Frame(kind: .welcome, session: 5), to: 0, window: 4, now: at(0)) == nil)
        for number: UInt64 in 1...3 {
            #expect(book.hubSends(register(number, order: number), to: 0, window: 4, now: at(0)) == nil)
        }
        book.hubReceives(credit(2, missing: [1]), now: at(1000))
        var again = book
        #expect(again.hubSends(register(4, order: 1), to: 0, window: 4, now: at(1001)) == nil)
        again = book
        #expect(again.hubSends(register(4, order: 2), to: 0, window: 4, now: at(1001))?.rule == .thrift)
        again = book
        #expect(again.hubSends(register(4, order: 3), to: 0, window: 4, now: at(1001))?.rule == .thrift)
        #expect(book.overdue(for: 0, awake: at(0), now: at(3050)) == nil)
        #expect(book.overdue(for: 0, awake: at(0), now: at(3051))?.rule == .timeliness)
        #expect(book.overdue(for: 0, awake: at(3020), now: at(3051)) == nil)
        #expect(book.hubSends(register(4, order: 3), to: 0, window: 4, now: at(3000)) == nil)
        book.hubReceives(credit(4), now: at(3100))
        #expect(book.overdue(for: 0, awake: at(0), now: at(9000)) == nil)
    }

    private func item(_ number: UInt64, session: UInt64 = 5, byteCount: Int = 1) -> Frame {
        let body = JSONValue.members(["stream": .string(numbering.hexadecimal)])
        return Frame(
            kind: .item, session: session, sequence: number, body: body.encoded,
            blob: [UInt8](repeating: 0, count: byteCount))
    }

    @Test func `one item more than the window of items or of their bytes is found`() {
        var book = CreditChecker(watchCount: 1)
        for number: UInt64 in 1...32 { #expect(book.sends(item: item(number), at: side) == nil) }
        var full = book
        #expect(full.sends(item: item(33), at: side)?.rule == .boundedQueues)
        var acknowledged = item(1)
        acknowledged.kind = .itemAcknowledged
        book.acknowledges(acknowledged, at: side)
        #expect(book.sends(item: item(33), at: side) == nil)
        full = book
        #expect(full.sends(item: item(1), at: side)?.rule == .thrift)
        #expect(book.sends(item: item(35), at: side)?.rule == .inOrder)
        for number: UInt64 in 1...4 {
            #expect(book.sends(item: item(number, session: 6, byteCount: 65_536), at: side) == nil)
        }
        #expect(book.sends(item: item(5, session: 6), at: side)?.rule == .boundedQueues)
        #expect(book.sends(item: item(1, session: 7, byteCount: 300_000), at: side) == nil)
        // The acknowledgement that opens a session is read after its item was sent again.
        var opening = item(1, session: 8)
        opening.kind = .itemAcknowledged
        book.acknowledges(opening, at: side)
        for number: UInt64 in 1...33 { #expect(book.sends(item: item(number, session: 8), at: side) == nil) }
        #expect(book.sends(item: item(34, session: 8), at: side)?.rule == .boundedQueues)
    }

    @Test func `a second snapshot before the first is settled is found`() {
        func snapshot(_ revision: UInt64) -> Frame { Frame(kind: .context, session: 5, sequence: revision) }
        var book = CreditChecker(watchCount: 1)
        #expect(book.hubSends(snapshot(1), to: 0, window: 4, now: at(0)) == nil)
        var early = book
        #expect(early.hubSends(snapshot(2), to: 0, window: 4, now: at(1999))?.rule == .boundedQueues)
        #expect(book.hubSends(snapshot(2), to: 0, window: 4, now: at(2000)) == nil)
        book.hubReceives(Frame(kind: .contextAcknowledged, session: 5, sequence: 2), now: at(2001))
        #expect(book.hubSends(snapshot(3), to: 0, window: 4, now: at(2002)) == nil)
    }

    // MARK: - Parts of files

    private func part(_ kind: FrameKind, _ start: UInt64, _ count: Int, arrived: UInt64 = 0, session: UInt64 = 5)
        -> Frame
    {
        let id = JSONValue.string(RandomID(high: 1, low: 1).hexadecimal)
        guard kind == .pull else {
            let body = JSONValue.members(["id": id])
            return Frame(
                kind: kind, session: session, sequence: start, body: body.encoded,
                blob: [UInt8](repeating: 0, count: count))
        }
        let body = JSONValue.members([
            "id": id, "offset": .hexadecimal(start), "bytes": .hexadecimal(UInt64(count)),
            "arrived": .hexadecimal(arrived),
        ])
        return Frame(kind: kind, session: session, sequence: 1, body: body.encoded)
    }

    @Test func `bytes of a file that are asked for twice, or left in the memory after a session, are found`() {
        var book = FilePartChecker(watchCount: 1)
        #expect(book.sends(part(.pull, 0, 400), at: side) == nil)
        for start: UInt64 in [0, 100] { book.receives(part(.chunk, start, 100), at: side) }
        book.receives(part(.chunk, 300, 100), at: side)
        book.sessionEnded(side, now: at(0))
        book.receives(part(.chunk, 200, 100), at: side)
        var twice = book
        #expect(twice.sends(part(.pull, 100, 300, arrived: 100, session: 6), at: side)?.rule == .thrift)
        var again = book
        #expect(again.sends(part(.pull, 200, 200, arrived: 200, session: 6), at: side) == nil)
        var files = SimulatedFiles()
        let digest = FileDigest.simulated(of: [])
        let offer = FileOffer(
            id: RandomID(high: 1, low: 1), name: "1-400", byteCount: 400, digest: digest, metadata: [])
        _ = files.carryOut(.begin(offer, durable: 0), fault: nil)
        #expect(book.overdue(side, files: files, awake: at(0), now: at(500)) == nil)
        #expect(book.overdue(side, files: files, awake: at(0), now: at(501))?.rule == .durabilityOrder)
        _ = files.carryOut(.write(offer.id, offset: 0, [UInt8](repeating: 0, count: 200)), fault: nil)
        _ = files.carryOut(.sync(offer.id), fault: nil)
        #expect(book.overdue(side, files: files, awake: at(0), now: at(501)) == nil)
    }

    @Test func `what is replayed on another connection of the hub has not arrived`() {
        let hub = Side(watch: 0, isHub: true)
        var book = FilePartChecker(watchCount: 1)
        #expect(book.sends(part(.pull, 0, 400), at: hub, on: 1) == nil)
        book.receives(part(.chunk, 0, 100), at: hub, on: 1)
        book.receives(part(.chunk, 100, 100), at: hub, on: 2)
        book.sessionEnded(hub, now: at(0))
        #expect(book.sends(part(.pull, 50, 350, arrived: 100, session: 6), at: hub, on: 2)?.rule == .thrift)
        #expect(book.sends(part(.pull, 100, 300, arrived: 100, session: 6), at: hub, on: 2) == nil)
    }

    @Test func `a sender that sends what nobody asked for is found`() {
        var book = FilePartChecker(watchCount: 1)
        book.receives(part(.pull, 0, 200), at: side)
        #expect(book.sends(part(.chunk, 100, 100), at: side) == nil)
        #expect(book.sends(part(.chunk, 100, 101), at: side)?.rule == .boundedQueues)
        #expect(book.sends(part(.chunk, 100, 100, session: 6), at: side)?.rule == .boundedQueues)
        // A request of an earlier session arrives late, and does not count for this one.
        book.receives(part(.pull, 0, 50, session: 4), at: side)
        #expect(book.sends(part(.chunk, 100, 100), at: side) == nil)
        #expect(book.sends(part(.chunk, 0, 100, session: 4), at: side)?.rule == .boundedQueues)
    }

    // MARK: - Epochs

    @Test func `a history that has changed otherwise than its transaction says is found`() {
        var before = LedgerState(newEpoch: Epoch(number: 1))
        var transaction = taking(through: 1)
        transaction.before = before.version
        transaction.after = Version(epoch: Epoch(number: 2), revision: 1, chain: 7)
        transaction.progress = nil
        var after = before
        after.apply(transaction)
        #expect(HistoryChecker.finding(transaction, from: before, to: after) == nil)
        for wrong: UInt64? in [1, nil] {
            var other = after
            other.lineage[Epoch(number: 1)] = wrong
            #expect(HistoryChecker.finding(transaction, from: before, to: other)?.rule == .history)
        }
        // At the limit, the lowest one is removed.
        for number in 0..<UInt64(LedgerState.lineageCountMax) { before.lineage[Epoch(number: 100 + number)] = number }
        before.version.revision = 300
        transaction.before = before.version
        transaction.after.revision = 301
        after = before
        after.apply(transaction)
        #expect(HistoryChecker.finding(transaction, from: before, to: after) == nil)
        after.lineage[Epoch(number: 101)] = nil
        #expect(HistoryChecker.finding(transaction, from: before, to: after)?.rule == .history)
    }

    @Test func `a watch that forgets an epoch too early is found`() {
        let epochs = (1...64).map { Epoch(number: $0) }
        let full = EpochFence(current: Epoch(number: 65), abandoned: epochs)
        func finding(_ left: [Epoch]) -> Violation.Rule? {
            HistoryChecker.finding(0, from: full, to: EpochFence(current: Epoch(number: 66), abandoned: left))?.rule
        }
        #expect(finding(Array(epochs.dropFirst()) + [Epoch(number: 65)]) == nil)
        #expect(finding(Array(epochs.dropFirst(2)) + [Epoch(number: 65)]) == .history)
        #expect(finding(Array(epochs.dropFirst())) == .history)
        #expect(HistoryChecker.finding(0, from: full, to: full) == nil)
    }

    @Test func `a disk knows which bytes belong where, and how many will survive`() {
        let sample = SampleFile(number: 3, byteCount: 600)
        let id = RandomID(high: 1, low: 1)
        let offer = FileOffer(
            id: id, name: sample.name, byteCount: 600, digest: .simulated(of: sample.bytes), metadata: sample.metadata)
        var files = SimulatedFiles()
        _ = files.carryOut(.begin(offer, durable: 0), fault: nil)
        let part = Array(sample.bytes[..<300])
        #expect(files.belongs(part, to: id, at: 0))
        #expect(!files.belongs(part, to: id, at: 300))
        #expect(!files.belongs(part, to: id, at: 400), "beyond its end")
        _ = files.carryOut(.write(id, offset: 0, part), fault: nil)
        #expect(files.byteCounts(of: id) == (300, 0))
        _ = files.carryOut(.sync(id), fault: nil)
        #expect(files.byteCounts(of: id) == (300, 300))
    }
}
