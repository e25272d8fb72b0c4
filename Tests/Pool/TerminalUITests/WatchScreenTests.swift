import PoolModel
import Testing

@testable import TerminalUI

struct WatchScreenTests {
    private func text(
        _ sample: SampleGlance, depth: ColorDepth = .mono, isASCII: Bool = false, columns: Int = 46, rows: Int = 22
    ) -> String {
        var screen = WatchScreen(capabilities: Capabilities(depth: depth, isASCII: isASCII))
        return screen.draw(sample.glance, size: Size(columns: columns, rows: rows)).text
    }

    @Test(arguments: SampleGlance.allCases)
    func `every size from nothing to a wall is drawn without a crash`(sample: SampleGlance) {
        var screen = WatchScreen(capabilities: Capabilities(depth: .ansi16))
        let sizes = [
            (0, 0), (1, 1), (2, 1), (1, 2), (3, 3), (0, 9), (9, 0), (13, 4), (24, 10), (43, 20), (44, 19), (44, 20),
            (45, 21), (46, 21), (46, 22), (47, 23), (80, 24), (240, 70), (240, 1), (1, 70),
        ]
        for (columns, rows) in sizes {
            let size = Size(columns: columns, rows: rows)
            #expect(screen.draw(sample.glance, size: size).size == size)
        }
    }

    @Test
    func `every small size shows the headline first`() {
        for sample in SampleGlance.allCases {
            let headline = Headline(sample.glance)
            // A face whose values are not fresh never shows OK, whatever is requested.
            let sign = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .mono)).glyph(headline)
            for columns in 1...43 {
                for rows in 1...4 {
                    let shown = text(sample, columns: columns, rows: rows)
                    #expect(shown.first == sign, "\(sample) \(columns)×\(rows)")
                    // A face that is not fresh says so in words if there is room for them.
                    if !headline.isFresh, columns >= headline.word.count + 2 {
                        let words = headline.word.lowercased()
                        #expect(shown.lowercased().contains(words), "\(sample) \(columns)×\(rows)")
                    }
                }
            }
        }
    }

    @Test
    func `a small size never cuts a value`() {
        let values = ["27.3", "7.64", "0.20", "586"]
        for columns in 1...43 {
            for rows in 1...6 {
                let shown = text(.critical, columns: columns, rows: rows)
                let numbers = shown.split { !$0.isNumber && $0 != "." }.map(String.init)
                for number in numbers where number.contains(".") { #expect(values.contains(number)) }
            }
        }
    }

    @Test
    func `where fields are left out the worst stay`() {
        #expect(text(.critical, columns: 14, rows: 1) == "◆ ◆Cl 0.20")
    }

    @Test
    func `the large face stands in the middle of a larger terminal`() {
        let large = text(.normal, columns: 46, rows: 22)
        let wide = text(.normal, columns: 80, rows: 24)
        #expect(wide.contains(large.split(separator: "\n")[0]))
        #expect(wide.split(separator: "\n", omittingEmptySubsequences: false)[1].hasPrefix("                 ╭"))
        #expect(!text(.normal, columns: 45, rows: 21).contains("╭"))
    }

    @Test(arguments: SampleGlance.allCases)
    func `the ASCII face has nothing but printable ASCII`(sample: SampleGlance) {
        for (columns, rows) in [(46, 22), (44, 20), (30, 8), (24, 10), (40, 15), (60, 1)] {
            let shown = text(sample, isASCII: true, columns: columns, rows: rows)
            #expect(shown.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
        }
    }

    @Test(arguments: SampleGlance.allCases)
    func `no face says OK or in range about what is not fresh`(sample: SampleGlance) throws {
        let isNormal = Headline(sample.glance) == .judged(.normal)
        for (columns, rows) in [(46, 22), (44, 20), (24, 10), (40, 15), (30, 8), (72, 1), (36, 1)] {
            for isASCII in [false, true] {
                let shown = text(sample, isASCII: isASCII, columns: columns, rows: rows)
                let words = shown.split { !$0.isLetter }
                #expect(isNormal || !words.contains("OK") && !words.contains("live"), "\(columns)×\(rows)")
                #expect(isNormal || !shown.contains("in range"))
            }
        }
        let line = try GlanceFormat("{status}").text(sample.glance)
        #expect((line == "OK") == isNormal)
        #expect((Headline(sample.glance).label == "normal") == isNormal)
        #expect(TmuxLine.text(sample.glance, depth: .mono).contains("●") == isNormal)
    }

    @Test(
        arguments: [
            (WatchLayout.automatic, 46, 22, WatchLayout.large), (.automatic, 44, 20, .large),
            (.automatic, 43, 20, .compact),
            (.automatic, 44, 19, .compact), (.automatic, 24, 10, .compact), (.automatic, 23, 10, .inline),
            (.automatic, 240, 9, .inline), (.compact, 200, 60, .compact), (.compact, 20, 20, .inline),
            (.inline, 200, 60, .inline), (.large, 200, 60, .large), (.large, 30, 12, .compact), (.large, 1, 1, .inline),
            (.inline, 0, 0, .inline),
        ] as [(WatchLayout, Int, Int, WatchLayout)])
    func `a layout without room gives way to the next smaller one`(
        layout: WatchLayout, columns: Int, rows: Int, face: WatchLayout
    ) {
        #expect(layout.fitting(Size(columns: columns, rows: rows)) == face)
    }

    @Test
    func `a click is told what it points at, wherever the face stands`() {
        var screen = WatchScreen(capabilities: Capabilities(depth: .mono))
        let wall = Size(columns: 80, rows: 30)
        #expect(screen.place(x: 17 + 5, y: 4 + 1, size: wall) == .header)
        #expect(screen.place(x: 17 + 5, y: 4 + 6, size: wall) == .gauge(.temperature))
        #expect(screen.place(x: 17 + 40, y: 4 + 6, size: wall) == .gauge(.ph))
        #expect(screen.place(x: 17 + 5, y: 4 + 14, size: wall) == .gauge(.chlorine))
        #expect(screen.place(x: 17 + 40, y: 4 + 14, size: wall) == .gauge(.orp))
        #expect(screen.place(x: 17 + 40, y: 4 + 18, size: wall) == .history)
        #expect(screen.place(x: 17 + 5, y: 4 + 20, size: wall) == .notice)
        #expect(screen.place(x: 3, y: 10, size: wall) == nil && screen.place(x: 30, y: 2, size: wall) == nil)
        screen.layout = .compact
        let small = Size(columns: 24, rows: 10)
        #expect(screen.place(x: 3, y: 0, size: small) == .header)
        #expect(
            (1...8).map { screen.place(x: 3, y: $0, size: small) }
                == Quantity.listed { _ in false }.flatMap { [.gauge($0), .gauge($0)] })
        #expect(screen.place(x: 3, y: 9, size: small) == .notice)
        #expect(screen.place(x: 24, y: 3, size: small) == nil)
        screen.layout = .inline
        #expect(screen.place(x: 3, y: 0, size: small) == nil)
    }

    @Test
    func `statuses can be told apart without any colour`() {
        for (columns, rows) in [(46, 22), (24, 10), (40, 15), (36, 1)] {
            let states = [SampleGlance.normal, .warning, .critical, .stale, .offline, .lastKnown]
            let signs = states.map { state in
                // Compares the words and signs only, because the numbers differ anyway.
                text(state, columns: columns, rows: rows).filter { !$0.isNumber }
            }
            #expect(Set(signs).count == signs.count, "\(columns)×\(rows)")
        }
        let faces = [SampleGlance.normal, .warning, .critical].map { text($0) }
        #expect(faces[2].contains("◆ CRITICAL") && faces[2].contains("◆ CHLORINE"))
    }

    @Test
    func `what a face shows depends on what it is given alone`() {
        var used = WatchScreen(capabilities: Capabilities(depth: .truecolor))
        for sample in SampleGlance.allCases { _ = used.draw(sample.glance, size: WatchScreen.preferredSize) }
        for sample in [SampleGlance.normal, .critical] {
            var fresh = WatchScreen(capabilities: Capabilities(depth: .truecolor))
            let (one, other) = (
                used.draw(sample.glance, size: WatchScreen.preferredSize),
                fresh.draw(sample.glance, size: WatchScreen.preferredSize)
            )
            #expect(one == other)
        }
    }

    @Test
    func `a glance that makes no sense is drawn all the same`() {
        var glance = Glance.sample(name: String(repeating: "露", count: 400))
        glance.clock = String(repeating: "9", count: 400)
        glance.ageSeconds = .max
        glance.gauges = Array(glance.gauges.reversed()) + glance.gauges
        glance.gauges[0].value = .infinity
        glance.gauges[1].value = 1e300
        glance.gauges[1].limits = Limits(criticalLow: .nan, low: .nan, high: .nan, criticalHigh: .nan)
        glance.gauges[2].history = [.nan, .infinity, nil, -1e300, 1e300]
        glance.gauges[2].limits.high = -.infinity
        for depth in ColorDepth.allCases {
            var screen = WatchScreen(capabilities: Capabilities(depth: depth))
            for (columns, rows) in [(46, 22), (44, 20), (40, 10), (9, 2)] {
                _ = screen.draw(glance, size: Size(columns: columns, rows: rows))
            }
        }
    }
}
