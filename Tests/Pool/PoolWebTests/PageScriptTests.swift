import PoolModel
import TestSupport
import Testing

@testable import PoolWeb
@testable import WebServer

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

    @Test func `the second script imports from the first what it uses, and has nothing twice`() {
        let scripts = PageScript.pair(
            "a.js", "z.js",
            [
                "a.js": "import { c } from './c.js'\nlet a = c\n", "c.js": "export let c = 1\nexport const d = 2\n",
                "z.js": "import {\n d, c,\n} from './c.js'\nimport { y } from './y.js'\nexport const z = c + d + y\n",
                "y.js": "import { d } from './c.js'\nexport const y = d\n",
            ])
        #expect(
            scripts == [
                "a.js": "let c = 1\nconst d = 2\nlet a = c\nexport { c, d }\n",
                "z.js": "import { c, d } from './a.js'\nconst y = d\nexport const z = c + d + y\n",
            ])
    }

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
