import PoolModel
import Testing

@testable import PoolWeb
@testable import WebServer

/// The modules of the pool's page, which come as one script.
@Suite struct PageScriptTests {
    @Test func `the page has the trends of the table`() throws {
        let words = try #require(PoolPage.modules["words.js"])
        for direction in Trend.Direction.allCases {
            let (english, french) = (direction.word(), direction.word(in: .french))
            #expect(words.contains("\(direction): ['\(direction.arrow())', ['\(english)', '\(french)']]"))
        }
        for trend in Trend.allCases {
            #expect(words.contains("\(trend): [") || words.contains("trends.\(trend) = trends.\(trend.direction)"))
        }
    }

    @Test func `no two modules have a name in common, and all of them are in the script`() throws {
        let script = try ["page.js", "owner.js"].map { name in
            String(decoding: try #require(PoolPage.files[name]).bytes, as: UTF8.self)
        }.joined()
        let lines = PoolPage.modules.values.flatMap { $0.split(separator: "\n") }
        let names = lines.compactMap { line in
            line.firstMatch(of: /^(?:export )?(?:async )?(?:function|const|let|class) ([\w$]+)/).map { String($0.1) }
        }
        #expect(names.count > 250)
        #expect(Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.isEmpty)
        for name in names { #expect(script.contains(" \(name)"), "\(name)") }
        for line in script.split(separator: "\n") {
            // The second script has the names of the first one, and its own views.
            let isBetween = ["import { ", "export { ", "export const ownerViews"].contains { line.hasPrefix($0) }
            #expect(isBetween || !line.hasPrefix("import ") && !line.hasPrefix("export "), "\(line)")
            #expect(!line.hasPrefix(" "), "\(line)")
        }
        // A text over several lines would lose its indentation.
        for line in lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
            #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(line)")
        }
    }
}
