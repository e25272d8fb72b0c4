#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The circle of a ring gauge, which is open at the bottom.
///
/// Lengths are in cell widths and a cell is two of them high, so that the units are square. Positions along the
/// ring are fractions of its sweep, from 0 at the lower left over 0.5 at the top to 1 at the lower right.
struct ArcSpec: Hashable, Sendable {
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double

        func distance(to other: Point) -> Double {
            let (dx, dy) = (x - other.x, y - other.y)
            return (dx * dx + dy * dy).squareRoot()
        }
    }

    /// The angle that a ring covers, in degrees; the rest is the opening for the label.
    static let sweepDegrees = 236.0

    var center: Point
    var radius: Double

    /// Creates the ring that fits the columns of an area, with space for half a knob at its top and sides.
    init(columns: Int) {
        radius = max(1, Double(columns) / 2 - 1.2)
        center = Point(x: Double(columns) / 2, y: radius + 1.2)
    }

    /// The point on the ring at a fraction of its sweep.
    func point(_ fraction: Double) -> Point {
        let angle = (fraction - 0.5) * Self.sweepDegrees * .pi / 180
        return Point(x: center.x + radius * sin(angle), y: center.y - radius * cos(angle))
    }

    /// The fraction of the sweep in the direction of a point; below 0 and above 1 in the opening.
    func fraction(_ point: Point) -> Double {
        let degrees = atan2(point.x - center.x, center.y - point.y) * 180 / .pi
        return degrees / Self.sweepDegrees + 0.5
    }

    /// The distance of a point from the band of this half width between two fractions, with round ends.
    ///
    /// Negative inside.
    func distance(_ point: Point, from: Double, to: Double, halfWidth: Double) -> Double {
        let fraction = fraction(point)
        if fraction >= from, fraction <= to {
            return abs(point.distance(to: center) - radius) - halfWidth
        }
        return min(point.distance(to: self.point(from)), point.distance(to: self.point(to))) - halfWidth
    }
}
