package import PoolModel

/// How a quantity drifts since the last dose: pH in a straight line, chlorine in one of its logarithm.
///
/// Free chlorine decays by a share of what is there (FC = FC₀ · e^(−kt)), so its logarithm is linear.
///
/// A dose, logged or not, begins a new segment. One that was not logged shows as an hourly jump against the usual
/// drift; its size must exceed four robust standard deviations of the hourly changes, and a least size.
package struct DriftModel: Sendable {
    /// A line through the values of a segment, on the scale of the model.
    package struct Line: Hashable, Sendable {
        /// The time of the last value, in hours since 1970.
        package var time: Double
        /// The last value.
        package var level: Double
        /// The change per hour.
        package var slope: Double

        /// The value so many hours after the last one.
        package func value(after lead: Double) -> Double { level + slope * lead }
    }

    /// The least span of a segment, in hours.
    package static let spanMin = 8.0
    /// The least number of hours with values.
    private static let countMin = 6
    /// The newest part of a segment that determines the line, in hours.
    private static let spanMax = 48.0
    /// The longest gap within a segment, in hours; in a longer one, a dose might have gone unseen.
    private static let gapMax = 6.0
    /// The least free chlorine that has a logarithm here, in mg/L: what a probe can tell from none.
    private static let chlorineMin = 0.02

    private let isLogarithmic: Bool
    private let jumpMin: Double

    /// Creates the model of a quantity; nil for those that do not drift between doses.
    package init?(_ quantity: Quantity) {
        guard let drift = quantity.facts.drift else { return nil }
        isLogarithmic = drift.isLogarithmic
        jumpMin = drift.jumpMin
    }

    /// A value on the scale of the model.
    package func scaled(_ value: Double) -> Double {
        isLogarithmic ? Transcendental.log(max(value, Self.chlorineMin)) : value
    }

    /// The value of a number on the scale of the model.
    package func value(of scaled: Double) -> Double { isLogarithmic ? Transcendental.exp(scaled) : scaled }

    /// Whether a segment begins at each hour.
    ///
    /// - Parameters:
    ///   - hours: The hours, in order.
    ///   - doses: The times of the logged doses, in hours since 1970, in order.
    ///   - isOpen: Whether the last hour is the newest one that is known. Then a jump there begins a segment in either
    ///     direction, because only the next hour can tell it from a single wrong value.
    /// - Returns: A truth value for each hour; true for the first one.
    package func starts(_ hours: ArraySlice<HourlyCourse.Hour>, doses: [Double], isOpen: Bool) -> [Bool] {
        guard let first = hours.first else { return [] }
        var changes: [Double] = []
        var isGap: [Bool] = []
        // The changes of which the usual drift is made: those across no gap.
        var usual: [Double] = []
        var before = first.value
        for index in hours.indices.dropFirst() {
            // The median of three neighbours removes single wrong hours, and keeps steps.
            let here = index + 1 < hours.endIndex ? Self.middle(hours[index - 1], hours[index], hours[index + 1]) : nil
            let value = here ?? hours[index].value
            changes.append(value - before)
            isGap.append(hours[index].time - hours[index - 1].time > Self.gapMax)
            if !isGap[isGap.count - 1] { usual.append(value - before) }
            before = value
        }
        guard !usual.isEmpty else { return [true] + changes.map { _ in true } }
        let drift = HourlyCourse.median(usual)
        let deviation = 1.4826 * HourlyCourse.median(usual.map { ($0 - drift).magnitude })
        let limit = max(4 * deviation, jumpMin)
        var starts = [true]
        var dose = doses.firstIndex { $0 >= first.time } ?? doses.count
        for (index, change) in changes.enumerated() {
            let excess = change - drift
            let isAgainstDrift = drift == 0 || excess < 0 && drift > 0 || excess > 0 && drift < 0
            let isNewest = isOpen && index + 1 == changes.count
            let isJump = excess.magnitude > limit && (isAgainstDrift || isNewest)
            var isLogged = false
            while dose < doses.count, doses[dose] < hours[hours.startIndex + index + 1].time {
                isLogged = true
                dose += 1
            }
            starts.append(isJump || isGap[index] || isLogged)
        }
        return starts
    }

    /// The median of the values of three hours.
    private static func middle(_ one: HourlyCourse.Hour, _ two: HourlyCourse.Hour, _ three: HourlyCourse.Hour) -> Double
    {
        max(min(one.value, two.value), min(max(one.value, two.value), three.value))
    }

    /// The hours of the present segment: those since the last dose; none if a dose came after the newest of them.
    package func segment(
        of hours: ArraySlice<HourlyCourse.Hour>, doses: [Double]
    ) -> ArraySlice<HourlyCourse.Hour> {
        guard let last = hours.last, doses.last.map({ $0 < last.time }) ?? true else { return [] }
        return hours[(hours.startIndex + (starts(hours, doses: doses, isOpen: true).lastIndex(of: true) ?? 0))...]
    }

    /// The line through a segment; nil if the segment is too short.
    package func line(through segment: ArraySlice<HourlyCourse.Hour>) -> Line? {
        guard let first = segment.first, let last = segment.last, segment.count >= Self.countMin,
            last.time - first.time >= Self.spanMin
        else { return nil }
        let recent = segment.filter { $0.time > last.time - Self.spanMax }
        return Line(
            time: last.time, level: scaled(last.value), slope: Self.slope(recent.map { ($0.time, scaled($0.value)) }))
    }

    /// The slope of a line by Theil and Sen: the median of the slopes between all pairs of points.
    ///
    /// Source: P. K. Sen, J. Am. Stat. Assoc. 63 (1968). Up to 29 % of the points may be wrong.
    package static func slope(_ points: [(time: Double, value: Double)]) -> Double {
        var slopes: [Double] = []
        for (index, point) in points.enumerated() {
            for other in points[(index + 1)...] where other.time > point.time {
                slopes.append((other.value - point.value) / (other.time - point.time))
            }
        }
        return slopes.isEmpty ? 0 : HourlyCourse.median(slopes)
    }
}
