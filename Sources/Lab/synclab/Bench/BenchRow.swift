import ArgumentParser

/// One subject of the benchmark, in a separate file in `Rows`.
protocol BenchRow: Sendable {
    /// Its name on the command line.
    static var name: String { get }
    /// What it measures; at most 60 characters.
    static var summary: String { get }

    init()

    /// Measures it.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be measured.
    func measure(_ bench: Bench) async throws -> [BenchResult]
}

/// All rows, in the order in which they run; a new row is added here.
enum BenchRows {
    static let all: [any BenchRow.Type] = [
        RoundTripRow.self, MessageRow.self, FileRow.self, FanOutRow.self, ReturnRow.self, IdleRow.self, CommitRow.self,
        EditsRow.self, ChangeRow.self, UserInfoRow.self, DictionaryRow.self, SimulationRow.self,
    ]

    /// The rows for the help, one line each.
    static var help: String {
        let width = all.map { $0.name.count }.max() ?? 0
        return all.map { row in
            "  \(row.name)\(String(repeating: " ", count: width - row.name.count))  \(row.summary)"
        }.joined(separator: "\n")
    }

    /// The rows of a list of names; all if it is nil.
    static func chosen(_ names: String?) throws -> [any BenchRow] {
        guard let names else { return all.map { $0.init() } }
        guard !names.isEmpty else { throw ValidationError("--rows names no row") }
        return try names.split(separator: ",").map { name in
            guard let row = all.first(where: { $0.name == name }) else {
                let known = all.map { $0.name }.joined(separator: ", ")
                throw ValidationError("there is no row \"\(name)\", only: \(known)")
            }
            return row.init()
        }
    }
}
