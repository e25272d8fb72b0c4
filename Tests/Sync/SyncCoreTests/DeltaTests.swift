import TestSupport
import Testing

@testable import SyncCore

/// What has changed goes to a watch in place of a whole snapshot (PROTOCOL §6), at the hub.
@Suite(.longWork) struct DeltaTests {
    private let watch = key(1)
    private let cells: [UInt64] = Array(1...20)

    /// A hub with 20 cells, and a paired watch that holds all of them; returns the session.
    private func linked(takesDeltas: Bool = true, schema: Schema = schema) throws -> (HubScript, UInt64) {
        var hub = HubScript(schema: schema)
        hub.pair(watch, at: 0)
        write(&hub, cells.map { ($0, "a device with a name of a usual length") }, at: 0)
        let greeted = hub.greet(watch, on: connection(1), takesDeltas: takesDeltas, at: 1)
        let session = try #require(greeted)
        acknowledge(&hub, session, at: 1)
        return (hub, session)
    }

    private func write(_ hub: inout HubScript, _ values: [(UInt64, String?)], at milliseconds: Int64) {
        let changes = values.map { CellChange(key: note($0.0), value: $0.1) }
        hub.feed(.transact(.init(number: 1), changes, expected: nil), at: milliseconds)
        hub.store(at: milliseconds)
    }

    private func acknowledge(_ hub: inout HubScript, _ session: UInt64, at milliseconds: Int64) {
        hub.send(hub.engine.version.acknowledgement(session: session), watch, connection(1), at: milliseconds)
        hub.outputs = []
    }

    // MARK: - What goes

    @Test func `only what has changed since the acknowledged version goes to who takes it`() throws {
        var (hub, session) = try linked()
        let before = hub.engine.snapshot
        write(&hub, [(3, "new"), (4, nil), (99, "another")], at: 2)
        let delta = try #require(try hub.deltas().first ?? nil)
        #expect(delta.base == before.version)
        #expect(delta.version == hub.engine.version)
        #expect(delta.written.keys == [note(3), note(99)])
        #expect(delta.gone == [note(4)])
        #expect(delta.logged.isEmpty && delta.settled.isEmpty)
        var after = before
        #expect(after.isBase(of: delta))
        after.apply(delta)
        #expect(after == hub.engine.snapshot)
        #expect(after.contents == hub.engine.snapshot.contents)
        acknowledge(&hub, session, at: 3)
        write(&hub, [(4, "back")], at: 4)
        #expect(try hub.deltas().map { $0?.written.keys } == [[note(4)]])
    }

    @Test func `who does not say that it takes deltas gets whole snapshots, as before there were deltas`() throws {
        var (hub, _) = try linked(takesDeltas: false)
        write(&hub, [(3, "new")], at: 2)
        let version = hub.engine.version
        let body = #"{"chain":"\#(Hexadecimal.text(version.chain))","epoch":"0000000000000001","receipt":null}"#
        let frames = hub.contextFrames()
        #expect(frames.map(\.body) == [Array(body.utf8)])
        #expect(frames.map(\.blob) == [hub.engine.snapshot.contents])
    }

    @Test(arguments: [("", false), (#""deltas":0,"#, false), (#""deltas":1,"#, true)])
    func `the member of the greeting is optional`(_ member: String, _ takesDeltas: Bool) throws {
        let hello = Hello(nonce: 7, wire: 1...1, schema: 1...1, name: "w", epoch: nil, known: nil, window: 4)
        var frame = hello.frame
        frame.body = Array("{\(member)".utf8) + frame.body.dropFirst()
        #expect(try Hello(frame).takesDeltas == takesDeltas)
        frame.body = Array(#"{"deltas":2,"#.utf8) + hello.frame.body.dropFirst()
        #expect(throws: FrameError.body("deltas: expected a whole number in 0...1")) { try Hello(frame) }
    }

    @Test func `a renamed one of 200 devices takes less than 1 KB for each watch`() throws {
        var (hub, session) = try linked()
        write(&hub, (1...200).map { ($0, #"{"name":"A device with a name of a usual length"}"#) }, at: 2)
        acknowledge(&hub, session, at: 3)
        write(&hub, [(77, #"{"name":"A device with another name of a usual length"}"#)], at: 4)
        let frame = try #require(hub.contextFrames().first)
        #expect(FrameCodec.parts(of: frame).joined().count < 1024)
    }

    @Test func `a greeting with an older version is followed by what has changed since`() throws {
        var (hub, _) = try linked()
        let known = hub.engine.version
        for number in 1...5 { write(&hub, [(UInt64(number), "x")], at: 2) }
        hub.feed(.unroutable(connection(1)), at: 3)
        hub.outputs = []
        _ = hub.greet(watch, on: connection(2), known: known, knownRecords: 1, takesDeltas: true, nonce: 8, at: 4)
        let delta = try #require(try hub.deltas().first ?? nil)
        #expect(delta.base == known)
        #expect(delta.written.keys == (1...5).map { note($0) })
    }

    @Test func `a cell that came and went since the base is not told`() throws {
        var (hub, _) = try linked()
        let known = hub.engine.version
        write(&hub, [(99, "short")], at: 2)
        write(&hub, [(99, nil)], at: 2)
        hub.outputs = []
        _ = hub.greet(watch, on: connection(2), known: known, knownRecords: 1, takesDeltas: true, nonce: 8, at: 4)
        let delta = try #require(try hub.deltas().first ?? nil)
        #expect(delta.isEmpty && delta.version == hub.engine.version)
    }

    @Test func `why uploads wait is told without the snapshot that the watch holds`() throws {
        var (hub, session) = try linked(schema: houseSchema)
        for number in 1...UInt64(Conflict.countMax) {
            let lost = numbered(number, edit(number, [change(secret(1), "x")]))
            hub.send(upload([lost], session: session), watch, connection(1), at: 2)
            guard hub.outputs.contains(.event(.conflictsFull(watch))) else {
                hub.store(at: 2)
                acknowledge(&hub, session, at: 2)
                continue
            }
            let contexts = try hub.contexts()
            #expect(contexts.first?.receipt?.obstacle != nil)
            guard case .delta(let delta)? = contexts.first?.contents else { break }
            #expect(delta.isEmpty && delta.base == delta.version)
            return
        }
        Issue.record("nothing was told, or a whole snapshot")
    }

    private func numbered(_ number: UInt64, _ edit: Edit) -> NumberedUpload {
        NumberedUpload(sequence: number, upload: .edit(edit))
    }

    private func upload(_ uploads: [NumberedUpload], session: UInt64) -> Frame {
        UploadBatch(incarnation: id(500), firstPending: 1, uploads: uploads).frame(session: session)
    }

    // MARK: - When a whole snapshot goes

    @Test func `without an acknowledgement in two seconds a whole snapshot goes`() throws {
        var (hub, session) = try linked()
        write(&hub, [(3, "new")], at: 1000)
        #expect(try hub.deltas().map { $0 != nil } == [true])
        hub.send(Ping(number: 1).frame(session: session), watch, connection(1), at: 2999)
        #expect(try hub.contexts().isEmpty)
        hub.feed(.timeReached, at: 3000)
        let again = try hub.contexts()
        #expect(again.map(\.snapshot) == [hub.engine.snapshot])
        acknowledge(&hub, session, at: 3001)
        write(&hub, [(3, "newer")], at: 3002)
        #expect(try hub.deltas().map { $0 != nil } == [true])
    }

    @Test func `a base that the hub does not know, or of other records, gets a whole snapshot`() throws {
        var (hub, _) = try linked()
        let known = hub.engine.version
        write(&hub, [(3, "new")], at: 2)
        #expect(try hub.greeted(nil) == [nil])
        #expect(try hub.greeted(known, records: 2, at: 7000) == [nil])
        #expect(try hub.greeted(known, at: 9000).map { $0 != nil } == [true])
        // A hub that was started since remembers no changes.
        var again = HubScript(hub.engine.ledger.state, seed: 2)
        #expect(try again.greeted(known) == [nil])
    }

    @Test func `a forged base costs nothing and gets a whole snapshot`() throws {
        // I20: after the epoch that such a watch may cause, in each run of the hub.
        var (hub, _) = try linked()
        hub.feed(.beginEpoch(.init(number: 9)), at: 2)
        hub.store(at: 2)
        let known = hub.engine.version
        write(&hub, [(3, "new")], at: 3)
        for (number, forged) in [
            Version(epoch: known.epoch, revision: known.revision, chain: known.chain ^ 1),
            Version(epoch: known.epoch, revision: known.revision - 1, chain: 0),
            Version(epoch: known.epoch, revision: .max, chain: 0), Version(epoch: known.epoch, revision: 0, chain: 0),
            Version(epoch: Epoch(number: 7), revision: known.revision, chain: known.chain),
        ].enumerated() {
            #expect(try hub.greeted(forged, at: 5000 + Int64(number) * 2000) == [nil])
        }
    }

    @Test func `a new epoch begins with a whole snapshot`() throws {
        var (hub, session) = try linked()
        hub.feed(.beginEpoch(.init(number: 9)), at: 2)
        hub.store(at: 2)
        #expect(try hub.deltas() == [nil])
        acknowledge(&hub, session, at: 3)
        write(&hub, [(3, "new")], at: 4)
        #expect(try hub.deltas().map { $0 != nil } == [true])
    }

    // MARK: - Limits

    @Test func `the changes of 256 transactions are known, not those of 257`() throws {
        var (hub, _) = try linked()
        let known = hub.engine.version
        for number in 1...256 { write(&hub, [(3, "\(number)")], at: 2) }
        #expect(try hub.greeted(known).map { $0?.written.keys } == [[note(3)]])
        write(&hub, [(3, "last")], at: 2)
        #expect(try hub.greeted(known, at: 8000) == [nil])
    }

    @Test func `4096 changes of cells are known, not one more`() {
        var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
        var history = DeltaHistory()
        var generator = SplitMix64(seed: 1)
        func commit(_ range: ClosedRange<UInt64>, _ value: String) {
            let transaction = ledger.prepare(
                range.map { CellChange(key: note($0), value: value) }, schema: schema, wallMilliseconds: 0,
                generator: &generator)
            history.add([transaction], to: ledger.state)
            ledger.apply(transaction)
        }
        func changes(since base: Version) -> Int? {
            history.delta(from: base, to: ledger, schema: schema, records: 1)?.written.count
        }
        let first = ledger.version
        commit(1...4000, "a")
        let second = ledger.version
        commit(4001...4096, "a")
        #expect(changes(since: first) == 4096)
        commit(1...1, "b")
        #expect(changes(since: first) == nil)
        #expect(changes(since: second) == 97)
        // A transaction that is larger by itself leaves nothing but the present.
        commit(1...4097, "c")
        #expect(changes(since: second) == nil)
        #expect(changes(since: ledger.version) == 0)
    }

    @Test func `a group is one step, and what it made and took away again is in no delta`() {
        var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
        var history = DeltaHistory()
        var generator = SplitMix64(seed: 1)
        func commit(_ changes: [[(UInt64, String?)]]) {
            var group: [Transaction] = []
            for changes in changes {
                if let last = group.last { ledger.stage(last) }
                group.append(
                    ledger.prepare(
                        changes.map { CellChange(key: note($0), value: $1) }, schema: schema, wallMilliseconds: 0,
                        generator: &generator))
            }
            history.add(group, to: ledger.state)
            ledger.apply(group)
        }
        func delta(since base: Version) -> SnapshotDelta? {
            history.delta(from: base, to: ledger, schema: schema, records: 1)
        }
        commit([[(1, "a"), (2, "a")]])
        let first = ledger.version
        commit([[(1, nil), (3, "b")], [(3, nil), (2, "b")], [(2, "c")]])
        let second = ledger.version
        commit([[(4, "d")], [(5, "d")]])

        #expect(second.revision == first.revision + 3)
        #expect(delta(since: first)?.written.keys.map(\.self) == [note(2), note(4), note(5)])
        #expect(delta(since: first)?.written[note(2)]?.value == "c")
        #expect(delta(since: first)?.gone == [note(1)])
        #expect(delta(since: second)?.written.keys.map(\.self) == [note(4), note(5)])
        #expect(delta(since: ledger.version)?.isEmpty == true)
        // No watch holds a version within a group.
        var within = first
        within.revision += 1
        #expect(delta(since: within) == nil)
    }

    @Test func `what is more than half of a snapshot goes as a whole`() throws {
        var (hub, _) = try linked()
        let base = hub.engine.version
        write(&hub, (1...12).map { ($0, "a device with another name") }, at: 2)
        // The bytes of a snapshot are those by which the hub limits its cells.
        let size = hub.engine.size.cellByteCount + hub.engine.size.conflictByteCount
        #expect(try hub.deltas() == [nil])
        write(&hub, (1...5).map { ($0, "a device with a new name") }, at: 3)
        #expect(try hub.greeted(base) == [nil])

        var contents = ContextContents()
        let before = LedgerState(newEpoch: Epoch(number: 1))
        var ledger = Ledger(state: before)
        var generator = SplitMix64(seed: 1)
        let transaction = ledger.prepare(
            [CellChange(key: note(1), value: "new")], schema: schema, wallMilliseconds: 0, generator: &generator)
        func delta(_ byteCount: Int) -> [UInt8]? {
            contents.prepare(for: [transaction], to: before)
            return contents.delta(from: before.version, ledger, schema, records: 1, snapshotByteCount: byteCount)
        }
        ledger.apply(transaction)
        let byteCount = try #require(delta(size)).count
        #expect(delta(2 * byteCount) != nil)
        #expect(delta(2 * byteCount - 1) == nil)
    }

    @Test func `deltas that are kept have no more bytes than a snapshot may have`() {
        var contents = ContextContents()
        var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
        var generator = SplitMix64(seed: 1)
        var bases: [Version] = []
        for number in 0..<UInt64(200) {
            bases.append(ledger.version)
            let transaction = ledger.prepare(
                [CellChange(key: note(number), value: String(repeating: "x", count: 16_000))], schema: schema,
                wallMilliseconds: 0, generator: &generator)
            contents.prepare(for: [transaction], to: ledger.state)
            ledger.apply(transaction)
        }
        for base in bases {
            for _ in 0..<2 {
                _ = contents.delta(from: base, ledger, schema, records: 1, snapshotByteCount: 2 * 819_200)
            }
        }
        #expect((1...ContextContents.deltaByteCountMax).contains(contents.deltaByteCount))
    }

    // MARK: - The same as a snapshot

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a delta from any version gives the bytes of the snapshot`(seed: UInt64) throws {
        // I23
        var script = MergeScript()
        var history = DeltaHistory()
        var generator = SplitMix64(seed: seed)
        var numbers: [PeerKey: UInt64] = [:]
        var past: [[UInt32: Snapshot]] = []
        func look() {
            past.append(
                Dictionary(uniqueKeysWithValues: [1, 2].map { ($0, script.ledger.snapshot(houseSchema, records: $0)) }))
        }
        func key() -> CellKey {
            let number = generator.next() % 6
            return [title(number), color(number), cell("newest", number), secret(number)][Int(generator.next() % 4)]
        }
        for step in 1...60 {
            look()
            let before = script.ledger.state
            script.now = Int64(step)
            let transaction: Transaction?
            switch generator.next() % 6 {
            case 0, 1:
                let changes = (0...generator.next() % 3).map { _ in
                    CellChange(key: key(), value: generator.next() % 3 == 0 ? nil : "\(step)")
                }
                let open = before.conflicts.keys
                let settled = generator.next() % 3 == 0 ? Array(open.prefix(2)) : []
                let prepared = script.ledger.prepare(
                    changes, settling: settled, schema: houseSchema,
                    wallMilliseconds: moment(Int64(step)).wallMilliseconds,
                    generator: &generator)
                transaction = prepared
                script.ledger.apply(prepared)
            case 2:
                let later = moment(0).wallMilliseconds + 2 * Ledger.tombstoneMilliseconds
                transaction = script.ledger.preparePurge(seenByAll: .max, wallMilliseconds: later)
                if let transaction { script.ledger.apply(transaction) }
            default:
                let peer = SyncCoreTests.key(UInt8(1 + generator.next() % 2))
                let number = numbers[peer, default: 0] + 1
                let edit = Edit(
                    id: RandomID(using: &generator),
                    changes: [change(key(), generator.next() % 4 == 0 ? nil : "\(step)")],
                    stamp: stamp(Int64(step), of: peer), schema: 2,
                    resolves: generator.next() % 3 == 0 ? before.conflicts.keys.first : nil)
                transaction = script.take(
                    [NumberedUpload(sequence: number, upload: .edit(edit))], from: peer,
                    incarnation: UInt64(peer.bytes[0]))
                if transaction != nil { numbers[peer] = number }
            }
            if let transaction { history.add([transaction], to: before) }
        }
        look()
        for records: UInt32 in [1, 2] {
            let now = script.ledger.snapshot(houseSchema, records: records)
            for earlier in past {
                var held = try #require(earlier[records])
                let base = held.version
                let delta = try #require(
                    history.delta(from: base, to: script.ledger, schema: houseSchema, records: records))
                #expect(try SnapshotDelta(base: base, version: delta.version, contents: delta.contents) == delta)
                #expect(held.isBase(of: delta))
                held.apply(delta)
                #expect(held.contents == now.contents)
                #expect(held == now)
            }
        }
        #expect(past.count == 61)
    }

    @Test func `a conflict that comes again for a cell that the watch does not see is settled for it`() {
        // A lying watch may use the name of a write again, once its conflict is settled.
        var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
        var history = DeltaHistory()
        var generator = SplitMix64(seed: 1)
        func commit(_ change: (inout Transaction) -> Void) {
            var transaction = ledger.prepare([], schema: houseSchema, wallMilliseconds: 0, generator: &generator)
            change(&transaction)
            transaction.after.revision = transaction.before.revision + 1
            history.add([transaction], to: ledger.state)
            ledger.apply(transaction)
        }
        var conflict = WireSamples.conflict
        conflict.key = title(1)
        commit { $0.logged[conflict.id] = conflict }
        let base = ledger.version
        let held = [1, 2].map { ledger.snapshot(houseSchema, records: $0) }
        commit { $0.settled = [conflict.id] }
        conflict.key = cell("newest", 1)
        commit { $0.logged[conflict.id] = conflict }
        for var snapshot in held {
            let delta = history.delta(from: base, to: ledger, schema: houseSchema, records: snapshot.records)
            delta.map { snapshot.apply($0) }
            #expect(snapshot == ledger.snapshot(houseSchema, records: snapshot.records))
        }
    }
}

extension HubScript {
    fileprivate mutating func contextFrames() -> [Frame] {
        claimDeeds().compactMap { deed in
            guard case .send(let frame, _) = deed, frame.kind == .context else { return nil }
            return frame
        }
    }

    /// The contexts that the hub has sent since it was last asked.
    fileprivate mutating func contexts() throws -> [ContextFrame] {
        try contextFrames().map { frame throws(FrameError) in try ContextFrame(frame) }
    }

    /// The same, nil for each whole snapshot.
    fileprivate mutating func deltas() throws -> [SnapshotDelta?] {
        try contexts().map { context in
            guard case .delta(let delta) = context.contents else { return nil }
            return delta
        }
    }

    /// What a watch gets that greets with a version.
    fileprivate mutating func greeted(
        _ known: Version?, records: UInt32 = 1, at milliseconds: Int64 = 5000
    ) throws -> [SnapshotDelta?] {
        outputs = []
        _ = greet(
            key(1), on: connection(9), known: known, knownRecords: records, takesDeltas: true,
            nonce: UInt64(milliseconds), at: milliseconds)
        return try deltas()
    }
}
