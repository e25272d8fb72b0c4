import Testing

@testable import SyncCore

/// A delta at a watch (PROTOCOL §6): it is used with exactly its base, and never half.
@Suite struct DeltaWatchTests {
    private static let place = Cell.Place(epoch: Epoch(number: 1), revision: 3)

    private static func cell(_ value: String) -> Cell {
        Cell(
            value: value, dot: RandomID(high: 4, low: UInt64(value.utf8.count)),
            stamp: Stamp(milliseconds: 5, counter: 0, node: 0), written: place, created: place)
    }

    /// What the watch holds: three cells and an open conflict.
    private static let held: Snapshot = {
        var held = snapshot(3)
        held.records = 1
        for number: UInt64 in 1...3 { held.cells[note(number)] = cell("old") }
        held.conflicts[WireSamples.conflict.id] = WireSamples.conflict
        return held
    }()

    private static let delta: SnapshotDelta = {
        var delta = SnapshotDelta(
            base: held.version, version: version(5, chain: 5), records: 1,
            stamp: Stamp(milliseconds: 9, counter: 1, node: 0), gone: [note(2)], settled: [WireSamples.conflict.id])
        delta.written[note(1)] = cell("newer")
        delta.written[note(9)] = cell("another")
        return delta
    }()

    private static let after: Snapshot = {
        var after = held
        after.version = delta.version
        after.stamp = delta.stamp
        after.cells[note(1)] = cell("newer")
        after.cells[note(2)] = nil
        after.cells[note(9)] = cell("another")
        after.conflicts = SortedMap()
        return after
    }()

    private func frame(_ delta: SnapshotDelta, receipt: UploadReceipt? = nil) -> Frame {
        ContextFrame.frame(
            version: delta.version, base: delta.base, contents: delta.contents, receipt: receipt, session: 5)
    }

    private func linked(_ held: Snapshot? = held) throws -> WatchScript {
        let epoch = held?.version.epoch
        var watch = WatchScript(watchState(held, EpochFence(current: epoch)))
        try watch.open(session: 5, at: 0)
        return watch
    }

    /// The record that a watch wants to be durable.
    private func record(_ watch: inout WatchScript) -> WatchEngine.Record? {
        for case .persist(let record) in watch.claim() { return record }
        return nil
    }

    @Test func `a delta of what the watch holds is stored, then shown and acknowledged`() throws {
        // I17, I23
        var watch = try linked()
        watch.receive(frame(Self.delta), at: 1)
        guard case .replica(let record)? = record(&watch) else {
            Issue.record("wanted it stored")
            return
        }
        #expect(record.snapshot == nil && record.delta == Self.delta)
        #expect(
            record.deletions == [
                SeenDeletion(key: note(2), place: Cell.Place(epoch: Epoch(number: 1), revision: 5))
            ])
        #expect(watch.engine.snapshot == Self.held)
        watch.feed(.persisted(.replica(record)), at: 2)
        #expect(
            watch.claim() == [
                .event(.snapshotChanged(Self.after)), .send(Self.after.version.acknowledgement(session: 5)),
            ])
        #expect(watch.engine.snapshot?.contents == Self.after.contents)
        // The same frame again is acknowledged, and applied once.
        watch.receive(frame(Self.delta), at: 3)
        #expect(watch.claim() == [.send(Self.after.version.acknowledgement(session: 5))])
        #expect(watch.engine.snapshot == Self.after)
    }

    /// Deltas that the watch cannot use, each with the reason.
    private static let unfit: [(SnapshotDelta, WatchEngine.Drop)] = {
        func changed(_ change: (inout SnapshotDelta) -> Void) -> SnapshotDelta {
            var changed = delta
            change(&changed)
            return changed
        }
        return [
            (changed { $0.base.revision = 2 }, .foreignBase), (changed { $0.base.revision = 4 }, .foreignBase),
            (changed { $0.base.chain = 4 }, .foreignBase), (changed { $0.records = 2 }, .foreignBase),
            (
                changed {
                    $0.base.epoch = Epoch(number: 2)
                    $0.version.epoch = Epoch(number: 2)
                }, .foreignBase
            ),
            // Something is gone that was not there.
            (changed { $0.gone = [note(4)] }, .foreignBase),
            (changed { $0.settled = [RandomID(high: 9, low: 9)] }, .foreignBase),
            (
                changed {
                    $0.base.revision = 1
                    $0.version.revision = 2
                }, .old(.context)
            ),
            (
                changed {
                    $0.base.revision = 1
                    $0.version.revision = 3
                }, .old(.context)
            ),
        ]
    }()

    @Test(arguments: unfit.indices)
    func `a delta of anything else is not used, and a whole snapshot is taken after it`(_ number: Int) throws {
        var watch = try linked()
        watch.receive(frame(Self.unfit[number].0), at: 1)
        #expect(watch.claim() == [.event(.dropped(Self.unfit[number].1))])
        #expect(watch.engine.epochs == EpochFence(current: Epoch(number: 1)))
        watch.receive(Self.after.frame(session: 5), at: 2)
        guard case .replica(let record)? = record(&watch) else {
            Issue.record("wanted the snapshot stored")
            return
        }
        #expect(record.snapshot == Self.after && record.delta == nil)
    }

    /// Whether a watch stores a delta of a version that it does not hold.
    static func usesForeignBase() throws -> Bool {
        var other = delta
        other.base.revision = 4
        var watch = WatchScript(watchState(held, EpochFence(current: held.version.epoch)))
        try watch.open(session: 5, at: 0)
        let frame = ContextFrame.frame(
            version: other.version, base: other.base, contents: other.contents, receipt: nil, session: 5)
        watch.receive(frame, at: 1)
        return watch.claim().contains { output in
            guard case .persist = output else { return false }
            return true
        }
    }

    @Test func `a watch without a snapshot uses no delta`() throws {
        var watch = try linked(nil)
        watch.receive(frame(Self.delta), at: 1)
        #expect(watch.claim() == [.event(.dropped(.foreignBase))])
        #expect(watch.engine.epochs == EpochFence())
    }

    @Test func `contents that no two versions differ by make a frame invalid`() throws {
        func read(_ change: (inout SnapshotDelta) -> Void) throws {
            var changed = Self.delta
            change(&changed)
            _ = try ContextFrame(frame(changed))
        }
        let base = FrameError.body(
            "base: expected an earlier version of the same epoch, or the same one and no changes")
        #expect(throws: base) { try read { $0.base.epoch = Epoch(number: 2) } }
        #expect(throws: base) { try read { $0.base.revision = 5 } }
        #expect(throws: base) { try read { $0.base.revision = 6 } }
        #expect(throws: base) { try read { $0.base = $0.version } }
        let gone = FrameError.body("gone: expected each cell once, and none of cells")
        #expect(throws: gone) { try read { $0.gone = [note(2), note(2)] } }
        #expect(throws: gone) { try read { $0.gone = [note(1)] } }
        let settled = FrameError.body("settled: expected each conflict once, and none of conflicts")
        #expect(throws: settled) { try read { $0.settled += $0.settled } }
        #expect(throws: settled) { try read { $0.logged[WireSamples.conflict.id] = WireSamples.conflict } }
        #expect(throws: Never.self) {
            try read { $0 = SnapshotDelta(base: $0.version, version: $0.version, records: 1) }
        }
        var malformed = frame(Self.delta)
        malformed.blob = Array(#"{"cells":[],"conflicts":[],"gone":[],"records":1,"settled":["x"],"stamp":null}"#.utf8)
        #expect(throws: FrameError.body("settled: expected a list of 32 hexadecimal digits each")) {
            try ContextFrame(malformed)
        }
    }

    @Test func `a receipt counts with a delta as with a snapshot`() throws {
        var watch = try linked()
        watch.feed(.edit(.init(number: 1), [CellChange(key: note(3), value: "mine")]), at: 1)
        let edited = record(&watch)
        watch.feed(.persisted(try #require(edited)), at: 1)
        _ = watch.claim()
        let pending = try #require(watch.engine.replica.pending.first)
        let receipt = UploadReceipt(
            incarnation: watch.engine.replica.incarnation, highest: pending.sequence, last: pending.upload.id,
            outcomes: [])
        watch.receive(frame(Self.delta, receipt: receipt), at: 2)
        let stored = record(&watch)
        watch.feed(.persisted(try #require(stored)), at: 3)
        #expect(watch.engine.replica.pending.isEmpty)
        #expect(watch.engine.replica.journal.map(\.id) == [pending.upload.id])
        #expect(watch.engine.snapshot == Self.after)
    }

    @Test func `a reason why uploads wait counts without a change`() throws {
        var watch = try linked()
        watch.feed(.edit(.init(number: 1), [CellChange(key: note(3), value: "mine")]), at: 1)
        let edited = record(&watch)
        watch.feed(.persisted(try #require(edited)), at: 1)
        _ = watch.claim()
        let receipt = UploadReceipt(
            incarnation: watch.engine.replica.incarnation, highest: 0, last: nil,
            outcomes: [UploadOutcome(sequence: 1, id: RandomID(high: 1, low: 1), rule: .logFull)])
        let nothing = SnapshotDelta(base: Self.held.version, version: Self.held.version, records: 1)
        watch.receive(frame(nothing, receipt: receipt), at: 2)
        #expect(watch.claim() == [.send(Self.held.version.acknowledgement(session: 5))])
        #expect(watch.engine.uploadObstacle == .logFull)
    }

    @Test func `a delta that could not be stored leaves nothing, and the whole snapshot does`() throws {
        var watch = try linked()
        watch.receive(frame(Self.delta), at: 1)
        let first = record(&watch)
        watch.feed(.persistFailed(try #require(first), reason: "full"), at: 2)
        _ = watch.claim()
        #expect(watch.engine.snapshot == Self.held)
        watch.receive(Self.after.frame(session: 5), at: 2001)
        let second = record(&watch)
        watch.feed(.persisted(try #require(second)), at: 2002)
        #expect(watch.engine.snapshot == Self.after)
    }

    @Test func `a whole snapshot that waits for the store is not replaced by a delta of its version`() throws {
        var watch = try linked()
        watch.feed(.edit(.init(number: 1), [CellChange(key: note(3), value: "mine")]), at: 1)
        let edited = record(&watch)
        var other = Self.delta
        other.base.revision = 4
        watch.receive(Self.after.frame(session: 5), at: 2)
        watch.receive(frame(other), at: 3)
        #expect(watch.claim() == [.event(.dropped(.old(.context)))])
        watch.feed(.persisted(try #require(edited)), at: 4)
        guard case .replica(let record)? = record(&watch) else {
            Issue.record("wanted the snapshot stored")
            return
        }
        #expect(record.snapshot == Self.after)
    }

    @Test func `a watch says that it takes deltas, unless it is told not to`() throws {
        for takesDeltas in [true, false] {
            var engine = WatchEngine(
                configuration: .init(
                    name: "wrist", app: testApp, schemaVersions: 1...1, takesDeltas: takesDeltas),
                state: watchState(), seed: 1)
            engine.handle(.connected, at: moment(0))
            var hellos: [Hello] = []
            while let output = engine.nextOutput() {
                if case .send(let frame) = output, let hello = try? Hello(frame) { hellos.append(hello) }
            }
            #expect(hellos.map(\.takesDeltas) == [takesDeltas])
        }
    }
}
