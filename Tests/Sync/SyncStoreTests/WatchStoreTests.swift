import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite(.longWork)
struct WatchStoreTests {
    private let place: TemporaryFolder
    private let path: String
    private var file: String { path + "/watch.sqlite" }

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
    }

    @Test
    func `a new store remembers nothing`() throws {
        let store = try WatchStore(at: path)

        #expect(try store.load() == WatchEngine.State(newIncarnation: sampleIncarnation))
        #expect(store.setAside == nil)
    }

    @Test
    func `what was written is there after the store is opened anew`() throws {
        var memory = SampleMemory()
        var count = 0
        var hasAll: Bool { !memory.state.replica.pending.isEmpty && !memory.state.replica.journal.isEmpty }
        while count < 40 || !hasAll && count < 400 {
            let store = try WatchStore(at: path)
            #expect(store.setAside == nil)
            try store.write(memory.next())
            #expect(try store.load() == memory.state)
            count += 1
        }

        let store = try WatchStore(at: path)

        #expect(try store.load() == memory.state)
        #expect(hasAll)
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func `watch and store agree through a long life`(seed: UInt64) throws {
        let store = try WatchStore(at: path)
        try store.file.withoutWaitingForTheDisk()
        var memory = SampleMemory(seed: seed)

        for _ in 0..<30 {
            for _ in 0..<40 { try store.write(memory.next()) }
            #expect(try store.load() == memory.state)
        }

        #expect(memory.state.replica.journal.count == ReplicaState.journalCountMax)
        #expect(memory.state.replica.incarnation != sampleIncarnation)
        #expect(!memory.state.replica.deletions.isEmpty)
    }

    @Test
    func `one more edit is one more row`() throws {
        let store = try WatchStore(at: path)
        var memory = SampleMemory()
        while memory.state.replica.pending.count < 20 { try store.write(memory.next()) }
        let before = try store.file.read { $0.totalChangesCount }
        let upload = NumberedUpload(
            sequence: memory.state.replica.nextSequence, upload: memory.state.replica.pending[0].upload)

        try store.write(
            .replica(
                ReplicaRecord(
                    snapshot: nil, fence: EpochFence(), incarnation: memory.state.replica.incarnation,
                    nextSequence: upload.sequence + 1, pending: .added(upload), journaled: [])))

        // The edit, the head and the fence; the latter two each replace a row.
        #expect(try store.file.read { $0.totalChangesCount } - before <= 5)
    }

    // MARK: - Deltas

    /// A watch that holds this many cells, each with a value of so many bytes.
    private func held(_ count: UInt64, byteCount: Int = 100) -> ReplicaState {
        var state = ReplicaState(incarnation: sampleIncarnation)
        var snapshot = Snapshot(version: Version(epoch: Epoch(number: 1), revision: 1, chain: 1), cells: SortedMap())
        for number in 0..<count { snapshot.cells[key(number)] = cell(String(repeating: "x", count: byteCount)) }
        state.snapshot = snapshot
        return state
    }

    private func key(_ number: UInt64) -> CellKey {
        CellKey(kind: "k", record: RandomID(high: 0, low: number), group: "g")
    }

    private func cell(_ value: String) -> Cell {
        let place = Cell.Place(epoch: Epoch(number: 1), revision: 1)
        return Cell(
            value: value, dot: RandomID(high: 1, low: 1), stamp: Stamp(milliseconds: 1, counter: 0, node: 0),
            written: place, created: place)
    }

    private func record(
        _ state: ReplicaState, _ snapshot: Snapshot? = nil, _ delta: SnapshotDelta? = nil
    ) -> ReplicaRecord {
        ReplicaRecord(
            snapshot: snapshot, delta: delta, fence: state.fence, incarnation: state.incarnation,
            nextSequence: state.nextSequence, pending: .unchanged, journaled: [])
    }

    /// The next change of what a watch holds: one cell gets a value.
    private func change(_ state: ReplicaState, _ number: UInt64, _ value: String) throws -> ReplicaRecord {
        let base = try #require(state.snapshot).version
        var delta = SnapshotDelta(base: base, version: base)
        delta.version.revision += 1
        delta.version.chain += 7
        delta.written[key(number)] = cell(value)
        return record(state, nil, delta)
    }

    private func rowCount(_ store: WatchStore) throws -> Int {
        try store.file.read { Int(try WatchTables.deltas.sum(nil, $0).count) }
    }

    @Test
    func `one changed cell of 1000 is one small row`() throws {
        let store = try WatchStore(at: path)
        var state = held(1000)
        try store.write(.replica(record(state, state.snapshot)))
        let step = try change(state, 7, "new")
        let before = try store.file.read { $0.totalChangesCount }

        try store.write(.replica(step))

        state.apply(step)
        // The delta, the head and the fence; the latter two each replace a row.
        #expect(try store.file.read { $0.totalChangesCount } - before <= 5)
        #expect(try store.file.read { try WatchTables.deltas.rows(nil, $0).map(\.bytes.count) }.allSatisfy { $0 < 300 })
        store.close()
        #expect(try store.load().replica == state)
    }

    @Test
    func `64 deltas are stored, the next one stores the snapshot as a whole`() throws {
        let store = try WatchStore(at: path)
        var state = held(10)
        try store.write(.replica(record(state, state.snapshot)))
        for number in 1...130 {
            let step = try change(state, UInt64(number % 10), "\(number)")
            state.apply(step)
            try store.write(.replica(step))
            #expect(try rowCount(store) == number % (ReplicaRows.deltaCountMax + 1))
            if number % 32 == 0 {
                store.close()
                #expect(try store.load().replica == state)
            }
        }
        try store.write(.replica(record(state, state.snapshot)))
        #expect(try rowCount(store) == 0)
        #expect(try store.load().replica == state)
    }

    @Test
    func `a delta of more than 16,384 bytes stores the snapshot as a whole`() throws {
        let store = try WatchStore(at: path)
        var state = held(10)
        try store.write(.replica(record(state, state.snapshot)))
        let length = 10_000
        let long = try #require(try change(state, 3, String(repeating: "y", count: length)).delta)
        let overhead = try RecordCoder.bytes(of: long).count - length
        for (byteCount, rows) in [(16_384, 1), (16_385, 0)] {
            let step = try change(state, 3, String(repeating: "y", count: byteCount - overhead))
            #expect(try RecordCoder.bytes(of: try #require(step.delta)).count == byteCount)
            state.apply(step)
            try store.write(.replica(step))
            #expect(try rowCount(store) == rows)
            #expect(try store.load().replica == state)
        }
    }

    @Test
    func `a store without the table of deltas gets it when it is opened`() throws {
        let state = held(3)
        do {
            let store = try WatchStore(at: path)
            try store.write(.replica(record(state, state.snapshot)))
            store.close()
        }
        // As version 0.1 leaves it.
        let queue = try DatabaseQueue(path: file)
        try queue.write { database in
            try database.execute(sql: "DROP TABLE delta; DELETE FROM grdb_migrations WHERE identifier = '7 deltas'")
        }
        try queue.close()

        let store = try WatchStore(at: path)

        #expect(store.setAside == nil)
        #expect(try store.load().replica == state)
        let step = try change(state, 1, "new")
        try store.write(.replica(step))
        var after = state
        after.apply(step)
        #expect(try store.load().replica == after)
    }

    @Test(arguments: [
        "DELETE FROM delta WHERE key = 1", "DELETE FROM delta WHERE key = 3", "UPDATE delta SET record = x'00'",
        "UPDATE delta SET key = 9 WHERE key = 1", "DROP TABLE delta",
    ])
    func `deltas that are not those that were written are noticed`(sql: String) throws {
        var state = held(3)
        do {
            // It holds the folder until it is gone.
            let store = try WatchStore(at: path)
            try store.write(.replica(record(state, state.snapshot)))
            for number in 0..<3 as Range<UInt64> {
                let step = try change(state, number, "new")
                state.apply(step)
                try store.write(.replica(step))
            }
            store.close()
        }
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()

        let repaired = try WatchStore(in: StateFolder(path: path), newIncarnation: RandomID(high: 2, low: 2))

        #expect(repaired.setAside != nil)
        let snapshot = try repaired.load().replica.snapshot
        // What can be read is a version that the watch held.
        #expect(snapshot == nil || snapshot == held(3).snapshot || snapshot?.version.revision == 3)
    }

    @Test
    func `every field survives at its extremes`() throws {
        var registers: [HeldRegister] = []
        var cells = SortedMap<CellKey, Cell>()
        for (number, text) in difficultTexts.enumerated() {
            registers.append(
                HeldRegister(
                    register: Register(
                        key: "\(number) \(text.prefix(20))", order: .max - UInt64(number),
                        value: number == 0 ? [] : Array(repeating: UInt8(number), count: Register.valueByteCountMax)),
                    epoch: Epoch(number: 1 << 63)))
            let place = Cell.Place(epoch: Epoch(number: .max), revision: .max)
            cells[CellKey(kind: "k", record: RandomID(high: .max, low: UInt64(number)), group: "g")] = Cell(
                value: text, dot: RandomID(high: .max, low: .max),
                stamp: Stamp(milliseconds: number % 2 == 0 ? .min : .max, counter: .max, node: .max), written: place,
                created: place)
        }
        let fence = EpochFence(
            current: Epoch(number: .max), abandoned: (0..<64).map { Epoch(number: .max - 1 - $0) })
        let snapshot = Snapshot(
            version: Version(epoch: Epoch(number: .max), revision: .max, chain: .max), cells: cells)
        let edits = difficultTexts.filter { $0.utf8.count < 2048 }.enumerated().map { number, text in
            let name = text.isEmpty || text.utf8.count > 64 ? "n" : text
            return Edit(
                id: RandomID(high: .max, low: UInt64(number)),
                changes: [
                    Edit.Change(
                        key: CellKey(kind: name, record: RandomID(high: .max, low: 0), group: name),
                        value: text, base: RandomID(high: .max, low: .max), seen: text),
                    Edit.Change(
                        key: CellKey(kind: "n", record: RandomID(high: 0, low: 0), group: "n"), value: nil, base: nil,
                        seen: nil),
                ], stamp: Stamp(milliseconds: .min, counter: .max, node: .max), schema: .max,
                resolves: RandomID(high: 1, low: 0))
        }
        let step = ReplicaRecord(
            snapshot: snapshot, fence: fence, incarnation: RandomID(high: .max, low: .max), nextSequence: .max,
            pending: .replaced(
                edits.enumerated().map {
                    NumberedUpload(sequence: .max - 100 + UInt64($0), upload: .edit($1))
                }), journaled: edits)
        let store = try WatchStore(at: path)
        try store.write(.registers(registers, EpochFence()))
        try store.write(.replica(step))
        store.close()

        let state = try store.load()

        var expected = ReplicaState(incarnation: sampleIncarnation)
        expected.apply(step)
        #expect(state.replica == expected)
        // Strings are equal if they look the same; these must have the same bytes.
        #expect(
            state.replica.journal.flatMap { $0.changes.map { Array(($0.value ?? "nil").utf8) } }
                == edits.flatMap { $0.changes.map { Array(($0.value ?? "nil").utf8) } })
        #expect(state.registers.values == registers.sorted { $0.register.key < $1.register.key })
    }

    @Test
    func `a register takes the place of its value before`() throws {
        let store = try WatchStore(at: path)
        for order in [5, 7, 6] as [UInt64] {
            let register = Register(key: "a", order: order, value: [UInt8(order)])
            try store.write(registerRecord(register))
        }

        #expect(try store.load().registers.values.map(\.register.order) == [6])
    }

    @Test
    func `as many registers as an engine holds are written at once`() throws {
        let registers = (0..<4096).map { number in
            HeldRegister(
                register: Register(key: "\(number)", order: 1, value: [1, 2, 3]), epoch: Epoch(number: 1))
        }
        let store = try WatchStore(at: path)

        try store.write(.registers(registers, EpochFence(current: Epoch(number: 1))))

        #expect(try store.load().registers.count == 4096)
    }

    @Test
    func `the deletions that a watch saw take the place of those before, and an empty list of an empty one`() throws {
        // C12, PROTOCOL §9
        let store = try WatchStore(at: path)
        var state = try store.load().replica
        let names = difficultTexts.filter { !$0.isEmpty && $0.utf8.count < 64 }
        let deletions = (0..<SeenDeletion.countMax).map { number in
            let name = names[number % names.count]
            return SeenDeletion(
                key: CellKey(kind: name, record: RandomID(high: .max, low: UInt64(number)), group: name),
                place: Cell.Place(epoch: Epoch(number: .max), revision: .max - UInt64(number)))
        }
        for list in [deletions, nil, Array(deletions.suffix(3)), []] as [[SeenDeletion]?] {
            let record = ReplicaRecord(
                snapshot: nil, fence: EpochFence(), incarnation: sampleIncarnation, nextSequence: 1,
                pending: .unchanged, journaled: [], deletions: list)
            state.apply(record)
            try store.write(.replica(record))
            store.close()
            #expect(try store.load().replica == state)
        }
    }

    // MARK: - Writes that failed late

    @Test
    func `a write that the disk reported as failed counts if it is there`() throws {
        let store = try WatchStore(at: path)
        var memory = SampleMemory()
        for _ in 0..<3 { try store.write(memory.next()) }
        let failure = StoreError.diskFailed(path: path, reason: "fsync")

        try store.file.settle(after: failure) { try WatchHead($0).writeCount == 3 }
        #expect(throws: failure) { try store.file.settle(after: failure) { try WatchHead($0).writeCount == 4 } }
        #expect(throws: StoreError.full(path: path)) { try store.file.settle(after: .full(path: path)) { _ in true } }

        #expect(try store.load() == memory.state)
    }
}
