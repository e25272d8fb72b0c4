import CommandSupport
import Foundation
import ProgramFixture
import TestSupport
import Testing

@testable import synclab

@Suite struct BenchResultTests {
    @Test func `the median stands between the lowest and the highest`() {
        #expect(Spread([3, 1, 2]) == Spread([2, 3, 1]))
        #expect(Spread([3, 1, 2]).median == 2)
        #expect(Spread([4, 1, 2, 3]).median == 2.5)
        #expect(Spread([4, 1, 2, 3]).lowest == 1)
        #expect(Spread([4, 1, 2, 3]).highest == 4)
    }

    @Test func `a goal is met up to its limit`() {
        func result(_ engine: Double, _ goal: BenchResult.Goal?) -> BenchResult {
            BenchResult("x", unit: "s", engine: [engine], raw: [10], rawName: "raw", goal: goal)
        }
        #expect(result(8, .atLeast(0.8)).isMet == true)
        #expect(result(7.9, .atLeast(0.8)).isMet == false)
        #expect(result(13, .atMost(1.3)).isMet == true)
        #expect(result(13.1, .atMost(1.3)).isMet == false)
        #expect(result(13, nil).isMet == nil)
        #expect(result(13, nil).ratio == 1.3)
        #expect(BenchResult("x", unit: "s", engine: [1], goal: .atMost(1)).isMet == nil)
        #expect(result(8, .reaches(8)).isMet == true)
        #expect(result(8, .reaches(8.1)).isMet == false)
        #expect(result(8, .within(8)).isMet == true)
        #expect(BenchResult("x", unit: "s", engine: [9], goal: .within(8)).isMet == false)
    }

    @Test(arguments: [(0.1234, "0.123"), (1.234, "1.23"), (12.34, "12.3"), (1234.5, "1235"), (0, "0")])
    func `numbers have three digits`(number: Double, text: String) {
        #expect(BenchOutput.text(number) == text)
    }

    @Test func `a result has its ratio and its goal in JSON`() throws {
        let result = BenchResult("x", unit: "s", engine: [1], raw: [2], rawName: "raw", goal: .atMost(2))
        #expect(
            try JSONText.line(result) == """
                {"engine":{"highest":1,"lowest":1,"median":1},"goal":"ratio ≤ 2","isMet":true,"name":"x",\
                "ratio":0.5,"raw":{"highest":2,"lowest":2,"median":2},"rawName":"raw","row":"","unit":"s"}
                """)
    }
}

/// The times of a delivery: none is faster than what was seen.
@Suite struct DeliveryTimesTests {
    @Test func `a reading that was overtaken is as slow as the one that overtook it`() throws {
        // X13
        let findings = DeliveryFindings(numbers: [1, 4, 5], moments: [10.5, 13.25, 14.5])
        let times = try DeliveryTimes([10, 11, 12, 13, 14], findings, warmUp: 0)
        #expect(times.sorted == [0.25, 0.5, 0.5, 1.25, 2.25])
        #expect(abs(times.overtaken - 0.4) < 1e-9)
        #expect(try DeliveryTimes([10, 11, 12, 13, 14], findings, warmUp: 3).sorted == [0.25, 0.5])
        #expect(times.quantile(0) == 0.25 && times.quantile(0.5) == 0.5 && times.quantile(1) == 2.25)
    }

    @Test(arguments: [
        ([1, 2], [1.5, 2.5]), ([1, 3, 2], [1.5, 2.5, 3.5]), ([1, 2, 2, 3], [1.5, 2.5, 2.6, 3.5]), ([], []),
        ([1, 2, 3], [1.5, 2.5]), ([1, 2, 3], [1.5, 2.5, 2.9]),
    ])
    func `what was lost, disordered or too early is no measurement`(numbers: [Int], moments: [Double]) {
        #expect(throws: CommandFailure.self) {
            try DeliveryTimes([1, 2, 3], DeliveryFindings(numbers: numbers, moments: moments), warmUp: 0)
        }
    }
}

@Suite struct BenchRowsTests {
    @Test func `rows are chosen by their names`() throws {
        #expect(try BenchRows.chosen("commit,fan-out").map { type(of: $0).name } == ["commit", "fan-out"])
        #expect(try BenchRows.chosen(nil).count == BenchRows.all.count)
        #expect(throws: (any Error).self) { try BenchRows.chosen("fan-in") }
        #expect(throws: (any Error).self) { try BenchRows.chosen("") }
    }

    @Test func `the names differ and the help has room for each`() {
        #expect(Set(BenchRows.all.map { $0.name }).count == BenchRows.all.count)
        for line in BenchRows.help.split(separator: "\n") { #expect(line.count <= 80) }
    }
}

/// The benchmark on this machine: that it measures, not what.
@Suite struct BenchProgramTests {
    @Test func `each row measures something`() async throws {
        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(
            ["bench", "sync", "--quick", "--json"], in: folder, program: Program.laboratory)

        #expect(end == .exited(0), "\(lines)")
        struct Line: Decodable {
            var name: String
            var unit: String
            var engine: Numbers
            var raw: Numbers?
            struct Numbers: Decodable { var median: Double }
        }
        let results = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(results.count >= BenchRows.all.count)
        // Times so short that the clock of the processor does not show them do not count.
        for result in results where !result.unit.contains("processor") && !result.unit.contains("core") {
            #expect(result.engine.median > 0, "\(result.name)")
            #expect(result.raw.map { $0.median > 0 } ?? true, "\(result.name)")
        }
        // Nothing of it is left.
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasPrefix("synclab-") })
    }

    @Test func `readings get from a broker through a hub to a watch, and through a relay`() async throws {
        // X13, P105: that it is measured, and that nothing of it was lost; not how long it took.
        let folder = try TemporaryFolder()
        let (end, lines) = try await Program.run(
            ["bench", "delivery", "--quick", "--json"], in: folder, program: Program.laboratory)

        #expect(end == .exited(0), "\(lines)")
        struct Line: Decodable {
            var name: String
            var engine: Numbers
            struct Numbers: Decodable { var median: Double }
        }
        let results = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        for rate in ["100/s", "1000/s"] {
            let times = results.filter { $0.name.hasPrefix("\(rate), p") }.map(\.engine.median)
            #expect(times.count == 5 && times.allSatisfy { $0 > 0 })
            #expect(results.contains { $0.name == "\(rate), overtaken" && (0..<100).contains($0.engine.median) })
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasPrefix("synclab-") })
    }
}
