public import SyncCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Moment {
    /// The present time.
    ///
    /// The monotonic clock includes the time in which the machine sleeps, because values age meanwhile.
    public static var now: Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds(of: steadyClock)),
            wallMilliseconds: nanoseconds(of: CLOCK_REALTIME) / 1_000_000 + WallClockOffset.milliseconds)
    }

    #if os(Linux)
        // Linux's CLOCK_MONOTONIC stops while the machine sleeps.
        private static var steadyClock: clockid_t { CLOCK_BOOTTIME }
    #else
        private static var steadyClock: clockid_t { CLOCK_MONOTONIC }
    #endif

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
