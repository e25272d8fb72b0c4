import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// Events that the checks of a run must not report as violations, and events that they must report.
@Suite(.longWork) struct ChecksTests {
    private let side = Side(watch: 0, isHub: false)
    private let key = CellKey(kind: "lamp", record: RandomID(high: 0, low: 1), group: "name")

    // MARK: - Acknowledgements

    private func holding(_ stream: UInt64, highest: UInt64) -> TransferState {
        var state = TransferState()
        state.exchange.inbox = ItemInbox(
            positions: ItemPositions(
                urgent: nil,
                ordinary: ItemPosition(
                    stream: RandomID(high: stream, low: 0), highest: highest, lastID: RandomID(high: 9, low: 9))))
        return state
    }

    @Test func `an item stays acknowledged after its numbering gave way to another one, unless the side is put back`() {
        // Simulated seed 752: the item arrived twice, and the hub renumbered in between.
        var book = ArrivalChecker(watchCount: 1)
        let record = TransferRecord.files(.ended(RandomID(high: 5, low: 5), nil))
        book.becameDurable(record, at: side, holding: holding(1, highest: 3))
        book.becameDurable(record, at: side, holding: holding(2, highest: 1))
        let old = RandomID(high: 1, low: 0).hexadecimal
        #expect(book.wasDurable(3, of: old, at: side))
        #expect(!book.wasDurable(4, of: old, at: side))
        #expect(!book.wasDurable(1, of: old, at: side.other))
        book.restored(side, to: ArrivalChecker.Arrivals(), holding: holding(2, highest: 1))
        #expect(!book.wasDurable(1, of: old, at: side))
        #expect(book.wasDurable(1, of: RandomID(high: 2, low: 0).hexadecimal, at: side))
    }

    @Test func `items that arrive in another order than they were sent are found at the end`() {
        var book = ArrivalChecker(watchCount: 1)
        let items = (1...3 as ClosedRange<UInt64>).map {
            ReceivedItem(id: RandomID(high: 4, low: $0), payload: [], isUrgent: false)
        }
        for item in items { _ = book.accepted(item.id, track: .ordinary, at: side, durable: TransferState()) }
        var disordered = book
        for item in items { _ = book.arrived(item, at: side.other, isStart: false) }
        #expect(book.missing(from: side) == nil)
        for index in [0, 2, 1] { _ = disordered.arrived(items[index], at: side.other, isStart: false) }
        #expect(disordered.missing(from: side)?.rule == .inOrder)
    }

    @Test func `an item that a restore took from its receiver is missed until its sender is told`() {
        var book = ArrivalChecker(watchCount: 1)
        let item = ReceivedItem(id: RandomID(high: 4, low: 1), payload: [], isUrgent: false)
        _ = book.accepted(item.id, track: .ordinary, at: side, durable: TransferState())
        _ = book.arrived(item, at: side.other, isStart: false)
        #expect(book.missing(from: side) == nil)
        book.restored(side.other, to: ArrivalChecker.Arrivals(), holding: TransferState())
        #expect(book.missing(from: side)?.rule == .noSilentLoss)
        book.reportedLoss(at: side)
        #expect(book.missing(from: side) == nil)
    }

    // MARK: - Isolation

    @Test func `a linked watch that waits for its snapshot for too long is found`() throws {
        // I20
        let peer = try #require(PeerKey(bytes: Array(repeating: 7, count: 32)))
        let start = Instant(nanoseconds: 0)
        let late = start.advanced(by: IsolationChecker.bound + .milliseconds(1))
        var book = IsolationChecker()
        book.committed(to: [peer], now: start)
        let finding1 = book.finding(linked: [peer], awake: start, now: start.advanced(by: .seconds(1)))
        #expect(finding1 == nil)
        let finding2 = book.finding(linked: [peer], awake: late, now: late)
        #expect(finding2 == nil)
        let finding3 = book.finding(linked: [peer], awake: start, now: late)
        #expect(finding3?.rule == .isolation)
        book.sent(to: peer)
        let finding4 = book.finding(linked: [peer], awake: start, now: late)
        #expect(finding4 == nil)
        book.committed(to: [peer], now: start)
        let finding5 = book.finding(linked: [], awake: start, now: late)
        #expect(finding5 == nil)
    }

    // MARK: - Losses

    private func write(_ value: String?, seen: RandomID?) -> EditChecker.Write {
        EditChecker.Write(
            author: 0, key: key, value: value, seen: seen, seenValue: nil, edit: RandomID(high: 1, low: 1),
            isPromised: true)
    }

    private func cell(_ value: String?, _ dot: UInt64, _ revision: UInt64) -> Cell {
        let place = Cell.Place(epoch: Epoch(number: 1), revision: revision)
        return Cell(
            value: value, dot: RandomID(high: dot, low: 0),
            stamp: Stamp(milliseconds: Int64(revision), counter: 0, node: 7), written: place, created: place)
    }

    @Test func `who creates a cell anew has seen that it is gone, whatever follows in the batch`() throws {
        // Simulated seed 1052: a deletion, then a creation and another edit in one batch, whose value was then
        // rejected.
        let peer = try #require(PeerKey(bytes: Array(repeating: 7, count: 32)))
        var book = EditChecker()
        let (deletion, creation) = (RandomID(high: 1, low: 0), RandomID(high: 2, low: 0))
        let edit = RandomID(high: 3, low: 0)
        book.add(deletion, write(nil, seen: nil))
        book.add(creation, write("created", seen: nil))
        book.add(edit, write("edited", seen: creation))
        var state = LedgerState(newEpoch: Epoch(number: 1))
        for (dots, cell) in [([deletion], cell(nil, 1, 1)), ([creation, edit], cell("edited", 3, 2))] {
            var transaction = Transaction(before: state.version, after: state.version, stamp: cell.stamp)
            transaction.after.revision += 1
            transaction.written[key] = cell
            transaction.progress = UploadProgress(
                peer: peer, incarnation: RandomID(high: 8, low: 8), highest: transaction.after.revision, last: nil,
                firstPending: 1, outcomes: [], taken: dots)
            let finding6 = book.tookEffect(transaction, after: state, authors: [peer: (0, false)])
            #expect(finding6 == nil)
            state.apply(transaction)
        }
        #expect(book.lost(in: state, watches: [], paired: [0]) == nil)
    }

    @Test func `a stamp may lead the wall clock by five seconds, however many edits a batch has`() throws {
        // PROTOCOL §8
        let peer = try #require(PeerKey(bytes: Array(repeating: 7, count: 32)))
        var book = ClockChecker()
        book.looked(at: 1000)
        var transaction = Transaction(
            before: Version(epoch: Epoch(number: 1), revision: 0, chain: 0),
            after: Version(epoch: Epoch(number: 1), revision: 1, chain: 0),
            stamp: Stamp(milliseconds: 6000, counter: 0, node: 0))
        transaction.progress = UploadProgress(
            peer: peer, incarnation: RandomID(high: 8, low: 8), highest: 9, last: nil, firstPending: 1, outcomes: [],
            taken: (0..<9).map { RandomID(high: 1, low: $0) })
        let finding7 = book.stamps(transaction)
        #expect(finding7 == nil)
        // Five more with each batch are not allowed either.
        transaction.stamp.milliseconds = 6001
        let finding8 = book.stamps(transaction)
        #expect(finding8?.rule == .monotonicClock)
    }

    // MARK: - Limits

    /// A side that has written this many bytes of a file requests 131,072 more from an offset on.
    private func askingForMore(from offset: UInt64, arrived: UInt64, written: Int) throws -> Violation.Rule? {
        let digest = try #require(FileDigest(bytes: [UInt8](repeating: 0, count: 32)))
        let offer = FileOffer(
            id: RandomID(high: 4, low: 4), name: "4-1000000", byteCount: 1_000_000, digest: digest, metadata: [])
        var files = SimulatedFiles()
        _ = files.carryOut(.begin(offer, durable: 0), fault: nil)
        let bytes = [UInt8](repeating: 1, count: written)
        _ = files.carryOut(.write(offer.id, offset: 0, bytes), fault: nil)
        let body = JSONValue.members([
            "id": .string(offer.id.hexadecimal), "offset": .hexadecimal(offset), "bytes": .hexadecimal(131_072),
            "arrived": .hexadecimal(arrived),
        ])
        let checks = Checks(watchCount: 1, heartbeat: .seconds(1), options: SimulationOptions())
        let frame = Frame(kind: .pull, session: 1, sequence: 1, body: body.encoded)
        return checks.sends(frame, at: side, durable: TransferState(), files: files)?.rule
    }

    @Test func `no more of a file is on its way or in the memory than is allowed`() throws {
        #expect(try askingForMore(from: 262_144, arrived: 131_072, written: 131_072) == nil)
        #expect(try askingForMore(from: 262_144, arrived: 98_304, written: 98_304) == .boundedQueues)
        #expect(try askingForMore(from: 393_216, arrived: 393_216, written: 0) == nil)
        #expect(try askingForMore(from: 425_984, arrived: 425_984, written: 0) == .boundedQueues)
    }
}
