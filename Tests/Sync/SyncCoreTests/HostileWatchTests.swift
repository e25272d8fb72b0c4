import Testing

@testable import SyncCore

/// A hub must withstand everything that a watch with a valid key can send: names of other watches, absurd numbers,
/// floods of frames.
@Suite struct HostileWatchTests {
    private var hub = HubScript()
    private let honest = key(1)
    private let hostile = key(2)

    init() {
        hub.pair(honest, at: 0)
        hub.pair(hostile, at: 0)
    }

    private func frames(to connection: ConnectionID, in outputs: [HubEngine.Output]) -> [FrameKind] {
        outputs.compactMap { output in
            guard case .send(let frame, connection) = output else { return nil }
            return frame.kind
        }
    }

    private mutating func ping(_ peer: PeerKey, _ session: UInt64?, on connection: ConnectionID, at milliseconds: Int64)
    {
        hub.send(Ping(number: 1).frame(session: session ?? 0), peer, connection, at: milliseconds)
    }

    // MARK: - Connections

    @Test mutating func `a connection's name that another watch uses next ends the session that had it`() throws {
        // Once a connection is gone, ROUTER gives its name to any client that requests it, before the hub is notified.
        let first = hub.greet(honest, on: connection(1), at: 1)
        ping(honest, first, on: connection(1), at: 1)
        hub.outputs = []
        let second = hub.greet(hostile, on: connection(1), at: 2)
        let session = try #require(second)
        #expect(hub.outputs.contains(.event(.unlinked(honest, name: "wrist", .unroutable))))
        ping(hostile, session, on: connection(1), at: 2)
        #expect(hub.engine.watches.map(\.isLinked) == [false, true])

        hub.outputs = []
        let transfer = Exchange.Input.transfer(request(1), .init(payload: [1]))
        hub.feed(.transfer(honest, .exchange(transfer)), at: 3)
        hub.storeRecords(at: 3)
        #expect(hub.engine.outstandingItems(for: honest).count == 1)
        #expect(frames(to: connection(1), in: hub.outputs).contains(.item) == false)

        hub.outputs = []
        let third = hub.greet(honest, on: connection(3), at: 4)
        #expect(third != nil)
        #expect(!frames(to: connection(1), in: hub.outputs).contains(.refuse))
        hub.storeRecords(at: 4)
        ping(honest, third, on: connection(3), at: 5)
        hub.storeRecords(at: 5)
        #expect(frames(to: connection(3), in: hub.outputs).contains(.item))
        #expect(hub.engine.watches.map(\.isLinked) == [true, true])
    }

    // MARK: - Uploads

    @Test(arguments: [
        ("\"edit\":null,\"salvage\":null", "edit and salvage"),
        ("\"edit\":{},\"salvage\":{}", "edit and salvage"),
    ])
    func `an upload is one edit or one salvage`(members: String, name: String) {
        let json = "{\"sequence\":\"0000000000000001\",\(members)}"
        #expect { try NumberedUpload(decoding: Array(json.utf8)) } throws: { "\($0)".contains(name) }
    }

    @Test func `an edit has each cell once, cells have names, and the header has the first number`() throws {
        func fault(_ changes: [Edit.Change], sequence: UInt64 = 1) throws -> FrameError? {
            let uploads = [NumberedUpload(sequence: 1, upload: .edit(edit(1, changes)))]
            var frame = UploadBatch(incarnation: id(9), firstPending: 1, uploads: uploads).frame(session: 1)
            frame.sequence = sequence
            do throws(FrameError) {
                _ = try UploadBatch(frame)
                return nil
            } catch {
                return error
            }
        }
        #expect(try fault([change(title(1), "a"), change(title(2), "b")]) == nil)
        #expect(
            try fault([change(title(1), "a"), change(title(1), "b")]) == .body("changes: expected each cell once"))
        #expect(try fault([change(cell("", 1), "a")]) == .body("group: expected 1…64 bytes"))
        #expect(
            try fault([change(title(1), "a")], sequence: 2)
                == .body("uploads: expected the first with the number in the header, 2"))
    }

    @Test func `a disappearance that the hub did not need contradicts nothing when it comes again`() {
        var script = MergeScript()
        script.write(title(1), "first", at: 1)
        script.write(title(1), nil, at: 2)
        let loser = Conflict.Side(value: nil, dot: id(5), stamp: stamp(1), author: "")
        let gone = Conflict(
            id: id(5), edit: id(5), key: title(1), base: nil, loser: loser, winner: nil, rule: .deletionLostInRestore,
            place: Cell.Place(epoch: Epoch(number: 1), revision: 1))
        #expect(gone.isSeenDeletion)
        let uploads = [NumberedUpload(sequence: 1, upload: .salvage(gone))]
        #expect(script.take(uploads) != nil)
        #expect(script.conflicts.isEmpty)
        guard case .nothing = script.verdict(uploads) else {
            Issue.record("the same disappearance is taken for another upload")
            return
        }
    }

    @Test mutating func `a write to the engine's own cells is logged, and cannot be put into effect from there`() throws
    {
        let greeted = hub.greet(hostile, on: connection(2), at: 1)
        let session = try #require(greeted)
        let cell = CellKey(kind: "sync.watch", record: RandomID(high: 0, low: 3), group: "key")
        let upload = NumberedUpload(sequence: 1, upload: .edit(edit(1, [change(cell, "x")])))
        let batch = UploadBatch(incarnation: id(9), firstPending: 1, uploads: [upload])
        hub.send(batch.frame(session: session), hostile, connection(2), at: 2)
        hub.store(at: 2)
        #expect(hub.engine.conflicts.values.map(\.rule) == [.readOnly])
        hub.outputs = []
        hub.feed(.settle(.init(number: 8), conflict: id(1), restoring: true), at: 3)
        #expect(hub.claimDeeds() == [.answer(.init(number: 8), .refused(.reservedKind("sync.watch")))])
        hub.feed(.settle(.init(number: 9), conflict: id(1), restoring: false), at: 4)
        hub.store(at: 4)
        #expect(hub.engine.conflicts.isEmpty)
    }

    // MARK: - User info

    @Test func `a number that nobody counts to does not leave the other side without numbers`() throws {
        let absurd = ItemPosition(stream: identifier(66), highest: UInt64(Int64.max), lastID: identifier(67))
        var script = ExchangeScript()
        script.open(1, peer: ItemPositions(urgent: absurd, ordinary: absurd), at: 0)
        for number: UInt8 in 1...3 { script.accept([number], at: 1) }
        script.feed(.sessionClosed, at: 2)
        _ = script.claim()

        // The honest watch has not received anything yet.
        script.open(2, at: 3)
        let items = try script.claimFrames().map { try ItemFrame($0) }
        #expect(items.map(\.payload) == [[1], [2], [3]])
        let last = try #require(items.last).position
        script.feed(.received(ItemAcknowledgement(last).frame(session: 2)), at: 4)
        #expect(script.engine.outstanding.isEmpty)
        script.feed(.sessionClosed, at: 5)
        script.store(at: 5)

        // Its present numbers are accepted, however high they are.
        script.open(3, peer: ItemPositions(urgent: nil, ordinary: last), at: 6)
        script.accept([4], at: 7)
        #expect(try script.claimFrames().map { try ItemFrame($0).number } == [last.highest + 1])
    }

    // MARK: - Messages

    @Test func `a message has its place until the application answers it, whatever its sender does`() throws {
        // I7
        var configuration = Exchange.Configuration()
        configuration.messageCountMax = 2
        var script = ExchangeScript(configuration: configuration)
        func send(_ number: UInt64, session: UInt64, at milliseconds: Int64) -> FrameKind? {
            let frame = MessageFrame(number: number, wantsReply: true, timeoutMilliseconds: 1, payload: [])
            script.feed(.received(frame.frame(session: session)), at: milliseconds)
            return script.claimFrames().first?.kind
        }
        script.open(1, at: 0)
        #expect(send(1, session: 1, at: 0) == nil)
        #expect(send(2, session: 1, at: 10) == nil)
        #expect(send(3, session: 1, at: 20) == .messageError)
        script.open(2, at: 30)
        #expect(send(1, session: 2, at: 40) == .messageError)

        // Its reply is not sent, and its place is free again.
        script.feed(.reply(request(1), MessageID(session: 1, number: 1), []), at: 50)
        #expect(script.claimAnswers() == [.failed(.sessionReset)])
        #expect(send(2, session: 2, at: 60) == nil)
        #expect(send(3, session: 2, at: 70) == .messageError)
        script.feed(.decline(request(2), MessageID(session: 2, number: 2), .failed, text: ""), at: 80)
        _ = script.claim()
        #expect(send(4, session: 2, at: 90) == nil)

        // An application that never replies gets its places back after the timeout.
        #expect(send(5, session: 2, at: 600_000) == .messageError)
        #expect(send(6, session: 2, at: 600_010) == nil)
    }

    // MARK: - Files

    @Test func `files that are declined at once cost the store nothing`() {
        var script = FileScript()
        script.feed(.sessionOpened(7))
        for number: UInt64 in 1...3 {
            let offer = SampleFile(byteCount: 10).offer(RandomID(high: 3, low: number))
            script.feed(.received(offer.frame(session: 7, number: number)))
            script.feed(.storeFailed(offer.id, FileFailure(.failed, "no files here")))
            script.feed(.discarded(offer.id))
        }
        let records = script.claim().filter { if case .persist = $0 { true } else { false } }
        #expect(records.isEmpty)
    }

    @Test func `the next file waits until the store has taken note that one was given up`() {
        var script = FileScript()
        let (offer, _) = script.startReceiving(byteCount: 100_000)
        script.outputs = []
        let abort = FileAbort(id: offer.id, failure: FileFailure(.cancelled, ""))
        script.feed(.received(abort.frame(session: 7)))
        #expect(script.claimDeeds() == [.discard(offer.id), .persist(.abandoned(offer.id))])
        let next = SampleFile(byteCount: 10).offer(RandomID(high: 3, low: 9))
        script.feed(.received(next.frame(session: 7, number: 5)))
        script.feed(.discarded(offer.id))
        #expect(script.claimDeeds().isEmpty)
        script.feed(.persisted(.abandoned(offer.id)))
        #expect(script.claimDeeds() == [.begin(next, durable: 0)])
    }
}
