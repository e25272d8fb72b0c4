import Primitives
import TerminalFixture
import TestSupport
import Testing

@testable import Terminal

struct RendererTests {
    private static let size = Size(columns: 23, rows: 7)

    @Test(arguments: ColorDepth.allCases)
    func `a diff makes the screen what a full redraw would make it`(depth: ColorDepth) {
        var generator = SplitMix64(seed: 20)
        for _ in 0..<150 {
            var renderer = Renderer(depth: depth)
            var terminal = MiniTerminal(Self.size)
            terminal.feed(Array("\u{1B}[?7l".utf8))
            var buffer = CellBuffer(Self.size)
            for _ in 0..<4 {
                scribble(on: &buffer, using: &generator)
                terminal.feed(renderer.frame(buffer))
            }

            var fresh = MiniTerminal(Self.size)
            fresh.feed(Array("\u{1B}[?7l".utf8))
            var full = Renderer(depth: depth)
            fresh.feed(full.frame(buffer))
            #expect(terminal.cells == fresh.cells)
            #expect(terminal.text == padded(buffer))
            #expect(terminal.unknown.isEmpty && !terminal.modes.contains(2026))
        }
    }

    @Test(arguments: ColorDepth.allCases)
    func `the same buffer again costs no byte`(depth: ColorDepth) {
        var generator = SplitMix64(seed: 5)
        var buffer = CellBuffer(Self.size)
        scribble(on: &buffer, using: &generator)
        var renderer = Renderer(depth: depth)

        #expect(!renderer.frame(buffer).isEmpty)
        #expect(renderer.frame(buffer).isEmpty)

        renderer.invalidate()
        #expect(!renderer.frame(buffer).isEmpty)
    }

    @Test
    func `a colour that the terminal cannot tell apart costs no byte`() {
        var one = CellBuffer(Self.size)
        var two = CellBuffer(Self.size)
        one.write("x", x: 0, y: 0, style: Style(AdaptiveColor(rgb: RGB(0x46C8F5), indexed: 81, ansi: 14)))
        two.write("x", x: 0, y: 0, style: Style(AdaptiveColor(rgb: RGB(0x46C8F6), indexed: 81, ansi: 14)))
        for depth in ColorDepth.allCases {
            var renderer = Renderer(depth: depth)
            _ = renderer.frame(one)
            #expect(renderer.frame(two).isEmpty == (depth != .truecolor))
        }
    }

    @Test
    func `a frame is wrapped in synchronized output and ends without a style`() {
        var buffer = CellBuffer(Self.size)
        buffer.write("hello", x: 3, y: 2, style: Style(AdaptiveColor(rgb: RGB(0xFF0000), ansi: 1), .bold))
        var renderer = Renderer(depth: .ansi16)
        _ = renderer.frame(CellBuffer(Self.size))

        let text = String(decoding: renderer.frame(buffer), as: UTF8.self)

        #expect(text == "\u{1B}[?2026h\u{1B}[3;4H\u{1B}[1;31mhello\u{1B}[0m\u{1B}[?2026l")
    }

    @Test
    func `after a wide or a composed character the cursor is placed anew`() {
        for character in ["風", "👍", "e\u{301}", "♥\u{FE0F}"] as [Character] {
            var buffer = CellBuffer(Self.size)
            buffer.write("\(character)x", x: 0, y: 0, style: Style())
            var renderer = Renderer(depth: .mono)
            _ = renderer.frame(CellBuffer(Self.size))

            let text = String(decoding: renderer.frame(buffer), as: UTF8.self)

            #expect(text.contains("\(character)\u{1B}[1;\(1 + displayWidth(character))Hx"), "\(character)")
        }
    }

    @Test
    func `without colour no colour is ever sent but bold and reverse are`() {
        var buffer = CellBuffer(Self.size, background: AdaptiveColor(rgb: RGB(0), ansi: 0))
        let style = Style(
            AdaptiveColor(rgb: RGB(0xFF0000), ansi: 1), on: AdaptiveColor(rgb: RGB(0xFF), ansi: 4), [.bold, .reverse])
        buffer.write("loud", x: 0, y: 0, style: style)
        var renderer = Renderer(depth: .mono)

        let text = String(decoding: renderer.frame(buffer), as: UTF8.self)

        #expect(text.contains("\u{1B}[1;7mloud"))
        #expect(!text.contains("38;") && !text.contains("31m") && !text.contains("48;"))
    }

    @Test
    func `a screen that changes as a whole is cleared to its ground, in a terminal that can`() {
        let size = Size(columns: 60, rows: 40)
        let ground = AdaptiveColor(rgb: RGB(0x0B111B), ansi: 0)
        var one = CellBuffer(size)
        for y in 0..<40 { one.write(String(repeating: "x", count: 60), x: 0, y: y, style: Style()) }
        var other = CellBuffer(size, background: ground)
        other.write("calm", x: 2, y: 1, style: Style())
        for clears in [true, false] {
            var renderer = Renderer(depth: .truecolor, erasesWithColor: clears)
            var terminal = MiniTerminal(size)
            terminal.feed(Array("\u{1B}[?7l".utf8) + renderer.frame(one))
            let bytes = renderer.frame(other)
            terminal.feed(bytes)
            #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[48;2;11;17;27m\u{1B}[2J") == clears)
            #expect(clears == (bytes.count < 200))
            #expect(terminal.text == padded(other))
            #expect(terminal.cells.allSatisfy { $0.look.background == "48;2;11;17;27" || $0.character != " " })
        }
    }

    @Test
    func `another size is drawn in full`() {
        var renderer = Renderer(depth: .mono)
        _ = renderer.frame(CellBuffer(Size(columns: 4, rows: 2)))
        var wider = CellBuffer(Size(columns: 5, rows: 2))
        wider.write("abc", x: 0, y: 0, style: Style())

        let text = String(decoding: renderer.frame(wider), as: UTF8.self)

        #expect(text.contains("\u{1B}[2J") && text.contains("abc"))
    }

    // MARK: Random buffers

    private func padded(_ buffer: CellBuffer) -> String {
        (0..<buffer.size.rows).map { y in
            String((0..<buffer.size.columns).map { buffer[$0, y] }.filter { $0.width > 0 }.map(\.character))
        }.joined(separator: "\n")
    }

    /// Writes a few words of narrow, wide and composed characters at random places, overlapping each other.
    private func scribble(on buffer: inout CellBuffer, using generator: inout SplitMix64) {
        let words = ["pool", "露天風呂", "e\u{301}a", "▀▄█", "x", "  ", "👍ok", "a b c", "⣿⠿"]
        let inks = [
            AdaptiveColor.terminalDefault, AdaptiveColor(rgb: RGB(0x46C8F5), indexed: 81, ansi: 14),
            AdaptiveColor(rgb: RGB(0xFF6673), ansi: 9),
            AdaptiveColor(rgb: RGB(0x2A3B50), ansi: 8), AdaptiveColor(rgb: RGB(0), ansi: 0),
            AdaptiveColor(rgb: RGB(0xFFFFFF), ansi: 3),
        ]
        let attributes: [Style.Attributes] = [[], .bold, .reverse, [.bold, .underline], [.underline, .reverse]]
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let style = Style(
                inks.randomElement(using: &generator) ?? .terminalDefault, on: inks.randomElement(using: &generator),
                attributes.randomElement(using: &generator) ?? [])
            buffer.write(
                words.randomElement(using: &generator) ?? "", x: Int.random(in: -2..<23, using: &generator),
                y: Int.random(in: 0..<7, using: &generator), style: style)
        }
    }
}
