/// A day without a time zone, such as a date of birth.
package struct CalendarDay: Hashable, Comparable, Sendable {
    /// The first day that is taken.
    package static let first = CalendarDay(days: -32_872)

    /// The days since 1970-01-01.
    package let days: Int

    /// The day of a number since 1970-01-01.
    package init(days: Int) { self.days = days }

    /// Reads `2026-06-01`; nil for what is no day from 1880 to 9999.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.count == 3, let year = Self.number(parts[0]),
            let month = Self.number(parts[1]), let day = Self.number(parts[2]),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        self.init(days: date.daysSince1970)
        guard self >= Self.first else { return nil }
    }

    /// The day of a time in UTC.
    package init(of time: Timestamp) { days = Int(time.milliseconds.flooredDivision(by: 86_400_000)) }

    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.days < right.days }

    /// The day as `2026-06-01`.
    package var text: String {
        let date = CivilDate(daysSince1970: days)
        return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
    }

    static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    package static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }

    /// Reads a day that a person gave, which may not be in the future.
    ///
    /// - Parameters:
    ///   - text: The text; blank for unknown.
    ///   - what: What the day is of, in English and in French.
    ///   - today: The present day.
    /// - Returns: The day; nil if it is unknown.
    /// - Throws: ``BilingualProblem``.
    package static func read(
        _ text: String, _ what: (english: String, french: String), today: CalendarDay
    ) throws(BilingualProblem) -> CalendarDay? {
        let typed = text.filter { !$0.isWhitespace }
        if typed.isEmpty { return nil }
        guard let day = CalendarDay(typed) else {
            throw BilingualProblem(
                .unfit, "the \(what.english) is \(Excerpt(text)): write a day from 1880 on, such as 1980-05-31",
                "la \(what.french) est \(Excerpt(text)) : écrivez un jour depuis 1880, tel que 1980-05-31")
        }
        // The person's calendar may be a day ahead of UTC.
        guard day.days <= today.days + 1 else {
            throw BilingualProblem(
                .unfit, "the \(what.english) is \(day.text), which is in the future: check the year",
                "la \(what.french) est \(day.text), dans le futur : vérifiez l'année")
        }
        return day
    }
}

extension CalendarDay: Codable {
    /// Reads the text.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = CalendarDay(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day: \(text)")
        }
        self = day
    }

    /// Writes the text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
