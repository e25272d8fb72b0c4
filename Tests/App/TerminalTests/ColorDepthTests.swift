import Testing

@testable import Terminal

struct GlyphLadderTests {
    @Test
    func `the glyphs are the finest that the depth allows, coarser on request, and ASCII above all`() {
        func glyphs(_ depth: ColorDepth, _ wish: Capabilities.Glyphs? = nil, isASCII: Bool = false) -> String {
            Capabilities(depth: depth, glyphs: wish, isASCII: isASCII).glyphs.rawValue
        }
        #expect(ColorDepth.allCases.sorted().map { glyphs($0) } == ["braille", "braille", "mosaic", "mosaic"])
        #expect(glyphs(.truecolor, .braille) == "braille" && glyphs(.truecolor, .ascii) == "ascii")
        // Two colours in each cell need more colours than there are.
        #expect(glyphs(.ansi16, .mosaic) == "braille")
        #expect(glyphs(.truecolor, .mosaic, isASCII: true) == "ascii")
    }
}

struct ColorDepthTests {
    /// A row of a precedence table: the requested depth, the variables, whether there is a terminal, the expected
    /// depth.
    struct Row: Sendable {
        var choice = ColorChoice.auto
        var environment: [String: String]
        var isTerminal = true
        var depth: ColorDepth
    }

    private static let rich = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

    static let rows: [Row] = [
        // The capabilities that the terminal reports.
        Row(environment: rich, depth: .truecolor),
        Row(environment: ["TERM": "xterm", "COLORTERM": "24bit"], depth: .truecolor),
        Row(environment: ["TERM": "xterm-direct"], depth: .truecolor),
        Row(environment: ["TERM": "xterm-kitty"], depth: .truecolor),
        Row(environment: ["TERM": "tmux-256color"], depth: .indexed256),
        Row(environment: ["TERM": "xterm"], depth: .ansi16),
        Row(environment: ["TERM": "linux"], depth: .ansi16),
        Row(environment: ["TERM": "dumb", "COLORTERM": "truecolor"], depth: .mono),
        Row(environment: [:], depth: .mono),
        Row(environment: rich, isTerminal: false, depth: .mono),
        // CLICOLOR_FORCE has precedence over the pipe.
        Row(environment: rich.merging(["CLICOLOR_FORCE": "1"]) { $1 }, isTerminal: false, depth: .truecolor),
        Row(environment: ["CLICOLOR_FORCE": "1"], isTerminal: false, depth: .ansi16),
        Row(environment: rich.merging(["CLICOLOR_FORCE": "0"]) { $1 }, isTerminal: false, depth: .mono),
        Row(environment: rich.merging(["CLICOLOR_FORCE": ""]) { $1 }, isTerminal: false, depth: .mono),
        // NO_COLOR has precedence over CLICOLOR_FORCE and the terminal.
        Row(environment: rich.merging(["NO_COLOR": "1"]) { $1 }, depth: .mono),
        Row(environment: rich.merging(["NO_COLOR": "1", "CLICOLOR_FORCE": "1"]) { $1 }, depth: .mono),
        Row(environment: rich.merging(["NO_COLOR": ""]) { $1 }, depth: .truecolor),
        // FORCE_COLOR has precedence over NO_COLOR.
        Row(environment: rich.merging(["FORCE_COLOR": "1", "NO_COLOR": "1"]) { $1 }, depth: .truecolor),
        Row(environment: ["TERM": "xterm", "FORCE_COLOR": "1"], isTerminal: false, depth: .ansi16),
        Row(environment: ["FORCE_COLOR": "true"], isTerminal: false, depth: .ansi16),
        Row(environment: ["FORCE_COLOR": "2"], isTerminal: false, depth: .indexed256),
        Row(environment: ["FORCE_COLOR": "3"], isTerminal: false, depth: .truecolor),
        Row(environment: rich.merging(["FORCE_COLOR": "0"]) { $1 }, depth: .mono),
        Row(environment: rich.merging(["FORCE_COLOR": ""]) { $1 }, isTerminal: false, depth: .mono),
        // The flag has precedence over all variables.
        Row(choice: .never, environment: rich.merging(["FORCE_COLOR": "3"]) { $1 }, depth: .mono),
        Row(choice: .always, environment: rich.merging(["NO_COLOR": "1"]) { $1 }, isTerminal: false, depth: .truecolor),
        Row(choice: .always, environment: ["TERM": "dumb"], depth: .ansi16),
        Row(choice: .ansi16, environment: rich, depth: .ansi16),
        Row(choice: .indexed256, environment: rich.merging(["NO_COLOR": "1"]) { $1 }, depth: .indexed256),
        Row(choice: .truecolor, environment: ["TERM": "dumb"], isTerminal: false, depth: .truecolor),
    ]

    @Test(arguments: rows)
    func `the first that decides wins`(row: Row) {
        let depth = ColorDepth(choice: row.choice, environment: row.environment, isTerminal: row.isTerminal)
        #expect(depth == row.depth)
    }

    @Test
    func `a face is drawn on terminals only`() {
        func capabilities(_ terminal: String, isTerminal: Bool = true, isASCII: Bool = false) -> Capabilities {
            Capabilities(isASCII: isASCII, environment: ["TERM": terminal], isTerminal: isTerminal)
        }
        #expect(!capabilities("xterm").needsPlainText)
        #expect(capabilities("dumb").needsPlainText)
        #expect(capabilities("").needsPlainText)
        #expect(capabilities("xterm", isTerminal: false).needsPlainText)

        #expect(capabilities("xterm-256color").glyphs == .mosaic)
        #expect(capabilities("xterm").glyphs == .braille)
        #expect(capabilities("linux").glyphs == .ascii)
        #expect(capabilities("xterm-256color", isASCII: true).glyphs == .ascii)
    }
}
