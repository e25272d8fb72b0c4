import PoolModel

/// A time as a number: in seconds since 1970, or in milliseconds, microseconds or nanoseconds, judged by its size.
struct EpochTime: Equatable {
    var moment: Timestamp
    /// Whether the number is too small for a time since 1970: below 10⁹ s, which ended in 2001.
    var isUptime: Bool

    /// Reads a number; nil if it needs more than 64 bits.
    ///
    /// - Parameters:
    ///   - text: A number that passed `NumberGrammar.isDecimalNumber(_:)`.
    ///   - form: The unit; with `automatic` the size of the number decides.
    init?(_ text: String, form: TimeSource.Form = .automatic) {
        guard let (whole, thousandths) = Self.parts(of: text) else { return nil }
        // 10¹¹ s is the year 5138, and 10¹¹ ms is 1973: no pool probe means either. The further limits are chosen
        // alike.
        let milliseconds: Int64
        switch (form, whole.magnitude) {
        case (.seconds, _):
            // No time of a pool needs more than 64 bits of milliseconds.
            guard whole.magnitude < 9_000_000_000_000_000 else { return nil }
            milliseconds = whole * 1000 + thousandths
        case (.milliseconds, _): milliseconds = whole
        case (.microseconds, _): milliseconds = whole.flooredDivision(by: 1000)
        case (_, 0...100_000_000_000): milliseconds = whole * 1000 + thousandths
        case (_, 0...100_000_000_000_000): milliseconds = whole
        case (_, 0...100_000_000_000_000_000): milliseconds = whole.flooredDivision(by: 1000)
        case (.automatic, _), (.iso8601, _): milliseconds = whole.flooredDivision(by: 1_000_000)
        }
        moment = Timestamp(milliseconds: milliseconds)
        let isCount = form == .milliseconds || form == .microseconds
        isUptime = isCount ? (0..<1_000_000_000_000).contains(milliseconds) : (0..<1_000_000_000).contains(whole)
    }

    /// The whole part of the number, and its first three decimals: exact, where a double would round.
    private static func parts(of text: String) -> (whole: Int64, thousandths: Int64)? {
        guard text.utf8.allSatisfy({ $0 | 0x20 != UInt8(ascii: "e") }) else {
            guard let number = Double(text), number.magnitude < 9e18 else { return nil }
            let whole = number.rounded(.down)
            return (Int64(whole), Int64((number - whole) * 1000))
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = parts[0].drop { $0 == "-" || $0 == "+" }
        guard let whole = Int64(digits.isEmpty ? "0" : digits) else { return nil }
        let decimals = parts.count > 1 ? String(parts[1].prefix(3)) : ""
        let thousandths = Int64(decimals + String(repeating: "0", count: 3 - decimals.count)) ?? 0
        return isNegative ? (-whole, -thousandths) : (whole, thousandths)
    }
}
