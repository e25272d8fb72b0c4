import CommandSupport
import SyncCore
import SyncStore

/// User info that is durable before it is accepted.
///
/// The bare side stores only the necessary data, an ordinal, an id and the payload, in one table, with the same journal
/// mode and the same `synchronous`. The engine also stores a checksum for each row and the numbering of its track.
struct UserInfoRow: BenchRow {
    static let name = "user-info"
    static let summary = "user info made durable, beside SQLite rows"

    private static let payload = [UInt8](repeating: UInt8(ascii: "u"), count: 100)

    private enum Side: CaseIterable {
        case engine, raw, engineBatch, rawBatch
    }

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let count = bench.isQuick ? 50 : 500
        var number = 0
        let rates = try await bench.alternating(Side.allCases) { side in
            number += 1
            let path = "\(bench.folder)/user-info-\(number)"
            switch side {
            case .engine: return Double(count) / (try engine(count, batch: 1, path))
            case .raw: return Double(count) / (try raw(count, batch: 1, path))
            case .engineBatch: return Double(count * 80) / (try engine(count * 80, batch: 100, path))
            case .rawBatch: return Double(count * 80) / (try raw(count * 80, batch: 100, path))
            }
        }
        return [
            BenchResult(
                "one item a commit", unit: "items/s", engine: rates[0], raw: rates[1], rawName: "SQLite",
                goal: .atLeast(0.85)),
            BenchResult(
                "100 items a commit", unit: "items/s", engine: rates[2], raw: rates[3], rawName: "SQLite",
                goal: .atLeast(0.8)),
        ]
    }

    /// The same steps as in the hub: the exchange decides, the store commits, the exchange accepts.
    private func engine(_ count: Int, batch: Int, _ path: String) throws -> Double {
        let store = try HubStore(in: try StateFolder(path: path), firstEpoch: Epoch(number: 1))
        guard let watch = PeerKey(bytes: [UInt8](repeating: 1, count: 32)) else {
            throw CommandFailure("32 bytes are not a key")
        }
        var configuration = Exchange.Configuration()
        configuration.outstandingCountMax = count + 1
        configuration.outstandingByteCountMax = (count + 1) * Self.payload.count
        var exchange = Exchange(configuration: configuration, state: Exchange.State(), seed: 1)
        var waiting: [Exchange.Record] = []
        var acceptedCount = 0
        func drain(_ exchange: inout Exchange) {
            while let output = exchange.nextOutput() {
                if case .persist(let record) = output { waiting.append(record) }
                if case .answer(_, .accepted) = output { acceptedCount += 1 }
            }
        }
        let moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)
        let started = ProcessFacts.now
        var asked = 0
        func ask(_ exchange: inout Exchange) {
            guard asked < count else { return }
            asked += 1
            let transfer = Exchange.Transfer(payload: Self.payload)
            exchange.handle(.transfer(RequestID(number: UInt64(asked)), transfer), at: moment)
            drain(&exchange)
        }
        while acceptedCount < count {
            if waiting.isEmpty { ask(&exchange) }
            let record = waiting.removeFirst()
            try store.commit(.exchange(record), of: watch)
            // The requests that come while the disk works make up the next record.
            if batch > 1 { for _ in 0..<batch { ask(&exchange) } }
            exchange.handle(.persisted(record), at: moment)
            drain(&exchange)
        }
        return ProcessFacts.now - started
    }

    private func raw(_ count: Int, batch: Int, _ path: String) throws -> Double {
        let database = try RawDatabase(path: "\(path).sqlite")
        defer { database.close() }
        let text = String(decoding: Self.payload, as: UTF8.self)
        let started = ProcessFacts.now
        for _ in 0..<(count / batch) { try database.insert(Array(repeating: text, count: batch)) }
        return ProcessFacts.now - started
    }
}
