import PoolModel

/// A time in local time, as text for people: `10:09`, `10:09:41`, `3 Nov 10:09`.
struct ClockText: Equatable, Sendable {
    private let time: [Substring]
    private let year: Substring
    private let monthAndDay: (month: String, day: Int)

    init(_ moment: Timestamp, utcOffsetSeconds: Int) {
        let local = moment.advanced(byMilliseconds: Int64(min(86_400, max(-86_400, utcOffsetSeconds))) * 1000)
        let parts = local.iso8601.split(separator: "T", maxSplits: 1)
        let date = (parts.first ?? "").split(separator: "-")
        time = (parts.count > 1 ? parts[1] : "").prefix(8).split(separator: ":")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let month = date.count > 1 ? Int(date[date.count - 2]) ?? 1 : 1
        monthAndDay = (months[min(12, max(1, month)) - 1], date.last.flatMap { Int($0) } ?? 1)
        year = date.first ?? ""
    }

    /// Hour and minute.
    var minute: String { time.prefix(2).joined(separator: ":") }
    /// Hour, minute and second.
    var second: String { time.joined(separator: ":") }
    /// Day and month.
    var day: String { "\(monthAndDay.day) \(monthAndDay.month)" }
    /// Day, month and time.
    var dayAndMinute: String { "\(day) \(minute)" }
    /// Month and year.
    var date: String { "\(monthAndDay.month) \(year)" }

    static func == (left: ClockText, right: ClockText) -> Bool {
        left.time == right.time && left.year == right.year && left.monthAndDay == right.monthAndDay
    }
}
