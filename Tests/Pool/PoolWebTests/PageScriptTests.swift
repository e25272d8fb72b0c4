import PoolModel
import TestSupport
import Testing

@testable import PoolWeb

/// The modules of the page as one script.
@Suite struct PageScriptTests {
    @Test func `each module comes once, behind those that it imports, without comments and indentation`() {
        let script = PageScript.joined(
            from: "a.js",
            [
                "a.js": "// First.\nimport { b } from './b.js'\nimport {\n c,\n} from './all.js'\n\nb(c)\n",
                "b.js":
                    "import { c } from './c.js'\nexport const b = (x) => {\n // Twice.\n return c + x // Not alone.\n}\n",
                "all.js": "export * from './c.js'\nexport * from './b.js'\n", "c.js": "export let c = 'export it'\n",
                "d.js": "never()\n",
            ])
        #expect(script == "let c = 'export it'\nconst b = (x) => {\nreturn c + x // Not alone.\n}\nb(c)\n")
    }

    @Test func `the page has the trends of the table`() throws {
        let words = try #require(PageResource.modules["words.js"])
        for direction in Trend.Direction.allCases {
            let (english, french) = (direction.word(), direction.word(in: .french))
            #expect(words.contains("\(direction): ['\(direction.arrow())', ['\(english)', '\(french)']]"))
        }
        for trend in Trend.allCases {
            #expect(words.contains("\(trend): [") || words.contains("trends.\(trend) = trends.\(trend.direction)"))
        }
    }

    @Test func `no two modules have a name in common, and all of them are in the script`() throws {
        let script = String(decoding: try #require(PageResource.all["page.js"]).bytes, as: UTF8.self)
        let lines = PageResource.modules.values.flatMap { $0.split(separator: "\n") }
        let names = lines.compactMap { line in
            line.firstMatch(of: /^(?:export )?(?:async )?(?:function|const|let|class) ([\w$]+)/).map { String($0.1) }
        }
        #expect(names.count > 250)
        #expect(Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.isEmpty)
        for name in names { #expect(script.contains(" \(name)"), "\(name)") }
        for line in script.split(separator: "\n") {
            #expect(!line.hasPrefix("import ") && !line.hasPrefix("export ") && !line.hasPrefix(" "), "\(line)")
        }
        // A text over several lines would lose its indentation.
        for line in lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
            #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(line)")
        }
    }
}
