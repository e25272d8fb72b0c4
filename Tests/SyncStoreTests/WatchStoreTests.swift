import Foundation
import GRDB
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite
struct WatchStoreTests {
    private let place: TemporaryFolder
    private let path: String
    private var file: String { path + "/watch.sqlite" }

    init() throws {
        place = try TemporaryFolder()
        path = place.path(of: "state")
    }

    @Test
    func `a new store remembers nothing`() throws {
        let store = try WatchStore(at: path)

        #expect(try store.load() == WatchEngine.State())
        #expect(store.setAside == nil)
    }

    @Test
    func `what was written is there after the store is opened anew`() throws {
        do {
            let store = try WatchStore(at: path)
            for number in 1...9 as ClosedRange<UInt64> {
                try store.write(sampleRecord(number))
                #expect(try store.load() == sampleState(after: number))
            }
        }

        let store = try WatchStore(at: path)

        #expect(store.setAside == nil)
        #expect(try store.load() == sampleState(after: 9))
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
        let store = try WatchStore(at: path)
        try store.write(.registers(registers, EpochFence()))
        try store.write(.snapshot(snapshot, fence))
        store.close()

        let state = try store.load()

        #expect(state.snapshot == snapshot)
        #expect(state.fence == fence)
        #expect(state.registers.values == registers.sorted { $0.register.key < $1.register.key })
    }

    @Test
    func `a register takes the place of its value before`() throws {
        let store = try WatchStore(at: path)
        for order in [5, 7, 6] as [UInt64] {
            let register = Register(key: "a", order: order, value: [UInt8(order)])
            try store.write(.registers([HeldRegister(register: register, epoch: Epoch(number: 1))], EpochFence()))
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

    // MARK: - Damage

    @Test
    func `a file cut off anywhere is set aside, told, and replaced by an empty one`() throws {
        let whole = try wholeFile()

        for length in Array(stride(from: 0, to: 120, by: 7)) + Array(stride(from: 120, to: whole.count, by: 2503)) {
            try write(whole.prefix(length), to: file)
            do {
                let store = try WatchStore(at: path)
                #expect(store.setAside?.path == file + ".damaged", "\(length) bytes")
                #expect(try store.load() == WatchEngine.State())
                #expect(contents(file + ".damaged") == whole.prefix(length))
                try store.write(sampleRecord(1))
            }
            let store = try WatchStore(at: path)
            #expect(store.setAside == nil)
            #expect(try store.load() == sampleState(after: 1))
        }
    }

    @Test
    func `no flipped bit changes what is read`() throws {
        let whole = try wholeFile()
        var setAsideCount = 0
        for offset in stride(from: 0, to: whole.count, by: 131) {
            var bytes = whole
            bytes[offset] ^= 1 << UInt8(offset % 8)
            try write(bytes, to: file)
            let folder = try StateFolder(path: path)
            do throws(StoreError) {
                let store = try WatchStore(in: folder)
                if store.setAside != nil { setAsideCount += 1 }
                let expected = store.setAside == nil ? sampleState(after: 6) : WatchEngine.State()
                #expect(try store.load() == expected, "offset \(offset)")
            } catch {
                // A flipped bit in the name of a migration step looks like a newer program's.
                guard case .newerSchema = error else { throw error }
            }
        }
        #expect(setAsideCount > 5)
    }

    @Test(arguments: [
        "UPDATE register SET place = '0000000000000001' WHERE name = CAST('register 0' AS BLOB)",
        "UPDATE state SET json = CAST('{}' AS BLOB)",
        "DELETE FROM state WHERE name = 'fence'",
        "DELETE FROM state WHERE name = 'snapshot'",
        "DROP TABLE register",
    ])
    func `rows that are not those that were written are set aside`(change sql: String) throws {
        try write(try wholeFile(), to: file)
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()

        let store = try WatchStore(at: path)

        #expect(store.setAside != nil)
        #expect(try store.load() == WatchEngine.State())
    }

    @Test
    func `garbage is set aside with its journal`() throws {
        do { _ = try StateFolder(path: path) }
        try write(Data("no database, really none".utf8), to: file)
        try write(Data("no journal".utf8), to: file + "-wal")

        let store = try WatchStore(at: path)

        #expect(store.setAside?.finding.isEmpty == false)
        #expect(try store.load() == WatchEngine.State())
        #expect(contents(file + ".damaged") == Data("no database, really none".utf8))
        #expect(contents(file + ".damaged-wal") == Data("no journal".utf8))
    }

    @Test
    func `a journal without its file is set aside`() throws {
        do { _ = try StateFolder(path: path) }
        try write(Data("a journal".utf8), to: file + "-wal")

        let store = try WatchStore(at: path)

        #expect(store.setAside != nil)
        #expect(try store.load() == WatchEngine.State())
    }

    @Test
    func `a file of a newer version is refused, not set aside`() throws {
        try write(try wholeFile(), to: file)
        let queue = try DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2 edits')") }
        try queue.close()
        let before = contents(file)

        #expect(throws: StoreError.newerSchema(path: file, steps: ["2 edits"])) { try WatchStore(at: path) }

        #expect(contents(file) == before)
    }

    /// The bytes of a file with six records in it.
    private func wholeFile() throws -> Data {
        let store = try WatchStore(at: path)
        for number in 1...6 as ClosedRange<UInt64> { try store.write(sampleRecord(number)) }
        store.close()
        return try #require(contents(file))
    }
}
