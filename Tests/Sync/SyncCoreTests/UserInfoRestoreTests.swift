import Testing

@testable import SyncCore

/// User info after one side was restored from a backup: no item arrives twice, and each loss is reported (PROTOCOL
/// §11).
@Suite struct UserInfoRestoreTests {
    @Test func `a restored sender begins a new numbering and delivers nothing twice`() {
        // C10, C14, C15.
        var pair = ExchangePair()
        for number in 1...2 { pair.left.accept([UInt8(number)], at: 0) }
        let backup = pair.left.disk
        pair.open(at: 1)
        pair.settle(at: 1)
        for number in 3...4 { pair.left.accept([UInt8(number)], at: 1) }
        pair.settle(at: 1)
        pair.left.restart(from: backup)
        pair.left.accept([5], at: 2)
        pair.left.accept([6], at: 2)
        pair.open(at: 2)
        pair.settle(at: 2)
        #expect(pair.received == [[1], [2], [3], [4], [5], [6]])
        #expect(pair.right.engine.counts.recognisedItems == 2)
        #expect(pair.left.engine.outstanding.isEmpty)
        // Nothing was lost, so nothing is reported.
        #expect(!pair.leftEvents.contains { if case .itemsLost = $0 { true } else { false } })
    }

    @Test func `a restored receiver gets what is left, and the loss is reported`() {
        var pair = ExchangePair()
        pair.open(at: 0)
        pair.left.accept([1], at: 0)
        pair.settle(at: 0)
        let backup = pair.right.disk
        for number in 2...3 { pair.left.accept([UInt8(number)], at: 1) }
        pair.settle(at: 1)
        pair.left.feed(.timeReached, at: 500)
        pair.settle(at: 500)
        pair.right.restart(from: backup)
        pair.left.accept([4], at: 501)
        pair.open(at: 501)
        pair.settle(at: 501)
        #expect(pair.leftEvents.contains(.itemsLost(.ordinary, 2...3)))
        // The backup was made before the first item was consumed, so it arrives again.
        #expect(pair.received == [[1], [2], [3], [1], [4]])
    }

    @Test func `a receiver that lost everything gets what is left, and the loss is reported`() {
        var pair = ExchangePair()
        pair.open(at: 0)
        pair.left.accept([1], at: 0)
        pair.settle(at: 0)
        pair.left.feed(.timeReached, at: 500)
        pair.settle(at: 500)
        pair.right.restart(from: .init())
        pair.left.accept([2], at: 501)
        pair.open(at: 501)
        pair.settle(at: 501)
        #expect(pair.leftEvents.contains(.itemsLost(.ordinary, 1...1)))
        #expect(pair.received == [[1], [2]])
    }

    @Test func `an acknowledgement of another item ends the session`() {
        // C14: comparing only the number would drop an item that the receiver never received.
        var left = ExchangeScript()
        left.open(1, at: 0)
        left.accept([1], at: 0)
        guard let stream = left.disk.outboxes.ordinary.stream else { return }
        _ = left.claim()
        let wrong = ItemPosition(stream: stream, highest: 1, lastID: identifier(99))
        left.feed(.received(ItemAcknowledgement(wrong).frame(session: 1)), at: 1)
        #expect(left.claim() == [.event(.dropped(.contradiction)), .endSession])
        #expect(left.engine.outstanding.count == 1)
    }

    @Test func `the receiver knows the last 4096 ids and no more`() {
        var inbox = ItemInbox()
        for number: UInt64 in 1...4097 {
            let item = ReceivedItem(id: identifier(number), payload: [], isUrgent: false)
            inbox.receive(item, at: ItemPosition(stream: identifier(1), highest: number, lastID: item.id))
            inbox.consume(item.id)
        }
        #expect(!inbox.knows(identifier(1)))
        #expect(inbox.knows(identifier(2)))
        #expect(inbox.recent.count == 4096)
        #expect(inbox == ItemInbox(positions: inbox.positions, recent: inbox.recent))
    }
}
