import SyncCore

/// Lengths of time as scenarios and kept schedules write them: `20ms`, `1.5s`, `2h30m`.
enum DurationNotation {
    /// The valid forms, for messages.
    static let expected = "a duration such as 20ms, 1.5s, 10m, 2h30m or 1d"

    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1000), ("ns", 1),
    ]
    /// The longest duration, a hundred years, so that nothing that is computed with it overflows.
    private static let nanosecondsMax: Int64 = 3_155_760_000_000_000_000

    /// The shortest text that reads as this duration.
    static func text(_ duration: Duration) -> String {
        var rest = duration.wholeNanoseconds
        guard rest != 0 else { return "0s" }
        var text = rest < 0 ? "-" : ""
        rest = abs(rest)
        for (name, size) in units where rest >= size {
            text += "\(rest / size)\(name)"
            rest %= size
        }
        return text
    }

    /// Reads a text; nil unless it is a duration of at most a hundred years, in either direction.
    static func duration(_ text: some StringProtocol) -> Duration? {
        let isNegative = text.hasPrefix("-")
        var rest = Substring(text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...])
        guard !rest.isEmpty else { return nil }
        var sum: Int64 = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let unit = units.first(where: { $0.name == name }), digits.first != ".", digits.last != ".",
                digits.utf8.count <= 18, let number = Double(digits),
                number * Double(unit.nanoseconds) <= Double(nanosecondsMax)
            else { return nil }
            // Whole numbers stay exact; a fraction is rounded to the nanosecond.
            sum += Int64(digits).map { $0 * unit.nanoseconds } ?? Int64(number * Double(unit.nanoseconds) + 0.5)
            guard sum <= nanosecondsMax else { return nil }
        }
        return .nanoseconds(isNegative ? -sum : sum)
    }
}
