import Primitives
import TestSupport
import Testing

@testable import Terminal

struct CellBufferTests {
    @Test
    func `drawing outside of the buffer is clipped`() {
        var buffer = CellBuffer(Size(columns: 5, rows: 2))
        buffer.write("abcdefg", x: -2, y: 0, style: Style())
        buffer.write("never", x: 0, y: 2, style: Style())
        buffer.write("never", x: 0, y: -1, style: Style())
        buffer.fill(Rect(x: 3, y: 1, columns: 90, rows: 90), style: Style(), character: "#")
        buffer.fill(Rect(x: -9, y: -9, columns: 10, rows: 11), style: Style(), character: "*")

        #expect(buffer.text == "*defg\n*  ##")
    }

    @Test
    func `a wide character at the edge is left out as a whole`() {
        var buffer = CellBuffer(Size(columns: 5, rows: 1))

        let end = buffer.write("ab風呂", x: 0, y: 0, style: Style())

        #expect(buffer.text == "ab風")
        #expect(end == 4)
        #expect(buffer[3, 0].width == 0)

        buffer.put("呂", x: 4, y: 0, style: Style())
        #expect(buffer.text == "ab風")

        buffer.write("風", x: -1, y: 0, style: Style())
        #expect(buffer.text == "ab風")
    }

    @Test
    func `covering one half of a wide character clears the other`() {
        var left = CellBuffer(Size(columns: 4, rows: 1))
        left.write("風呂", x: 0, y: 0, style: Style())
        left.put("x", x: 0, y: 0, style: Style())
        #expect(left.text == "x 呂")

        var right = CellBuffer(Size(columns: 4, rows: 1))
        right.write("風呂", x: 0, y: 0, style: Style())
        right.put("x", x: 1, y: 0, style: Style())
        #expect(right.text == " x呂")

        var middle = CellBuffer(Size(columns: 4, rows: 1))
        middle.write("風呂", x: 0, y: 0, style: Style())
        middle.put("天", x: 1, y: 0, style: Style())
        #expect(middle.text == " 天")
        #expect((0..<4).map { middle[$0, 0].width } == [1, 2, 0, 1])
    }

    @Test
    func `halves stay together whatever is drawn`() {
        var generator = SplitMix64(seed: 3)
        var buffer = CellBuffer(Size(columns: 9, rows: 2))
        for _ in 0..<3000 {
            let character = (["風", "x", " ", "👍"] as [Character]).randomElement(using: &generator) ?? "x"
            buffer.put(
                character, x: .random(in: -1...9, using: &generator), y: .random(in: 0...1, using: &generator),
                style: Style())
            for y in 0..<2 {
                for x in 0..<9 where buffer[x, y].width == 2 { #expect(x < 8 && buffer[x + 1, y].width == 0) }
                for x in 0..<9 where buffer[x, y].width == 0 { #expect(x > 0 && buffer[x - 1, y].width == 2) }
            }
        }
    }

    @Test
    func `no control character gets into a cell`() {
        var buffer = CellBuffer(Size(columns: 20, rows: 1))
        buffer.write("a\u{1B}[2J\u{07}\u{9B}b\r\n\t\u{202E}\u{200B}c", x: 0, y: 0, style: Style())
        buffer.put("\u{1B}", x: 19, y: 0, style: Style())
        buffer.put("\r\n", x: 19, y: 0, style: Style())

        #expect(buffer.text == "a[2Jbc")
    }

    @Test
    func `a style without a background keeps the one that is there`() {
        let blue = AdaptiveColor(rgb: RGB(0xFF), ansi: 4)
        var buffer = CellBuffer(Size(columns: 3, rows: 1), background: blue)
        buffer.write("ab", x: 0, y: 0, style: Style(.terminalDefault))
        buffer.write("b", x: 1, y: 0, style: Style(.terminalDefault, on: .terminalDefault))

        #expect(buffer[0, 0].style.background == blue)
        #expect(buffer[1, 0].style.background == .terminalDefault)
    }

    @Test(arguments: [
        ("風呂 abc", 8, "風呂 abc"), ("風呂 abc", 7, "風呂 a…"), ("風呂 abc", 6, "風呂 …"), ("風呂 abc", 5, "風呂…"),
        ("風呂 abc", 4, "風…"), ("風呂 abc", 3, "風…"), ("風呂 abc", 2, "…"), ("風呂 abc", 1, "…"), ("風呂 abc", 0, ""),
        ("", 0, ""),
    ])
    func `a text that is too long ends with an ellipsis`(text: String, columns: Int, expected: String) {
        #expect(text.fitted(columns: columns) == expected)
        #expect(expected.displayWidth <= columns)
    }

    @Test
    func `text is aligned in its columns`() {
        for (alignment, expected) in [
            (TextAlignment.leading, "|ab   |"), (.center, "| ab  |"), (.trailing, "|   ab|"),
        ] {
            var buffer = CellBuffer(Size(columns: 7, rows: 1))
            buffer.write("|     |", x: 0, y: 0, style: Style())
            buffer.write("ab", x: 1, y: 0, columns: 5, alignment: alignment, style: Style())
            #expect(buffer.text == expected)
        }
    }

    @Test
    func `a terminal that claims to be enormous gets a bounded buffer`() {
        let size = Size(columns: 65_535, rows: 65_535)
        #expect(size == Size(columns: 1000, rows: 500))
        #expect(Size(columns: -3, rows: 0) == Size(columns: 0, rows: 0))
        #expect(CellBuffer(Size(columns: 0, rows: 5)).text == "\n\n\n\n")
    }

    @Test
    func `an overlay covers what is below and is clipped`() {
        var below = CellBuffer(Size(columns: 4, rows: 2))
        below.write("....", x: 0, y: 0, style: Style())
        var above = CellBuffer(Size(columns: 3, rows: 3))
        above.write("風a", x: 0, y: 0, style: Style())
        above.write("xyz", x: 0, y: 1, style: Style())

        below.overlay(above, x: 2, y: 0)
        #expect(below.text == "..風\n  xy")

        below.overlay(above, x: -1, y: -1)
        #expect(below.text == "yz風\n  xy")
    }

    @Test
    func `only printable ASCII is left when asked for`() {
        var buffer = CellBuffer(Size(columns: 8, rows: 1))
        buffer.write("a風·é…", x: 0, y: 0, style: Style())

        #expect(buffer.asciiOnly(["·": "-", "…": "~"]).text == "a??-?~")
    }
}
