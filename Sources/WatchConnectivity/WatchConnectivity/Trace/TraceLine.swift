/// Formats the lines of a trace.
package enum TraceLine {
    /// The line for an event at a wall time, in milliseconds since 1970 in UTC.
    package static func text(_ event: TraceEvent, side: String, milliseconds: Int64) -> String {
        let (mark, words) = parts(event)
        // Each event is one line, whatever it contains.
        let line = words.replacing("\n", with: " ")
        return "\(timestamp(milliseconds)) \(side) \(mark) \(line)"
    }

    private static func parts(_ event: TraceEvent) -> (mark: String, words: String) {
        switch event {
        case .app(let words): ("->", words)
        case .call(let words): ("<-", words)
        case .link(let words): ("~~", words)
        case .device(let words): ("--", words)
        case .warning(let words): ("!!", words)
        }
    }

    /// The time at the start of a line; nil if it is not a line of a trace.
    static func time(of line: Substring) -> Substring? {
        let time = line.prefix { $0 != " " }
        let form = "0000-00-00T00:00:00.000Z"
        guard time.utf8.count == form.utf8.count else { return nil }
        let fits = zip(time.utf8, form.utf8).allSatisfy { byte, pattern in
            pattern == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == pattern
        }
        return fits ? time : nil
    }

    /// A time as `2026-11-21T09:42:55.123Z`.
    static func timestamp(_ milliseconds: Int64) -> String {
        let day: Int64 = 86_400_000
        let days = Int64((Double(milliseconds) / Double(day)).rounded(.down))
        let rest = milliseconds - days * day
        let (year, month, date) = civil(days)
        let parts = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60]
        let clock = parts.map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T\(clock).\(padded(rest % 1_000, 3))Z"
    }

    /// The date that is `days` days after 1970-01-01.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
