import CommandSupport
import Foundation
import SyncCore

/// A dictionary of six entries, encoded and decoded.
struct DictionaryRow: BenchRow {
    static let name = "dictionary"
    static let summary = "six entries encoded and decoded, beside Foundation"

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let count = bench.isQuick ? 2_000 : 50_000
        let rates = try await bench.alternating(["engine", "raw"]) { side in
            let started = ProcessFacts.now
            if side == "engine" { try codec(count) } else { try foundation(count / 10) }
            return Double(side == "engine" ? count : count / 10) / (ProcessFacts.now - started)
        }
        return [
            BenchResult(
                "six entries", unit: "dictionaries/s", engine: rates[0], raw: rates[1], rawName: "binary property list",
                goal: .atLeast(10))
        ]
    }

    private func codec(_ count: Int) throws {
        for number in 0..<count {
            let list: PropertyList = .dictionary([
                "pool": .string("Garden"), "temperature": .real(27.4), "pH": .real(7.2),
                "sequence": .integer(Int64(number)), "isLive": .boolean(true), "sampled": .date(785_000_000.5),
            ])
            guard try PropertyList(decoding: list.encoded()) == list else {
                throw CommandFailure("the dictionary came back as another one")
            }
        }
    }

    private func foundation(_ count: Int) throws {
        for number in 0..<count {
            let list: [String: Any] = [
                "pool": "Garden", "temperature": 27.4, "pH": 7.2, "sequence": number, "isLive": true,
                "sampled": Date(timeIntervalSinceReferenceDate: 785_000_000.5),
            ]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            // The parameter would only return the format, which is known.
            let back = unsafe try PropertyListSerialization.propertyList(from: data, format: nil)
            guard (back as? [String: Any])?.count == list.count else {
                throw CommandFailure("Foundation's dictionary came back as another one")
            }
        }
    }
}
