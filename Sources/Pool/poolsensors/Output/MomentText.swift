import CommandSupport
import Foundation
import PoolModel

/// Formats a time for a person: the date, and the time of day in this machine's time zone.
enum MomentText {
    /// The moment as `2026-06-01 10:09:30`.
    static func of(_ moment: Timestamp, in zone: TimeZone = .current) -> String {
        "\(day(of: moment, in: zone)) \(TimeOfDay(moment, in: zone).seconds)"
    }

    /// The moment as `10:09` if it is on the same day as another one, else as `2026-06-02 10:09`.
    static func near(_ moment: Timestamp, to now: Timestamp, in zone: TimeZone = .current) -> String {
        let day = day(of: moment, in: zone)
        let time = TimeOfDay(moment, in: zone).minutes
        return day == Self.day(of: now, in: zone) ? time : "\(day) \(time)"
    }

    private static func day(of moment: Timestamp, in zone: TimeZone) -> Substring {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
        return moment.advanced(byMilliseconds: Int64(offset) * 1000).iso8601.prefix(10)
    }
}
