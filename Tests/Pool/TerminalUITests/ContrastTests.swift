import PoolModel
import TestSupport
import Testing

@testable import TerminalUI

/// All text on every screen in every theme is readable: letters and digits have a contrast of at least 4.5:1.
///
/// The 16 colours of a terminal are set by its user, so their contrasts are unknown.
@Suite(.longWork) struct ContrastTests {
    private static let least = 4.5
    private static let themes = Theme.Appearance.allCases.flatMap { [Theme($0), Theme($0, isDim: true)] }

    /// The letters and digits of a buffer with too little contrast, one for each pair of colours.
    private func faint(_ buffer: CellBuffer, _ depth: ColorDepth) -> [String] {
        var found: [String: String] = [:]
        for y in 0..<buffer.size.rows {
            for x in 0..<buffer.size.columns {
                let cell = buffer[x, y]
                guard cell.character.isLetter || cell.character.isNumber else { continue }
                var (ink, ground) = (cell.style.foreground, cell.style.background ?? .terminalDefault)
                if cell.style.attributes.contains(.reverse) { swap(&ink, &ground) }
                guard let one = shown(ink, depth), let other = shown(ground, depth) else { continue }
                let contrast = ColorMath.contrast(one, other)
                if contrast < Self.least {
                    found["\(one.hexadecimal) on \(other.hexadecimal)"] = "\(contrast) at \(x), \(y): \(cell.character)"
                }
            }
        }
        return found.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }

    /// The colour as a terminal of this depth shows it; nil for the terminal's default.
    private func shown(_ ink: AdaptiveColor, _ depth: ColorDepth) -> RGB? {
        guard depth == .indexed256 else { return ink.rgb }
        guard let index = ink.paletteIndex, index >= 16 else { return nil }
        if index >= 232 {
            let grey = UInt8(8 + 10 * (Int(index) - 232))
            return RGB(red: grey, green: grey, blue: grey)
        }
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let place = Int(index) - 16
        return RGB(red: levels[place / 36], green: levels[place / 6 % 6], blue: levels[place % 6])
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed256], themes)
    func `every letter and digit of the hub's screens can be read`(depth: ColorDepth, theme: Theme) {
        var names: Set<String> = []
        for var screen in HubGoldenTests.screens where screen.depth != .mono && screen.depth != .ansi16 {
            (screen.depth, screen.theme) = (depth, theme)
            guard names.insert("\(screen.sample) \(screen.columns) \(screen.rows) \(screen.script)").inserted else {
                continue
            }
            let faint = faint(HubGoldenTests.buffer(screen), depth)
            #expect(faint.isEmpty, "\(screen.name) \(theme.appearance) \(theme.isDim ? "dim" : ""): \(faint)")
        }
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed256], themes)
    func `every letter and digit of the faces can be read`(depth: ColorDepth, theme: Theme) {
        for sample in SampleGlance.allCases {
            for (columns, rows) in [(46, 22), (40, 9), (24, 10), (40, 15), (72, 1)] {
                var screen = WatchScreen(theme: theme, capabilities: Capabilities(depth: depth))
                let faint = faint(screen.draw(sample.glance, size: Size(columns: columns, rows: rows)), depth)
                #expect(faint.isEmpty, "\(sample) \(columns)×\(rows) \(theme.isDim ? "dim" : ""): \(faint)")
            }
        }
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed256], themes)
    func `every value can be read, also in numerals of blocks`(depth: ColorDepth, theme: Theme) throws {
        let look = ResolvedTheme(theme: theme, capabilities: Capabilities(depth: depth))
        let marks = Status.allCases.map { GaugeMark.judged($0) } + [.outdated, .offline, .missing]
        for ground in [theme.background, look.panelsGround, theme.panel] {
            for mark in marks {
                let (one, other) = (shown(look.valueInk(mark), depth), shown(ground, depth))
                #expect(ColorMath.contrast(try #require(one), try #require(other)) >= Self.least, "\(mark)")
            }
        }
    }
}
