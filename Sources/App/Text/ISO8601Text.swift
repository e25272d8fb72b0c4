/// A time as text: `2026-06-01T12:00:00.25+02:00`.
///
/// The text has a date, a `T`, `t` or blank, hours and minutes, optionally seconds and a fraction of any length (with
/// a dot or a comma), and the zone as `Z`, `+02:00`, `+0200` or `+02`. Dates must exist: no 30 February, no hour 24,
/// no second 60. Digits after the millisecond are dropped. Source: ISO 8601-1:2019, extended format, as far as RFC
/// 3339 and many devices use it.
public enum ISO8601Text: Hashable, Sendable {
    /// The text is a time with a zone.
    case moment(Timestamp)
    /// The text is a correct local time without a zone, so it is ambiguous by up to 26 hours.
    case withoutZone
    /// The text is not a time.
    case unreadable

    /// Reads a text.
    public static func read(_ text: some StringProtocol) -> ISO8601Text {
        var scanner = Scanner(Array(text.utf8))
        guard let date = scanner.date(), scanner.skip(anyOf: "Tt "), let time = scanner.time() else {
            return .unreadable
        }
        if scanner.isAtEnd { return .withoutZone }
        guard let zone = scanner.zoneMinutes(), scanner.isAtEnd else { return .unreadable }
        let minutes = Int64(date.daysSince1970) * 1440 - Int64(zone)
        return .moment(Timestamp(milliseconds: minutes * 60_000 + Int64(time)))
    }
}

private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), skip(anyOf: "-"), let month = number(digits: 2), skip(anyOf: "-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// The time of day in milliseconds.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(anyOf: ":"), let minute = number(digits: 2), minute < 60
        else { return nil }
        guard skip(anyOf: ":") else { return (hour * 60 + minute) * 60_000 }
        guard let second = number(digits: 2), second < 60 else { return nil }
        let whole = ((hour * 60 + minute) * 60 + second) * 1000
        guard skip(anyOf: ".,") else { return whole }
        guard let fraction = fraction() else { return nil }
        return whole + fraction
    }

    /// The offset from UTC in minutes, positive to the east.
    mutating func zoneMinutes() -> Int? {
        if skip(anyOf: "Zz") { return 0 }
        let isWest = position < bytes.count && bytes[position] == UInt8(ascii: "-")
        guard skip(anyOf: "+-"), let hours = number(digits: 2), hours < 24 else { return nil }
        if isAtEnd { return isWest ? -hours * 60 : hours * 60 }
        _ = skip(anyOf: ":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return isWest ? -(hours * 60 + minutes) : hours * 60 + minutes
    }

    mutating func skip(anyOf choices: String) -> Bool {
        guard position < bytes.count, choices.utf8.contains(bytes[position]) else { return false }
        position += 1
        return true
    }

    /// The milliseconds of a fraction of a second.
    private mutating func fraction() -> Int? {
        var milliseconds = 0
        var count = 0
        while let digit = digit() {
            if count < 3 { milliseconds = milliseconds * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 3)..<3 { milliseconds *= 10 }
        return milliseconds
    }

    private mutating func number(digits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func digit() -> Int? {
        guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else {
            return nil
        }
        defer { position += 1 }
        return Int(bytes[position] - UInt8(ascii: "0"))
    }
}
