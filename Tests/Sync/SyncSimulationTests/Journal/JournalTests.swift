import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// The inputs of engines are recorded, replayed in new engines, and checked.
@Suite(.longWork) struct JournalTests {
    private static func change(_ cell: String, _ value: String?) throws -> CellChange {
        CellChange(key: try #require(CellName(cell)).key, value: value)
    }

    /// A home in which every kind of event happens once.
    private static func busyHome() throws -> RecordedHome {
        var home = RecordedHome()
        home.tellHub(.transact(home.request(), [try change("attic.name", "Attic")], expected: nil))
        home.settle()
        let edit = [try change("attic.name", "Grenier"), try change("attic.range", "1-2")]
        home.tellWatch(.edit(home.request(), edit))
        home.tellWatch(.transfer(.exchange(.transfer(home.request(), Exchange.Transfer(payload: [1, 2, 3])))))
        home.tellHub(
            .transfer(
                RecordedHome.watchKey, .exchange(.message(home.request(), Message(payload: [4], wantsReply: true)))))
        home.settle()
        home.tellHub(.publish(Register(key: "water", order: 1, value: [24])))
        home.tellWatch(.edit(home.request(), [try change("attic.range", nil)]))
        home.settle()
        home.startWatch(seed: 12)
        home.tellWatch(.connected)
        home.startHub(seed: 11)
        home.settle(seconds: 8)
        return home
    }

    @Test func `what engines were told makes fresh ones do the same, and their promises are watched`() throws {
        let home = try Self.busyHome()
        #expect(home.watch.snapshot?.version == home.hub.version)
        let report = try JournalMerge.replay([home.watchFile.bytes, home.hubFile.bytes])
        #expect(report.isGood, "\(report)")
        #expect(report.journals.map(\.runCount) == [2, 2])
        #expect(report.journals.allSatisfy { $0.stepCount > 100 && $0.tornByteCount == 0 })
        // The journals end in a quiescent state, so losses are checked too.
        #expect(report.notes.isEmpty)
    }

    @Test func `a journal of a version without deltas is that of a watch that takes none`() throws {
        let configuration = WatchEngine.Configuration(name: "w", app: nil, schemaVersions: 1...1)
        let start = JournalStart(
            device: JournalDevice(name: "w", key: RecordedHome.watchKey, versions: 1...1, application: "a"),
            state: .watch(configuration, WatchEngine.State(newIncarnation: RandomID(high: 1, low: 1))), seed: 1,
            moment: Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0), outputs: [])
        let bytes = try RecordCoder.bytes(of: start)
        for (bytes, takesDeltas) in [(bytes, true), (bytes.dropLast(), false)] {
            let read: JournalStart = try RecordCoder.value(of: Array(bytes))
            guard case .watch(let configuration, _) = read.state else {
                Issue.record("a watch was written, \(read.state) was read")
                continue
            }
            #expect(configuration.takesDeltas == takesDeltas)
        }
        // The mark of a record is what those versions wrote.
        let record = ReplicaRecord(
            snapshot: nil, fence: EpochFence(), incarnation: RandomID(high: 1, low: 1), nextSequence: 1,
            pending: .unchanged, journaled: [])
        var sum = CRC32C()
        sum.update(
            Array(
                ("ReplicaRecord(snapshot: nil, fence: SyncCore.EpochFence(current: nil, abandoned: []), incarnation: "
                    + "SyncCore.RandomID(high: 1, low: 1), nextSequence: 1, pending: "
                    + "SyncCore.ReplicaRecord.PendingChange.unchanged, journaled: [], deletions: nil)").utf8))
        #expect(OutputDigest(.persist(.replica(record))).checksum == sum.value)
    }

    @Test func `a death may cut the last record anywhere`() throws {
        let bytes = try Self.busyHome().hubFile.bytes
        let whole = try JournalFile.records(bytes)
        let last = try #require(whole.records.last).count + 8
        for missing in 1...last {
            let report = try JournalMerge.replay([bytes.dropLast(missing)])
            #expect(report.isGood)
            #expect(report.journals[0].tornByteCount == last - missing)
        }
        #expect(try JournalFile.wholeByteCount(bytes.dropLast(1)) == bytes.count - last)
        #expect(try JournalMerge.replay([Array(bytes.prefix(5))]).journals[0].runCount == 0)
    }

    @Test func `a record that is damaged is refused by its place, and so is another file`() throws {
        let bytes = try Self.busyHome().hubFile.bytes
        let places = try Self.places(in: bytes)
        for number in [places.count / 2, places.count] {
            let place = places[number - 1]
            var damaged = bytes
            // A byte of its checksum, then its last byte.
            for byte in [place + 5, (number < places.count ? places[number] : bytes.count) - 1] {
                damaged[byte] ^= 1
                #expect(throws: JournalError.damaged(record: number, offset: place)) {
                    try JournalFile.wholeByteCount(damaged)
                }
                damaged[byte] ^= 1
            }
        }
        let other = Array("SQLite format 3".utf8)
        #expect(throws: JournalMergeError(journal: 1, fault: .notAJournal)) { try JournalMerge.replay([bytes, other]) }
    }

    @Test func `a wrong length hides no record behind it`() throws {
        let bytes = try Self.busyHome().hubFile.bytes
        let places = try Self.places(in: bytes)
        let number = places.count / 2
        let place = places[number - 1]
        for bit in 0..<32 {
            var damaged = bytes
            damaged[place + bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: JournalError.damaged(record: number, offset: place), "bit \(bit)") {
                try JournalFile.wholeByteCount(damaged)
            }
        }
        // The last record has no successor; an impossible length counts as damage nevertheless.
        let last = try #require(places.last)
        var damaged = bytes
        damaged[last + 3] = 0x20
        #expect(throws: JournalError.damaged(record: places.count, offset: last)) {
            try JournalFile.wholeByteCount(damaged)
        }
        damaged[last + 3] = 0x01
        #expect(try JournalFile.wholeByteCount(damaged) == last)
    }

    /// The offsets of the records in a journal.
    private static func places(in bytes: [UInt8]) throws -> [Int] {
        var place = JournalFile.beginning.count
        return try JournalFile.records(bytes).records.map { record in
            defer { place += 8 + record.count }
            return place
        }
    }

    @Test func `a journal without a life shows nothing`() throws {
        let empty = try JournalMerge.replay([[]])
        #expect(empty.journals.map(\.runCount) == [0] && !empty.isGood)
        let begun = try JournalMerge.replay([JournalFile.beginning, try Self.busyHome().hubFile.bytes])
        #expect(begun.journals[0].runCount == 0 && begun.journals[1].runCount == 2 && !begun.isGood)
        #expect(!JournalReport(journals: [], violation: nil, violator: nil, notes: []).isGood)
    }

    @Test func `the first step at which an engine does something else is named with its input`() throws {
        let bytes = try Self.busyHome().hubFile.bytes
        let doctored = try Self.doctored(bytes) { step in
            guard case .given(.transact(let request, _, let expected)) = step.input else { return false }
            let change = CellChange(key: CellName(record: "attic", group: "name").key, value: "Loft")
            step.input = .given(.transact(request, [change], expected: expected))
            return true
        }
        let report = try JournalMerge.replay([doctored])
        let difference = try #require(report.journals[0].difference)
        #expect(difference.run == 1)
        #expect(difference.input.hasPrefix("transact"))
        #expect(difference.expected.count == 1 && difference.expected[0].hasPrefix("persist"))
        #expect(difference.got.count == 1 && difference.got[0].contains("Loft"))
        #expect(!report.isGood)
    }

    /// The journal, with the first record changed to which the change applies.
    private static func doctored(
        _ bytes: [UInt8], _ change: (inout JournalStep<HubEngine.Input>) -> Bool
    ) throws -> [UInt8] {
        var isDone = false
        return try JournalFile.records(bytes).records.reduce(into: JournalFile.beginning) { file, record in
            var coder = RecordCoder(reading: record)
            guard !isDone, try coder.byte(nil) == JournalKind.step.rawValue else {
                file += JournalFile.framed(record)
                return
            }
            var step = try coder.next(JournalStep<HubEngine.Input>.self)
            isDone = change(&step)
            var writer = RecordCoder()
            _ = try writer.byte(JournalKind.step.rawValue)
            _ = try writer(step)
            file += JournalFile.framed(writer.bytes)
        }
    }

    @Test func `a hub's store that forgets what was durable is seen`() throws {
        // I14: durable data stays durable.
        var home = RecordedHome()
        let before = home.hubStore
        home.tellHub(.transact(home.request(), [try Self.change("attic.name", "Attic")], expected: nil))
        home.settle()
        home.hubStore = before
        home.startHub(seed: 3)
        home.settle()
        let journals = [home.hubFile.bytes, home.watchFile.bytes]
        let report = try JournalMerge.replay(journals)
        #expect(report.violation?.rule == .durabilityOrder)
        #expect(report.violator == "hub")
        // The caller reports that a copy was restored.
        #expect(try JournalMerge.replay(journals, mayBeRestored: true).isGood)
    }

    @Test func `a watch's store that acknowledges too early is seen`() throws {
        var home = RecordedHome()
        let before = home.watchStore
        home.tellWatch(.edit(home.request(), [try Self.change("attic.name", "Attic")]))
        home.watchStore = before
        home.startWatch(seed: 3)
        let journals = [home.hubFile.bytes, home.watchFile.bytes]
        let report = try JournalMerge.replay(journals)
        #expect(report.violation?.rule == .durabilityOrder)
        #expect(report.violator == "watch")
    }

    @Test func `an edit that a watch accepts before it is durable is seen`() throws {
        let device = JournalDevice(
            name: "watch", key: RecordedHome.watchKey, versions: RecordedHome.versions,
            application: JournalApplication.scenarios.name)
        let state = WatchEngine.State(newIncarnation: RandomID(high: 5, low: 5))
        let edit = Edit(
            id: RandomID(high: 6, low: 6), changes: [], stamp: Stamp(milliseconds: 1, counter: 0, node: 1), schema: 1,
            resolves: nil)
        let moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 1)
        var checker = JournalChecker(devices: [device], of: .scenarios, mayBeRestored: false)
        checker.watch(0, .watchBegan(state, outputs: []), of: device, at: moment)
        let answer = WatchEngine.Output.answer(RequestID(number: 1), .accepted(edit))
        checker.watch(0, .watch(.timeReached, outputs: [answer]), of: device, at: moment)
        #expect(checker.violation?.rule == .durabilityOrder)
        #expect(checker.violator == "watch")
    }

    @Test func `what stays at the hub is in no journal, and ends it`() throws {
        var home = RecordedHome()
        home.tellHub(.transact(home.request(), [try Self.change("attic.password", "s3cret-word")], expected: nil))
        home.settle()
        home.startHub(seed: 3)
        home.settle()
        home.tellHub(.transact(home.request(), [try Self.change("attic.name", "Attic")], expected: nil))
        let bytes = home.hubFile.bytes
        #expect(!bytes.contains(Array("s3cret-word".utf8)))
        let report = try JournalMerge.replay([bytes])
        // The next run is recorded from its start: it knows that there is a value, but not which.
        #expect(report.isGood, "\(report)")
        #expect(report.journals[0].runCount == 2)
        #expect(report.journals[0].ends.count == 1 && report.notes.count == 1)
        #expect(home.hub.cells[CellName(record: "attic", group: "name").key]?.value == "Attic")
    }

    @Test func `a journal is bounded, and says where it ends`() throws {
        var home = RecordedHome(byteCountMax: 6000)
        home.settle(seconds: 30)
        for file in [home.hubFile, home.watchFile] {
            #expect(file.bytes.count <= 6000 + 10)
            let report = try JournalMerge.replay([file.bytes])
            #expect(report.isGood)
            #expect(report.journals[0].ends == ["the journal is full"])
        }
    }

    @Test func `numbers of all sizes are read as they were written`() throws {
        var writer = RecordCoder()
        let signed: [Int64] = [0, 1, -1, 63, -64, 64, .max, .min]
        let unsigned: [UInt64] = [0, 127, 128, 1 << 35, .max]
        _ = try writer(signed)
        _ = try writer(unsigned)
        _ = try writer.optional(String?.none)
        _ = try writer.optional("ü" as String?)
        var reader = RecordCoder(reading: writer.bytes)
        #expect(try reader.next([Int64].self) == signed)
        #expect(try reader.next([UInt64].self) == unsigned)
        #expect(try reader.optional(String?.none) == nil)
        #expect(try reader.optional(String?.none) == "ü")
        #expect(reader.isAtEnd)
    }
}
