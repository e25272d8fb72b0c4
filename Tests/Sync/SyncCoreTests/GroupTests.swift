import Testing

@testable import SyncCore

/// Transactions that become durable in one step, because they waited for the store at the same time.
@Suite struct GroupTests {
    private static let watches: [UInt8] = [1, 2, 3]

    /// A hub with three linked watches, whose store is busy with a change of the application.
    private struct Busy {
        var hub = HubScript(schema: houseSchema)
        var sessions: [UInt8: UInt64] = [:]
        /// What the store is busy with.
        var first: [Transaction] = []

        init() throws {
            for watch in GroupTests.watches { hub.pair(key(watch), at: 0) }
            for watch in GroupTests.watches {
                sessions[watch] = hub.greet(key(watch), on: connection(watch), at: 1)
                acknowledge(watch, at: 1)
            }
            transact(100, note(1), "busy")
            first = try group()
        }

        mutating func acknowledge(_ watch: UInt8, at milliseconds: Int64) {
            hub.send(
                hub.engine.version.acknowledgement(session: sessions[watch] ?? 0), key(watch), connection(watch),
                at: milliseconds)
            hub.outputs = []
        }

        mutating func upload(_ watch: UInt8, _ uploads: [NumberedUpload]) {
            let batch = UploadBatch(
                incarnation: RandomID(high: 0, low: UInt64(watch)), firstPending: 1, uploads: uploads)
            hub.send(batch.frame(session: sessions[watch] ?? 0), key(watch), connection(watch), at: 2)
        }

        mutating func upload(_ watch: UInt8, _ edit: Edit, as sequence: UInt64 = 1) {
            upload(watch, [NumberedUpload(sequence: sequence, upload: .edit(edit))])
        }

        mutating func transact(_ number: UInt64, _ key: CellKey, _ value: String, expected: Version? = nil) {
            hub.feed(
                .transact(RequestID(number: number), [CellChange(key: key, value: value)], expected: expected), at: 2)
        }

        /// Takes the group that the hub wants to be durable.
        mutating func group() throws -> [Transaction] {
            defer { hub.outputs.removeAll { if case .persist = $0 { true } else { false } } }
            var groups: [[Transaction]] = []
            for case .persist(let group) in hub.outputs { groups.append(group) }
            try #require(groups.count == 1)
            return groups[0]
        }

        /// The answers to the application's requests, by their numbers.
        var answers: [UInt64: HubEngine.Answer] {
            var answers: [UInt64: HubEngine.Answer] = [:]
            for case .answer(let request, let answer) in hub.outputs { answers[request.number] = answer }
            return answers
        }

        /// The snapshots that were sent to a watch.
        func contexts(to watch: UInt8) throws -> [ContextFrame] {
            var frames: [ContextFrame] = []
            for case .send(let frame, connection(watch)) in hub.outputs where frame.kind == .context {
                frames.append(try ContextFrame(frame))
            }
            return frames
        }
    }

    @Test func `uploads that wait for the store become durable in one step, each with its own outcome`() throws {
        // I17, C2
        var busy = try Busy()
        busy.upload(1, edit(1, [change(title(1), "a")], at: 500))
        busy.upload(2, edit(2, [change(title(1), "b")], at: 400))
        busy.transact(7, note(2), "own")
        busy.upload(3, edit(3, [change(title(3), "c")]))
        #expect(busy.hub.outputs.isEmpty)
        busy.hub.feed(.persisted(busy.first), at: 3)
        let before = busy.hub.engine.version
        #expect(before == busy.first.last?.after)
        let group = try busy.group()
        #expect(group.map(\.progress?.peer) == [key(1), key(2), nil, key(3)])
        #expect(group.map(\.before) == [before] + group.dropLast().map(\.after))
        // Nothing of the group is told before it is durable; what is sent is the version before it.
        for watch in Self.watches { #expect(try busy.contexts(to: watch).map(\.snapshot?.version) == [before]) }
        for watch in Self.watches { busy.acknowledge(watch, at: 3) }
        #expect(busy.hub.engine.version == before)
        #expect(busy.hub.engine.cells[title(1)] == nil)

        busy.hub.feed(.persisted(group), at: 4)
        let after = try #require(group.last?.after)
        #expect(busy.hub.engine.version == after)
        // Each of the three is sent one snapshot, of the last version, with the receipt of its own upload.
        let outcomes: [UInt8: [Conflict.Rule]] = [1: [], 2: [.newest], 3: []]
        for (watch, rules) in outcomes {
            let contexts = try busy.contexts(to: watch)
            #expect(contexts.map(\.snapshot?.version) == [after])
            #expect(contexts.first?.snapshot?.cells[title(1)]?.value == "a")
            #expect(contexts.first?.receipt?.incarnation == RandomID(high: 0, low: UInt64(watch)))
            #expect(contexts.first?.receipt?.last == id(UInt64(watch)))
            #expect(contexts.first?.receipt?.outcomes.map(\.rule) == rules)
        }
        // The answer names the version that results from the request, not the one after the group.
        #expect(busy.answers == [7: .done(group[2].after)])
        var taken: [PeerKey] = []
        for case .event(.uploadsTaken(let peer, highest: 1)) in busy.hub.outputs { taken.append(peer) }
        #expect(taken == Self.watches.map(key))
    }

    @Test func `a group leaves the same history as its parts one after the other`() throws {
        func state(together: Bool) throws -> (LedgerState, ConfigurationSize, LedgerIndex) {
            var busy = try Busy()
            if !together { busy.hub.feed(.persisted(busy.first), at: 2) }
            func rest() {
                guard !together else { return }
                busy.hub.store(at: 2)
            }
            rest()
            busy.upload(1, edit(1, [change(title(1), "a"), change(color(1), "red")], at: 500))
            rest()
            busy.upload(2, edit(2, [change(title(1), "b")], at: 400))
            rest()
            busy.transact(7, note(2), "own")
            rest()
            busy.upload(3, edit(3, [change(title(1), nil, base: id(1))]))
            rest()
            busy.transact(8, note(1), "later")
            rest()
            if together {
                busy.hub.feed(.persisted(busy.first), at: 2)
                let group = try busy.group()
                #expect(group.count == 5)
                busy.hub.feed(.persisted(group), at: 2)
            }
            return (busy.hub.engine.ledger.state, busy.hub.engine.size, busy.hub.engine.ledger.index)
        }
        let (together, alone) = (try state(together: true), try state(together: false))
        #expect(together.0 == alone.0)
        #expect(together.1 == alone.1)
        #expect(together.1 == ConfigurationSize(together.0, schema: houseSchema))
        #expect(together.2.contents == LedgerIndex(together.0).contents)
    }

    @Test func `nothing of a group that could not be stored remains, and all of it can come again`() throws {
        // I17
        var busy = try Busy()
        let edits = [1, 2, 3].map { edit($0, [change(title($0), "a")]) }
        for (watch, edit) in zip(Self.watches, edits) { busy.upload(watch, edit) }
        busy.transact(7, note(2), "own")
        busy.hub.feed(.persisted(busy.first), at: 3)
        let group = try busy.group()
        #expect(group.count == 4)
        let before = busy.hub.engine.ledger.state
        busy.hub.outputs = []
        busy.hub.feed(.persistFailed(group, reason: "full"), at: 4)
        #expect(busy.hub.engine.ledger.state == before)
        #expect(busy.hub.engine.ledger.head == before)
        #expect(busy.hub.engine.ledger.index.contents == LedgerIndex(before).contents)
        #expect(busy.hub.engine.size == ConfigurationSize(before, schema: houseSchema))
        #expect(busy.answers == [7: .refused(.notStored("full"))])
        for watch in Self.watches { #expect(try busy.contexts(to: watch).isEmpty) }
        // The watches send again what no receipt covers.
        busy.hub.outputs = []
        for (watch, edit) in zip(Self.watches, edits) { busy.upload(watch, edit) }
        busy.hub.store(at: 5)
        busy.hub.store(at: 6)
        for number in 1...3 { #expect(busy.hub.engine.cells[title(UInt64(number))]?.dot == id(UInt64(number))) }
    }

    @Test func `an upload that is refused leaves the others of its group as they are`() throws {
        // C2
        var busy = try Busy()
        busy.upload(1, edit(1, [change(title(1), "a")]))
        // A numbering that the hub does not know cannot begin with number 5.
        busy.upload(2, edit(2, [change(title(2), "b")]), as: 5)
        busy.upload(3, edit(3, [change(title(3), "c")]))
        busy.hub.feed(.persisted(busy.first), at: 3)
        #expect(busy.hub.outputs.contains(.event(.uploadsContradicted(key(2)))))
        let group = try busy.group()
        #expect(group.map(\.progress?.peer) == [key(1), key(3)])
        busy.hub.feed(.persisted(group), at: 4)
        #expect(busy.hub.engine.cells[title(1)]?.value == "a")
        #expect(busy.hub.engine.cells[title(2)] == nil)
        #expect(busy.hub.engine.cells[title(3)]?.value == "c")
    }

    @Test func `a request that expects a version is judged only by what is durable`() throws {
        // C1
        var busy = try Busy()
        busy.upload(1, edit(1, [change(title(1), "a")]))
        let seen = try #require(busy.first.last?.after)
        busy.transact(7, note(2), "own", expected: seen)
        busy.hub.feed(.persisted(busy.first), at: 3)
        let group = try busy.group()
        #expect(group.map(\.progress?.peer) == [key(1)])
        #expect(busy.answers[7] == nil)
        // The upload before it was not stored, so the version has not moved.
        busy.hub.feed(.persistFailed(group, reason: "full"), at: 4)
        let own = try busy.group()
        #expect(own.map(\.before) == [seen])
        busy.hub.feed(.persisted(own), at: 5)
        #expect(busy.answers[7] == .done(own[0].after))
        // Behind an upload that is stored, it comes too late.
        busy.transact(8, note(2), "first")
        let first = try busy.group()
        busy.upload(1, edit(1, [change(title(1), "a")]))
        busy.transact(9, note(2), "late", expected: first[0].after)
        busy.hub.feed(.persisted(first), at: 6)
        busy.hub.feed(.persisted(try busy.group()), at: 7)
        #expect(busy.answers[9] == .refused(.versionMoved(busy.hub.engine.version)))
    }

    @Test func `a request that has nothing to do waits until what it was judged by is durable`() throws {
        // I17
        var busy = try Busy()
        busy.upload(1, edit(1, [change(title(1), "a")]))
        busy.transact(7, title(1), "a")
        busy.hub.feed(.persisted(busy.first), at: 3)
        let group = try busy.group()
        #expect(group.count == 1)
        #expect(busy.answers[7] == nil)
        busy.hub.feed(.persistFailed(group, reason: "full"), at: 4)
        // It has something to do after all.
        let own = try busy.group()
        #expect(own.map { $0.written[title(1)]?.value } == ["a"])
        #expect(busy.answers[7] == nil)
    }

    @Test func `a group has at most 64 transactions`() throws {
        var busy = try Busy()
        for number in 0..<65 { busy.transact(UInt64(number), note(UInt64(number)), "x") }
        busy.hub.feed(.persisted(busy.first), at: 3)
        let group = try busy.group()
        #expect(group.count == HubEngine.groupCountMax)
        busy.hub.feed(.persisted(group), at: 4)
        #expect(try busy.group().count == 1)
    }

    @Test func `what changes who is paired, or the epoch, is stored alone`() throws {
        var busy = try Busy()
        busy.transact(1, note(2), "a")
        busy.hub.feed(.unpair(RequestID(number: 2), key(3)), at: 2)
        busy.transact(3, note(3), "b")
        busy.hub.feed(.beginEpoch(RequestID(number: 4)), at: 2)
        busy.transact(5, note(4), "c")
        busy.transact(6, note(5), "d")
        var (counts, stored) = ([Int](), busy.first)
        for time in 0..<5 {
            busy.hub.feed(.persisted(stored), at: Int64(3 + time))
            stored = try busy.group()
            counts.append(stored.count)
        }
        #expect(counts == [1, 1, 1, 1, 2])
    }
}
