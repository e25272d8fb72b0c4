import SyncCore
import Testing

@testable import SyncSimulation

/// Writes that are rejected and resolved within one transaction, so that they appear in no list.
@Suite struct EditCheckerTests {
    private static let key = CellKey(kind: "lamp", record: RandomID(high: 0, low: 1), group: "name")
    private static let peer = PeerKey.simulated(kind: 1, number: 0, draw: 7)
    private static let place = Cell.Place(epoch: Epoch(number: 1), revision: 1)
    /// The rejected write, the winning write, and the request of the user who saw the rejection.
    private static let (loser, winner, wish) = (
        RandomID(high: 1, low: 0), RandomID(high: 2, low: 0), RandomID(high: 3, low: 0)
    )

    /// How a transaction differs from one that resolves the conflict of a write immediately.
    enum Case: String, CaseIterable, CustomTestStringConvertible {
        case stoodBefore = "the write stood before"
        case cameWithTheBatch = "the write came with the batch"
        case wishFailed = "the hub did not carry out the wish"
        case wishOfAnother = "the person was shown another write as lost"
        case wishNotTaken = "the wish was not in the batch"
        case stillStands = "the write stands still"
        case neverThere = "the write was neither there before nor in the batch"
        case logged = "the conflict stays in the log"
        case ofTheHub = "the transaction is of the hub's own person"

        var testDescription: String { rawValue }
        var settles: Bool { self == .stoodBefore || self == .cameWithTheBatch }
    }

    private static func cell(_ dot: RandomID) -> Cell {
        Cell(value: "\(dot.high)", dot: dot, stamp: stamp, written: place, created: place)
    }

    private static let stamp = Stamp(milliseconds: 1, counter: 0, node: 7)

    private static func conflict(_ dot: RandomID) -> Conflict {
        let side = Conflict.Side(value: "\(dot.high)", dot: dot, stamp: stamp, author: "")
        return Conflict(
            id: dot, edit: dot, key: key, base: nil, loser: side, winner: nil, rule: .newest, place: place)
    }

    /// The users' writes: two values that did not know each other, and the request to resolve the conflict.
    private static func book(_ way: Case) -> EditChecker {
        var book = EditChecker()
        for (dot, author) in [(loser, 1), (winner, 0)] where way != .stillStands || dot == loser {
            book.add(
                dot,
                EditChecker.Write(
                    author: author, key: key, value: "\(dot.high)", seen: nil, seenValue: nil, edit: dot,
                    isPromised: true))
        }
        let shown = way == .wishOfAnother ? RandomID(high: 9, low: 9) : loser
        let version = Version(epoch: Epoch(number: 1), revision: 5, chain: 0)
        var snapshot = Snapshot(version: version, cells: SortedMap())
        snapshot.conflicts[shown] = conflict(shown)
        let edit = Edit(id: wish, changes: [], stamp: stamp, schema: 1, resolves: shown)
        book.settles(edit, shown: snapshot)
        return book
    }

    /// The restored state, and the transaction that accepts the batch.
    private static func transaction(_ way: Case) -> (before: LedgerState, transaction: Transaction) {
        var before = LedgerState(newEpoch: Epoch(number: 1))
        let stoodBefore = way != .cameWithTheBatch && way != .neverThere
        if stoodBefore { before.cells[key] = cell(loser) }
        var transaction = Transaction(before: before.version, after: before.version, stamp: stamp)
        transaction.after.revision += 1
        if way != .stillStands { transaction.written[key] = cell(winner) }
        if way == .logged { transaction.logged[loser] = conflict(loser) }
        guard way != .ofTheHub else { return (before, transaction) }
        var taken = [wish]
        if way == .cameWithTheBatch { taken.append(loser) }
        if way == .wishNotTaken { taken = [] }
        if way != .stillStands { taken.append(winner) }
        let outcomes = way == .wishFailed ? [UploadOutcome(sequence: 2, id: wish, rule: .invalid)] : []
        transaction.progress = UploadProgress(
            peer: peer, incarnation: RandomID(high: 8, low: 8), highest: 2, last: wish, firstPending: 1,
            outcomes: outcomes, taken: taken)
        return (before, transaction)
    }

    @Test(arguments: Case.allCases)
    func `a write is settled at once only if a person saw it lose and the hub did as wished`(_ way: Case) {
        var book = Self.book(way)
        var (state, transaction) = Self.transaction(way)

        let finding = book.tookEffect(transaction, after: state, authors: [Self.peer: (0, false)])
        state.apply(transaction)

        #expect(finding == nil)
        #expect(book.isSettled(Self.loser) == way.settles)
        // I2: a write that is not resolved, present or logged is lost without a report.
        let isThere = way == .stillStands || way == .logged
        #expect((book.lost(in: state, watches: [], paired: [0, 1]) == nil) == (way.settles || isThere))
    }

    // MARK: - Rejections

    private static let gone = RandomID(high: 4, low: 0)

    /// A transaction that accepts a write and logs it as rejected.
    private static func losing(
        _ rule: Conflict.Rule, after before: LedgerState, isSalvage: Bool = false
    ) -> Transaction {
        var transaction = Transaction(before: before.version, after: before.version, stamp: stamp)
        transaction.after.revision += 1
        transaction.logged[loser] = conflict(loser)
        transaction.logged[loser]?.rule = rule
        transaction.progress = UploadProgress(
            peer: peer, incarnation: RandomID(high: 8, low: 8), highest: 1, last: loser, firstPending: 1, outcomes: [],
            taken: [loser], remembered: isSalvage ? [RandomID(high: 9, low: 9)] : nil)
        return transaction
    }

    private static func write(value: String, seen: RandomID?) -> EditChecker.Write {
        EditChecker.Write(
            author: 0, key: key, value: value, seen: seen, seenValue: nil, edit: loser, isPromised: true)
    }

    @Test(arguments: [false, true])
    func `an edit of what its author saw is refused for nothing, and salvage of it is no edit`(_ isSalvage: Bool) {
        var book = EditChecker()
        book.add(Self.loser, Self.write(value: "mine", seen: Self.winner))
        var before = LedgerState(newEpoch: Epoch(number: 1))
        before.cells[Self.key] = Self.cell(Self.winner)
        let transaction = Self.losing(.newest, after: before, isSalvage: isSalvage)

        let finding = book.tookEffect(transaction, after: before, authors: [Self.peer: (0, false)])

        #expect(finding?.rule == (isSalvage ? nil : .noFalseConflict))
    }

    /// The contents of the hub's log when a value that was rejected by a deletion is restored.
    enum Log: CaseIterable {
        case sameConflict, settledWithAnother, sameConflictOfOneWhoSawTheDeletion, nothing
    }

    @Test(arguments: Log.allCases)
    func `what is put back against a deletion is refused for nothing if the hub still has its conflict`(_ log: Log) {
        // I12, I16
        let lost = [RandomID(high: 5, low: 0), RandomID(high: 5, low: 1)]
        let conflicts = lost.map { id in
            var conflict = Self.conflict(id)
            (conflict.edit, conflict.rule) = (lost[0], .deleted)
            conflict.winner = Conflict.Side(value: nil, dot: Self.gone, stamp: Self.stamp, author: "")
            return conflict
        }
        var snapshot = Snapshot(version: Version(epoch: Epoch(number: 1), revision: 5, chain: 0), cells: SortedMap())
        for conflict in conflicts { snapshot.conflicts[conflict.id] = conflict }
        var book = EditChecker()
        let hasSeen = log == .sameConflictOfOneWhoSawTheDeletion || log == .nothing
        book.add(Self.loser, Self.write(value: "again", seen: hasSeen ? Self.gone : nil))
        let restoring = Edit(id: Self.loser, changes: [], stamp: Self.stamp, schema: 1, resolves: lost[0])
        book.settles(restoring, shown: snapshot)
        // Another conflict of the same edit was dismissed before, which resolves both.
        let aside = Edit(id: Self.wish, changes: [], stamp: Self.stamp, schema: 1, resolves: lost[1])
        if log == .settledWithAnother { book.settles(aside, shown: snapshot) }
        var before = LedgerState(newEpoch: Epoch(number: 1))
        before.cells[Self.key] = Self.cell(Self.gone)
        before.cells[Self.key]?.value = nil
        if log != .nothing { before.conflicts = snapshot.conflicts }
        let transaction = Self.losing(.deleted, after: before)

        let finding = book.tookEffect(transaction, after: before, authors: [Self.peer: (0, false)])

        let expected: Violation.Rule? =
            switch log {
            case .sameConflict: .restorable
            case .sameConflictOfOneWhoSawTheDeletion: .noFalseConflict
            case .settledWithAnother, .nothing: nil
            }
        #expect(finding?.rule == expected)
    }
}
