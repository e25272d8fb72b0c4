import SyncCore

/// When the sides of a virtual world want to be notified that a time has come.
struct Alarms {
    private struct Alarm {
        /// Nil while none is set.
        var at: Instant?
        var number = 0
        /// No side is notified twice within a millisecond, so that time advances whatever alarms there are.
        var notBefore: Instant
    }

    /// By side.
    private var alarms: [Alarm] = []

    mutating func addWatch(now: Instant) {
        alarms += [Alarm(notBefore: now), Alarm(notBefore: now)]
    }

    /// Sets the alarm of a side in place of its last one; nil cancels it.
    ///
    /// - Returns: The number of the alarm and when it goes off; nil if there is none, or if it was set already.
    mutating func set(of side: Side, at moment: Instant?) -> (number: Int, due: Instant)? {
        guard alarms[side.index].at != moment else { return nil }
        alarms[side.index].at = moment
        alarms[side.index].number += 1
        return moment.map { (alarms[side.index].number, max($0, alarms[side.index].notBefore)) }
    }

    mutating func cancel(of side: Side) { alarms[side.index].at = nil }

    /// Whether an alarm is still wanted.
    func isSet(_ number: Int, of side: Side) -> Bool {
        alarms[side.index].at != nil && alarms[side.index].number == number
    }

    /// The time of the alarm of a side has come.
    mutating func ring(of side: Side, now: Instant) {
        alarms[side.index].at = nil
        alarms[side.index].notBefore = now.advanced(by: .milliseconds(1))
    }
}
