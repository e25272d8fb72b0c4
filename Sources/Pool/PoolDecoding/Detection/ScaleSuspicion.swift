import PoolModel

/// Suspicions about a number that is unlikely for the quantity that it is read as.
///
/// The ranges are those seen in pools, not those that are possible: a suspicion is shown, but never applied.
enum ScaleSuspicion {
    /// The range of most pools, in the unit of the quantity.
    static func usualRange(of quantity: Quantity) -> ClosedRange<Double> {
        switch quantity {
        case .temperature: 1...45
        case .ph: 4...10
        case .chlorine: 0...20
        case .orp: 100...1000
        }
    }

    /// A remark on a resulting value; nil if there is nothing to say.
    static func remark(on value: Double, of quantity: Quantity) -> String? {
        guard !usualRange(of: quantity).contains(value) else { return nil }
        let shown = NumberShown.text(value)
        if value == 0 { return "\(quantity.name) is 0: no probe, or no value yet" }
        if [-999, -127, 999, 65535, 85].contains(value) {
            return "\(quantity.name) is \(shown), with which devices say that they have no value"
        }
        return quantity.plausibleRange.contains(value)
            ? "\(quantity.name) is \(shown), which is rare in a pool" : "\(shown) can be no \(quantity.name)"
    }

    /// The change that turns an unusual value into a usual one; nil if no simple one does, or none is needed.
    static func suggestion(for source: ValueSource, number: Double) -> DeviceProposal.Suggestion? {
        let value = source.unit.standardValue(number * source.scale + source.offset)
        let usual = usualRange(of: source.quantity)
        guard source.offset == 0, value != 0, !usual.contains(value) else { return nil }
        for (factor, unit, reason) in candidates(for: source) {
            let scale = source.scale * factor
            let corrected = unit.standardValue(number * scale)
            // A pool of 1 °C is possible, but a guess that results in one is not credible.
            guard usual.contains(corrected), source.quantity != .temperature || corrected >= 5 else { continue }
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

    private static func candidates(for source: ValueSource) -> [(factor: Double, unit: SourceUnit, reason: String)] {
        let scaled: [(Double, SourceUnit, String)] = [
            (0.1, source.unit, "×10"), (0.01, source.unit, "×100"), (0.001, source.unit, "×1000"),
        ]
        switch source.quantity {
        case .temperature:
            let fahrenheit: [(Double, SourceUnit, String)] = source.unit == .celsius ? [(1, .fahrenheit, "°F")] : []
            return fahrenheit + scaled
        case .orp:
            let volts: [(Double, SourceUnit, String)] = source.unit == .millivolts ? [(1, .volts, "V")] : []
            return volts + scaled
        case .ph, .chlorine: return scaled
        }
    }
}

/// The text of a number in remarks and previews.
enum NumberShown {
    /// At most the given number of digits after the point, without zeros at the end.
    static func text(_ number: Double, digits: Int = 4) -> String {
        guard number.isFinite else { return "\(number)" }
        guard abs(number) < 1e9 else { return "\(number)" }
        let factor = digits == 2 ? 100.0 : 10_000
        let rounded = (number * factor).rounded() / factor
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }
}
