import ArgumentParser
import CommandSupport
import Foundation
import PoolModel
import Testing

@testable import poolsensors
@testable import synclab

@Suite struct StyledScreenTests {
    private func screen(_ lines: String..., columns: Int = 4, rows: Int = 1) -> StyledScreen {
        StyledScreen(lines: lines, columns: columns, rows: rows)
    }

    @Test func `colours and weights are read as the terminal wrote them`() {
        let cells = screen("\u{1B}[1;38;2;1;2;3;48;5;232mA\u{1B}[0;7mB\u{1B}[mC").rows[0]
        #expect(cells.map(\.text) == ["A", "B", "C", " "])
        #expect(cells[0].ink == RGB(1, 2, 3))
        #expect(cells[0].paper == RGB(8, 8, 8))
        #expect(cells[0].isBold && !cells[1].isBold)
        #expect(cells[1].colors.ink == StyledCell.defaultPaper)
        var plain = StyledCell()
        plain.text = "C"
        #expect(cells[2] == plain)
    }

    @Test func `a short line goes on in its last colour, and a short screen with blanks`() {
        let screen = screen("\u{1B}[41mA", columns: 3, rows: 2)
        #expect(screen.rows[0].allSatisfy { $0.paper == screen.rows[0][0].paper && $0.paper != nil })
        #expect(screen.rows[1] == Array(repeating: StyledCell(), count: 3))
    }

    @Test(arguments: [
        "\u{1B}", "\u{1B}[", "\u{1B}[38;2m", "\u{1B}[38;5;999mX", "\u{1B}[;;;m", "\u{1B}]0;x",
        "é漢\u{1B}[99999999999999999999mZ",
    ])
    func `whatever is written, a screen has its size`(line: String) {
        let screen = screen(line)
        #expect(screen.rows.count == 1)
        #expect(screen.rows[0].count == 4)
        #expect(screen.painted().width == 4 * BitmapFont.width)
    }
}

@Suite struct CellPainterTests {
    private func painted(_ text: Character) -> Picture {
        var painter = CellPainter(
            picture: Picture(width: BitmapFont.width, height: BitmapFont.height, color: RGB(0, 0, 0)))
        var cell = StyledCell()
        cell.text = text
        cell.ink = RGB(255, 255, 255)
        cell.paper = RGB(0, 0, 0)
        painter.draw(cell, column: 0, row: 0)
        return painter.picture
    }

    private func lit(_ picture: Picture) -> Int { picture.pixels.count { $0.red > 127 } }

    @Test func `blocks cover exactly their part of a cell`() {
        let all = BitmapFont.width * BitmapFont.height
        #expect(lit(painted(" ")) == 0)
        #expect(lit(painted("█")) == all)
        #expect(lit(painted("▄")) == all / 2)
        #expect(lit(painted("▀")) == all / 2)
        #expect(lit(painted("▙")) + lit(painted("▝")) >= all - BitmapFont.width)
    }

    @Test func `lines meet at the edges of their cells`() {
        let (across, down) = (painted("─"), painted("│"))
        let middle = BitmapFont.height / 2
        #expect(
            [0, BitmapFont.width - 1].allSatisfy { x in across[x, middle].red > 0 || across[x, middle - 1].red > 0 })
        #expect([0, BitmapFont.height - 1].allSatisfy { down[BitmapFont.width / 2, $0].red > 0 })
        for corner: Character in ["╭", "╮", "╰", "╯", "┌", "┼"] { #expect(lit(painted(corner)) > 0) }
    }

    @Test func `each dot of braille is lit by its own bit`() {
        let one = lit(painted("⠁"))
        #expect(one > 0)
        #expect(lit(painted("⣿")) == 8 * one)
        #expect(lit(painted("⠀")) == 0)
    }

    @Test func `the font has every letter and sign of the screens`() {
        for scalar in "AZaz09 ~éüß°…↑↗→↘↓★✓×".unicodeScalars where scalar != " " {
            #expect(BitmapFont.standard.has(scalar), "\(scalar)")
        }
        // A letter that is not there is framed, so that it is seen to be missing.
        #expect(lit(painted("漢")) > 0)
    }
}

@Suite struct PortableGraphicTests {
    @Test(arguments: [0, 1, 2, 3, 257, 258, 259, 40_000])
    func `what is packed unpacks to the same bytes`(count: Int) throws {
        // Long runs, repetitions and something like noise.
        let input = (0..<count).map { (place: Int) -> UInt8 in
            let noise = UInt64(place) &* 6_364_136_223_846_793_005 >> 3
            return place % 7 == 0 ? UInt8(truncatingIfNeeded: (noise ^ (noise << 29)) >> 33) : UInt8(place / 300 % 256)
        }
        let packed = Deflate.packed(input)
        #expect(Array(packed.prefix(2)) == [0x78, 0x01])
        var inflater = Inflater(bytes: Array(packed.dropFirst(2).dropLast(4)))
        #expect(try inflater.unpacked() == input)
        #expect(count < 40_000 || packed.count < count)
    }

    @Test func `the sum at the end is that of the standard`() {
        // RFC 1950 defines it; "Wikipedia" has the sum 0x11E60398.
        #expect(Deflate.packed(Array("Wikipedia".utf8)).suffix(4) == [0x11, 0xE6, 0x03, 0x98])
    }

    @Test func `a picture of few colours has a palette, one of many has none`() {
        var few = Picture(width: 20, height: 20, color: RGB(1, 2, 3))
        few[3, 3] = RGB(9, 9, 9)
        let small = PortableGraphic.bytes(of: few)
        #expect(Array(small.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(small[25] == 3)
        for index in 0..<400 { few[index % 20, index / 20] = RGB(UInt8(index % 256), UInt8(index / 256), 0) }
        #expect(PortableGraphic.bytes(of: few)[25] == 2)
    }
}

@Suite struct ScreenshotPlanTests {
    private let plan = ScreenshotPlan(
        demo: DemoPlan(folder: "/d", rate: 1, seed: 1, duration: nil, brokerPort: 1, hubPort: 2, pagePort: 3))

    @Test func `every terminal runs what the program understands, and every picture shows terminals that exist`() throws
    {
        for terminal in plan.terminals {
            let command = try #require(try PoolSensors.parseAsRoot(terminal.arguments) as? any Configured)
            #expect(command.common.state == "/d/state")
        }
        let names = Set(plan.terminals.map(\.name))
        for picture in plan.pictures {
            #expect(picture.places.allSatisfy { names.contains($0.terminal) })
        }
    }

    @Test func `the water of the pictures is the same whenever they are made`() throws {
        let water = ScreenshotPlan.waters[0]
        let decode = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self).split(separator: ",\"timestamp").first
        }
        let early = water.messages(until: Timestamp(milliseconds: 1_000_000_000_000)).map(decode)
        let late = water.messages(until: Timestamp(milliseconds: 1_700_000_000_000)).map(decode)
        #expect(early == late)
        #expect(early.last == #"{"temperature":27.3,"ph":7.64,"chlorine":0.2,"orp":621"#)
    }
}

/// Unpacks one block of fixed codes (RFC 1951, 3.2.6).
private struct Inflater {
    struct Broken: Error {}

    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func bit() throws -> Int {
        guard place / 8 < bytes.count else { throw Broken() }
        defer { place += 1 }
        return Int(bytes[place / 8] >> (place % 8) & 1)
    }

    private mutating func number(_ count: Int) throws -> Int {
        try (0..<count).reduce(0) { sum, index in sum | (try bit()) << index }
    }

    private mutating func code() throws -> Int {
        var code = 0
        for length in 1...9 {
            code = code << 1 | (try bit())
            switch (length, code) {
            case (7, 0...0x17): return 256 + code
            case (8, 0x30...0xBF): return code - 0x30
            case (8, 0xC0...0xC7): return 280 + code - 0xC0
            case (9, 0x190...0x1FF): return 144 + code - 0x190
            default: continue
            }
        }
        throw Broken()
    }

    mutating func unpacked() throws -> [UInt8] {
        guard try number(1) == 1, try number(2) == 1 else { throw Broken() }
        var output: [UInt8] = []
        while true {
            let symbol = try code()
            if symbol < 256 {
                output.append(UInt8(symbol))
            } else if symbol == 256 {
                return output
            } else {
                let index = symbol - 257
                let bits = index < 8 || index == 28 ? 0 : index / 4 - 1
                // The bases follow from the number of further bits of those before.
                let base = index == 28 ? 258 : index < 8 ? index + 3 : ((4 + index % 4) << bits) + 3
                let length = base + (try number(bits))
                let far = try (0..<5).reduce(0) { sum, _ in sum << 1 | (try bit()) }
                let farBits = far < 4 ? 0 : far / 2 - 1
                let distance = (far < 4 ? far + 1 : ((2 + far % 2) << farBits) + 1) + (try number(farBits))
                guard distance <= output.count else { throw Broken() }
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
        }
    }
}
