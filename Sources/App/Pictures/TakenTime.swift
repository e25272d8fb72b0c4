package import Text

/// When a picture was taken: a local time without a zone, as cameras note it.
package struct TakenTime: Hashable, Codable, Sendable {
    /// The time as `2026-06-01T12:00:00`; it sorts as text.
    package let text: String
    /// Whether it is the time of the file, because the picture does not say when it was taken.
    package let isEstimated: Bool

    /// Reads a time as `2026-06-01T12:00:00` or, as EXIF writes it, `2026:06:01 12:00:00`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isEstimated: Whether it is the time of a file.
    ///   - today: The present day; what is more than a day later is refused.
    /// - Throws: ``BilingualProblem``.
    package init(_ text: String, isEstimated: Bool, today: CalendarDay) throws(BilingualProblem) {
        let signs = Array(text)
        let words = text.split(whereSeparator: { $0 == "T" || $0 == " " })
        guard signs.count == 19, words.count == 2,
            let day = CalendarDay(words[0].map { $0 == ":" ? "-" : String($0) }.joined()),
            case let time = words[1].split(separator: ":", omittingEmptySubsequences: false), time.count == 3,
            let hour = CalendarDay.number(time[0]), let minute = CalendarDay.number(time[1]),
            let second = CalendarDay.number(time[2]), hour < 24, minute < 60, second < 60, day >= Self.first
        else {
            throw BilingualProblem(
                .unfit,
                "the picture's time is \(Excerpt(text)), which is no time since photography: its file's time is used",
                "l'heure de la photo est \(Excerpt(text)), qui n'en est pas une : l'heure du fichier est utilisée")
        }
        guard day.days <= today.days + 1 else {
            throw BilingualProblem(
                .unfit, "the picture's time is \(day.text), which is in the future: its file's time is used",
                "l'heure de la photo est \(day.text), dans le futur : l'heure du fichier est utilisée")
        }
        self.text = "\(day.text)T\(words[1])"
        self.isEstimated = isEstimated
    }

    private static let first = CalendarDay(days: -47_482)

    /// The day on which it was taken.
    package var day: CalendarDay { CalendarDay(String(text.prefix(10))) ?? CalendarDay(days: 0) }
}
