import PoolModel

extension EditOutcomeSummary.Kind {
    /// The word for people.
    var word: String {
        switch self {
        case .accepted: "accepted"
        case .merged: "merged"
        case .conflicting: "conflict"
        case .rejected: "rejected"
        }
    }

    var sign: (glyph: MenuSymbol, tone: MenuRow.Tone) {
        switch self {
        case .accepted: (.done, .status(.normal))
        case .merged: (.done, .accent)
        case .conflicting: (.conflict, .status(.warning))
        case .rejected: (.status(.critical), .status(.critical))
        }
    }
}

extension WatchFacts {
    /// How long ago a moment was, such as `4 min ago`; a moment ahead of the clock is `just now`.
    func ago(_ moment: Timestamp) -> String {
        let seconds = Int(clamping: now.milliseconds(since: moment) / 1000)
        return seconds < 1 ? "just now" : "\(FaceFormatter.age(seconds)) ago"
    }

    /// A moment as the time of day, with the date if it is not of this day.
    func time(_ moment: Timestamp) -> String {
        let clock = ClockText(moment, utcOffsetSeconds: utcOffsetSeconds)
        let today = ClockText(now, utcOffsetSeconds: utcOffsetSeconds)
        return clock.day == today.day ? clock.minute : clock.dayAndMinute
    }
}
