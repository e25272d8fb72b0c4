import PoolAlerts
import PoolModel
import SyncCore
import SyncStore
import Testing

@testable import PoolWatch

/// The notices that a watch stores.
@Suite struct NoticeStoreTests {
    /// A notice as a hub creates it.
    private func notice(_ number: Int) throws -> AlertNotice {
        let moment = AlertTime(
            wall: Timestamp(milliseconds: 1_780_000_000_000 + Int64(number)), uptimeMilliseconds: Int64(number))
        var engine = AlertEngine(at: moment)
        engine.handle(.test, at: moment)
        while let output = engine.nextOutput() {
            if case .persist(let record, let ticket) = output {
                engine.handle(.persisted(record.key, ticket: ticket), at: moment)
            }
            if case .send(let notice, _) = output { return notice }
        }
        throw Missing()
    }

    private func item(_ notice: AlertNotice, isUrgent: Bool = false) throws -> ReceivedItem {
        let json = String(decoding: try CanonicalJSON.encode(notice), as: UTF8.self)
        return ReceivedItem(
            id: RandomID(high: .random(in: 0...(.max)), low: 1),
            payload: try PropertyList.dictionary(["alert": .string(json)]).encoded(), isUrgent: isUrgent)
    }

    @Test func `a notice is taken once, whichever way it comes, also after a restart`() throws {
        // V19, P69
        let place = try TestPlace()
        do {
            let book = try NoticeStore(in: StateFolder(path: place.path))
            #expect(try book.take(item(try notice(1))))
            #expect(try !book.take(item(try notice(1), isUrgent: true)))
            #expect(book.takenCount == 1)
            book.close()
        }
        let again = try NoticeStore(in: StateFolder(path: place.path))
        #expect(again.notices == [try notice(1)])
        #expect(try !again.take(item(try notice(1))))
        #expect(again.takenCount == 0)
    }

    @Test func `the last notices are kept, and user info of another kind is left`() throws {
        let place = try TestPlace()
        let book = try NoticeStore(in: StateFolder(path: place.path))
        for number in 0..<(NoticeStore.countMax + 2) { #expect(try book.take(item(try notice(number)))) }
        #expect(book.notices.count == NoticeStore.countMax)
        #expect(book.notices.first == (try notice(NoticeStore.countMax + 1)))
        let other = ReceivedItem(id: RandomID(high: 1, low: 2), payload: [1, 2, 3], isUrgent: false)
        #expect(try !book.take(other))
    }
}
