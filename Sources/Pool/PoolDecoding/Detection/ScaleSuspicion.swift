import PoolModel

/// Suspicions about a number that is unlikely for the quantity that it is read as.
///
/// The ranges are those seen in pools, not those that are possible: a suspicion is shown, but never applied.
enum ScaleSuspicion {
    /// The numbers by which devices say that they have no value, whatever the quantity.
    private static let faults: [Double] = [-999, -127, 99.9, 99.99, 999, 999.9, 9999, 32767, -32768, 65535, 85]

    /// Whether a value is so far from what water has that nothing but a person may take it for the quantity.
    ///
    /// Cold or hot water and a low redox potential are possible; a 0, a fault, or a code of a state are not.
    ///
    /// - Parameters:
    ///   - value: The value in the quantity's unit.
    ///   - quantity: The quantity.
    ///   - raw: The number as it was sent.
    ///   - isOfClearName: Whether nothing but the quantity and the water is named; next to any other word, such as `dosing`, a
    ///     small whole number of chlorine is rather a state or an amount.
    /// - Returns: Whether it is suspect.
    static func isSuspect(
        _ value: Double, of quantity: Quantity, raw: String?, isOfClearName: Bool = true
    ) -> Bool {
        let doubt = quantity.facts.doubt
        if !doubt.credible.contains(value) || doubt.nothing?.contains(value) ?? false { return true }
        if doubt.hasNoFaults, faults.contains(value) { return true }
        guard let whole = raw.flatMap({ Int($0.trimmedOfBlanks) }) else { return false }
        // A code of a state is 0, 1, 2 without a decimal point.
        return doubt.hasNoCodes && (-9...4).contains(whole) || doubt.hasNoWholesBesideOthers && !isOfClearName
    }

    /// A remark on a resulting value; nil if there is nothing to say.
    static func remark(on value: Double, of quantity: Quantity) -> String? {
        guard !quantity.facts.usualRange.contains(value) else { return nil }
        let shown = NumberShown.text(value)
        if value == 0 { return "\(quantity.name) is 0: no probe, or no value yet" }
        if faults.contains(value) {
            return "\(quantity.name) is \(shown), with which devices say that they have no value"
        }
        if quantity == .chlorine, value <= 100, value.truncatingRemainder(dividingBy: 5) == 0 {
            return "\(shown) can be no chlorine, perhaps the percent of a chlorinator"
        }
        return quantity.plausibleRange.contains(value)
            ? "\(quantity.name) is \(shown), which is rare in a pool" : "\(shown) can be no \(quantity.name)"
    }

    /// The change that turns an unusual value into a usual one; nil if no simple one does, or none is needed.
    static func suggestion(for source: ValueSource, number: Double) -> DeviceProposal.Suggestion? {
        let value = source.standardValue(number, in: source.unit)
        let usual = source.quantity.facts.usualRange
        // A fault in one unit is not a value in another one.
        guard source.offset == 0, value != 0, !usual.contains(value), !faults.contains(value) else { return nil }
        // Half and whole tens are percents of a chlorinator rather than tenths of milligrams.
        if source.quantity == .chlorine, number <= 100, number.truncatingRemainder(dividingBy: 5) == 0 { return nil }
        // A pool of 1 °C or with 8 mg/L is possible, but a guess that results in one is not credible, or less.
        let credible = source.quantity == .temperature ? 5...usual.upperBound : usual
        let ranges = source.quantity == .chlorine ? [0.1...5, credible] : [credible]
        let all = ranges.flatMap { range in candidates(for: source, number).map { (range, $0) } }
        for (range, (factor, unit, reason)) in all {
            let scale = source.scale * factor
            let corrected = source.quantity.standardValue(number * scale, in: unit)
            guard range.contains(corrected) else { continue }
            var scaled = source
            scaled.scale = scale
            scaled.unit = unit
            return DeviceProposal.Suggestion(
                quantity: source.quantity, source: scaled, value: corrected, title: nil,
                reason: "\(reason) suspected: \(NumberShown.text(value)) can hardly be \(source.quantity.name), "
                    + "\(NumberShown.text(corrected)) can")
        }
        return nil
    }

    private static func candidates(
        for source: ValueSource, _ number: Double
    ) -> [(factor: Double, unit: SourceUnit, reason: String)] {
        // What is no charge in percent is a voltage.
        if source.quantity == .battery { return [] }
        // Tenths come as whole numbers.
        if source.quantity == .temperature, source.unit == .celsius, (273.15...320).contains(number),
            number != number.rounded()
        {
            return [(1, .kelvin, SourceUnit.kelvin.rawValue)]
        }
        let scaled: [(Double, SourceUnit, String)] = [
            (0.1, source.unit, "×10"), (0.01, source.unit, "×100"), (0.001, source.unit, "×1000"),
        ]
        let facts = source.quantity.facts
        guard source.unit == facts.unit else { return scaled }
        return facts.words.guessedUnits.map { (1, $0, $0.rawValue) } + scaled
    }
}

/// The text of a number in remarks and previews.
enum NumberShown {
    /// A value of a quantity as people see it, with two digits after the point at most and its unit.
    static func text(_ value: Double, of quantity: Quantity) -> String {
        String("\(text(quantity.shownValue(value), digits: 2)) \(quantity.unit)".trimmedOfBlanks)
    }

    /// At most the given number of digits after the point, without zeros at the end.
    static func text(_ number: Double, digits: Int = 4) -> String {
        guard number.isFinite else { return "\(number)" }
        guard abs(number) < 1e9 else { return "\(number)" }
        let factor = digits == 2 ? 100.0 : 10_000
        let rounded = (number * factor).rounded() / factor
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }
}
