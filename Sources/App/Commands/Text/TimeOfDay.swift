package import Foundation
package import Text

/// The local time of day.
package struct TimeOfDay: Sendable {
    /// The seconds since midnight, 0…86399.
    package let secondsOfDay: Int

    /// The time of day of a moment in a time zone.
    package init(_ moment: Timestamp, in zone: TimeZone = .current) {
        let seconds = moment.milliseconds / 1000
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let rest = (seconds + Int64(offset)) % 86_400
        secondsOfDay = Int(rest < 0 ? rest + 86_400 : rest)
    }

    /// The time as `10:09`.
    package var minutes: String { "\(Self.two(secondsOfDay / 3600)):\(Self.two(secondsOfDay / 60 % 60))" }

    /// The time as `10:09:30`.
    package var seconds: String { "\(minutes):\(Self.two(secondsOfDay % 60))" }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
