/// Numbers as text for people, with a decimal point.
package enum NumberFormat {
    /// The shortest digits, without a needless `.0`.
    package static func shortest(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A number with at most this many digits after the decimal point, without zeros at its end.
    package static func shortest(_ number: Double, decimals: Int) -> String {
        let text = fixed(number, decimals: decimals)
        guard text.contains(".") else { return text }
        return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
    }

    /// A number with this many digits after the decimal point, 0…6, rounded half away from zero; never `-0`.
    ///
    /// - Returns: `∞`, `-∞` or `–` for what has no such digits.
    package static func fixed(_ number: Double, decimals: Int) -> String {
        let count = min(6, max(0, decimals))
        let scale = (0..<count).reduce(1) { scale, _ in scale * 10 }
        let scaled = (number * Double(scale)).rounded()
        guard abs(scaled) < 1e15 else { return number.isNaN ? "–" : number < 0 ? "-∞" : "∞" }
        let (whole, rest) = Int64(scaled.magnitude).quotientAndRemainder(dividingBy: Int64(scale))
        let sign = scaled < 0 ? "-" : ""
        guard count > 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        return "\(sign)\(whole)." + String(repeating: "0", count: count - digits.count) + digits
    }
}
