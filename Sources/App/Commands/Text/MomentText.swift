package import Foundation
package import Text

/// Formats and reads moments for a person, in this machine's time zone; programs get UTC, in `--json`.
package enum MomentText {
    /// The moment as `2026-06-01 10:09:30+02:00`, in a form that ``moment(_:in:)`` reads.
    package static func of(_ moment: Timestamp, in zone: TimeZone = .current) -> String {
        let offset = Self.offset(of: zone, at: moment) / 60
        let digits = [abs(offset) / 60, abs(offset) % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(day(of: moment, in: zone)) \(TimeOfDay(moment, in: zone).seconds)\(offset < 0 ? "-" : "+")\(digits)"
    }

    /// The moment as `10:09` if it is on the same day as another one, else as `2026-06-02 10:09`.
    package static func near(_ moment: Timestamp, to now: Timestamp, in zone: TimeZone = .current) -> String {
        let day = day(of: moment, in: zone)
        let time = TimeOfDay(moment, in: zone).minutes
        return day == Self.day(of: now, in: zone) ? time : "\(day) \(time)"
    }

    /// What is expected of a moment, for messages.
    package static let expected = "a moment such as 2026-06-01, 2026-06-01T12:00 or 2026-06-01T12:00:00Z"

    /// Reads a moment of ISO 8601; nil if it is none.
    ///
    /// Without a zone it is in this machine's, and a date alone is its first moment there.
    package static func moment(_ text: String, in zone: TimeZone = .current) -> Timestamp? {
        if let moment = Timestamp(iso8601: text) { return moment }
        guard let clock = Timestamp(iso8601: text + "Z") ?? Timestamp(iso8601: text + "T00:00:00Z") else { return nil }
        // The offset at the moment itself: near a change of the clocks the first guess is off by an hour.
        let guess = clock.advanced(byMilliseconds: -Int64(offset(of: zone, at: clock)) * 1000)
        return clock.advanced(byMilliseconds: -Int64(offset(of: zone, at: guess)) * 1000)
    }

    private static func day(of moment: Timestamp, in zone: TimeZone) -> Substring {
        moment.advanced(byMilliseconds: Int64(offset(of: zone, at: moment)) * 1000).iso8601.prefix(10)
    }

    /// The seconds by which a zone is before UTC.
    private static func offset(of zone: TimeZone, at moment: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
    }
}
