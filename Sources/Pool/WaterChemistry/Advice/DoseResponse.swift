public import PoolModel

/// How strongly a pool responds to doses: the observed change in relation to the computed one.
public enum DoseResponse {
    /// The number of doses of which the factor is the median.
    public static let doseCountMax = 5
    /// The least number of doses from which there is a factor.
    public static let doseCountMin = 3
    /// The range of the factor.
    public static let factorRange = 0.5...2
    /// The least change of a dose that counts, in mg/L and in pH: smaller ones are lost in the noise.
    private static let chlorineChangeMin = 0.1
    private static let phChangeMin = 0.03
    /// When the value before a dose is read, and the one after it: within so many hours.
    private static let hoursBefore = 2.0
    private static let hoursAfter = 2.0...6.0

    /// The median of the newest ratios, in its range; nil if there are too few.
    ///
    /// - Parameter ratios: Observed ÷ predicted, oldest first.
    /// - Returns: The factor.
    public static func factor(_ ratios: [Double]) -> Double? {
        let newest = ratios.filter(\.isFinite).suffix(doseCountMax)
        guard newest.count >= doseCountMin else { return nil }
        return min(max(factorRange.lowerBound, HourlyCourse.median(Array(newest))), factorRange.upperBound)
    }

    /// The ratios of the logged doses of a quantity whose change can be seen, oldest first.
    ///
    /// A change is that from the median of the two hours before a dose to the median of the second to the sixth hour
    /// after it. A dose with another one for the same quantity within six hours does not count.
    ///
    /// - Parameters:
    ///   - series: The values of the quantity, corrected.
    ///   - doses: The doses of the pool, in any order.
    ///   - volume: The volume in cubic metres.
    ///   - numbers: What was typed; without a total alkalinity, no dose for pH counts.
    ///   - celsius: The water temperature; nil if unknown.
    /// - Returns: Observed ÷ predicted.
    public static func ratios(
        _ series: TimeSeries, doses: [Dose], volume: Double, numbers: AdviceNumbers = AdviceNumbers(),
        celsius: Double? = nil
    ) -> [Double] {
        let acid = numbers.totalAlkalinity.map { alkalinity in
            { (ph: Double, target: Double) -> Double? in
                CarbonateSystem(
                    ph: ph, celsius: celsius ?? CarbonateSystem.usualCelsius, totalAlkalinity: alkalinity,
                    cyanuricAcid: numbers.cyanuricAcid ?? 0, borates: numbers.borates ?? 0)?.acid(to: target)
            }
        }
        let middle = (series.bucketMilliseconds ?? 0) / 2
        let points = series.points.filter { series.quantity.plausibleRange.contains($0.mean) }
        func median(_ first: Timestamp, _ last: Timestamp) -> Double? {
            let values = points.filter {
                let moment = $0.start.advanced(byMilliseconds: middle)
                return moment >= first && moment < last
            }.map(\.mean)
            return values.isEmpty ? nil : HourlyCourse.median(values)
        }
        let doses = doses.filter { $0.product.quantity == series.quantity }.sorted { $0.at < $1.at }
        return doses.compactMap { dose -> Double? in
            let last = dose.at.later(hours: hoursAfter.upperBound)
            let isAlone = !doses.contains {
                $0.id != dose.id && $0.at > dose.at.later(hours: -hoursAfter.upperBound) && $0.at < last
            }
            guard isAlone, let before = median(dose.at.later(hours: -hoursBefore), dose.at),
                let after = median(dose.at.later(hours: hoursAfter.lowerBound), last)
            else { return nil }
            return ratio(of: dose, from: before, to: after, volume: volume, acid: acid)
        }
    }

    private static func ratio(
        of dose: Dose, from before: Double, to after: Double, volume: Double,
        acid: ((_ from: Double, _ to: Double) -> Double?)?
    ) -> Double? {
        guard let strength = dose.strengthPercent ?? dose.product.usualStrength else { return nil }
        if let chlorine = dose.product.chlorine(strengthPercent: strength) {
            let predicted = dose.amount * chlorine / volume
            return predicted >= chlorineChangeMin ? (after - before) / predicted : nil
        }
        // Of acids only: the change of a base depends on its carbon.
        guard let equivalents = dose.product.acid(strengthPercent: strength), let acid,
            let observed = acid(before, after), let least = acid(before, before - phChangeMin)
        else { return nil }
        let given = dose.amount * equivalents / (1000 * volume)
        return given >= least ? observed / given : nil
    }
}

extension Timestamp {
    /// The time so many hours later; a part of them, too.
    func later(hours: Double) -> Timestamp { advanced(byMilliseconds: Int64(hours * 3_600_000)) }
}
