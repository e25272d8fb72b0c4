internal import Text

/// What a mirror has not copied yet.
package struct MirrorLag: Codable, Hashable, Sendable {
    /// How long readings may wait before that is an alarm, in milliseconds.
    package static let alarmMilliseconds: Int64 = 3_600_000

    /// The number of readings that wait.
    package var readings: Int
    /// When the first of them was received, by the hub's clock; nil if none waits.
    package var oldest: Timestamp?
    /// When something was copied last; nil for never.
    package var copiedAt: Timestamp?

    /// Notes it.
    package init(readings: Int, oldest: Timestamp?, copiedAt: Timestamp?) {
        self.readings = readings
        self.oldest = oldest
        self.copiedAt = copiedAt
    }

    /// Whether readings have waited for an hour, and nothing was copied meanwhile.
    package func isAlarming(at now: Timestamp) -> Bool {
        guard let oldest else { return false }
        return now.milliseconds(since: max(oldest, copiedAt ?? oldest)) >= Self.alarmMilliseconds
    }

    /// What waits, in words; `nothing waits` for none.
    package func words(at now: Timestamp) -> String {
        guard let oldest else { return "nothing waits" }
        let seconds = max(0, now.milliseconds(since: oldest) / 1000)
        let time = DurationText.text(.seconds(seconds))
        return readings == 1
            ? "1 reading waits, for \(time)" : "\(readings) readings wait, the first of them for \(time)"
    }
}
