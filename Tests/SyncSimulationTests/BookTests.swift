import LongWork
import SyncCore
import Testing

@testable import SyncSimulation

/// Books of the checks that only a fault of design, or somebody with a watch's key, brings to say something.
@Suite(.longWork) struct BookTests {
    private let peer = PeerKey.simulated(kind: 1, number: 0, draw: 7)
    private let numbering = RandomID(high: 8, low: 8)
    private let side = Side(watch: 0, isHub: false)

    // MARK: - Uploads

    /// UPLOAD with edits of these names under consecutive numbers.
    private func upload(_ names: [UInt64], from first: UInt64) -> [[UInt8]] {
        let uploads = names.enumerated().map { place, name in
            let edit = Edit(
                id: RandomID(high: name, low: 0), changes: [], stamp: Stamp(milliseconds: 1, counter: 0, node: 7),
                schema: 1, resolves: nil)
            return NumberedUpload(sequence: first + UInt64(place), upload: .edit(edit)).json
        }
        let body = JSONValue.members([
            "incarnation": .string(numbering.hexadecimal), "first": .hexadecimal(first), "uploads": .array(uploads),
        ])
        return FrameCodec.parts(of: Frame(kind: .upload, session: 1, sequence: first, body: body.encoded))
    }

    private func mark(_ highest: UInt64, names: [UInt64]) -> UploadMark {
        UploadMark(
            incarnation: numbering, highest: highest, last: RandomID(high: names.last ?? 0, low: 0),
            taken: RecentIDs(names.map { RandomID(high: $0, low: 0) }))
    }

    private func taking(through highest: UInt64) -> Transaction {
        let version = Version(epoch: Epoch(number: 1), revision: 1, chain: 0)
        var transaction = Transaction(
            before: version, after: version, stamp: Stamp(milliseconds: 1, counter: 0, node: 0))
        transaction.progress = UploadProgress(
            peer: peer, incarnation: numbering, highest: highest, last: nil, firstPending: 1, outcomes: [], taken: [])
        return transaction
    }

    @Test func `a hub that takes an upload before the ones in front of it came is found`() {
        // I6
        var book = UploadBook()
        let empty = LedgerState(newEpoch: Epoch(number: 1))
        book.arrives(upload([1], from: 1), from: peer, told: nil)
        book.arrives(upload([3], from: 3), from: peer, told: nil)
        #expect(book.took(taking(through: 1), after: empty) == nil)
        #expect(book.took(taking(through: 3), after: empty)?.rule == .inOrder)
        book.arrives(upload([2], from: 2), from: peer, told: nil)
        #expect(book.took(taking(through: 3), after: empty) == nil)
        #expect(book.took(taking(through: .max), after: empty)?.rule == .inOrder)
    }

    @Test func `a hub that passes over another upload under a number that it has taken is found`() {
        // C14
        var book = UploadBook()
        book.arrives(upload([1, 2], from: 1), from: peer, told: mark(2, names: [1, 2]))
        #expect(book.handled() == nil, "the same uploads once more")
        book.arrives(upload([3], from: 3), from: peer, told: mark(2, names: [1, 2]))
        #expect(book.handled() == nil, "a new number")
        book.arrives(upload([9], from: 2), from: peer, told: mark(2, names: [1, 2]))
        book.refused()
        #expect(book.handled() == nil, "the hub said so, or dropped it")
        book.arrives(upload([9], from: 2), from: peer, told: mark(2, names: [1, 2]))
        #expect(book.handled()?.rule == .noSilentLoss)
        #expect(book.handled() == nil)
        book.transactionBegan()
        book.arrives(upload([9], from: 2), from: peer, told: mark(2, names: [1, 2]))
        #expect(book.handled() == nil, "the hub waits for its store, and looks at it later")
    }

    // MARK: - The budget

    /// A record with an item that goes with priority, paid or not.
    private func record(_ number: UInt64, isPaid: Bool = true) -> TransferRecord {
        let item = Item(ordinal: number, id: RandomID(high: number, low: 0), payload: [], isCurrent: true)
        let paid: [Exchange.Change] = isPaid ? [.spent(UrgentBudget(day: 0, spent: 1))] : []
        return .exchange(Exchange.Record(number: number, changes: paid + [.added(item, .urgent)]))
    }

    /// The findings when items are asked for on these days, with a budget of two.
    private func findings(_ days: [Int64], putBackAfter: Int? = nil) -> [Bool] {
        var book = BudgetBook(watchCount: 1, perDay: 2)
        return days.enumerated().map { place, day in
            book.asked(record(UInt64(place)), wallMilliseconds: day * 86_400_000 + 5)
            defer { if place == putBackAfter { book.restored(side) } }
            return book.becameDurable(record(UInt64(place)), at: side) != nil
        }
    }

    @Test func `only a clock that goes forward to another day refills a budget`() {
        // R112, R115
        #expect(findings([1, 1, 2, 2, 3, 3]) == [false, false, false, false, false, false])
        #expect(findings([1, 1, 1]) == [false, false, true])
        #expect(findings([1, 1, 0]) == [false, false, true])
        #expect(findings([-1, -1, -2]) == [false, false, true])
        #expect(findings([9, 8, 8]) == [false, false, true])
        // A clock that comes from the past brings a day with it.
        #expect(findings([9, 0, 1, 1]) == [false, false, false, false])
        // A store that was put back holds the budget of its time.
        #expect(findings([1, 1, 1], putBackAfter: 0) == [false, false, false])
    }

    // MARK: - Messages and files

    @Test func `a message that waits when its session is over is found`() {
        var book = MessageBook()
        book.sent(RequestID(number: 4), at: side, deadline: Instant(nanoseconds: 5))
        #expect(book.sessionEnded(side.other) == nil)
        #expect(book.sessionEnded(side)?.rule == .atMostOnce)
        _ = book.ended(RequestID(number: 4), now: Instant(nanoseconds: 1), awake: Instant(nanoseconds: 0))
        #expect(book.sessionEnded(side) == nil)
    }

    @Test func `a disk knows which bytes belong where, and how many will survive`() {
        let sample = SampleFile(number: 3, byteCount: 600)
        let id = RandomID(high: 1, low: 1)
        let offer = FileOffer(
            id: id, name: sample.name, byteCount: 600, digest: .simulated(of: sample.bytes), metadata: sample.metadata)
        var files = SimulatedFiles()
        _ = files.carryOut(.begin(offer, durable: 0), fault: nil)
        let part = Array(sample.bytes[..<300])
        #expect(files.belongs(part, to: id, at: 0))
        #expect(!files.belongs(part, to: id, at: 300))
        #expect(!files.belongs(part, to: id, at: 400), "beyond its end")
        _ = files.carryOut(.write(id, offset: 0, part), fault: nil)
        #expect(files.byteCounts(of: id) == (300, 0))
        _ = files.carryOut(.sync(id), fault: nil)
        #expect(files.byteCounts(of: id) == (300, 300))
    }
}
