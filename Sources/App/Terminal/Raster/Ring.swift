/// Everything that the picture of a ring gauge depends on, and nothing else: the key of the ring cache.
package struct Ring: Hashable, Sendable {
    /// The knob at the value.
    package struct Knob: Hashable, Sendable {
        package var fraction: Double
        package var isHollow: Bool
        package var ink: AdaptiveColor

        /// Describes a knob.
        package init(fraction: Double, isHollow: Bool, ink: AdaptiveColor) {
            self.fraction = fraction
            self.isHollow = isHollow
            self.ink = ink
        }
    }

    /// The arc from the edge of the safe band to a value outside of it.
    package struct Deviation: Hashable, Sendable {
        package var from: Double
        package var to: Double
        package var ink: AdaptiveColor

        /// Describes how far a value is out of its band.
        package init(from: Double, to: Double, ink: AdaptiveColor) {
            self.from = from
            self.to = to
            self.ink = ink
        }
    }

    package var size: Size
    package var background: AdaptiveColor
    package var track: AdaptiveColor
    package var band: AdaptiveColor
    package var bandStart: Double
    package var bandEnd: Double
    package var isDashed: Bool
    package var knob: Knob?
    package var deviation: Deviation?

    /// Describes a ring.
    package init(
        size: Size, background: AdaptiveColor, track: AdaptiveColor, band: AdaptiveColor, bandStart: Double,
        bandEnd: Double, isDashed: Bool, knob: Knob? = nil, deviation: Deviation? = nil
    ) {
        self.size = size
        self.background = background
        self.track = track
        self.band = band
        self.bandStart = bandStart
        self.bandEnd = bandEnd
        self.isDashed = isDashed
        self.knob = knob
        self.deviation = deviation
    }
}

/// The thickness of a ring's parts in cell widths; they depend on the size of the dots.
struct RingMeasures: Sendable {
    var track: Double
    var band: Double
    var deviation: Double
    var knob: Double
    var hole: Double
    /// The radius of the gap between the knob and the band, which makes the knob visible without colour.
    var gap: Double
    /// Whether the knob is moved to the nearest position where blocks draw it in the same shape, instead of its exact
    /// position.
    var snapsToCells: Bool

    static let mosaic = RingMeasures(
        track: 0.36, band: 0.62, deviation: 0.62, knob: 1.2, hole: 0.65, gap: 1.75, snapsToCells: true)
    static let braille = RingMeasures(
        track: 0.3, band: 0.8, deviation: 0.55, knob: 1.3, hole: 0.7, gap: 1.95, snapsToCells: false)
}

/// One painted part of a ring; later layers cover earlier ones.
struct RingLayer: Sendable {
    enum Shape: Sendable {
        case arc(from: Double, to: Double, halfWidth: Double, isDashed: Bool)
        case disc(center: ArcSpec.Point, radius: Double, hole: Double)
    }

    var shape: Shape
    /// The paint; nil to uncover the background again.
    var ink: AdaptiveColor?

    /// The distance of a point from the shape, in cell widths; negative inside.
    func distance(_ point: ArcSpec.Point, arc: ArcSpec) -> Double {
        switch shape {
        case .arc(let from, let to, let halfWidth, let isDashed):
            if isDashed, Int(arc.fraction(point) * 31) % 2 != 0 { return .infinity }
            return arc.distance(point, from: from, to: to, halfWidth: halfWidth)
        case .disc(let center, let radius, let hole):
            let distance = point.distance(to: center)
            return max(distance - radius, hole - distance)
        }
    }

    /// Whether certainly no point within this reach is in the shape.
    ///
    /// It is cheap; it may be false although none is, but never true although one is.
    func isFarFrom(_ point: ArcSpec.Point, reach: Double, arc: ArcSpec) -> Bool {
        switch shape {
        case .arc(_, _, let halfWidth, _):
            abs(point.distance(to: arc.center) - arc.radius) > halfWidth + reach
        case .disc(let center, let radius, _):
            point.distance(to: center) > radius + reach
        }
    }
}

extension Ring {
    var arc: ArcSpec { ArcSpec(columns: size.columns) }

    func layers(_ measures: RingMeasures, showsDeviation: Bool = true) -> [RingLayer] {
        var layers = [
            RingLayer(shape: .arc(from: 0, to: 1, halfWidth: measures.track, isDashed: isDashed), ink: track),
            RingLayer(
                shape: .arc(from: bandStart, to: bandEnd, halfWidth: measures.band, isDashed: false), ink: band),
        ]
        if let deviation, showsDeviation {
            let shape = RingLayer.Shape.arc(
                from: deviation.from, to: deviation.to, halfWidth: measures.deviation, isDashed: false)
            layers.append(RingLayer(shape: shape, ink: deviation.ink))
        }
        if let knob {
            let place = measures.snapsToCells ? arc.point(knob.fraction).snappedToCells : arc.point(knob.fraction)
            layers.append(RingLayer(shape: .disc(center: place, radius: measures.gap, hole: 0), ink: nil))
            let hole = knob.isHollow ? measures.hole : 0
            layers.append(RingLayer(shape: .disc(center: place, radius: measures.knob, hole: hole), ink: knob.ink))
        }
        return layers
    }
}

extension ArcSpec.Point {
    /// The nearest point in the middle of a row, or at a corner of four cells.
    fileprivate var snappedToCells: ArcSpec.Point {
        let isBetweenRows = Int(y.rounded()) % 2 == 0
        return ArcSpec.Point(x: isBetweenRows ? x.rounded() : (x * 2).rounded() / 2, y: y.rounded())
    }
}
