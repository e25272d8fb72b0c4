import PoolModel
import Testing

@testable import Terminal
@testable import TerminalUI

struct GaugeScaleTests {
    @Test
    func `a gauge spans the limits and one and a half times the band, but nothing impossible`() {
        let acidity = GaugeScale(quantity: .ph, limits: Limits(criticalLow: 6, low: 7, high: 8, criticalHigh: 9))
        #expect(acidity.range == 5.5...9.5)
        #expect(acidity.bandFractions == 0.375...0.625)

        let chlorine = GaugeScale(quantity: .chlorine, limits: Quantity.chlorine.facts.limits)
        #expect(chlorine.range == 0...6)
    }

    @Test
    func `a value beyond an end sits at that end`() {
        let scale = GaugeScale(quantity: .temperature, limits: Quantity.temperature.facts.limits)
        #expect(scale.fraction(-300) == 0)
        #expect(scale.fraction(25) == 0.5)
        #expect(scale.fraction(.infinity) == 1)
        #expect(scale.fraction(.nan) == 0)
    }

    @Test(arguments: [
        (5.0, 5.0), (8.0, 3.0), (.nan, 1.0), (-.infinity, .infinity), (-1e300, 1e300),
    ])
    func `limits that make no sense are replaced`(low: Double, high: Double) {
        let scale = GaugeScale(
            quantity: .ph, limits: Limits(criticalLow: low, low: low, high: high, criticalHigh: high))
        #expect(scale == GaugeScale(quantity: .ph, limits: Quantity.ph.facts.limits))
    }

    @Test
    func `limits outside of what is possible still make a gauge`() {
        let limits = Limits(criticalLow: 90, low: 90, high: 95, criticalHigh: 95)
        let scale = GaugeScale(quantity: .temperature, limits: limits)
        #expect(scale.range.contains(90) && scale.range.contains(95))
        #expect(scale.bandFractions.upperBound > scale.bandFractions.lowerBound)
    }
}

struct ArcSpecTests {
    private let arc = ArcSpec(columns: 21)

    @Test
    func `the ring opens at the bottom and its top is the middle`() {
        let top = arc.point(0.5)
        #expect(abs(top.x - 10.5) < 1e-9 && abs(top.y - 1.2) < 1e-9)
        let (start, end) = (arc.point(0), arc.point(1))
        #expect(abs(start.x + end.x - 21) < 1e-9 && abs(start.y - end.y) < 1e-9)
        #expect(start.y > arc.center.y && start.x < arc.center.x)
    }

    @Test
    func `a place on the ring has the fraction that it was made from`() {
        for step in 0...100 {
            let fraction = Double(step) / 100
            #expect(abs(arc.fraction(arc.point(fraction)) - fraction) < 1e-9)
        }
    }

    @Test
    func `distances are measured from the edges of the band and its round ends`() {
        let top = ArcSpec.Point(x: 10.5, y: 1.2)
        #expect(abs(arc.distance(top, from: 0, to: 1, halfWidth: 0.5) + 0.5) < 1e-9)
        let above = ArcSpec.Point(x: 10.5, y: 0.2)
        #expect(abs(arc.distance(above, from: 0, to: 1, halfWidth: 0.5) - 0.5) < 1e-9)
        let below = ArcSpec.Point(x: 10.5, y: 1.2 + 2 * arc.radius)
        #expect(arc.distance(below, from: 0, to: 1, halfWidth: 0.5) > 5)
    }
}

struct RingTests {
    private let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .truecolor))
    private let size = Size(columns: 21, rows: 8)

    private func ring(_ gauge: Glance.Gauge) -> Ring {
        Ring(gauge, scale: GaugeScale(quantity: gauge.quantity, limits: gauge.limits), look: look, size: size)
    }

    @Test
    func `the knob is where the printed value is`() throws {
        let gauge = Glance.sample(ph: 7.354).gauges[1]
        let scale = GaugeScale(quantity: .ph, limits: gauge.limits)

        let knob = try #require(ring(gauge).knob)

        #expect(knob.fraction == scale.fraction(7.35))
        #expect(ring(Glance.sample(ph: 7.346).gauges[1]) == ring(gauge))
    }

    @Test
    func `only a value out of range has a deviation arc, from the edge of the band to the knob`() throws {
        #expect(ring(Glance.sample().gauges[1]).deviation == nil)

        let high = ring(Glance.sample(ph: 7.9).gauges[1])
        #expect(high.deviation?.from == high.bandEnd)
        #expect(high.deviation?.to == high.knob?.fraction)

        let low = ring(Glance.sample(chlorine: 0.2).gauges[2])
        #expect(low.deviation?.from == low.knob?.fraction)
        #expect(low.deviation?.to == low.bandStart)
    }

    @Test
    func `a value that is not fresh has a dashed ring, a faded or hollow knob, or none`() {
        let live = ring(Glance.sample().gauges[0])
        #expect(!live.isDashed && live.knob?.isHollow == false)
        #expect(live.knob?.ink == look.theme.ink(.normal))

        let stale = ring(Glance.sample(freshness: .stale).gauges[0])
        #expect(stale.isDashed && stale.knob?.isHollow == false)
        #expect(stale.knob?.ink == look.theme.tint(.normal, 0.55))

        let offline = ring(Glance.sample(freshness: .offline).gauges[0])
        #expect(offline.isDashed && offline.knob?.isHollow == true)

        let wasHigh = ring(Glance.sample(ph: 7.9, freshness: .stale).gauges[1])
        #expect(wasHigh.knob?.ink == look.theme.tint(.warning, 0.55) && wasHigh.deviation != nil)

        let never = ring(Glance.empty(name: "x", revision: 1).completeGauges[0])
        #expect(never.isDashed && never.knob == nil)
    }

    @Test(arguments: [RingCache.Rung.smoothMosaic, .indexedMosaic, .braille(hasColor: true), .braille(hasColor: false)])
    func `a ring is drawn once as long as it looks the same`(rung: RingCache.Rung) {
        var cache = RingCache()
        let picture = cache.picture(ring(Glance.sample().gauges[0]), rung: rung)
        #expect(cache.picture(ring(Glance.sample(age: 9).gauges[0]), rung: rung) == picture)
        #expect(cache.drawnCount == 1)

        #expect(cache.picture(ring(Glance.sample(temperature: 29).gauges[0]), rung: rung) != picture)
        #expect(cache.picture(ring(Glance.sample(freshness: .stale).gauges[0]), rung: rung) != picture)
        #expect(cache.drawnCount == 3)
        #expect(picture.pieces.allSatisfy { (0..<21).contains($0.x) && (0..<8).contains($0.y) })
    }

    @Test
    func `the cache is bounded`() {
        var cache = RingCache()
        for step in 0..<100 {
            _ = cache.picture(ring(Glance.sample(orp: 600 + Double(step)).gauges[3]), rung: .braille(hasColor: false))
        }
        #expect(cache.drawnCount == 100)
        _ = cache.picture(ring(Glance.sample(orp: 699).gauges[3]), rung: .braille(hasColor: false))
        #expect(cache.drawnCount == 100)
    }

    @Test
    func `a ring in 256 colours has its inks and no mixture of them`() {
        let ring = ring(Glance.sample(chlorine: 0.2).gauges[2])
        let inks = [ring.background, ring.track, ring.band, ring.knob?.ink, ring.deviation?.ink, .terminalDefault]
        for piece in IndexedMosaic.draw(ring).pieces {
            #expect(inks.contains(piece.style.foreground) && inks.contains(piece.style.background))
        }
    }

    @Test
    func `without colour the deviation arc is left out, so that it cannot pass for the band`() {
        let inside = ring(Glance.sample(ph: 7.9).gauges[1])
        var plain = inside
        plain.deviation = nil
        #expect(BrailleRing.draw(inside, hasColor: false) == BrailleRing.draw(plain, hasColor: false))
        #expect(BrailleRing.draw(inside, hasColor: true) != BrailleRing.draw(plain, hasColor: true))
    }

    @Test
    func `a layer that is called far has no place within reach`() {
        let ring = ring(Glance.sample(chlorine: 0.2).gauges[2])
        for layer in ring.layers(.mosaic) {
            for row in 0..<8 {
                for column in 0..<21 {
                    let center = CellSamples.center(column: column, row: row)
                    guard layer.isFarFrom(center, reach: CellSamples.reach, arc: ring.arc) else { continue }
                    for sample in 0..<CellSamples.count {
                        let place = CellSamples.point(sample, column: column, row: row)
                        #expect(layer.distance(place, arc: ring.arc) > 0.1)
                    }
                }
            }
        }
    }
}

struct NumeralTests {
    private func picture(_ text: String) -> String {
        var buffer = CellBuffer(Size(columns: 20, rows: 3))
        BigNumerals.draw(text, on: &buffer, x: 0, y: 0, ink: .terminalDefault, paintsCells: false)
        return buffer.text
    }

    @Test
    func `numerals are three cells wide and three rows high`() {
        #expect(picture("0.2") == "█▀█   ▀▀█\n█ █   █▀▀\n▀▀▀ ▀ ▀▀▀")
        #expect(picture("-17") == "    ▄█  ▀▀█\n▀▀▀  █    █\n    ▀▀▀   ▀")
        #expect(BigNumerals.width("27.3") == 13)
        #expect(BigNumerals.width("") == 0)
        #expect(BigNumerals.width("1e9") == nil)
    }

    @Test
    func `every digit has a picture of its own`() {
        let pictures = Set("0123456789".map { picture(String($0)) })
        #expect(pictures.count == 10)
    }

    @Test
    func `a full cell is a coloured space where there is colour`() {
        let ink = AdaptiveColor(rgb: RGB(0xFFFFFF), ansi: 15)
        var buffer = CellBuffer(Size(columns: 3, rows: 3))
        BigNumerals.draw("0", on: &buffer, x: 0, y: 0, ink: ink, paintsCells: true)
        #expect(buffer[0, 0].character == " " && buffer[0, 0].style.background == ink)
        #expect(buffer[1, 0].character == "▀" && buffer[1, 0].style.foreground == ink)
    }
}

struct SparklineTests {
    private let scale = GaugeScale(quantity: .ph, limits: Quantity.ph.facts.limits)

    @Test
    func `values are spread over the columns and gaps stay gaps`() throws {
        let wide = try #require(Sparkline(history: [7, nil, 7.2], columns: 6, scale: scale.range))
        #expect(wide.columns == [7, 7, nil, nil, 7.2, 7.2])

        let narrow = try #require(Sparkline(history: [7, 7.2, nil, 7.4, nil, nil], columns: 3, scale: scale.range))
        #expect(narrow.columns == [7.1, 7.4, nil])
    }

    @Test
    func `the last column is the newest value, not a mean`() throws {
        let line = try #require(Sparkline(history: [7, 7.2, 7.4, 7.6, 7.5, 6.1], columns: 2, scale: scale.range))
        #expect(line.columns.count == 2 && line.columns[1] == 6.1)
        let old = try #require(Sparkline(history: [7, 7.2, 6.1, nil, nil, nil], columns: 2, scale: scale.range))
        #expect(old.columns == [6.1, nil])
    }

    @Test
    func `without a number there is nothing to draw`() {
        #expect(Sparkline(history: [], columns: 5, scale: scale.range) == nil)
        #expect(Sparkline(history: [nil, .nan, .infinity], columns: 5, scale: scale.range) == nil)
        #expect(Sparkline(history: [7], columns: 0, scale: scale.range) == nil)
    }

    @Test
    func `noise does not look like a storm, and the lowest value is not a gap`() throws {
        let calm = try #require(Sparkline(history: [7.20, 7.21, 7.20, 7.21], columns: 4, scale: scale.range))
        #expect(abs(calm.height(7.20, rows: 2) - calm.height(7.21, rows: 2)) <= 1)

        let steep = try #require(Sparkline(history: [0, 14], columns: 2, scale: scale.range))
        #expect(steep.height(0, rows: 2) >= 1 && steep.height(14, rows: 2) >= 14)
        #expect(steep.height(-100, rows: 2) == 1 && steep.height(100, rows: 2) == 16)
    }

    @Test
    func `columns grow in eighths of a row from below`() throws {
        let line = try #require(Sparkline(history: [0, 7, 14], columns: 3, scale: scale.range))
        var buffer = CellBuffer(Size(columns: 3, rows: 2))
        line.draw(
            on: &buffer, in: Rect(x: 0, y: 0, columns: 3, rows: 2), paintsCells: false,
            ink: { _, _ in .terminalDefault })
        #expect(buffer.text == "  ▆\n▂██")
    }
}

struct BulletBarTests {
    @Test
    func `the band and the mark stand where their fractions are`() {
        var buffer = CellBuffer(Size(columns: 11, rows: 1))
        let bar = BulletBar(band: 0.4...0.6, trackStyle: Style(), bandStyle: Style())
        bar.draw(on: &buffer, x: 0, y: 0, columns: 11, glyphs: .lines, mark: (0.9, "▲", Style()))
        #expect(buffer.text == "────━━━──▲─")

        bar.draw(on: &buffer, x: 0, y: 0, columns: 11, glyphs: .ascii, mark: (1, "!", Style()))
        #expect(buffer.text == "----===---!")

        bar.draw(on: &buffer, x: 0, y: 0, columns: 0, glyphs: .ascii, mark: (1, "!", Style()))
        #expect(buffer.text == "----===---!")
    }
}
