public import PoolModel

/// A time on the clocks that the alert engine needs: the wall clock for people, and the monotonic clock for all
/// waits.
public struct AlertTime: Hashable, Sendable {
    /// The wall clock; it may jump.
    public var wall: Timestamp
    /// The milliseconds of a clock that never jumps and includes the time in which the machine sleeps
    /// (`CLOCK_BOOTTIME`).
    public var uptimeMilliseconds: Int64
    /// The run of that clock: any number that differs after each boot, such as a hash of the boot id.
    public var bootID: UInt64
    /// The offset of local time from UTC in seconds, positive to the east; only quiet hours use it.
    public var utcOffsetSeconds: Int

    /// Creates a time; by default in UTC.
    public init(wall: Timestamp, uptimeMilliseconds: Int64, bootID: UInt64 = 0, utcOffsetSeconds: Int = 0) {
        self.wall = wall
        self.uptimeMilliseconds = uptimeMilliseconds
        self.bootID = bootID
        self.utcOffsetSeconds = utcOffsetSeconds
    }

    /// The milliseconds since local midnight; 0…86,399,999.
    var localMillisecondsOfDay: Int64 {
        let day: Int64 = 86_400_000
        let offset = Int64(min(max(utcOffsetSeconds, -86_400), 86_400)) * 1000
        // The offset is added after the division, so that no time overflows.
        let remainder = (wall.milliseconds % day + offset) % day
        return remainder < 0 ? remainder + day : remainder
    }
}

extension QuietHours {
    /// The milliseconds until the quiet hours end; nil if they are not in effect.
    func millisecondsLeft(at moment: AlertTime) -> Int64? {
        let day: Int64 = 86_400_000
        let now = moment.localMillisecondsOfDay
        let start = Int64(startMinute) * 60_000
        let end = Int64(endMinute) * 60_000
        let isQuiet = start < end ? (start..<end).contains(now) : now >= start || now < end
        guard isQuiet else { return nil }
        return now < end ? end - now : end + day - now
    }
}

/// The engine's own clock: it never goes back, even over restarts of the process and of the machine.
///
/// Within one boot it follows the monotonic clock, whatever the wall clock does, and whether the process ran or not.
/// Over a boot, only the wall clock shows how long the machine was off: the difference counts unless it is negative.
/// So a machine that starts with an old date waits longer, but at most for the time that was left.
struct EngineClock: Hashable, Sendable {
    /// A time on both clocks, stored with each record.
    struct Anchor: Codable, Hashable, Sendable {
        var steady: Int64
        var wall: Timestamp
        var uptime: Int64
        var bootID: UInt64

        /// The time of this clock at a later moment.
        func steady(at moment: AlertTime) -> Int64 {
            let elapsed =
                moment.bootID == bootID
                ? Timestamp(milliseconds: moment.uptimeMilliseconds)
                    .milliseconds(since: Timestamp(milliseconds: uptime))
                : moment.wall.milliseconds(since: wall)
            // A century is longer than any wait; a longer time means that a clock was wrong, and a sum could
            // overflow.
            return steady + min(max(0, elapsed), 3_155_760_000_000)
        }
    }

    private(set) var anchor: Anchor

    /// The clock that continues from the latest of these anchors, or starts at zero.
    init(resuming anchors: some Sequence<Anchor>, at moment: AlertTime) {
        let latest = anchors.filter { (0...Int64.max / 4).contains($0.steady) }.max { $0.steady < $1.steady }
        anchor = Anchor(
            steady: latest.map { $0.steady(at: moment) } ?? 0, wall: moment.wall, uptime: moment.uptimeMilliseconds,
            bootID: moment.bootID)
    }

    /// Advances to a moment, and returns the time of this clock in milliseconds.
    mutating func advance(to moment: AlertTime) -> Int64 {
        anchor = Anchor(
            steady: anchor.steady(at: moment), wall: moment.wall,
            uptime: moment.bootID == anchor.bootID
                ? max(anchor.uptime, moment.uptimeMilliseconds) : moment.uptimeMilliseconds,
            bootID: moment.bootID)
        return anchor.steady
    }
}
