import Foundation
import TestSupport
import Testing

/// The page for newcomers shows what the tests run, to the letter.
@Suite struct GuidePageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The snippets of the tests' sources by their names.
    private static func snippets() throws -> [String: String] {
        var snippets: [String: String] = [:]
        for file in ["GuideCode.swift", "GuideTests.swift"] {
            var name: String?
            var lines: [String] = []
            for line in try text(file).components(separatedBy: "\n") {
                let words = line.trimmingCharacters(in: .whitespaces)
                if words.hasPrefix("// snippet: ") {
                    (name, lines) = (String(words.dropFirst(12)), [])
                } else if words == "// end", let ended = name {
                    snippets[ended] = dedented(lines)
                    name = nil
                } else {
                    lines.append(line)
                }
            }
        }
        return snippets
    }

    private static func dedented(_ lines: [String]) -> String {
        let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let indent = indents.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }

    /// The Swift code of the page, in its order.
    private static func code() throws -> [String] {
        let page = try String(contentsOf: Repository.url("Docs/watchconnectivity/testing.md"), encoding: .utf8)
        return page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test func `every Swift snippet of the page is one that the tests run, and none is missing`() throws {
        let snippets = try Self.snippets()
        let code = try Self.code()
        #expect(snippets.count == 11)
        for block in code {
            #expect(snippets.values.contains(block), "the page shows what no test runs:\n\(block)")
        }
        for (name, snippet) in snippets {
            #expect(code.contains(snippet), "the page lacks \"\(name)\"")
        }
    }
}
