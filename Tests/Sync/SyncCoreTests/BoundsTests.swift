import Testing

@testable import SyncCore

/// The limits of the work that one key can cause at a hub, whatever it sends.
@Suite struct BoundsTests {
    private var hub = HubScript()
    private let honest = key(1)
    private let hostile = key(2)

    init() {
        hub.pair(honest, at: 0)
        hub.pair(hostile, at: 0)
    }

    /// A JSON body with this many unknown member names.
    private static func names(_ count: Int) -> [UInt8] {
        Array(("{" + (0..<count).map { "\"n\($0)\":0" }.joined(separator: ",") + "}").utf8)
    }

    private func greeting(_ nonce: UInt64) -> Frame {
        Hello(
            nonce: nonce, wire: 1...1, schema: 1...1, name: "wrist", app: testApp, epoch: nil, known: nil, window: 4
        ).frame
    }

    private func kinds(to connection: ConnectionID) -> [FrameKind] {
        hub.outputs.compactMap { output in
            guard case .send(let frame, connection) = output else { return nil }
            return frame.kind
        }
    }

    private var closed: [ConnectionID] {
        hub.outputs.compactMap { output in
            guard case .close(let connection) = output else { return nil }
            return connection
        }
    }

    private mutating func ping(_ peer: PeerKey, _ session: UInt64, on connection: ConnectionID, at milliseconds: Int64)
    {
        hub.send(Ping(number: 1).frame(session: session), peer, connection, at: milliseconds)
    }

    // MARK: - Bodies

    /// A text in which each byte takes six bytes when encoded, the worst case.
    private static func escapes(_ count: Int) -> String { String(repeating: "\u{1}", count: count) }

    /// The largest valid frames that a watch can create.
    private static var largest: [Frame] {
        let position = ItemPosition(stream: id(1), highest: UInt64(Int64.max), lastID: id(2))
        let most = UInt32.max
        let app = AppName(String(repeating: "a", count: 64))
        let hello = Hello(
            nonce: .max, wire: most...most, schema: most...most, name: escapes(256), app: app,
            epoch: Epoch(number: .max),
            known: version(.max, epoch: .max, chain: .max), knownRecords: most,
            items: ItemPositions(urgent: position, ordinary: position), window: 1024)
        let pair = PairRequest(nonce: .max, key: key(7), name: escapes(64), app: app)
        let credit = Credit(highest: .max, missing: (0..<1024).map { .max - $0 })
        func cell(_ number: UInt64) -> CellKey {
            CellKey(kind: escapes(64), record: RandomID(high: .max, low: number), group: escapes(64))
        }
        let stamp = Stamp(milliseconds: .min, counter: .max, node: .max)
        let edit = Edit(
            id: id(1),
            changes: (0..<UInt64(Edit.changeCountMax)).map {
                Edit.Change(key: cell($0), value: escapes(2048), base: id(3), seen: escapes(2048))
            }, stamp: stamp, schema: most, resolves: id(4))
        let side = Conflict.Side(value: escapes(16_384), dot: id(5), stamp: stamp, author: escapes(256))
        let salvage = Conflict(
            id: id(6), edit: id(7), key: cell(1), base: escapes(16_384), loser: side, winner: side,
            rule: .deletionLostInRestore, place: Cell.Place(epoch: Epoch(number: .max), revision: .max))
        func upload(_ upload: Upload) -> Frame {
            UploadBatch(
                incarnation: id(8), firstPending: 1, uploads: [NumberedUpload(sequence: .max, upload: upload)]
            ).frame(session: .max)
        }
        let message = MessageAnswerFrame.declined(.noHandler, text: escapes(256)).frame(number: .max, session: .max)
        return [
            hello.frame, pair.frame, credit.frame(session: .max), upload(.edit(edit)), upload(.salvage(salvage)),
            message,
        ]
    }

    @Test(arguments: largest.indices)
    func `the largest legal body fits`(_ number: Int) throws {
        let frame = Self.largest[number]
        #expect(try FrameCodec.frame(of: FrameCodec.parts(of: frame)) == frame)
        switch frame.kind {
        // With room for members of a later version or of another application.
        case .hello: #expect(frame.body.count + 1000 < 4096 && (try? Hello(frame)) != nil)
        case .pair: #expect(frame.body.count + 1000 < 4096 && (try? PairRequest(frame)) != nil)
        case .credit: #expect(try Credit(frame).missing.count == 1024)
        case .upload: #expect(try UploadBatch(frame).uploads.count == 1)
        default: break
        }
    }

    @Test(arguments: FrameKind.allCases)
    func `a body larger than its kind may have is none, before anybody looks into it`(_ kind: FrameKind) {
        let most = Frame(kind: kind, session: 1, body: [UInt8](repeating: 0x20, count: kind.bodyByteCountMax))
        #expect((try? FrameCodec.frame(of: FrameCodec.parts(of: most))) == most)
        let body = [UInt8](repeating: 0x20, count: kind.bodyByteCountMax + 1)
        #expect(throws: FrameError.tooLarge(byteCount: body.count)) {
            try FrameCodec.frame(of: FrameCodec.parts(of: Frame(kind: kind, session: 1, body: body)))
        }
    }

    // MARK: - Work

    @Test mutating func `a greeting of 94,000 names is not read, and a few of them cut their sender off`() throws {
        let greeted = hub.greet(honest, on: connection(1), at: 1)
        let session = try #require(greeted)
        ping(honest, session, on: connection(1), at: 1)
        let read = hub.engine.readByteCount
        let frame = Frame(kind: .hello, session: 0, body: Self.names(94_000))
        var count = 0
        while count < 100, !hub.outputs.contains(.event(.cutOff(hostile, name: "wrist-2"))) {
            hub.send(frame, hostile, connection(2), at: 2)
            count += 1
        }
        #expect(count == 9)
        #expect(hub.engine.readByteCount == read)

        // Its frames are no longer read, and its connections are ended.
        hub.outputs = []
        hub.send(greeting(1), hostile, connection(3), at: 3)
        #expect(closed == [connection(3)])
        #expect(kinds(to: connection(3)).isEmpty)

        // Other watches are not affected.
        ping(honest, session, on: connection(1), at: 4)
        #expect(kinds(to: connection(1)) == [.pong])

        // Its frames are read again after ten seconds.
        #expect(hub.greet(hostile, on: connection(4), at: 10_003) != nil)
    }

    @Test mutating func `a watch pays for what it says that it did not get, as the hub sends it again`() throws {
        let greeted = hub.greet(hostile, on: connection(2), at: 1)
        let session = try #require(greeted)
        // An eighth of a second each.
        let wrong = Pong(number: 1, hubMilliseconds: 1).frame(session: session)
        for _ in 0..<7 { hub.send(wrong, hostile, connection(2), at: 2) }
        let credit = Credit(highest: 1024, missing: Array(1...1024)).frame(session: session)
        var count = 0
        while count < 50, !hub.outputs.contains(.event(.cutOff(hostile, name: "wrist-2"))) {
            hub.outputs = []
            hub.send(credit, hostile, connection(2), at: 2)
            count += 1
        }
        #expect(count == 4)
    }

    @Test mutating func `a watch that is cut off is told why, and that it may come again`() throws {
        let greeted = hub.greet(hostile, on: connection(2), at: 1)
        let session = try #require(greeted)
        ping(hostile, session, on: connection(2), at: 1)
        hub.outputs = []
        let faulty = Frame(kind: .upload, session: session, body: Self.names(30_000))
        var count = 0
        while count < 100, hub.engine.watches.contains(where: \.isLinked) {
            hub.send(faulty, hostile, connection(2), at: 2)
            count += 1
        }
        #expect(count == 7, "bodies that are read in vain count more than others")
        let refusal = hub.outputs.compactMap { output -> Refusal? in
            guard case .send(let frame, connection(2)) = output, frame.kind == .refuse else { return nil }
            return try? Refusal(frame)
        }.first
        #expect(refusal?.code == .failed)
        #expect(refusal?.retryAfterMilliseconds == 10_000)
        #expect(hub.outputs.contains(.event(.unlinked(hostile, name: "wrist-2", .cutOff))))
        #expect(closed.isEmpty)
    }

    @Test mutating func `a watch that is cut off is not heard sooner because it was unpaired`() {
        let frame = Frame(kind: .hello, session: 0, body: Self.names(94_000))
        for _ in 0..<9 { hub.send(frame, hostile, connection(2), at: 2) }
        hub.feed(.unpair(.init(number: 1), hostile), at: 3)
        hub.store(at: 3)
        #expect(hub.engine.watches.map(\.watch.key) == [honest])
        hub.outputs = []
        hub.send(greeting(1), hostile, connection(3), at: 4)
        #expect(closed == [connection(3)] && kinds(to: connection(3)).isEmpty)
        // After that time it is told that it is a stranger.
        hub.send(greeting(1), hostile, connection(4), at: 10_003)
        #expect(kinds(to: connection(4)) == [.refuse])
    }

    @Test func `an upload costs what its changes cost, and waits while half of the budget is spent`() {
        func batch(_ edits: [Edit]) -> UploadBatch {
            UploadBatch(
                incarnation: id(1), firstPending: 1,
                uploads: edits.enumerated().map { NumberedUpload(sequence: UInt64($0) + 1, upload: .edit($1)) })
        }
        let large = edit(1, (0..<16).map { change(title($0), nil) })
        #expect(SenderBudget.price(of: batch([large])) == .microseconds(16 * 50))
        #expect(SenderBudget.price(of: batch([large, edit(2, [])])) == .microseconds(17 * 50))

        var budget = SenderBudget()
        var isSpent = budget.charge(.milliseconds(500), now: instant(0))
        #expect(budget.uploadsWait(now: instant(0)) == nil)
        isSpent = budget.charge(.milliseconds(100), now: instant(0)) || isSpent
        #expect(budget.uploadsWait(now: instant(0)) == instant(200))
        #expect(budget.uploadsWait(now: instant(199)) == instant(200))
        #expect(budget.uploadsWait(now: instant(200)) == nil)
        // What follows from uploads makes the next ones wait, and shuts nobody.
        for _ in 0..<10 { budget.owe(.milliseconds(300), now: instant(200)) }
        #expect(budget.uploadsWait(now: instant(200)) == instant(700))
        isSpent = budget.charge(.milliseconds(250), now: instant(200)) || isSpent
        #expect(!isSpent)
        isSpent = budget.charge(.milliseconds(1), now: instant(200))
        #expect(isSpent)
    }

    @Test mutating func `a watch that returns with 1024 edits of 16 cells is not cut off`() throws {
        let script = HubScript(schema: houseSchema)
        hub = script
        hub.pair(honest, at: 0)
        let greeted = hub.greet(honest, on: connection(1), at: 1)
        let session = try #require(greeted)
        // Each edit as large as an alert's answer, and a round trip of ten milliseconds for each batch.
        let pending = (0..<1024 as Range<UInt64>).map { number in
            let changes = (0..<16).map { index in
                let seen = number < 8 ? nil : edit(number - 8, []).dot(of: index)
                return change(title(16 * (number % 8) + UInt64(index)), "\(number) \(index)", base: seen)
            }
            return NumberedUpload(sequence: number + 1, upload: .edit(edit(number, changes, at: Int64(number))))
        }
        var replica = ReplicaState(incarnation: id(1), pending: pending)
        var sender = UploadSender()
        var time: Int64 = 2
        var version = hub.engine.version
        while !replica.pending.isEmpty, time < 60_000 {
            if let batch = sender.next(replica, now: instant(time)) {
                hub.send(batch.frame(session: session), honest, connection(1), at: time)
            }
            time += 5
            hub.feed(.timeReached, at: time)
            let ends = hub.outputs.contains { if case .event(.cutOff) = $0 { true } else { false } }
            #expect(!ends)
            if ends { break }
            hub.store(at: time)
            time += 5
            if hub.engine.version != version {
                version = hub.engine.version
                hub.send(version.acknowledgement(session: session), honest, connection(1), at: time)
            }
            ping(honest, session, on: connection(1), at: time)
            let highest = hub.engine.ledger.state.uploads[honest]?.highest ?? 0
            replica.pending.removeAll { $0.sequence <= highest }
        }
        #expect(replica.pending.isEmpty)
    }

    @Test mutating func `what an honest watch sends costs it nothing`() throws {
        let greeted = hub.greet(honest, on: connection(1), known: hub.engine.version, at: 1)
        let session = try #require(greeted)
        for second in 0..<Int64(60) {
            // A busy second: many credits, a body of some kilobytes, and one damaged frame.
            for number in 0..<Int64(20) {
                let credit = Credit(highest: 0, missing: [1, 2]).frame(session: session)
                hub.send(credit, honest, connection(1), at: 1 + second * 1000 + number * 50)
            }
            let large = Frame(kind: .contextAcknowledged, session: session, body: Self.names(300))
            hub.send(large, honest, connection(9), at: 1 + second * 1000 + 990)
            ping(honest, session, on: connection(1), at: 1 + second * 1000 + 995)
            hub.feed(
                .received(parts: [[1, 2, 3]], connection: connection(1), peer: honest), at: 1 + second * 1000 + 999)
            hub.outputs = hub.outputs.filter { if case .event(.cutOff) = $0 { true } else { false } }
        }
        #expect(hub.outputs.isEmpty)
    }
}
