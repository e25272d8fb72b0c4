import PoolModel
import Testing

@testable import TerminalUI

/// V3: charts of aggregated points.
struct ChartTests {
    private let now = Timestamp(milliseconds: 1_795_255_740_000)
    private let limits = Quantity.chlorine.facts.limits

    private func series(_ points: [TimeSeries.Point]) -> TimeSeries {
        let query = ChartNavigator().query(of: .chlorine, device: DeviceID(high: 0, low: 1), now: now, columns: 40)
        return TimeSeries(quantity: query.quantity, first: query.from, last: query.through, points: points)
    }

    private func point(_ hoursAgo: Double, _ value: Double, raw: Double? = nil, afterGap: Bool = false)
        -> TimeSeries.Point
    {
        .init(
            start: now.advanced(byMilliseconds: -Int64(hoursAgo * 3_600_000)), least: value, greatest: value,
            mean: value,
            rawMean: raw, isAfterGap: afterGap)
    }

    private func drawn(
        _ points: [TimeSeries.Point], depth: ColorDepth = .truecolor, isASCII: Bool = false, columns: Int = 60,
        rows: Int = 12, keys: [Key] = [], gauge: Glance.Gauge? = nil
    ) -> CellBuffer {
        var navigator = ChartNavigator()
        for key in keys { navigator.press(key, now: now) }
        let chart = Chart(
            series: series(points), quantity: .chlorine, limits: limits, navigator: navigator, now: now, gauge: gauge)
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: depth, isASCII: isASCII))
        var buffer = CellBuffer(Size(columns: columns, rows: rows), background: look.panelsGround)
        chart.draw(on: &buffer, in: Rect(x: 0, y: 0, columns: columns, rows: rows), look: look)
        return buffer
    }

    /// A gauge of chlorine.
    private func gauge(_ value: Double, age: Int? = 4, freshness: Freshness = .live) -> Glance.Gauge {
        let (status, deviation) = limits.judge(value)
        return Glance.Gauge(
            quantity: .chlorine, value: value, status: freshness == .live ? status : .offline, deviation: deviation,
            freshness: freshness, ageSeconds: age, limits: limits, trend: nil, history: [])
    }

    private func isBraille(_ cell: Cell) -> Bool {
        cell.character.unicodeScalars.first.map { (0x2801...0x28FF).contains($0.value) } ?? false
    }

    /// The columns that contain a part of the line.
    private func lineColumns(_ buffer: CellBuffer) -> [Int] {
        (0..<buffer.size.columns).filter { x in (0..<buffer.size.rows).contains { isBraille(buffer[x, $0]) } }
    }

    @Test func `points are joined by a line`() {
        let columns = lineColumns(drawn([point(20, 1.5), point(4, 2.5)]))
        #expect(columns.count > 20)
        #expect(zip(columns, columns.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    /// The last bucket of a falling series: its mean is normal, and the newest reading is not.
    private var fallen: TimeSeries.Point {
        TimeSeries.Point(
            start: now.advanced(byMilliseconds: -400_000), least: 0.2, greatest: 2, mean: 1.63, count: 40)
    }

    @Test(arguments: [false, true])
    func `the end of the chart is the newest reading, not the mean of a bucket`(isASCII: Bool) throws {
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .truecolor, isASCII: isASCII))
        let buffer = drawn([point(20, 2), point(1, 2), fallen], isASCII: isASCII, gauge: gauge(0.2))
        let sign = look.glyph(Status.critical)
        let (critical, normal) = (Theme().ink(.critical), Theme().ink(.normal))
        // The label has its colour, and the sign is in the last column of the label's row.
        let row = try #require(
            (0..<11).first { y in (0..<8).map { "\(buffer[$0, y].character)" }.joined().contains("0.20") })
        #expect(buffer[6, row].style.foreground == critical)
        #expect(buffer[59, row].character == sign && buffer[59, row].style.foreground == critical)
        #expect(!buffer.text.contains("1.63"))
        let bold = (0..<11).flatMap { y in (0..<60).map { buffer[$0, y].style } }.filter {
            $0.attributes.contains(.bold)
        }
        #expect(!bold.contains { $0.foreground == normal })
    }

    @Test func `a reading that came after the points is the end of the chart`() {
        let buffer = drawn([point(20, 2), point(3, 2)], gauge: gauge(0.2))
        #expect(buffer.text.contains("0.20"))
        let columns = lineColumns(buffer)
        #expect(zip(columns, columns.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    @Test func `an old reading is not signed as a good one, and a panned chart does not end with it`() {
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .truecolor))
        let stale = drawn([point(20, 2), point(5, 2)], gauge: gauge(2, age: 4 * 3600, freshness: .stale))
        #expect(stale.text.contains(look.glyph(gauge(2, freshness: .stale).mark)))
        #expect(!stale.text.contains(look.glyph(Status.normal)))
        let panned = drawn([point(20, 2), point(8, 2)], keys: [.left], gauge: gauge(0.2))
        #expect(!panned.text.contains("0.20"))
        let unknown = drawn([point(20, 2), point(8, 2)], gauge: gauge(0.2, age: nil, freshness: .lastKnown))
        #expect(!unknown.text.contains("0.20"))
    }

    @Test func `a moment of bad water is seen in a bucket whose mean is good`() {
        let dip = TimeSeries.Point(
            start: now.advanced(byMilliseconds: -43_200_000), least: 0.2, greatest: 2.2, mean: 2, count: 500)
        let buffer = drawn([point(20, 2), dip, point(2, 2)])
        let inks = Set(
            (0..<12).flatMap { y in
                (8..<60).compactMap { isBraille(buffer[$0, y]) ? buffer[$0, y].style.foreground : nil }
            })
        #expect(inks == [Theme().ink(.normal), Theme().ink(.warning), Theme().ink(.critical)])
    }

    @Test func `a chart with data never says that there is none`() {
        #expect(!drawn([point(1, 2), point(0.5, 2)]).text.contains("no data"))
        #expect(!drawn([point(23, 2), point(20, 2)]).text.contains("no data"))
        #expect(!drawn([], gauge: gauge(2)).text.contains("no data"))
        #expect(drawn([]).text.contains("no data in this time"))
    }

    @Test func `a gap stays empty, and says that it is one`() {
        let buffer = drawn([point(22, 1.5), point(20, 1.5), point(4, 2, afterGap: true), point(2, 2)])
        let columns = lineColumns(buffer)
        #expect(zip(columns, columns.dropFirst()).contains { $1 - $0 > 20 })
        #expect(buffer.text.contains("silent"))
        #expect(!buffer.text.contains("no data"))
    }

    @Test func `each sample has the colour of its own status`() {
        let buffer = drawn([point(22, 2), point(16, 2), point(14, 0.7), point(8, 0.7), point(6, 0.2), point(1, 0.2)])
        let inks = Set(
            (0..<12).flatMap { y in
                (8..<60).compactMap { isBraille(buffer[$0, y]) ? buffer[$0, y].style.foreground : nil }
            })
        #expect(inks == [Theme().ink(.normal), Theme().ink(.warning), Theme().ink(.critical)])
    }

    @Test func `the safe band is tinted, and has dotted edges where there are few colours`() {
        let points = [point(20, 0.4), point(2, 3.6)]
        let tinted = drawn(points)
        let grounds = Set((0..<11).compactMap { tinted[20, $0].style.background })
        #expect(grounds.count == 2)
        let dotted = drawn(points, depth: .ansi16)
        #expect(Set((0..<11).compactMap { dotted[20, $0].style.background }).count == 1)
        #expect(dotted.text.contains("· · ·"))
    }

    @Test func `values are labelled where they mean something`() {
        let text = drawn([point(20, 0.4), point(2, 3.6)], gauge: gauge(3.6)).text
        for label in ["3.00", "1.00", "3.60", "-24h", "-12h", "now"] { #expect(text.contains(label)) }
    }

    @Test(arguments: [
        (0, "-15m"), (1, "-4h"), (2, "-18h"), (3, "-1d"), (4, "-14d"), (5, "-9mo"),
    ])
    func `times are labelled in whole units, and end with now`(zoom: Int, label: String) {
        let keys = Array(repeating: Key.character("+"), count: 2) + Array(repeating: .character("-"), count: zoom)
        let text = drawn([point(0.2, 2), point(0.1, 2)], columns: 80, keys: keys).text
        #expect(text.contains(label) && text.contains("now"))
    }

    @Test func `raw values are a line of their own, below the corrected one`() {
        let points = [point(20, 1.5, raw: 2.5), point(2, 1.5, raw: 2.5)]
        let (plain, raw) = (drawn(points), drawn(points, keys: [.character("w")]))
        func count(_ buffer: CellBuffer, _ ink: AdaptiveColor) -> Int {
            (0..<11).flatMap { y in (8..<60).map { buffer[$0, y] } }.count {
                isBraille($0) && $0.style.foreground == ink
            }
        }
        #expect(count(plain, Theme().tertiaryText) == 0)
        #expect(count(raw, Theme().tertiaryText) > 20)
        #expect(count(raw, Theme().ink(.normal)) > 20)
    }

    @Test func `the cursor reads off the nearest sample, and no other`() {
        var navigator = ChartNavigator()
        navigator.pick(0.5, now: now)
        var chart = Chart(
            series: series([point(12, 1.5)]), quantity: .chlorine, limits: limits, navigator: navigator, now: now)
        #expect(chart.reading()?.hasSuffix("1.50 mg/L") == true)
        chart.navigator.pick(0.9, now: now)
        #expect(chart.reading()?.hasSuffix("no data") == true)
    }

    @Test func `with ASCII alone every character is ASCII`() {
        let buffer = drawn([point(20, 0.4), point(2, 3.6)], depth: .mono, isASCII: true)
        #expect(!buffer.text.contains { !$0.isASCII })
        #expect(buffer.text.contains("*"))
    }

    @Test func `a column shows the whole span of its samples`() {
        let wide = TimeSeries.Point(
            start: now.advanced(byMilliseconds: -43_200_000), least: 1.1, greatest: 2.9, mean: 2, count: 500)
        let buffer = drawn([point(20, 2), wide, point(2, 2)], rows: 20)
        let heights = (8..<60).map { x in (0..<20).count { isBraille(buffer[x, $0]) } }
        #expect((heights.max() ?? 0) > 8)
    }

    @Test func `the chart of nonsense is drawn at any size`() {
        let nonsense = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300].enumerated().map {
            point(Double($0), $1, raw: $1)
        }
        for columns in [0, 1, 2, 7, 8, 9, 23, 24, 25, 60] {
            for rows in [0, 1, 2, 3, 4, 5, 30] {
                let buffer = drawn(
                    nonsense + [point(1, 2)], columns: columns, rows: rows, keys: [.character("w"), .character(",")])
                #expect(buffer.size == Size(columns: columns, rows: rows))
            }
        }
    }
}
