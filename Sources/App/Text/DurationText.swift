/// Durations as people write them: `500ms`, `30s`, `10m`, `1h30m`, `2d`, or a bare number of seconds.
package enum DurationText {
    /// The allowed forms, for error messages.
    package static let expected = "a duration such as 500ms, 30s, 10m or 1h30m"

    /// The longest accepted duration; ten years, so that nothing that is computed with it overflows.
    private static let secondsMax = 315_576_000.0
    private static let secondsOfUnit: [String: Double] = [
        "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400,
    ]

    /// Reads a text; nil unless it is a duration from 0 to ten years.
    package static func duration(_ text: String) -> Duration? {
        var rest = text[...]
        var seconds = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count)
            // A number without a unit means seconds, but only if the text has nothing else.
            let isBare = unit.isEmpty && rest.isEmpty && digits.count == text.count
            let plain = String(digits).replacing(",", with: ".")
            guard plain.first != ".", plain.last != ".", let number = Double(plain),
                let factor = isBare ? 1 : secondsOfUnit[String(unit)]
            else { return nil }
            seconds += number * factor
        }
        guard !text.isEmpty, seconds <= secondsMax else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// The shortest text for this duration, to the millisecond.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s"),
            (milliseconds, "ms"),
        ]
        let text = parts.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
        return text.isEmpty ? "0s" : text
    }
}
