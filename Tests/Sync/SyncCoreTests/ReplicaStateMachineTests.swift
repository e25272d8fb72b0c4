import Testing

@testable import SyncCore

/// The steps of a watch's replica, made durable one by one, through the watch's complete engine.
@Suite struct ReplicaStateMachineTests {
    private var watch = WatchScript()
    private let request = RequestID(number: 1)

    private mutating func claimRecord() -> ReplicaRecord? {
        for case .persist(.replica(let record)) in watch.claim() { return record }
        return nil
    }

    private mutating func edit(_ key: CellKey = title(1), _ value: String = "a", _ number: UInt64 = 1) {
        watch.feed(.edit(RequestID(number: number), [CellChange(key: key, value: value)]), at: 1)
    }

    @Test mutating func `an edit is answered and shown only when it is durable`() throws {
        // I17, PROTOCOL §7
        edit()
        let outputs = watch.claim()
        guard case .persist(let record)? = outputs.first, outputs.count == 1 else {
            Issue.record("wanted one record, got \(outputs)")
            return
        }
        #expect(watch.engine.view.isEmpty)
        watch.feed(.persisted(record), at: 2)
        let made = try #require(watch.engine.pendingEdits.first)
        #expect(watch.claim() == [.answer(request, .accepted(made))])
        #expect(watch.engine.view[title(1)]?.value == "a")
    }

    @Test mutating func `an edit that the store cannot keep is refused, and the next one goes on`() throws {
        edit()
        edit(title(2), "b", 2)
        let record = try #require(claimRecord())
        watch.feed(.persistFailed(.replica(record), reason: "full"), at: 2)
        let outputs = watch.outputs
        #expect(outputs.contains(.answer(request, .refused(.notStored("full")))))
        #expect(watch.engine.view.isEmpty)
        let next = try #require(claimRecord())
        watch.feed(.persisted(.replica(next)), at: 3)
        #expect(watch.engine.view.keys == [title(2)])
        // The number of the lost edit is used again, because it was never sent.
        #expect(watch.engine.replica.pending.map(\.sequence) == [1])
    }

    @Test mutating func `a snapshot and an edit take turns at the store`() throws {
        try watch.open(session: 5, at: 0)
        watch.receive(held([(title(1), "theirs", 9)]).frame(session: 5), at: 1)
        let snapshot = try #require(claimRecord())
        edit(title(1), "mine")
        #expect(claimRecord() == nil)
        watch.feed(.persisted(.replica(snapshot)), at: 2)
        let record = try #require(claimRecord())
        guard case .added(let upload) = record.pending, case .edit(let made) = upload.upload else {
            Issue.record("wanted the edit, got \(record)")
            return
        }
        // The snapshot was not yet shown when the user wrote (C17).
        #expect(made.changes.first?.base == nil)
        watch.receive(held([(title(1), "newer", 10)], revision: 2).frame(session: 5), at: 3)
        #expect(claimRecord() == nil)
        watch.feed(.persisted(.replica(record)), at: 4)
        let last = try #require(claimRecord())
        #expect(last.snapshot?.version.revision == 2)
        #expect(last.pending == .unchanged)
    }

    @Test mutating func `a snapshot is shown when it is durable, never an older one`() throws {
        // I3, I19: while one snapshot is being stored, the newest of those that arrive waits.
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot(2).frame(session: 5), at: 1)
        let first = try #require(claimRecord())
        #expect(watch.engine.snapshot == nil)
        watch.receive(snapshot(4).frame(session: 5), at: 2)
        watch.receive(snapshot(3).frame(session: 5), at: 2)
        #expect(watch.claim() == [.event(.dropped(.old(.context)))])
        watch.feed(.persisted(.replica(first)), at: 3)
        #expect(watch.engine.snapshot == snapshot(2))
        let second = try #require(claimRecord())
        #expect(second.snapshot == snapshot(4))
        watch.feed(.persisted(.replica(second)), at: 4)
        _ = watch.claim()
        watch.receive(snapshot(3).frame(session: 5), at: 5)
        #expect(watch.claim() == [.event(.dropped(.old(.context)))])
        watch.receive(snapshot(4).frame(session: 5), at: 6)
        #expect(watch.claim() == [.send(snapshot(4).version.acknowledgement(session: 5))])
        watch.receive(snapshot(1, epoch: 2).frame(session: 5), at: 7)
        let third = try #require(claimRecord())
        watch.feed(.persistFailed(.replica(third), reason: "full"), at: 8)
        #expect(watch.engine.snapshot == snapshot(4))
    }

    @Test mutating func `a snapshot that still waits when the watch greets again is dropped`() throws {
        // PROTOCOL §5: the greeting names revision 2. Otherwise a hub that was restored to revision 2 would continue
        // from 4.
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot(2).frame(session: 5), at: 1)
        watch.feed(.persisted(.replica(try #require(claimRecord()))), at: 1)
        edit()
        let busy = try #require(claimRecord())
        watch.receive(snapshot(4).frame(session: 5), at: 2)
        watch.feed(.disconnected, at: 3)
        watch.feed(.connected, at: 4)
        let hello = try #require(watch.claimFrames().compactMap { try? Hello($0) }.last)
        #expect(hello.known == snapshot(2).version)
        watch.receive(welcome(hello.nonce).frame(session: 6), at: 5)
        watch.feed(.persisted(.replica(busy)), at: 6)
        #expect(claimRecord() == nil)
        #expect(watch.engine.snapshot == snapshot(2))
    }

    @Test mutating func `wishes beyond the bound are refused at once`() {
        // I7
        for number in 0...UInt64(ReplicaStateMachine.requestCountMax) { edit(title(number), "a", number) }
        #expect(!watch.outputs.contains { if case .answer = $0 { true } else { false } })
        edit(title(999), "a", 999)
        #expect(watch.outputs.last == .answer(RequestID(number: 999), .refused(.busy)))
    }

    @Test mutating func `edits go out in the session, in batches, and again when nobody confirms them`() throws {
        for number in 1...UInt64(UploadBatch.countMax + 1) {
            edit(title(number), "a", number)
            let record = try #require(claimRecord())
            watch.feed(.persisted(.replica(record)), at: 1)
        }
        #expect(!watch.claim().contains { if case .send = $0 { true } else { false } })
        watch.feed(.connected, at: 2)
        let hello = try Hello(try #require(watch.claimFrames().first))
        watch.receive(welcome(hello.nonce).frame(session: 5), at: 2)
        let sent = try #require(watch.claimFrames().first { $0.kind == .upload })
        let batch = try UploadBatch(sent)
        #expect(batch.uploads.map(\.sequence) == Array(1...UInt64(UploadBatch.countMax)))
        #expect(batch.firstPending == 1)
        watch.feed(.timeReached, at: 2001)
        #expect(!watch.claimFrames().contains { $0.kind == .upload })
        watch.receive(Pong(number: 1, hubMilliseconds: 0).frame(session: 5), at: 2001)
        watch.feed(.timeReached, at: 2002)
        #expect(watch.claimFrames().contains(sent))
        let receipt = UploadReceipt(
            incarnation: batch.incarnation, highest: UInt64(UploadBatch.countMax),
            last: batch.uploads.last?.upload.id, outcomes: [])
        watch.receive(held([], revision: 9).frame(session: 5, receipt: receipt), at: 2003)
        let record = try #require(claimRecord())
        watch.feed(.persisted(.replica(record)), at: 2004)
        let rest = try #require(watch.claimFrames().first { $0.kind == .upload })
        #expect(try UploadBatch(rest).uploads.map(\.sequence) == [UInt64(UploadBatch.countMax + 1)])
    }

    @Test mutating func `nothing goes out under a numbering that the hub does not share`() throws {
        edit()
        let record = try #require(claimRecord())
        watch.feed(.persisted(.replica(record)), at: 1)
        let old = watch.engine.replica.incarnation
        let ahead = UploadReceipt(incarnation: old, highest: 9, last: id(9), outcomes: [])
        watch.feed(.connected, at: 2)
        let hello = try Hello(try #require(watch.claimFrames().first))
        watch.receive(welcome(hello.nonce, uploads: ahead).frame(session: 5), at: 2)
        #expect(!watch.outputs.contains { if case .send(let frame) = $0 { frame.kind == .upload } else { false } })
        let numbering = try #require(claimRecord())
        #expect(numbering.incarnation != old)
        watch.feed(.persisted(.replica(numbering)), at: 3)
        let sent = try UploadBatch(try #require(watch.claimFrames().first { $0.kind == .upload }))
        #expect(sent.incarnation == numbering.incarnation)
        #expect(sent.uploads.map(\.sequence) == [1])
    }

    @Test mutating func `a watch puts back, or aside, what lost, with all of its edit`() throws {
        // I16
        var snapshot = held([(title(1), "theirs", 9), (color(1), "red", 8)])
        for (number, key) in [(1, title(1)), (2, color(1))] as [(UInt64, CellKey)] {
            var conflict = WireSamples.conflict
            conflict.id = id(number)
            conflict.edit = id(1)
            conflict.key = key
            conflict.loser.value = "mine \(number)"
            snapshot.conflicts[conflict.id] = conflict
        }
        try watch.open(session: 5, at: 0)
        watch.receive(snapshot.frame(session: 5), at: 1)
        watch.feed(.persisted(.replica(try #require(claimRecord()))), at: 1)
        _ = watch.claim()
        watch.feed(.settle(request, conflict: id(2), restoring: true), at: 2)
        watch.feed(.persisted(.replica(try #require(claimRecord()))), at: 2)
        let restoring = try #require(watch.engine.pendingEdits.last)
        #expect(restoring.resolves == id(2))
        #expect(Set(restoring.changes.map(\.value)) == ["mine 1", "mine 2"])
        #expect(Set(restoring.changes.map(\.base)) == [id(9), id(8)])
        _ = watch.claim()
        watch.feed(.settle(request, conflict: id(1), restoring: false), at: 3)
        watch.feed(.persisted(.replica(try #require(claimRecord()))), at: 3)
        #expect(watch.engine.pendingEdits.last?.changes.isEmpty == true)
        _ = watch.claim()
        watch.feed(.settle(request, conflict: id(7), restoring: true), at: 4)
        #expect(watch.claim().contains(.answer(request, .refused(.unknownConflict(id(7))))))
    }
}
