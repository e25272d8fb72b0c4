import SyncCore
import SyncStore

/// A small transaction of the configuration, made durable.
struct CommitRow: BenchRow {
    static let name = "commit"
    static let summary = "durable commits of one small change, beside one SQLite row"

    private static let value = String(repeating: "v", count: 100)

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let count = bench.isQuick ? 50 : 500
        var number = 0
        let rates = try await bench.alternating(["engine", "raw"]) { side in
            number += 1
            let path = "\(bench.folder)/commit-\(number)"
            let seconds = side == "engine" ? try engine(count, path) : try raw(count, path)
            return Double(count) / seconds
        }
        return [
            BenchResult(
                "one change a commit", unit: "commits/s", engine: rates[0], raw: rates[1], rawName: "SQLite",
                goal: .atLeast(0.85))
        ]
    }

    private func engine(_ count: Int, _ path: String) throws -> Double {
        let store = try HubStore(in: try StateFolder(path: path), firstEpoch: Epoch(number: 1))
        var ledger = Ledger(state: try store.load())
        let schema = Schema(versions: 1...1, projected: [.init(kind: "device", group: "name")])
        var generator = SplitMix64(seed: 1)
        // Prepared before the measurement, since the engine does that on another thread than the disk's.
        let transactions = (0..<count).map { number in
            let change = CellChange(
                key: CellKey(kind: "device", record: RandomID(high: 0, low: UInt64(number % 200)), group: "name"),
                value: "\(Self.value) \(number)")
            let transaction = ledger.prepare([change], schema: schema, wallMilliseconds: 0, generator: &generator)
            ledger.apply(transaction)
            return transaction
        }
        let started = ProcessFacts.now
        for transaction in transactions { try store.commit(transaction) }
        return ProcessFacts.now - started
    }

    private func raw(_ count: Int, _ path: String) throws -> Double {
        let database = try RawDatabase(path: "\(path).sqlite")
        defer { database.close() }
        let started = ProcessFacts.now
        for number in 0..<count { try database.insert("\(Self.value) \(number)") }
        return ProcessFacts.now - started
    }
}
