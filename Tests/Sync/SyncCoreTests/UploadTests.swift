import Testing

@testable import SyncCore

/// How a hub handles the uploads of its watches.
@Suite struct UploadTests {
    private let watch = key(1)

    private func frame(
        _ uploads: [NumberedUpload], incarnation: UInt64 = 1, session: UInt64
    ) -> Frame {
        UploadBatch(
            incarnation: RandomID(high: 0, low: incarnation), firstPending: uploads.first?.sequence ?? 1,
            uploads: uploads
        ).frame(session: session)
    }

    private func numbered(_ sequence: UInt64, _ edit: Edit) -> NumberedUpload {
        NumberedUpload(sequence: sequence, upload: .edit(edit))
    }

    /// A hub with a paired watch in a session.
    private func linked(others: [PeerKey] = []) throws -> (HubScript, UInt64) {
        var hub = HubScript(schema: houseSchema)
        for watch in [watch] + others { hub.pair(watch, at: 0) }
        let greeted = hub.greet(watch, on: connection(1), at: 1)
        let session = try #require(greeted)
        acknowledge(&hub, session, at: 1)
        return (hub, session)
    }

    private func contexts(_ outputs: [HubEngine.Output], to connection: ConnectionID) throws -> [ContextFrame] {
        try outputs.compactMap { output in
            guard case .send(let frame, connection) = output, frame.kind == .context else { return nil }
            return try ContextFrame(frame)
        }
    }

    private func acknowledge(_ hub: inout HubScript, _ session: UInt64, at milliseconds: Int64) {
        hub.send(
            hub.engine.version.acknowledgement(session: session), watch, connection(1), at: milliseconds)
        _ = hub.claimDeeds()
    }

    @Test func `an edit is stored, then shown to everybody, with a receipt to its author`() throws {
        // I17, C2
        var (hub, session) = try linked(others: [key(2)])
        let other = hub.greet(key(2), on: connection(2), nonce: 8, at: 1)
        hub.send(hub.engine.version.acknowledgement(session: try #require(other)), key(2), connection(2), at: 2)
        _ = hub.claimDeeds()

        let edit = edit(1, [change(title(1), "a")])
        hub.send(frame([numbered(1, edit)], session: session), watch, connection(1), at: 3)
        let before = hub.claimDeeds()
        guard case .persist(let group)? = before.first, before.count == 1, group.count == 1 else {
            Issue.record("wanted one transaction stored, got \(before)")
            return
        }
        hub.feed(.persisted(group), at: 4)
        #expect(hub.outputs.contains(.event(.uploadsTaken(watch, highest: 1))))
        let mine = try contexts(hub.outputs, to: connection(1))
        let theirs = try contexts(hub.outputs, to: connection(2))
        #expect(mine.map(\.snapshot?.cells[title(1)]?.dot) == [edit.id])
        #expect(mine.map(\.receipt?.highest) == [1])
        #expect(mine.map(\.receipt?.last) == [edit.id])
        #expect(theirs.map(\.snapshot) == mine.map(\.snapshot))
        #expect(theirs.map { $0.receipt == nil } == [true])
    }

    @Test func `a batch that comes twice changes nothing`() throws {
        // I5, I8
        var (hub, session) = try linked()
        let batch = frame([numbered(1, edit(1, [change(title(1), "a")]))], session: session)
        hub.send(batch, watch, connection(1), at: 2)
        // A second batch that arrives while the first one is being stored waits, and then has no effect.
        hub.send(batch, watch, connection(1), at: 2)
        hub.store(at: 3)
        let version = hub.engine.version
        _ = hub.claimDeeds()
        hub.send(batch, watch, connection(1), at: 4)
        #expect(!hub.outputs.contains { if case .persist = $0 { true } else { false } })
        #expect(hub.engine.version == version)
    }

    @Test func `what could not be stored is brought again and taken then`() throws {
        var (hub, session) = try linked()
        let batch = frame([numbered(1, edit(1, [change(title(1), "a")]))], session: session)
        hub.send(batch, watch, connection(1), at: 2)
        guard case .persist(let group)? = hub.claimDeeds().first else {
            Issue.record("nothing to store")
            return
        }
        hub.feed(.persistFailed(group, reason: "full"), at: 3)
        #expect(hub.engine.cells[title(1)] == nil)
        hub.send(batch, watch, connection(1), at: 4)
        hub.store(at: 5)
        #expect(hub.engine.cells[title(1)]?.value == "a")
    }

    @Test func `a contradicting numbering ends the session, and the next welcome says how far the hub counts`() throws {
        // C14, PROTOCOL §7
        var (hub, session) = try linked()
        hub.send(frame([numbered(1, edit(1, [change(title(1), "a")]))], session: session), watch, connection(1), at: 2)
        hub.store(at: 3)
        _ = hub.claimDeeds()
        hub.send(frame([numbered(1, edit(2, [change(title(1), "b")]))], session: session), watch, connection(1), at: 4)
        #expect(hub.outputs.contains(.event(.uploadsContradicted(watch))))
        #expect(hub.outputs.contains(.send(Frame(kind: .bye, session: session), connection(1))))
        #expect(hub.outputs.contains { if case .event(.unlinked(_, _, .contradicted)) = $0 { true } else { false } })
        _ = hub.claimDeeds()
        _ = hub.greet(watch, on: connection(1), known: hub.engine.version, nonce: 9, at: 5)
        let welcome = try #require(
            hub.outputs.compactMap { output -> Welcome? in
                guard case .send(let frame, _) = output, frame.kind == .welcome else { return nil }
                return try? Welcome(frame)
            }.first)
        #expect(welcome.uploads?.highest == 1)
        #expect(welcome.uploads?.last == id(1))
    }

    @Test func `a full log of conflicts is told, and the upload goes through after a settlement`() throws {
        // I7
        var (hub, session) = try linked()
        var position: UInt64 = 0
        func bring(_ count: UInt64, at milliseconds: Int64) {
            let uploads = (position + 1...position + count).map { numbered($0, edit($0, [change(note($0), "a")])) }
            hub.send(frame(uploads, session: session), watch, connection(1), at: milliseconds)
        }
        var isFull = false
        while !isFull {
            bring(40, at: 2)
            isFull = hub.outputs.contains(.event(.conflictsFull(watch)))
            hub.store(at: 2)
            position = UInt64(hub.engine.conflicts.count)
            guard position < 300 else { break }
        }
        #expect(isFull)
        let version = hub.engine.version
        bring(1, at: 3)
        #expect(hub.outputs.contains(.event(.conflictsFull(watch))))
        #expect(hub.engine.version == version)
        _ = hub.claimDeeds()
        hub.feed(.settle(.init(number: 1), conflict: id(1), restoring: false), at: 4)
        hub.store(at: 4)
        #expect(hub.outputs.contains(.answer(.init(number: 1), .done(hub.engine.version))))
        _ = hub.claimDeeds()
        bring(1, at: 5)
        hub.store(at: 5)
        #expect(hub.engine.conflicts[id(position + 1)] != nil)
    }

    @Test(arguments: [true, false])
    func `the hub puts all cells of an edit that lost back, or aside`(_ isRestoring: Bool) throws {
        // I16
        var (hub, session) = try linked()
        let lost = edit(1, [change(title(1), "mine"), change(note(1), "mine, too")])
        hub.send(frame([numbered(1, lost)], session: session), watch, connection(1), at: 2)
        hub.store(at: 2)
        #expect(hub.outputs.contains { if case .event(.conflicted(let two)) = $0 { two.count == 2 } else { false } })
        #expect(hub.engine.conflicts.count == 2)
        hub.feed(.settle(.init(number: 1), conflict: lost.dot(of: 1), restoring: isRestoring), at: 3)
        hub.store(at: 3)
        #expect(hub.engine.conflicts.isEmpty)
        #expect(hub.engine.cells[title(1)]?.value == (isRestoring ? "mine" : nil))
        #expect(hub.engine.cells[note(1)]?.value == (isRestoring ? "mine, too" : nil))
        _ = hub.claimDeeds()
        hub.feed(.settle(.init(number: 2), conflict: id(1), restoring: true), at: 4)
        #expect(hub.claimDeeds() == [.answer(.init(number: 2), .refused(.unknownConflict(id(1))))])
    }

    @Test func `an unpaired watch's count is kept, and what it brought last is not taken`() throws {
        var (hub, session) = try linked()
        hub.send(frame([numbered(1, edit(1, [change(title(1), "a")]))], session: session), watch, connection(1), at: 2)
        hub.store(at: 2)
        _ = hub.claimDeeds()
        hub.feed(.unpair(.init(number: 1), watch), at: 3)
        // It arrives while the hub is still storing the unpairing.
        hub.send(frame([numbered(2, edit(2, [change(title(1), "b")]))], session: session), watch, connection(1), at: 3)
        hub.store(at: 4)
        hub.store(at: 5)
        #expect(hub.engine.cells[title(1)]?.value == "a")
        #expect(hub.engine.ledger.state.uploads[watch]?.highest == 1)
        #expect(hub.engine.watches.isEmpty)
    }

    @Test func `what an unpaired watch brings again when it is paired again is not judged twice`() throws {
        // I5, I14: the first of its edits was accepted but not confirmed, and the cell was changed since.
        var (hub, session) = try linked()
        let batch = [numbered(1, edit(1, [change(title(1), "a")]))]
        hub.send(frame(batch, session: session), watch, connection(1), at: 2)
        hub.store(at: 2)
        _ = hub.claimDeeds()
        hub.feed(.unpair(.init(number: 1), watch), at: 3)
        hub.store(at: 3)
        hub.feed(.transact(.init(number: 2), [CellChange(key: title(1), value: "b")], expected: nil), at: 4)
        hub.store(at: 4)
        _ = hub.claimDeeds()
        hub.pair(watch, at: 5)
        let greeted = hub.greet(watch, on: connection(3), nonce: 9, at: 6)
        let again = try #require(greeted)
        let welcome = try #require(
            hub.claimDeeds().compactMap { output -> Welcome? in
                guard case .send(let frame, _) = output, frame.kind == .welcome else { return nil }
                return try? Welcome(frame)
            }.first)
        #expect(welcome.uploads?.highest == 1)
        hub.send(frame(batch, session: again), watch, connection(3), at: 7)
        hub.store(at: 7)
        #expect(hub.engine.cells[title(1)]?.value == "b")
        #expect(hub.engine.conflicts.isEmpty)
    }

    @Test func `only so many unpaired watches are remembered, those unpaired longest ago are forgotten`() {
        // I7
        var hub = HubScript()
        let count = UInt8(PairingRegistry.formerCountMax + 2)
        for number in 1...count {
            // All of them use one invitation, whose key pays for each request to pair.
            let time = Int64(number) * 100
            hub.pair(key(number), at: time)
            hub.feed(.unpair(.init(number: 1), key(number)), at: time)
            hub.store(at: time)
        }
        #expect(hub.engine.pairings.formerPeers.count == PairingRegistry.formerCountMax)
        #expect(hub.engine.pairings.formerPeers.keys.first == key(3))
        hub.pair(key(3), at: 20_000)
        #expect(hub.engine.pairings.formerPeers[key(3)] == nil)
    }

    @Test func `a cell that watches never see stays unseen, even if one writes it`() throws {
        // I21
        var (hub, session) = try linked()
        hub.feed(.transact(.init(number: 1), [CellChange(key: secret(1), value: "password")], expected: nil), at: 2)
        hub.store(at: 2)
        acknowledge(&hub, session, at: 2)
        hub.send(
            frame([numbered(1, edit(1, [change(secret(1), "guess")]))], session: session), watch, connection(1), at: 3)
        hub.store(at: 3)
        #expect(hub.engine.cells[secret(1)]?.value == "password")
        let conflict = try #require(hub.engine.conflicts[id(1)])
        #expect(conflict.rule == .readOnly)
        let told = try #require(try contexts(hub.outputs, to: connection(1)).last)
        #expect(told.receipt?.outcomes.map(\.rule) == [.readOnly])
        let shown = try #require(told.snapshot)
        #expect(shown.conflicts.isEmpty)
        #expect(shown.cells[secret(1)] == nil)
        for case .send(let frame, _) in hub.outputs {
            #expect(!String(decoding: frame.body + frame.blob, as: UTF8.self).contains("password"))
        }
    }

    @Test func `the hub's own writes of cells that watches may change are as short as theirs`() {
        var hub = HubScript(schema: houseSchema)
        let long = String(repeating: "x", count: Edit.valueByteCountMax + 1)
        hub.feed(.transact(.init(number: 1), [CellChange(key: title(1), value: long)], expected: nil), at: 0)
        #expect(
            hub.claimDeeds() == [
                .answer(.init(number: 1), .refused(.valueTooLarge(title(1), byteCount: long.utf8.count)))
            ])
        hub.feed(.transact(.init(number: 2), [CellChange(key: note(1), value: long)], expected: nil), at: 0)
        hub.store(at: 0)
        #expect(hub.engine.cells[note(1)]?.value == long)
    }
}
