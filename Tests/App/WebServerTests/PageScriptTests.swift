import Testing

@testable import WebServer

/// The modules of a page as one script.
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
}
