extension Timestamp {
    /// The time as `2026-06-01T12:00:00.250Z`: UTC, always three digits of a second, sortable as text.
    ///
    /// Years outside 0…9999 are written with their sign and all of their digits.
    public var iso8601: String {
        let millisecondsOfDay: Int64 = 86_400_000
        let days = milliseconds.flooredDivision(by: millisecondsOfDay)
        let remainder = milliseconds % millisecondsOfDay
        let rest = Int(remainder < 0 ? remainder + millisecondsOfDay : remainder)
        let date = CivilDate(daysSince1970: Int(days))
        let year = (0...9999).contains(date.year) ? Self.digits(date.year, 4) : "\(date.year)"
        return "\(year)-\(Self.digits(date.month, 2))-\(Self.digits(date.day, 2))"
            + "T\(Self.digits(rest / 3_600_000, 2)):\(Self.digits(rest / 60_000 % 60, 2))"
            + ":\(Self.digits(rest / 1000 % 60, 2)).\(Self.digits(rest % 1000, 3))Z"
    }

    /// The time in an ISO 8601 text; nil unless it is valid and has a time zone.
    ///
    /// The forms are those of ``ISO8601Text``.
    public init?(iso8601 text: some StringProtocol) {
        guard case .moment(let moment) = ISO8601Text.read(text) else { return nil }
        self = moment
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
