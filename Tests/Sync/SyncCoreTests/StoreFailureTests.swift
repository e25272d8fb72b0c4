import Testing

@testable import SyncCore

/// A hub whose store fails for a request that no application waits for, and what both ends store last.
@Suite struct StoreFailureTests {
    private let full = "the disk is full"
    private var hub = HubScript()

    init() {
        hub.pair(key(1), at: 0)
    }

    /// Fails the group of transactions that is being requested.
    private mutating func failStore(at milliseconds: Int64) throws {
        var group: [Transaction]?
        for case .persist(let wanted) in hub.outputs { group = wanted }
        hub.outputs = []
        hub.feed(.persistFailed(try #require(group), reason: full), at: milliseconds)
    }

    private mutating func upload(_ session: UInt64, at milliseconds: Int64) {
        let upload = NumberedUpload(sequence: 1, upload: .edit(edit(1, [change(title(1), "x")])))
        let batch = UploadBatch(incarnation: id(9), firstPending: 1, uploads: [upload])
        hub.send(batch.frame(session: session), key(1), connection(1), at: milliseconds)
    }

    @Test mutating func `a store that fails for an upload is told, but not each time`() throws {
        let greeted = hub.greet(key(1), on: connection(1), at: 1)
        let session = try #require(greeted)
        upload(session, at: 2)
        try failStore(at: 3)
        #expect(hub.claimEvents() == [.notStored(full)])
        upload(session, at: 2000)
        try failStore(at: 2001)
        #expect(hub.claimEvents().isEmpty)
        for time in stride(from: Int64(4000), to: 32_000, by: 1000) {
            hub.send(Ping(number: 1).frame(session: session), key(1), connection(1), at: time)
        }
        hub.outputs = []
        upload(session, at: 32_000)
        try failStore(at: 32_001)
        #expect(hub.claimEvents() == [.notStored(full)])
    }

    @Test mutating func `a watch whose greeting needs a new history that cannot be stored is told so`() throws {
        // C2: it knows a revision that this hub has lost.
        _ = hub.greet(key(1), on: connection(1), known: version(99, chain: 5), nonce: 31, at: 1)
        try failStore(at: 2)
        let refusals = hub.outputs.compactMap { output -> (nonce: UInt64, code: Refusal.Code)? in
            guard case .send(let frame, connection(1)) = output, let refusal = try? Refusal(frame),
                let nonce = try? Refusal.nonce(frame)
            else { return nil }
            return (nonce, refusal.code)
        }
        #expect(refusals.map(\.nonce) == [31])
        #expect(refusals.map(\.code) == [.failed])
        #expect(hub.claimEvents() == [.notStored(full)])
    }

    @Test mutating func `what a pairing is refused with names nothing of the hub's disk`() throws {
        let invitation = key(201)
        hub.feed(.invite(.init(number: 5), key: invitation, name: nil, validMilliseconds: 60_000), at: 1)
        hub.store(at: 1)
        let pairing = PairRequest(nonce: 5, key: key(3), name: "other")
        hub.send(pairing.frame, invitation, connection(9), at: 2)
        try failStore(at: 3)
        var texts: [String] = []
        for case .send(let frame, connection(9)) in hub.outputs { texts.append(try Refusal(frame).text) }
        #expect(texts == ["the hub could not store the pairing; try again"])
        #expect(hub.claimEvents().contains(.notStored(full)))
    }

    @Test func `what the store holds of a watch that is not paired goes at the start, and later if that fails`() throws
    {
        var engine = HubEngine(
            configuration: .init(app: testApp, schema: schema), state: LedgerState(newEpoch: Epoch(number: 1)),
            transfers: [key(7): TransferState()], seed: 1, at: moment(0))
        func nextForgetting() -> [Transaction]? {
            var found: [Transaction]?
            while let output = engine.nextOutput() {
                if case .persist(let group) = output, group.map(\.forgotten) == [[key(7)]] { found = group }
            }
            return found
        }
        let first = try #require(nextForgetting())
        engine.handle(.persistFailed(first, reason: full), at: moment(1))
        #expect(nextForgetting() == nil)
        engine.handle(.timeReached, at: moment(3_600_000))
        // The hourly check for old tombstones comes first, and finds none.
        let second = try #require(nextForgetting())
        engine.handle(.persisted(second), at: moment(3_600_001))
        #expect(nextForgetting() == nil)
        engine.handle(.timeReached, at: moment(7_200_002))
        #expect(nextForgetting() == nil)
    }

    @Test mutating func `what is given up because a watch is unpaired is no failure of the store`() {
        hub.feed(.transfer(key(1), .exchange(.transfer(request(4), .init(payload: [1])))), at: 1)
        let isStoring = hub.outputs.contains { if case .record = $0 { true } else { false } }
        #expect(isStoring)
        hub.outputs = []
        hub.feed(.unpair(.init(number: 6), key(1)), at: 2)
        hub.store(at: 2)
        let outputs = hub.claimDeeds()
        let declined = Exchange.Output.answer(request(4), .declined(.notStored("the watch was unpaired")))
        #expect(outputs.contains(.transfer(key(1), .exchange(declined))))
        #expect(!outputs.contains(.transfer(key(1), .exchange(.event(.notStored("the watch was unpaired"))))))
    }

    // MARK: - The end of a run

    private func received(_ number: UInt64) -> Exchange.Input {
        let item = ItemFrame(
            stream: identifier(1), number: number, isFirst: number == 1, id: identifier(10 + number), track: .ordinary,
            payload: [1])
        return .received(item.frame(session: 1))
    }

    @Test func `what the application has consumed is stored before a life ends`() {
        // R158: not delivered again after an orderly end.
        var script = ExchangeScript()
        script.open(1, at: 0)
        script.feed(received(1), at: 1)
        script.store(at: 1)
        script.feed(.consumed(identifier(11)), at: 2)
        #expect(script.record == nil)
        script.feed(.ending, at: 3)
        script.store(at: 3)
        script.crash()
        #expect(script.claimEvents().isEmpty)
    }

    @Test func `what waits behind a record is stored before a life ends, too`() {
        var script = ExchangeScript()
        script.open(1, at: 0)
        script.feed(received(1), at: 1)
        script.store(at: 1)
        script.feed(received(2), at: 2)
        script.feed(.consumed(identifier(11)), at: 2)
        #expect(script.record != nil)
        script.feed(.ending, at: 3)
        script.storeOnce(at: 3)
        script.feed(.consumed(identifier(12)), at: 3)
        script.feed(.ending, at: 3)
        script.store(at: 3)
        script.crash()
        #expect(script.claimEvents().isEmpty)
    }

    @Test mutating func `a hub that ends stores what its watches' applications consumed`() throws {
        let greeted = hub.greet(key(1), on: connection(1), at: 1)
        let session = try #require(greeted)
        let item = ItemFrame(
            stream: identifier(1), number: 1, isFirst: true, id: identifier(11), track: .ordinary, payload: [1])
        hub.send(item.frame(session: session), key(1), connection(1), at: 2)
        hub.storeRecords(at: 2)
        hub.feed(.transfer(key(1), .exchange(.consumed(identifier(11)))), at: 3)
        hub.storeRecords(at: 3)
        #expect(hub.engine.transfers(with: key(1))?.exchange.inbox.items.count == 1)
        hub.feed(.farewell, at: 4)
        hub.storeRecords(at: 4)
        #expect(hub.engine.transfers(with: key(1))?.exchange.inbox.items.isEmpty == true)
    }
}
