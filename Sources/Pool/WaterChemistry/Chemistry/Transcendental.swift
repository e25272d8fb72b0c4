/// Exponential, logarithm and cosine in plain arithmetic.
///
/// The functions of the platform's C library differ in the last digit between machines; these do not, so a simulated
/// pool with the same seed is the same everywhere. They are exact to about 15 digits.
enum Transcendental {
    private static let naturalLogarithmOf2 = 0.693_147_180_559_945_3
    private static let naturalLogarithmOf10 = 2.302_585_092_994_045_7

    /// e to the power of x; 0 or infinity outside the range of a double.
    static func exp(_ x: Double) -> Double {
        guard x > -740 else { return x.isNaN ? x : 0 }
        guard x < 710 else { return .infinity }
        let exponent = (x / naturalLogarithmOf2).rounded()
        let rest = x - exponent * naturalLogarithmOf2
        var term = 1.0
        var sum = 1.0
        for step in 1...18 {
            term *= rest / Double(step)
            sum += term
        }
        // In two factors, because the power of two alone may be outside the range of a double while the product is
        // inside.
        let half = Int(exponent) / 2
        return sum * Double(sign: .plus, exponent: half, significand: 1)
            * Double(sign: .plus, exponent: Int(exponent) - half, significand: 1)
    }

    /// The natural logarithm; minus infinity at 0, NaN below it.
    static func log(_ x: Double) -> Double {
        guard x > 0, x.isFinite else { return x == 0 ? -.infinity : x < 0 ? .nan : x }
        var significand = x.significand
        var exponent = Double(x.exponent)
        if significand > 1.414_213_562_373_095 {
            significand /= 2
            exponent += 1
        }
        // ln m = 2 artanh((m − 1) / (m + 1)), a series that converges fast near 1.
        let ratio = (significand - 1) / (significand + 1)
        var power = ratio
        var sum = 0.0
        for step in 0..<14 {
            sum += power / Double(2 * step + 1)
            power *= ratio * ratio
        }
        return exponent * naturalLogarithmOf2 + 2 * sum
    }

    /// 10 to the power of x.
    static func exp10(_ x: Double) -> Double { exp(x * naturalLogarithmOf10) }

    /// The decimal logarithm.
    static func log10(_ x: Double) -> Double { log(x) / naturalLogarithmOf10 }

    /// The cosine of an angle in turns: 1 at 0, −1 at one half.
    static func cosine(turns: Double) -> Double {
        guard turns.isFinite else { return .nan }
        // Reduced to an eighth of a turn around the nearest extreme or zero, where the series is short.
        let fraction = turns - turns.rounded()
        let isMirrored = fraction.magnitude > 0.25
        let angle = 2 * Double.pi * (isMirrored ? 0.5 - fraction.magnitude : fraction)
        var term = 1.0
        var sum = 1.0
        for step in 1...10 {
            term *= -angle * angle / Double((2 * step - 1) * 2 * step)
            sum += term
        }
        return isMirrored ? -sum : sum
    }
}
