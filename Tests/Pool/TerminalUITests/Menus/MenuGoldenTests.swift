import Foundation
import PoolModel
import Testing

@testable import TerminalUI

/// The pages as text, compared with the files in `Goldens/Menus`; BLESS=1 in the environment rewrites them.
@Suite struct MenuGoldenTests {
    /// A page, by the keys that lead to it.
    struct Page: Sendable, CustomTestStringConvertible {
        var name: String
        var keys: [Key]
        var testDescription: String { name }

        static let all = [
            Page(name: "menu", keys: [.enter]), Page(name: "devices", keys: [.enter, .enter]),
            Page(name: "alerts", keys: [.enter, .down, .enter]),
            Page(name: "alert", keys: [.enter, .down, .enter, .enter]), Page(name: "snooze", keys: [.character("m")]),
            Page(name: "limits", keys: [.enter, .down, .down, .enter]),
            Page(name: "limitsForm", keys: [.enter, .down, .down, .enter, .down, .enter, .down, .backspace]),
            Page(name: "names", keys: [.enter, .down, .down, .down, .down, .enter]),
            Page(name: "rename", keys: [.enter, .down, .down, .down, .down, .enter, .enter, .left]),
            Page(name: "conflicts", keys: [.character("c")]), Page(name: "conflict", keys: [.character("c"), .enter]),
            Page(name: "edits", keys: [.character("e")]), Page(name: "help", keys: [.character("?")]),
            Page(name: "history", keys: [.character("2"), .character("g")]),
        ]
    }

    private static let sizes = [(62, 24, false), (44, 20, true), (26, 10, false), (20, 3, false)]

    @Test(arguments: Page.all) func `a page looks as it did`(page: Page) throws {
        var sections: [String] = []
        for (columns, rows, isASCII) in Self.sizes {
            var script = MenuScript(
                .sample(alerts: [MenuSample.alert, MenuSample.answered], conflicts: [MenuSample.conflict]))
            script.size = Size(columns: columns, rows: rows)
            (script.facts.pending, script.facts.outcomes) = (MenuSample.pending, MenuSample.outcomes)
            script.facts.answering = [MenuSample.answered.key]
            script.facts.glance.uploadObstacle = "the hub has too many open conflicts: settle some, here or there"
            for key in page.keys { script.press(key) }
            if page.name == "history" { script.facts.chart = Self.chart(script.taken()) }
            let buffer = script.picture(isASCII ? .mono : .indexed256, isASCII: isASCII)
            sections.append(
                "== \(columns)×\(rows)\(isASCII ? " ASCII" : "")\n"
                    + buffer.text.lines.map { "|\($0)" }.joined(separator: "\n"))
            #expect(!isASCII || buffer.text.allSatisfy(\.isASCII))
        }
        try compare(sections.joined(separator: "\n") + "\n", with: "\(page.name).txt")
    }

    /// A day that falls out of its band, with two hours missing.
    private static func chart(_ outcomes: [MenuOutcome]) -> ChartState? {
        guard case .loadChart(let query)? = outcomes.last else { return nil }
        let points = (0..<96).compactMap { index -> TimeSeries.Point? in
            if (30..<38).contains(index) { return nil }
            let value = 7.2 + Double(index * index) / 18_000
            return TimeSeries.Point(
                start: query.from.advanced(byMilliseconds: Int64(index) * 900_000), least: value - 0.02,
                greatest: value + 0.02, mean: value, rawMean: value - 0.1, isAfterGap: index == 38)
        }
        return ChartState(
            query: query,
            series: TimeSeries(
                quantity: query.quantity, first: query.from, last: query.through, bucketMilliseconds: 900_000,
                points: points),
            cameAt: MenuSample.ago(2))
    }

    private func compare(_ text: String, with name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Goldens/Menus/\(name)")
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let pairs = zip(text.lines, golden.lines).enumerated()
        if let (number, (now, before)) = pairs.first(where: { $1.0 != $1.1 }) {
            Issue.record("\(name):\(number + 1) was\n\(before)\nand is now\n\(now)\nBLESS=1 accepts it")
        }
        #expect(text.lines.count == golden.lines.count)
    }
}

extension String {
    fileprivate var lines: [Substring] { split(separator: "\n", omittingEmptySubsequences: false) }
}
