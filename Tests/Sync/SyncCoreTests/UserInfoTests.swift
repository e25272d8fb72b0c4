import Testing

@testable import SyncCore

/// User info in one direction: queued, in order, exactly once (PROTOCOL §11; rules R92…R117).
@Suite struct UserInfoTests {
    // MARK: - Accepting

    @Test func `an item is accepted only once it is durable`() {
        // I17; the basis of rule R94: an accepted item survives a crash.
        var script = ExchangeScript()
        script.feed(.transfer(request(1), .init(payload: [1], id: identifier(7))), at: 0)
        #expect(script.record?.changes.count == 1)
        #expect(script.claimAnswers().isEmpty)
        script.store(at: 1)
        #expect(script.claim() == [.answer(request(1), .accepted(identifier(7), isUrgent: false))])
        script.crash()
        #expect(script.engine.outstanding.map(\.item.id) == [identifier(7)])
        #expect(script.engine.outstanding.map(\.progress) == [.waiting])
    }

    @Test func `a store that fails takes nothing with it that was accepted`() {
        var script = ExchangeScript()
        script.accept([1], at: 0)
        _ = script.claim()
        script.feed(.transfer(request(2), .init(payload: [2])), at: 1)
        // A second request waits for the next record.
        script.feed(.transfer(request(3), .init(payload: [3])), at: 1)
        script.failStore(at: 2)
        let answers = script.claim().filter { if case .answer = $0 { true } else { false } }
        #expect(answers == [.answer(request(2), .declined(.notStored("full")))])
        script.store(at: 3)
        #expect(script.disk.outboxes.ordinary.items.map(\.payload) == [[1], [3]])
        #expect(script.engine.state == script.disk)
    }

    @Test func `limits are errors at the caller before anything is accepted`() {
        // I7; rules R147, R149.
        var configuration = Exchange.Configuration()
        configuration.outstandingCountMax = 3
        configuration.outstandingByteCountMax = 100
        configuration.itemByteCountMax = 90
        var script = ExchangeScript(configuration: configuration)
        let attempts: [([UInt8], ItemError?)] = [
            (Array(repeating: 0, count: 91), .payloadTooLarge(byteCount: 91, limit: 90)),
            (Array(repeating: 0, count: 90), nil),
            (Array(repeating: 0, count: 11), .queueFull(count: 1, byteCount: 90)),
            ([1], nil), ([2], nil), ([3], .queueFull(count: 3, byteCount: 92)),
        ]
        for (payload, fault) in attempts {
            script.feed(.transfer(request(1), .init(payload: payload)), at: 0)
            script.store(at: 0)
            let answers = script.claimAnswers()
            #expect(answers.count == 1)
            if let fault { #expect(answers == [.declined(fault)]) }
        }
        #expect(script.disk.outboxes.ordinary.items.count == 3)
    }

    @Test func `what is being accepted counts against the bound`() {
        var configuration = Exchange.Configuration()
        configuration.outstandingCountMax = 2
        var script = ExchangeScript(configuration: configuration)
        for number in 1...3 { script.feed(.transfer(request(UInt64(number)), .init(payload: [])), at: 0) }
        #expect(script.claimAnswers() == [.declined(.queueFull(count: 2, byteCount: 0))])
    }

    @Test func `the same id is not outstanding twice`() {
        var script = ExchangeScript()
        for number in 1...2 {
            script.feed(.transfer(request(UInt64(number)), .init(payload: [], id: identifier(7))), at: 0)
        }
        #expect(script.claimAnswers() == [.declined(.knownItem(identifier(7)))])
        script.store(at: 0)
        script.feed(.transfer(request(3), .init(payload: [], id: identifier(7))), at: 0)
        #expect(script.claimAnswers().last == .declined(.knownItem(identifier(7))))
    }

    // MARK: - Transfer

    @Test func `items arrive in order and leave the queue when the receiver holds them`() {
        var pair = ExchangePair()
        for number in 1...100 { pair.left.accept([UInt8(number)], at: 0) }
        pair.open(at: 1)
        pair.settle(at: 2)
        #expect(pair.received == (1...100).map { [UInt8($0)] })
        #expect(pair.left.engine.outstanding.isEmpty)
        // The sender's store follows a little later, with one record for all items.
        #expect(pair.left.disk.outboxes.ordinary.items.count == 100)
        pair.left.feed(.timeReached, at: 200)
        pair.settle(at: 200)
        #expect(pair.left.disk.outboxes.ordinary.items.isEmpty)
        let delivered = pair.leftEvents.filter { if case .itemDelivered = $0 { true } else { false } }
        #expect(delivered.count == 100)
    }

    @Test func `an item is acknowledged and told only once it is durable`() {
        // C4, C5: item, id and position are one record.
        var right = ExchangeScript()
        right.open(1, at: 0)
        let item = ItemFrame(
            stream: identifier(1), number: 1, isFirst: true, id: identifier(7), track: .ordinary, payload: [1])
        right.feed(.received(item.frame(session: 1)), at: 1)
        let received = ReceivedItem(id: identifier(7), payload: [1], isUrgent: false)
        #expect(right.claim() == [.persist(.init(number: 1, changes: [.received(received, item.position)]))])
        right.store(at: 2)
        #expect(
            right.claim() == [
                .event(.itemReceived(received)), .send(ItemAcknowledgement(item.position).frame(session: 1)),
            ])
    }

    @Test func `a repeated item is acknowledged again and not taken again`() {
        var right = ExchangeScript()
        right.open(1, at: 0)
        let item = ItemFrame(
            stream: identifier(1), number: 1, isFirst: true, id: identifier(7), track: .ordinary, payload: [1])
        right.feed(.received(item.frame(session: 1)), at: 1)
        right.store(at: 2)
        _ = right.claim()
        right.feed(.received(item.frame(session: 1)), at: 3)
        #expect(
            right.claim() == [
                .event(.dropped(.old(.item))), .send(ItemAcknowledgement(item.position).frame(session: 1)),
            ])
        #expect(right.engine.counts.repeatedItems == 1)
    }

    @Test func `an item that overtook another waits for its turn`() {
        // I6: there is never a gap.
        var right = ExchangeScript()
        right.open(1, at: 0)
        for number: UInt64 in [2, 1, 3] {
            let item = ItemFrame(
                stream: identifier(1), number: number, isFirst: number == 1, id: identifier(number),
                track: .ordinary, payload: [])
            right.feed(.received(item.frame(session: 1)), at: 1)
            right.store(at: 1)
        }
        #expect(right.disk.inbox.items.map(\.id) == [identifier(1)])
        #expect(right.disk.inbox.positions.ordinary?.highest == 1)
    }

    @Test func `a lost item is asked for at once, and everything goes again once`() {
        var pair = ExchangePair()
        pair.open(at: 0)
        pair.left.accept([0], at: 0)
        pair.settle(at: 0)
        for number in 1...3 { pair.left.accept([UInt8(number)], at: 1) }
        // The first of three frames is lost.
        let frames = pair.left.claimFrames()
        for frame in frames.dropFirst() { pair.right.feed(.received(frame), at: 1) }
        let complaints = pair.right.claimFrames()
        #expect(complaints.count == 1)
        for frame in complaints + complaints { pair.left.feed(.received(frame), at: 2) }
        #expect(pair.left.claimFrames() == frames)
        for frame in frames { pair.right.feed(.received(frame), at: 3) }
        pair.settle(at: 3)
        #expect(pair.received == [[0], [1], [2], [3]])
    }

    @Test func `an item that is missing is reported once in each session`() {
        let stream = RandomID(high: 1, low: 1)
        let inbox = ItemInbox(
            positions: ItemPositions(
                urgent: nil, ordinary: ItemPosition(stream: stream, highest: 1, lastID: identifier(1))))
        var receiver = ItemReceiver(countMax: 10, byteCountMax: 1000)
        let third = ItemFrame(
            stream: stream, number: 3, isFirst: false, id: identifier(3), track: .ordinary, payload: [])
        for _ in 1...2 {
            var reports: [Bool] = []
            for _ in 1...2 {
                _ = receiver.received(third, inbox: inbox)
                reports += receiver.takeAcknowledgements(positions: inbox.positions).map(\.isMissingNext)
            }
            #expect(reports == [true])
            receiver.sessionClosed()
        }
    }

    @Test func `the window bounds what is on its way`() {
        var left = ExchangeScript()
        for _ in 0..<40 { left.accept([0], at: 0) }
        left.accept(Array(repeating: 0, count: 65_536), isUrgent: true, at: 0)
        for _ in 0..<4 { left.accept(Array(repeating: 0, count: 65_536), isUrgent: true, at: 0) }
        _ = left.claim()
        left.open(1, at: 1)
        let frames = left.claimFrames()
        #expect(frames.count == 32 + 4)
        // Complication items go first (rule R110).
        #expect(frames.prefix(4).allSatisfy { $0.blob.count == 65_536 })
    }

    @Test func `after two seconds without progress the first item goes again, alone`() throws {
        var left = ExchangeScript()
        for number in 1...3 { left.accept([UInt8(number)], at: 0) }
        left.open(1, at: 0)
        let first = left.claimFrames()
        #expect(first.map(\.blob) == [[1], [2], [3]])
        #expect(left.engine.nextDeadline == instant(2000))
        left.feed(.timeReached, at: 1999)
        #expect(left.claimFrames().isEmpty)
        left.feed(.timeReached, at: 2000)
        let again = left.claimFrames()
        #expect(again == [first[0]])
        // Its acknowledgement lets the others continue.
        let item = try ItemFrame(again[0])
        left.feed(.received(ItemAcknowledgement(item.position).frame(session: 1)), at: 2100)
        #expect(left.claimFrames() == [first[1], first[2]])
    }

    @Test func `what was accepted before a crash arrives after it`() {
        var pair = ExchangePair()
        for number in 1...5 { pair.left.accept([UInt8(number)], at: 0) }
        pair.left.crash()
        pair.open(at: 1)
        pair.settle(at: 1)
        pair.right.feed(.timeReached, at: 101)
        pair.settle(at: 101)
        pair.left.crash()
        pair.right.crash()
        pair.left.accept([6], at: 102)
        pair.open(at: 103)
        pair.settle(at: 103)
        #expect(pair.received == (1...6).map { [UInt8($0)] })
    }

    // MARK: - The inbox

    @Test func `an item that was not consumed comes again after a restart`() {
        var right = ExchangeScript()
        right.open(1, at: 0)
        for number: UInt64 in 1...3 {
            let item = ItemFrame(
                stream: identifier(1), number: number, isFirst: number == 1, id: identifier(number),
                track: .ordinary, payload: [])
            right.feed(.received(item.frame(session: 1)), at: 1)
            right.store(at: 1)
        }
        right.feed(.consumed(identifier(2)), at: 2)
        right.feed(.timeReached, at: 102)
        right.store(at: 102)
        right.crash()
        let events = right.claimEvents()
        let ids = events.compactMap { event -> RandomID? in
            guard case .itemReceived(let item) = event else { return nil }
            return item.id
        }
        #expect(ids == [identifier(1), identifier(3)])
    }

    @Test func `a full inbox holds the sender back and loses nothing`() {
        var configuration = Exchange.Configuration()
        configuration.inboxCountMax = 2
        var right = ExchangeScript(configuration: configuration)
        right.open(1, at: 0)
        func item(_ number: UInt64) -> Frame {
            ItemFrame(
                stream: identifier(1), number: number, isFirst: number == 1, id: identifier(number), track: .ordinary,
                payload: []
            ).frame(session: 1)
        }
        for number: UInt64 in 1...3 { right.feed(.received(item(number)), at: 1) }
        right.store(at: 1)
        #expect(right.claimEvents().contains(.dropped(.inboxFull)))
        #expect(right.disk.inbox.items.count == 2)
        right.feed(.consumed(identifier(1)), at: 2)
        right.feed(.timeReached, at: 200)
        right.store(at: 200)
        right.feed(.received(item(3)), at: 2001)
        right.store(at: 2001)
        #expect(right.disk.inbox.items.map(\.id) == [identifier(2), identifier(3)])
        right.feed(.received(item(4)), at: 2002)
        #expect(right.claimEvents().last == .dropped(.inboxFull))
    }

    // MARK: - Cancelling

    @Test func `an item that was never sent can be cancelled, even after a restart`() {
        // Rule R97.
        var left = ExchangeScript()
        let ids = (1...3).compactMap { left.accept([UInt8($0)], at: 0) }
        guard ids.count == 3 || left.disk.outboxes.ordinary.items.count == 3 else { return }
        left.crash()
        let middle = left.disk.outboxes.ordinary.items[1].id
        left.feed(.cancel(request(1), middle), at: 1)
        left.feed(.cancel(request(2), middle), at: 1)
        left.store(at: 1)
        #expect(left.claimAnswers() == [.declined(.beingCancelled(middle)), .cancelled(middle)])
        left.open(1, at: 2)
        let frames = left.claimFrames()
        #expect(frames.map(\.blob) == [[1], [3]])
        #expect(frames.map(\.sequence) == [1, 2])
        left.feed(.cancel(request(3), middle), at: 3)
        #expect(left.claimAnswers() == [.declined(.unknownItem(middle))])
    }

    @Test func `an item that may have been sent cannot be cancelled, even after a restart`() {
        var left = ExchangeScript()
        left.open(1, at: 0)
        let id = left.accept([1], at: 0)
        #expect(left.claimFrames().map(\.blob) == [[1]])
        guard let id else { return }
        #expect(left.engine.outstanding.map(\.progress) == [.underWay])
        left.feed(.cancel(request(1), id), at: 1)
        #expect(left.claimAnswers() == [.declined(.underWay(id))])
        left.crash()
        left.feed(.cancel(request(1), id), at: 1)
        #expect(left.claimAnswers() == [.declined(.underWay(id))])
    }

    @Test func `an item that is being cancelled is not sent meanwhile`() {
        var left = ExchangeScript()
        left.accept([1], at: 0)
        left.accept([2], at: 0)
        let first = left.disk.outboxes.ordinary.items[0].id
        left.feed(.cancel(request(1), first), at: 1)
        left.feed(.sessionOpened(1, peer: ItemPositions()), at: 1)
        #expect(left.claimFrames().isEmpty)
        left.failStore(at: 2)
        left.feed(.timeReached, at: 1002)
        left.store(at: 1002)
        #expect(left.claimFrames().map(\.blob) == [[1], [2]])
    }

    // MARK: - Frames

    @Test func `positions survive the greeting, and wrong ones are refused by name`() throws {
        let positions = ItemPositions(
            urgent: nil, ordinary: ItemPosition(stream: identifier(1), highest: 5, lastID: identifier(2)))
        func read(_ json: JSONValue) throws(FrameError) -> ItemPositions {
            let frame = Frame(kind: .hello, session: 0, body: JSONValue.members(["items": json]).encoded)
            return try ItemPositions(try BodyReader(frame).object("items"))
        }
        #expect(try read(positions.json) == positions)
        #expect(try read(ItemPositions().json) == ItemPositions())
        for highest in [0, UInt64.max] {
            let wrong = ItemPosition(stream: identifier(1), highest: highest, lastID: identifier(2))
            #expect(throws: FrameError.self) {
                try read(ItemPositions(urgent: wrong, ordinary: nil).json)
            }
        }
    }

    @Test func `a frame of a wrong form or of another session changes nothing`() {
        var right = ExchangeScript()
        right.open(1, at: 0)
        let item = ItemFrame(
            stream: identifier(1), number: 1, isFirst: true, id: identifier(7), track: .ordinary, payload: [1])
        var torn = item.frame(session: 1)
        torn.body = Array("{}".utf8)
        var zero = item.frame(session: 1)
        zero.sequence = 0
        for frame in [torn, zero, item.frame(session: 2), Frame(kind: .ping, session: 1)] {
            right.feed(.received(frame), at: 1)
            #expect(right.record == nil)
        }
        let drops = right.claimEvents()
        #expect(drops.count == 4)
        #expect(drops.suffix(2) == [.dropped(.foreignSession(.item)), .dropped(.foreignKind(.ping))])
    }
}
