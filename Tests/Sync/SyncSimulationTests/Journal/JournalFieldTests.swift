import SyncCore
import TestSupport
import Testing

@testable import SyncSimulation

/// The contents of stores, taken from busy runs, are unchanged after they were written to a journal and read back.
///
/// If someone adds a stored field to a state and forgets the journal, this test fails: the field comes back with its
/// initial value. It also fails if no run gives the field another value, because that would hide the error.
@Suite(.longWork) struct JournalFieldTests {
    /// The number of engine inputs between two checks.
    private static let stride = 120

    /// Calls `body` with the run of a seed, repeatedly during it; at its end everything pending has arrived.
    private static func visit(seed: UInt64, _ body: (SimulatedRun) throws -> Void) rethrows {
        var options = SimulationOptions()
        options.stepLimit = stride
        var run = SimulatedRun(schedule: Schedule(seed: seed, options: options))
        _ = run.run()
        while run.violation?.rule == .progress, run.checked.options.stepLimit < 3000 {
            try body(run)
            run.allow(moreSteps: stride)
            while run.step() {}
        }
    }

    private static func read<Value: RecordCodable>(_ value: Value) throws -> Value {
        var writer = RecordCoder()
        _ = try writer(value)
        var reader = RecordCoder(reading: writer.bytes)
        let read = try reader.next(Value.self)
        #expect(reader.isAtEnd)
        return read
    }

    @Test func `no field of what stores hold is lost in a journal`() throws {
        var census = FieldCensus()
        for seed in 1...6 as ClosedRange<UInt64> {
            try Self.visit(seed: seed) { try Self.check($0, "seed \(seed)", &census) }
        }
        // Such files are rare.
        let files = try Self.busyFiles()
        #expect(try Self.read(files) == files)
        census.visit(files)
        #expect(census.emptyFields == [], "no run gives these fields a value")
    }

    /// A file that is being transferred, and one that was declined.
    private static func busyFiles() throws -> FileExchange.State {
        let digest = try #require(FileDigest(bytes: Array(1...32)))
        let offer = FileOffer(
            id: RandomID(high: 1, low: 2), name: "pool.csv", byteCount: 5, digest: digest, metadata: [3])
        var files = FileExchange.State()
        files.incoming = IncomingFile(offer: offer, durable: 4)
        files.results = [FileResult(id: RandomID(high: 3, low: 4), failure: FileFailure(.other("odd"), "words"))]
        return files
    }

    /// Writes the contents of all stores to a journal, and reads them back.
    private static func check(_ run: SimulatedRun, _ comment: Comment, _ census: inout FieldCensus) throws {
        let hub = run.checked.world.hub.stored
        #expect(try read(hub.ledger) == hub.ledger, comment)
        census.visit(hub.ledger)
        for transfers in hub.transfers.values {
            #expect(try read(transfers) == transfers, comment)
            census.visit(transfers)
        }
        for watch in run.checked.world.watches {
            let memory = watch.device.stored
            #expect(try read(memory) == memory, comment)
            census.visit(memory)
        }
    }
}

/// Which stored fields of some values, including nested ones, ever differ from their initial value.
private struct FieldCensus {
    private var hasValue: [String: Bool] = [:]

    /// The fields that were always empty, zero, false or nil, sorted.
    var emptyFields: [String] { hasValue.filter { !$0.value }.keys.sorted() }

    /// Visits a value.
    ///
    /// Returns whether it differs from its initial value.
    @discardableResult
    mutating func visit(_ value: Any) -> Bool {
        switch value {
        case let number as any BinaryInteger: return isGiven(number)
        case let truth as Bool: return truth
        case let text as String: return !text.isEmpty
        case let bytes as [UInt8]: return !bytes.isEmpty
        default: return visit(Mirror(reflecting: value), of: type(of: value))
        }
    }

    private func isGiven(_ number: some BinaryInteger) -> Bool { number != 0 }

    private mutating func visit(_ mirror: Mirror, of type: Any.Type) -> Bool {
        switch mirror.displayStyle {
        case .struct:
            var isGiven = false
            for child in mirror.children {
                let isChildGiven = visit(child.value)
                let name = "\(String(reflecting: type)).\(child.label ?? "")"
                hasValue[name] = hasValue[name, default: false] || isChildGiven
                isGiven = isGiven || isChildGiven
            }
            return isGiven
        case .enum: return true
        default:
            // A few elements of a long list are enough.
            for child in mirror.children.prefix(12) { visit(child.value) }
            return !mirror.children.isEmpty
        }
    }
}
